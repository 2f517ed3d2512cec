//! Cutting a mesh into meshlets: greedy growth over shared edges, in parallel over pieces of a Morton order.

use rayon::prelude::*;

/// Largest meshlet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshletLimits {
    /// Vertices, 3 to 256.
    pub vertices: u32,
    /// Triangles, 1 to 256.
    pub triangles: u32,
}

/// A meshlet while it grows: what a format's budget looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) vertices: u32,
    pub(crate) triangles: u32,
    pub(crate) low: [i32; 3],
    pub(crate) high: [i32; 3],
}

/// Whether a meshlet of this shape is still wanted.
pub(crate) type Budget = fn(&Shape) -> bool;

/// Triangles of a piece: pieces are cut independently, so the result does not depend on the number of threads.
const PIECE: usize = 1 << 16;
const NONE: u32 = u32::MAX;

/// Cuts a mesh into meshlets: lists of triangle numbers, every triangle in exactly one.
///
/// A meshlet grows from a seed over shared edges; the next triangle is the one that adds no vertex, else the one nearest to the
/// meshlet's centre. `points` only guide the shape. Cost: about a microsecond a triangle and core.
pub fn build_meshlets(points: &[[i32; 3]], triangles: &[[u32; 3]], limits: MeshletLimits) -> Vec<Vec<u32>> {
    build_within(points, triangles, limits, |_| true)
}

/// [`build_meshlets`] with a budget beside the limits; a single triangle is always a meshlet.
pub(crate) fn build_within(
    points: &[[i32; 3]],
    triangles: &[[u32; 3]],
    limits: MeshletLimits,
    budget: Budget,
) -> Vec<Vec<u32>> {
    let low = points.iter().fold([i32::MAX; 3], |low, p| [0, 1, 2].map(|k| low[k].min(p[k])));
    let centre = |triangle: &[u32; 3]| -> [i64; 3] {
        let corners = triangle.map(|v| points[v as usize]);
        [0, 1, 2].map(|k| corners.iter().map(|p| i64::from(p[k]) - i64::from(low[k])).sum())
    };
    let mut order: Vec<(u64, u32)> =
        triangles.par_iter().zip(0..triangles.len() as u32).map(|(t, id)| (morton(centre(t)), id)).collect();
    order.par_sort_unstable();
    let pieces = order.par_chunks(PIECE);
    let meshlets: Vec<Vec<Vec<u32>>> = pieces
        .map(|piece| {
            let ids: Vec<u32> = piece.iter().map(|(_, id)| *id).collect();
            let centres = ids.iter().map(|id| centre(&triangles[*id as usize]).map(|x| x as f32)).collect();
            Piece::new(ids, points, triangles, centres).cut(limits, budget)
        })
        .collect();
    meshlets.into_iter().flatten().collect()
}

/// Interleaves 21 bits of each coordinate.
fn morton(point: [i64; 3]) -> u64 {
    let spread = |x: i64| {
        let mut y = (x as u64) & 0x1f_ffff;
        y = (y | (y << 32)) & 0x001f_0000_0000_ffff;
        y = (y | (y << 16)) & 0x001f_0000_ff00_00ff;
        y = (y | (y << 8)) & 0x100f_00f0_0f00_f00f;
        y = (y | (y << 4)) & 0x10c3_0c30_c30c_30c3;
        (y | (y << 2)) & 0x1249_2492_4924_9249
    };
    spread(point[0]) | spread(point[1]) << 1 | spread(point[2]) << 2
}

/// A run of the Morton order with its own vertex numbers.
struct Piece {
    /// Triangle numbers of the mesh.
    ids: Vec<u32>,
    /// Corners in the piece's vertex numbers.
    corners: Vec<[u32; 3]>,
    centres: Vec<[f32; 3]>,
    neighbours: Vec<[u32; 3]>,
    /// Points of the piece's vertices.
    points: Vec<[i32; 3]>,
}

impl Piece {
    fn new(ids: Vec<u32>, points: &[[i32; 3]], triangles: &[[u32; 3]], centres: Vec<[f32; 3]>) -> Self {
        let mut used: Vec<u32> = ids.iter().flat_map(|id| triangles[*id as usize]).collect();
        used.sort_unstable();
        used.dedup();
        let local = |v: u32| used.partition_point(|u| *u < v) as u32;
        let corners: Vec<[u32; 3]> = ids.iter().map(|id| triangles[*id as usize].map(local)).collect();
        let neighbours = neighbours(&corners);
        let points = used.iter().map(|v| points[*v as usize]).collect();
        Self { ids, corners, centres, neighbours, points }
    }

    fn cut(&self, limits: MeshletLimits, budget: Budget) -> Vec<Vec<u32>> {
        let mut growth = Growth {
            piece: self,
            taken: vec![false; self.ids.len()],
            stamp: vec![NONE; self.points.len()],
            queued: vec![NONE; self.ids.len()],
            frontier: Vec::new(),
            next: 0,
        };
        let mut meshlets = Vec::new();
        while let Some(seed) = growth.seed() {
            let meshlet = growth.grow(seed, meshlets.len() as u32, limits, budget);
            meshlets.push(meshlet.into_iter().map(|t| self.ids[t as usize]).collect());
        }
        meshlets
    }
}

