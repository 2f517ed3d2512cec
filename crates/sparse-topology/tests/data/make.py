"""Makes manifest.json and data.i32 of this folder from sets of coordinates: no tree, no masks, the formulas of README.md."""
import hashlib, itertools, json, os, struct

HERE = os.path.dirname(os.path.abspath(__file__))
MASK = (1 << 64) - 1
blob = bytearray()


def splitmix(seed):
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def key(c):
    part = lambda shift, bits: tuple((v >> shift) & ((1 << bits) - 1) for v in c)
    return (tuple(v >> 12 for v in c), part(7, 5), part(3, 4), part(0, 3))


def box(lo, hi):
    return set(itertools.product(*(range(a, b + 1) for a, b in zip(lo, hi))))


def item(voxels, limit=400):
    voxels = sorted(voxels, key=key)
    data = b"".join(struct.pack("<3i", *v) for v in voxels)
    out = {"count": len(voxels), "sha256": hashlib.sha256(data).hexdigest(),
           "nodes_leaf_lower_upper": [len({tuple(x >> s for x in v) for v in voxels}) for s in (3, 7, 12)]}
    if voxels:
        out["min"] = [min(v[k] for v in voxels) for k in range(3)]
        out["max"] = [max(v[k] for v in voxels) for k in range(3)]
        if len(voxels) <= limit:
            out["offset"] = len(blob)
            blob.extend(data)
    return out


