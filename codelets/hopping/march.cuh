#pragma once
// The hop of several right-hand sides on a tile that is not cut, without a clover term: a thread
// block takes a column of blocks and goes through the time slices of it, a warp for each right-hand
// side. What a warp reads comes by copies to shared memory that are asked for a slice ahead: the
// block of the column itself once for all of the hops that it takes part in, and its neighbours in
// x, y and z. The links come once for all right-hand sides (docs/lab/ideas-gpu.md, "Several
// right-hand sides").

#include "codelets/hopping/hop_kinds.hpp"
#include "codelets/hopping/site.h"
#include "codelets/launch/cuda_bulk.cuh"
#include "codelets/launch/cuda_sums.cuh"

QCD_BEGIN

enum {
    march_spinor = QCD_STORED_SPINOR_ROWS * QCD_LANES, // reals of a block
    march_link = QCD_STORED_LINK_ROWS * QCD_LANES,
    march_most_rows = QCD_MATH_BITS == 64 ? 8 : 12, // 255 registers, or 168
    march_most_slots = 7,                           // spinors of a right-hand side
    march_most_links = 8, // of pairs of links: that of a direction forward, and backward
    march_pair = 2 * march_link,
    chunk_reals = 16 / sizeof(real), // of what a thread copies at a time
};

/// How a hop marches.
struct march_plan {
    int columns, parts, slices; // slices of a part of a column; the last part may have fewer
    int all, groups, rows;      // right-hand sides; of a group
    int slots, links;           // in shared memory
    int slot[4];                // of the neighbours forward and backward in y, forward and backward
                                // in z; 0: it is the block itself
    bool downwards;
};

/// The barriers of a thread block.
struct march_barriers {
    CopyBarrier links[march_most_links], spinors[march_most_rows][march_most_slots];
    CopyBarrier left[march_most_links]; // pairs of links that no warp needs any more
    int open;                           // warps so far that have something to do
};

/// The sums of a warp so far: pieces whose places are alike.
struct march_sums {
    warp_pieces latest;
    i64 units[QCD_MAX_SUMS][QCD_PIECES];
    int first[QCD_MAX_SUMS];
};

__device__ inline void flush_sum(march_sums& kept, i64* accumulator, int k, int lane)
{
    if (lane < QCD_PIECE_WORDS) add_pieces(accumulator, kept.units[k], kept.first[k], lane);
    __syncwarp();
}
__device__ inline void add_to_sums(march_sums& kept, i64* sums, const site_sums& s, int which,
                                   int lane)
{
#pragma unroll
    for (int k = 0; k < QCD_MAX_SUMS; ++k) {
        if (!(which >> k & 1)) continue;
        i64* const accumulator = sums + k * QCD_SUM_WORDS;
        add_terms_of_warp(&kept.latest, accumulator, s.v[k], lane);
        __syncwarp();
        const bool alike = kept.latest.first == kept.first[k];
        if (!alike) flush_sum(kept, accumulator, k, lane);
        if (lane < QCD_PIECES)
            kept.units[k][lane] = (alike ? kept.units[k][lane] : 0) + kept.latest.units[lane];
        if (lane == 0) kept.first[k] = kept.latest.first;
        __syncwarp();
    }
}

/// The threads of a warp ask for a block together, whose lanes in `odd_lanes` come from one block
/// and whose other lanes come from another one.
template <int rows>
__device__ inline void copy_mixed(real* to, const real* odd, const real* even, unsigned odd_lanes,
                                  int lane)
{
    constexpr int chunks = QCD_ROW / chunk_reals, all = rows * chunks; // of a row; of a piece
#pragma unroll
    for (int piece = 0; piece < QCD_LANES / QCD_ROW; ++piece) {
        const int first = piece * QCD_ROW + lane % chunks * chunk_reals;
        const int at = (piece * all + lane) * chunk_reals;
        const real* from = (odd_lanes >> first & 1 ? odd : even) + at;
#pragma unroll
        for (int i = 0; i < all; i += QCD_LANES)
            if (i + QCD_LANES <= all || i + lane < all)
                copy_16_bytes(to + at + i * chunk_reals, from + i * chunk_reals);
    }
}