/// For each triangle the ones behind its three edges; at an edge of more than two, pairs in order.
fn neighbours(corners: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut edges: Vec<(u64, u32)> = Vec::with_capacity(3 * corners.len());
    for (triangle, corner) in (0..).zip(corners) {
        for k in 0..3 {
            let (a, b) = (corner[k], corner[(k + 1) % 3]);
            edges.push((u64::from(a.min(b)) << 32 | u64::from(a.max(b)), 4 * triangle + k as u32));
        }
    }
    edges.sort_unstable();
    let mut neighbours = vec![[NONE; 3]; corners.len()];
    let mut at = 0;
    while at + 1 < edges.len() {
        if edges[at].0 == edges[at + 1].0 {
            let (a, b) = (edges[at].1, edges[at + 1].1);
            neighbours[(a / 4) as usize][(a % 4) as usize] = b / 4;
            neighbours[(b / 4) as usize][(b % 4) as usize] = a / 4;
            at += 2;
        } else {
            at += 1;
        }
    }
    neighbours
}

struct Growth<'a> {
    piece: &'a Piece,
    taken: Vec<bool>,
    /// Meshlet that a vertex was last used by.
    stamp: Vec<u32>,
    /// Meshlet in whose frontier a triangle was last.
    queued: Vec<u32>,
    frontier: Vec<u32>,
    next: usize,
}

impl Growth<'_> {
    fn free_neighbours(&self, triangle: u32) -> usize {
        let free = |n: &&u32| **n != NONE && !self.taken[**n as usize];
        self.piece.neighbours[triangle as usize].iter().filter(free).count()
    }

    /// The most enclosed triangle beside the last meshlet, else the next one in the order.
    fn seed(&mut self) -> Option<u32> {
        let beside = self.frontier.iter().copied().filter(|t| !self.taken[*t as usize]);
        let enclosed = beside.min_by_key(|t| (self.free_neighbours(*t), *t));
        self.frontier.clear();
        enclosed.or_else(|| self.next_free())
    }

    fn next_free(&mut self) -> Option<u32> {
        while self.next < self.taken.len() && self.taken[self.next] {
            self.next += 1;
        }
        (self.next < self.taken.len()).then_some(self.next as u32)
    }

    fn new_vertices(&self, triangle: u32, meshlet: u32) -> u32 {
        let corners = self.piece.corners[triangle as usize];
        corners.iter().filter(|v| self.stamp[**v as usize] != meshlet).count() as u32
    }

    /// The shape with one more triangle.
    fn extended(&self, shape: Shape, triangle: u32, meshlet: u32) -> Shape {
        let corners = self.piece.corners[triangle as usize].map(|v| self.piece.points[v as usize]);
        Shape {
            vertices: shape.vertices + self.new_vertices(triangle, meshlet),
            triangles: shape.triangles + 1,
            low: corners.iter().fold(shape.low, |low, p| [0, 1, 2].map(|k| low[k].min(p[k]))),
            high: corners.iter().fold(shape.high, |high, p| [0, 1, 2].map(|k| high[k].max(p[k]))),
        }
    }

    fn grow(&mut self, seed: u32, meshlet: u32, limits: MeshletLimits, budget: Budget) -> Vec<u32> {
        let mut members = Vec::new();
        let mut shape = Shape { vertices: 0, triangles: 0, low: [i32::MAX; 3], high: [i32::MIN; 3] };
        let mut sum = [0.0; 3];
        let mut candidate = Some(seed);
        while let Some(triangle) = candidate {
            let extended = self.extended(shape, triangle, meshlet);
            if !members.is_empty() && !budget(&extended) {
                break;
            }
            shape = extended;
            self.take(triangle, meshlet);
            members.push(triangle);
            let centre = self.piece.centres[triangle as usize];
            sum = [0, 1, 2].map(|k| sum[k] + centre[k]);
            if shape.triangles == limits.triangles {
                break;
            }
            let mean = sum.map(|x| x / members.len() as f32);
            let room = limits.vertices - shape.vertices;
            candidate = self.best(meshlet, mean, room).or_else(|| self.elsewhere(meshlet, room));
        }
        members
    }

    fn take(&mut self, triangle: u32, meshlet: u32) {
        self.taken[triangle as usize] = true;
        for vertex in self.piece.corners[triangle as usize] {
            self.stamp[vertex as usize] = meshlet;
        }
        for neighbour in self.piece.neighbours[triangle as usize] {
            if neighbour != NONE && !self.taken[neighbour as usize] && self.queued[neighbour as usize] != meshlet {
                self.queued[neighbour as usize] = meshlet;
                self.frontier.push(neighbour);
            }
        }
    }

    /// The best triangle of the frontier that fits.
    fn best(&mut self, meshlet: u32, mean: [f32; 3], room: u32) -> Option<u32> {
        let taken = &self.taken;
        self.frontier.retain(|t| !taken[*t as usize]);
        let mut best = None;
        for &triangle in &self.frontier {
            let extra = self.new_vertices(triangle, meshlet);
            if extra > room {
                continue;
            }
            if extra == 0 {
                return Some(triangle);
            }
            let centre = self.piece.centres[triangle as usize];
            let square: f32 = (0..3).map(|k| (centre[k] - mean[k]) * (centre[k] - mean[k])).sum();
            // A triangle with nowhere else to go is taken earlier.
            let key = square * (1.0 + self.free_neighbours(triangle) as f32);
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, triangle));
            }
        }
        best.map(|(_, triangle)| triangle)
    }

    /// When nothing hangs on the meshlet any more: the next triangle of the order, so that loose pieces share meshlets.
    fn elsewhere(&mut self, meshlet: u32, room: u32) -> Option<u32> {
        if !self.frontier.is_empty() {
            return None;
        }
        self.next_free().filter(|t| self.new_vertices(*t, meshlet) <= room)
    }
}