def span(rel, v, k):
    """Destinations of coordinate v on axis k: [lo, hi]."""
    up, step, before, after = rel[0], rel[1][k], rel[2][k], rel[3][k]
    return (step * v - before, step * v + after) if up else (-((after - v) // step), (v + before) // step)


def image(s, rel):
    out = set()
    for v in s:
        ranges = [span(rel, v[k], k) for k in range(3)]
        out |= set(itertools.product(*(range(lo, hi + 1) for lo, hi in ranges)))
    return out


def window(kernel):
    before = [(k - 1) // 2 for k in kernel]
    return before, [k - 1 - b for k, b in zip(kernel, before)]


def balls(n):
    return [d for d in itertools.product((-1, 0, 1), repeat=3) if sum(map(abs, d)) <= {6: 1, 18: 2, 26: 3}[n]]


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def masked(s, seed):
    return {v for v, bit in zip(sorted(s, key=key), splitmix(seed)) if bit & 1}


def apply(op, s, p, j):
    zero = [0, 0, 0]
    if op in ("coarsen", "refine", "subsample"):
        f = p["factor"]
        return image(s, (op == "refine", f, zero, zero if op == "subsample" else [v - 1 for v in f]))
    if op == "refine_masked":
        return apply("refine", masked(s, p["mask_seed"] + j), p, j)
    if op == "prune":
        return masked(s, p["mask_seed"] + j)
    if op in ("conv", "conv_transpose"):
        return image(s, (op == "conv_transpose", p["stride"], *window(p["kernel"])))
    if op == "dilate":
        for _ in range(p["iterations"]):
            s = {add(v, d) for v in s for d in balls(p["neighbours"])}
        return s
    if op == "pad":
        return {add(v, d) for v in s for d in box([p["min"]] * 3, [p["max"]] * 3)}
    if op == "erode":
        return {v for v in s if all(add(v, d) in s for d in box([p["min"]] * 3, [p["max"]] * 3))}
    if op == "dual_exclude_border":
        return {add(v, (1, 1, 1)) for v in s if all(add(v, d) in s for d in box(zero, [1, 1, 1]))}
    if op == "clip":
        return {v for v in s if all(a <= x <= b for a, x, b in zip(p["min"], v, p["max"]))}
    other = {add(v, p["shift"]) for v in s}
    return {"merge": s | other, "intersect": s & other, "difference": s - other}[op]


def random(seed, n, lo, hi):
    draw = splitmix(seed)
    return {tuple(lo + next(draw) % (hi - lo + 1) for _ in range(3)) for _ in range(n)}


INPUTS = {
    "empty": [set()],
    "corner": [{(x, y, z) for x in (-1, 0) for y in (127, 128) for z in (-4097, -4096)}],
    "far": [{(2 ** 31 - 1, -2 ** 31, 0), (-2 ** 31, 5, 2 ** 31 - 1)}],
    "ball": [{v for v in box([-6] * 3, [6] * 3) if sum(x * x for x in v) <= 30}],
    "scatter": [random(3, 60, -150, 150)],
    "batch": [random(4, 80, -9, 9), set(), box([6, -2, 3], [9, 1, 8]), {(0, 0, 0)}, set()],
}
CASES = [("coarsen", {"factor": f}) for f in ([2, 2, 2], [3, 3, 3], [1, 2, 5], [9, 9, 9])]
CASES += [("subsample", {"factor": f}) for f in ([2, 2, 2], [1, 3, 2])]
CASES += [("refine", {"factor": f}) for f in ([2, 2, 2], [3, 1, 2])]
CASES += [("refine_masked", {"factor": [2, 2, 2], "mask_seed": 9}), ("prune", {"mask_seed": 10})]
CASES += [(op, {"kernel": k, "stride": s}) for op in ("conv", "conv_transpose")
          for k, s in (([3] * 3, [1] * 3), ([3] * 3, [2] * 3), ([4, 2, 1], [1, 2, 3]), ([2] * 3, [3] * 3))]
CASES += [("dilate", {"neighbours": n, "iterations": i}) for n in (6, 18, 26) for i in (1, 2)]
CASES += [("pad", {"min": 0, "max": 1}), ("pad", {"min": -2, "max": 1})]
CASES += [("erode", {"min": 0, "max": 1}), ("erode", {"min": -1, "max": 1}), ("dual_exclude_border", {})]
CASES += [("clip", {"min": [-5, -5, -5], "max": [5, 127, 9]})]
CASES += [(op, {"shift": [1, -2, 3]}) for op in ("merge", "intersect", "difference")]


def main():
    manifest = {"format": 1, "blob": "data.i32", "inputs": {}, "cases": []}
    for name, items in INPUTS.items():
        manifest["inputs"][name] = [item(s, 1000) for s in items]
    fits = lambda s: all(-2 ** 31 <= x < 2 ** 31 for v in s for x in v)
    for name, items in INPUTS.items():
        for op, params in CASES:
            moved = [{add(v, params["shift"]) for v in s} for s in items] if "shift" in params else []
            result = [apply(op, s, params, j) for j, s in enumerate(items)]
            ok = all(map(fits, result + moved))
            manifest["cases"].append({"id": f"{op}-{len(manifest['cases']):03}", "op": op, "input": name, "params": params,
                                      "expect": [item(s) for s in result] if ok else "coordinate-overflow"})
    for name, items in INPUTS.items():
        for j, s in enumerate(items):
            rows = {v: i for i, v in enumerate(sorted(s, key=key))}
            queries = [(0, 0, 0), (-1, 127, -4097), (6, -2, 3)] + sorted(s)[:5]
            manifest["cases"].append({"id": f"ijk_to_index-{name}-{j}", "op": "ijk_to_index", "input": name, "item": j,
                                      "queries": queries, "expect": [rows.get(q, -1) for q in queries]})
    lines = lambda values: "[\n" + ",\n".join(json.dumps(v) for v in values) + "\n]"
    with open(os.path.join(HERE, "manifest.json"), "w") as f:
        f.write('{"format": 1, "blob": "data.i32",\n"inputs": {\n')
        f.write(",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in manifest["inputs"].items()))
        f.write('\n},\n"cases": ' + lines(manifest["cases"]) + "}\n")
    with open(os.path.join(HERE, "data.i32"), "wb") as f:
        f.write(blob)


main()