template <bool adds>
__global__ void __launch_bounds__(march_most_rows* QCD_LANES, 1)
    march_kernel(const __grid_constant__ hopping_args args, KernelBuffers p,
                 const __grid_constant__ march_plan m)
{
    let_next_start();
    hopping_args a = args;
    a.reach = QCD_REACH_NEAR;
    for (int& cut : a.shape.cut) cut = 0;
    if (!adds) a.sums = a.add_u = 0;
    extern __shared__ __align__(128) char march_memory[];
    __shared__ march_barriers barriers;
    __shared__ march_sums sums[adds ? march_most_rows : 1];
    const lanes w = {int(threadIdx.x % QCD_LANES)};
    const int warp = __shfl_sync(all_lanes, int(threadIdx.x / QCD_LANES), 0);
    const tile_shape& g = a.shape;
    int number = m.downwards ? int(gridDim.x) - 1 - int(blockIdx.x) : int(blockIdx.x);
    const int group = number / (m.columns * m.parts);
    number -= group * (m.columns * m.parts);
    const int part = number / m.columns, column = number - part * m.columns;
    const int t0 = part * m.slices, t1 = min(t0 + m.slices, g.m[3]);
    const int rhs = group * m.rows + warp;
    block_place place = place_of_block(g, column);
    wait_for_previous();
    const bool closed =
        rhs >= m.all || gate_closed(gate_of(buffer<const solve_scalars>(p, hopping_gate), rhs));
    const int open = __syncthreads_count(!closed) / QCD_LANES;
    if (threadIdx.x == 0) {
        for (int i = 0; i < m.links; ++i) {
            start_barrier(&barriers.links[i], 1 + QCD_LANES);
            start_barrier(&barriers.left[i], open);
        }
        for (int i = 0; i < m.rows; ++i)
            for (int slot = 0; slot < m.slots; ++slot)
                start_barrier(&barriers.spinors[i][slot], slot == 2 ? QCD_LANES : 1);
        barriers.open = 0;
        publish_barriers();
    }
    if (adds && w.lane < QCD_MAX_SUMS) {
        sums[warp].first[w.lane] = 0;
        for (int i = 0; i < QCD_PIECES; ++i) sums[warp].units[w.lane][i] = 0;
    }
    __syncthreads();
    if (closed) return;

    auto f = buffers_of<hopping_buffers>(p);
    f.clover = f.inverse = nullptr;
    if (!adds) f.v = nullptr;
    f = hopping_buffers_of_rhs(g, f, rhs);
    int own_number = 0; // among the warps that have something to do
    if (w.lane == 0) own_number = atomicAdd(&barriers.open, 1);
    own_number = __shfl_sync(all_lanes, own_number, 0);
    real* const links = reinterpret_cast<real*>(march_memory);
    real* const spinors = links + m.links * march_pair + warp * (m.slots * march_spinor);
    CopyBarrier* const arrived = barriers.spinors[warp];

    // The neighbours' blocks in the column's first slice, and the lanes that hold the sites there.
    const auto step = [&](int mu, int sign, int& lane) {
        block_place q = place;
        const int last = sign > 0 ? g.m[mu] - 1 : 0;
        const bool crosses = q.i[mu] == last;
        q.i[mu] = crosses ? g.m[mu] - 1 - last : q.i[mu] + sign;
        lane = crosses ? neighbour_lane(g, w.lane, mu, sign) : w.lane;
        return block_number(g, q);
    };
    int lane_at[6], block_at[6]; // forward and backward in x, y, z
#pragma unroll
    for (int i = 0; i < 6; ++i) block_at[i] = step(i / 2, i % 2 ? -1 : +1, lane_at[i]);
    const int slice_blocks = m.columns;
    const auto slice_of = [&](int t) {
        return (t < 0 ? t + g.m[3] : t < g.m[3] ? t : t - g.m[3]) * slice_blocks;
    };
    // Lanes whose rows have offset 1: these move in x to the next block forward, others backward.
    const auto odd_lanes = [&](int t) {
        place.i[3] = t;
        return g.other_rows ^ (row_offset(place, a.parity) ? all_lanes : 0u);
    };

    const auto copy_block = [&](int slot, int block) {
        if (w.lane != 0) return;
        announce_bytes(&arrived[slot], march_spinor * sizeof(real));
        copy_run(spinors + slot * march_spinor, f.psi + block * march_spinor,
                 march_spinor * sizeof(real), &arrived[slot]);
    };
    const auto copy_x = [&](int t) {
        const real* from = f.psi + slice_of(t) * march_spinor;
        copy_mixed<QCD_STORED_SPINOR_ROWS>(spinors + 2 * march_spinor,
                                           from + block_at[0] * march_spinor,
                                           from + block_at[1] * march_spinor, odd_lanes(t), w.lane);
        arrive_after_copies(&arrived[2]);
    };
    const auto copy_side = [&](int mu, int t) { // in y and z
        const int forward = m.slot[2 * mu - 2], backward = m.slot[2 * mu - 1];
        if (forward) copy_block(forward, slice_of(t) + block_at[2 * mu]);
        if (backward != forward) copy_block(backward, slice_of(t) + block_at[2 * mu + 1]);
    };
    // The links of direction mu forward, and behind them those of the sites backward.
    const auto copy_links = [&](int slot, int mu, int t) {
        real* const to = links + slot * march_pair;
        CopyBarrier* const arrives = &barriers.links[slot];
        const real* const all = f.links_other + mu * (g.blocks * march_link);
        if (w.lane == 0) {
            announce_bytes(arrives, (mu == 0 ? 1 : 2) * march_link * sizeof(real));
            copy_run(to, f.links + (mu * g.blocks + slice_of(t) + column) * march_link,
                     march_link * sizeof(real), arrives);
            if (mu > 0)
                copy_run(to + march_link,
                         all + (mu == 3 ? slice_of(t - 1) + column
                                        : slice_of(t) + (mu == 1 ? block_at[3] : block_at[5])) *
                                   march_link,
                         march_link * sizeof(real), arrives);
        }
        if (mu == 0)
            copy_mixed<QCD_STORED_LINK_ROWS>(
                to + march_link, all + (slice_of(t) + column) * march_link,
                all + (slice_of(t) + block_at[1]) * march_link, odd_lanes(t), w.lane);
        arrive_after_copies(arrives);
    };
    // Warps leave a pair of links and then, each in its turn, ask for what takes the place of the one
    // left before: the others have most likely left that one, too.
    int pair = 0, pair_parity = 0, before = 0, before_parity = 0, turn = open - own_number;
    const auto leave_links = [&](int mu, int t) {
        end_reads_before_copies();
        __syncwarp();
        if (w.lane == 0) arrive(&barriers.left[pair]);
        const int ahead = mu + m.links - 1, next_t = t + ahead / 4;
        const bool begun = mu > 0 || t > t0;
        if (--turn == 0) {
            turn = open;
            if (begun && next_t < t1) {
                await_copies(&barriers.left[before], before_parity);
                copy_links(before, ahead % 4, next_t);
            }
        }
        before = pair;
        before_parity = pair_parity;
        if (++pair == m.links) {
            pair = 0;
            pair_parity ^= 1;
        }
    };

    copy_block(0, slice_of(t0) + column);
    copy_x(t0);
    copy_side(1, t0);
    copy_side(2, t0);
    copy_block(1, slice_of(t0 + 1) + column);
    if (own_number == 0)
        for (int i = 0; i < m.links; ++i)
            if (t0 + i / 4 < t1) copy_links(i, i % 4, t0 + i / 4);

    const auto spinor_in = [&](int slot, int lane) {
        return load_spinor(spinors +
                           (slot * march_spinor + lane_offset(lane, QCD_STORED_SPINOR_ROWS)));
    };
    const auto forward = [&](half_spinor h) {
        return link_mul_half(links + pair * march_pair + own_lanes(QCD_STORED_LINK_ROWS, w), 1, h);
    };
    const auto backward = [&](int lane, half_spinor h) {
        return link_dagger_mul_half(
            links + pair * march_pair + march_link + lane_offset(lane, QCD_STORED_LINK_ROWS), 1, h);
    };
    const auto lane_in_time = [&](int t, int sign) {
        return t == (sign > 0 ? g.m[3] - 1 : 0) ? neighbour_lane(g, w.lane, 3, sign) : w.lane;
    };
    const auto negated = [&](half_spinor h, int t, int sign) {
        if (QCD_LINK_ROWS == 18 || !a.negate_t || t != (sign > 0 ? g.m[3] - 1 : 0)) return h;
        return negate_at_edge(h, g, sign, w);
    };

    half_spinor behind =
        project(3, -1,
                load_spinor(f.psi + (slice_of(t0 - 1) + column) * march_spinor +
                            lane_offset(lane_in_time(t0, -1), QCD_STORED_SPINOR_ROWS)));
    await_copies(&arrived[0], 0);
#pragma unroll 1
    for (int t = t0; t < t1; ++t) {
        const int slice = t - t0, here = slice & 1, parity = slice & 1;
        const bool more = t + 1 < t1;
        spinor s = spinor_zero();
        const bool odd = odd_lanes(t) >> w.lane & 1;
        if (adds && more && w.lane < 2 && (w.lane ? f.u : f.v))
            ask_into_cache((w.lane ? f.u : f.v) + (slice_of(t + 1) + column) * march_spinor,
                           march_spinor * sizeof(real));
        await_copies(&barriers.links[pair], pair_parity);
        await_copies(&arrived[2], parity);
        s = add_reconstructed(
            0, +1, s,
            forward(project(0, +1, spinor_in(odd ? 2 : here, odd ? lane_at[0] : w.lane))));
        s = add_reconstructed(
            0, -1, s,
            backward(odd ? w.lane : lane_at[1],
                     project(0, -1, spinor_in(odd ? here : 2, odd ? w.lane : lane_at[1]))));
        leave_links(0, t);
        if (more) copy_x(t + 1);
#pragma unroll
        for (int mu = 1; mu < 3; ++mu) {
            const int up = m.slot[2 * mu - 2], down = m.slot[2 * mu - 1];
            await_copies(&barriers.links[pair], pair_parity);
            if (up) await_copies(&arrived[up], parity);
            s = add_reconstructed(
                mu, +1, s, forward(project(mu, +1, spinor_in(up ? up : here, lane_at[2 * mu]))));
            if (down != up) await_copies(&arrived[down], parity);
            s = add_reconstructed(
                mu, -1, s,
                backward(lane_at[2 * mu + 1],
                         project(mu, -1, spinor_in(down ? down : here, lane_at[2 * mu + 1]))));
            leave_links(mu, t);
            if (more) copy_side(mu, t + 1);
        }
        await_copies(&barriers.links[pair], pair_parity);
        await_copies(&arrived[here ^ 1], (slice + 1) >> 1 & 1);
        s = add_reconstructed(
            3, +1, s,
            forward(negated(project(3, +1, spinor_in(here ^ 1, lane_in_time(t, +1))), t, +1)));
        s = add_reconstructed(3, -1, s, negated(backward(lane_in_time(t, -1), behind), t, -1));
        behind = project(3, -1, spinor_in(here, w.lane));
        leave_links(3, t);
        if (t + 2 <= t1) copy_block(here, slice_of(t + 2) + column);
        const site_sums of_site = finish_hop(a, f, slice_of(t) + column, chiral_mul(a.b, s), w);
        if (adds && a.sums)
            add_to_sums(sums[warp], sums_of(buffer<i64>(p, hopping_sums), rhs), of_site, a.sums,
                        w.lane);
    }
    if (adds)
        for (int k = 0; k < QCD_MAX_SUMS; ++k)
            if (a.sums >> k & 1)
                flush_sum(sums[warp],
                          sums_of(buffer<i64>(p, hopping_sums), rhs) + k * QCD_SUM_WORDS, k,
                          w.lane);
}

