// Schedule: the cells of a workgroup that are to be looked at get places in a row of the list, with one addition to its length for all of them.
// Needs list_out, counters and params.list.

var<workgroup> wanted: atomic<u32>;
var<workgroup> first_place: u32;

// Every lane of the workgroup comes here.
fn list_together(listed: bool, cell: u32, lane: u32) {
    if lane == 0u { atomicStore(&wanted, 0u); }
    workgroupBarrier();
    var mine = 0u;
    if listed { mine = atomicAdd(&wanted, 1u); }
    workgroupBarrier();
    if lane == 0u {
        let count = atomicLoad(&wanted);
        if count > 0u { first_place = atomicAdd(&counters[params.list], count); }
    }
    workgroupBarrier();
    if listed { list_out[first_place + mine] = cell; }
}