/// What the current device has for a kernel that marches; nothing where it has no such copies.
struct march_device {
    int multiprocessors, memory; // shared, of a thread block
};
inline march_device own_march_device()
{
    int device = 0, major = 0;
    march_device d = {};
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&d.multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&d.memory, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return major >= 9 && std::min({__CUDA_ARCH_LIST__}) >= 900 ? d : march_device{};
}

/// Do all lanes that a thread copies at a time have rows of one offset?
inline bool chunks_have_one_offset(unsigned other_rows)
{
    for (int first = 0; first < QCD_LANES; first += chunk_reals) {
        const unsigned chunk = ((1u << chunk_reals) - 1) << first;
        if (other_rows & chunk && ~other_rows & chunk) return false;
    }
    return true;
}

/// Bytes of shared memory that a thread block asks for at its launch.
inline int march_bytes(const march_plan& m)
{
    return (m.links * march_pair + m.rows * m.slots * march_spinor) * int(sizeof(real));
}

/// Takes the largest groups of right-hand sides, and of these the smallest number, with which a
/// multiprocessor has the most warps; then the parts of a column with which it is done first. rows
/// is 0 where another kernel is quicker.
inline march_plan march_plan_of(const tile_shape& g, int rhs, bool adds, const march_device& d)
{
    constexpr int fixed = sizeof(march_barriers) + march_most_rows * sizeof(march_sums) + 1024;
    constexpr int fewest_rows = 4;
    const int fewest_warps = QCD_MATH_BITS == 64 ? 6 : adds ? 12 : 8;
    march_plan m = {};
    if (d.memory == 0 || !chunks_have_one_offset(g.other_rows)) return m;
    m.all = rhs;
    m.columns = g.m[0] * g.m[1] * g.m[2];
    m.slots = 3;
    for (int i = 0; i < 4; ++i) {
        const int blocks = g.m[1 + i / 2];
        const bool same = i % 2 == 1 && blocks <= 2; // as forward
        m.slot[i] = same ? m.slot[i - 1] : blocks > 1 ? m.slots++ : 0;
    }
    int most_warps = fewest_warps - 1, resident = 0;
    for (int groups = 1; parts_of(rhs, groups) >= fewest_rows; ++groups) {
        march_plan some = m;
        some.groups = groups;
        some.rows = parts_of(rhs, groups);
        for (some.links = march_most_links; some.links >= 4; --some.links)
            if (march_bytes(some) + fixed <= d.memory) break;
        if (some.rows > march_most_rows || some.links < 4) continue;
        const int blocks =
            std::min(d.memory / (march_bytes(some) + fixed), march_most_rows / some.rows);
        if (blocks * some.rows <= most_warps) continue;
        most_warps = blocks * some.rows;
        resident = blocks * d.multiprocessors;
        m = some;
    }
    if (m.rows == 0) return m;
    int least = 0;
    for (int parts = 1; parts <= std::max(1, g.m[3] / 4); ++parts) {
        const int slices = parts_of(g.m[3], parts);
        const int time = parts_of(m.columns * m.groups * parts, resident) * (slices + 1);
        if (parts > 1 && time >= least) continue;
        least = time;
        m.parts = parts_of(g.m[3], slices);
        m.slices = slices;
    }
    if (m.columns * m.groups * m.parts * 2 < d.multiprocessors) m.rows = 0;
    return m;
}

/// How a call marches; rows is 0 where it does not. With sums in double, or of links of 8 reals, too
/// few warps have too much to wait for.
inline march_plan march_plan_for(const tile_shape& g, const HopKernel& hop, int rhs)
{
    const bool slow = hop.adds && (QCD_MATH_BITS == 64 || QCD_LINK_ROWS == 8);
    if (!hop.several || hop.faces || hop.clover || slow) return {};
    return march_plan_of(g, rhs, hop.adds, own_march_device());
}

inline void enqueue_march(const hopping_args& a, void* const* p, march_plan m, bool adds,
                          const CudaCall& call)
{
    const auto kernel = adds ? march_kernel<true> : march_kernel<false>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, march_bytes(m));
    m.downwards = call.downwards;
    enqueue_sharing(march_bytes(m), kernel, m.columns * m.parts * m.groups, m.rows * QCD_LANES,
                    call.stream, a, kernel_buffers<hopping_slots>(p), m);
}

QCD_END
