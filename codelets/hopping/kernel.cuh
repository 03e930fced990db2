#pragma once

#include "codelets/hopping/hop_kinds.hpp"
#include "codelets/hopping/linked_faces.cuh"
#include "codelets/hopping/site.h"
#include "codelets/launch/cuda_sums.cuh"

#if QCD_WORD_BITS == QCD_MATH_BITS
#include "codelets/hopping/march.cuh"
#endif

#include <iterator>
#include <utility>

QCD_BEGIN

static_assert(QCD_SUM_WARPS == QCD_MOST_WARPS);

/// nvcc 13.0 aborts where launch bounds of a template have a HopKernel in braces.
constexpr int hop_threads_per_multiprocessor(bool adds, bool faces, bool clover, bool several)
{
    return QCD_LANES * hop_warps_per_multiprocessor({adds, faces, clover, several}, QCD_LINK_ROWS,
                                                    QCD_MATH_BITS);
}

/// Right-hand sides of a launch. A thread block has a row of threads (threadIdx.y) for each of a
/// group of them, on the same brick: they read the same links, which come from the first cache
/// then. A group goes through the tile before the next one begins: the second cache holds the
/// spinors of one, not of all.
struct rhs_groups {
    int all, groups, thread_blocks; // of a group
    unsigned share;                 // share_of(thread_blocks)
};

/// Its registers are for so many threads of a multiprocessor, whatever thread blocks they form.
template <bool adds, bool faces, bool clover, bool several>
__global__ void __launch_bounds__(hop_threads_per_multiprocessor(adds, faces, clover, several), 1)
    hopping_kernel(const __grid_constant__ hopping_args args, KernelBuffers p, hopping_bricks n,
                   const __grid_constant__ sent_faces sent, rhs_groups sides)
{
    let_next_start();
    __shared__ warp_sums shared;
    const lanes w = {int(threadIdx.x % QCD_LANES)};
    // A shuffle tells the compiler that the warp is alike in all lanes: what follows from it
    // goes to a warp's own registers.
    const int warp = __shfl_sync(all_lanes, int(threadIdx.x / QCD_LANES), 0);
    int brick = blockIdx.x, rhs = 0;
    if (several) {
        const int group = quotient(blockIdx.x, sides.thread_blocks, sides.share);
        brick -= group * sides.thread_blocks;
        rhs = group * blockDim.y + __shfl_sync(all_lanes, int(threadIdx.y), 0);
    }
    if (faces && brick < sent.thread_blocks * sent.every) {
        if (brick % sent.every == 0) {
            wait_for_previous();
            return send_face_block(args, p, sent,
                                   brick / sent.every * (blockDim.x / QCD_LANES) + warp,
                                   several ? sides.all : 1, rhs, w);
        }
        brick -= brick / sent.every + 1;
    } else if (faces)
        brick -= sent.thread_blocks;
    hopping_args a = args;
    if (!adds) {
        a.sums = 0;
        p.p[hopping_v] = nullptr;
        a.add_u = 0;
    }
    if (!clover) p.p[hopping_clover] = p.p[hopping_inverse] = nullptr;
    a.reach = QCD_REACH_NEAR;
    block_place place = place_in_brick(n, brick, warp);
    bool mine = is_block(n, place);
    if (faces && a.part == QCD_HOP_BORDER) {
        const int number = brick * (blockDim.x / QCD_LANES) + warp;
        mine = number < blocks_of_part(a.shape, QCD_HOP_BORDER, a.late);
        if (mine) place = place_on_border(a.shape, a.late, number);
    } else if (faces && mine) {
        place.i[3] = time_slice(n.box.count[3], place.i[3]);
        place = place_in_box(n.box, place);
    }
    const bool at_end = faces && mine && needs_face(a.shape, place, a.parity);
    hopping_args inside = a; // no step leaves the tile
    for (int& cut : inside.shape.cut) cut = 0;
    const int block = block_number(a.shape, place);
    const block_steps steps = lane_steps(a, place, w.lane);
    wait_for_previous();
    const bool none = several && rhs >= sides.all;
    if (at_end && sent.count > 0 && !none)
        await_faces(a, p, place, steps, sent.count, several ? sides.all : 1, rhs);
    const bool closed =
        none || gate_closed(gate_of(buffer<const solve_scalars>(p, hopping_gate), rhs));
    if (closed && !(several && adds)) return; // with sums other rows wait for all
    auto f = buffers_of<hopping_buffers>(p);
    if (several) f = hopping_buffers_of_rhs(faces ? a.shape : inside.shape, f, rhs);
    site_sums s = no_sums();
    if (several && closed)
        ;
    else if (at_end)
        s = hopping_site(a, f, place, block, steps, 0, w);
    else if (mine)
        s = hopping_site(inside, f, place, block, steps, 0, w);
    if (adds && a.sums)
        add_site_sums(shared, sums_of(buffer<i64>(p, hopping_sums), rhs), s, a.sums,
                      several ? threadIdx.y * (blockDim.x / QCD_LANES) : 0);
}

using HoppingKernel = void (*)(hopping_args, KernelBuffers, hopping_bricks, sent_faces, rhs_groups);

#if QCD_WORD_BITS == QCD_MATH_BITS
constexpr auto& own_hop_kernels = hop_kernels;
#else
constexpr auto& own_hop_kernels = hop_kernels_of_residuals;
#endif

/// The number of the first of own_hop_kernels that does what a call asks for.
inline int hop_kernel_for(const HopKernel& call)
{
    int k = 0;
    while (!own_hop_kernels[k].does(call)) ++k;
    return k;
}

template <std::size_t... k>
HoppingKernel compiled_hop_kernel(int number, std::index_sequence<k...>)
{
    constexpr auto& own = own_hop_kernels;
    static const HoppingKernel all[]{
        hopping_kernel<own[k].adds, own[k].faces, own[k].clover, own[k].several>...};
    return all[number];
}

/// The largest part of the z extent whose spinors of three time slices take two thirds of L2, which
/// has a copy in each of its partitions.
inline int z_chunk(const block_box& box, int rows)
{
    static const int level2 = [] {
        int device = 0, bytes = 0;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device);
        return bytes;
    }();
    const double plane = double(box.count[0]) * box.count[1] * QCD_LANES * QCD_STORED_SPINOR_ROWS *
                         sizeof(real) * rows;
    int parts = 1;
    while (parts < box.count[2] && 3 * 2 * plane * parts_of(box.count[2], parts) > level2 / 1.5)
        ++parts;
    return parts_of(box.count[2], parts);
}

/// Groups as alike as can be, so that few rows have no right-hand side.
inline rhs_groups groups_of(int rhs, int rows, int thread_blocks)
{
    return {rhs, parts_of(rhs, rows), thread_blocks, share_of(thread_blocks)};
}

/// Sums are 0. Faces are sent to `to` where `count` is not 0.
inline void enqueue_hop(const hopping_args& a, void* const* p, i64 count, void* const* to,
                        const CudaCall& call)
{
    const HopKernel hop = {.adds = a.sums || p[hopping_v] || a.add_u,
                           .faces = bool(hopping_reads_faces(a.shape)),
                           .clover = p[hopping_clover] || p[hopping_inverse],
                           .several = call.layers > 1};
#if QCD_WORD_BITS == QCD_MATH_BITS // others are called once a solve
    const march_plan march = march_plan_for(a.shape, hop, call.layers);
    if (march.rows > 0) return enqueue_march(a, p, march, hop.adds, call);
#endif
    const int number = hop_kernel_for(hop);
    const HopKernel& kernel = own_hop_kernels[number];
    const block_box box = inside_of(a.shape, a.part == QCD_HOP_INSIDE ? a.late : 0);
    const HopBrick brick =
        call.layers > 1 ? HopBrick{{1, 1, 1, 1}} : hop_brick(box.count, QCD_MATH_BITS);
    const auto& [x, y, z, t] = brick.extent;
    const int warps = x * y * z * t,
              most_warps = most_hop_warps(kernel, QCD_LINK_ROWS, QCD_MATH_BITS),
              rows = call.layers > 1 ? std::min({most_hop_rows, most_warps, call.layers}) : 1;
    hopping_bricks n = bricks_of(box, x, y, z, t, z_chunk(box, rows));
    if (a.part == QCD_HOP_BORDER) // its blocks one after the other
        n.all = parts_of(blocks_of_part(a.shape, a.part, a.late), warps);
    if (!kernel.faces) n.downwards = call.downwards; // with faces a hop begins inside of the tile
    sent_faces sent = {count, count ? parts_of(packed_blocks(a.shape), warps) : 0, 1, {}};
    sent.every = spread_of_senders(a.shape, n, sent.thread_blocks);
    for (int face = 0; count && face < 8; ++face) sent.to[face] = to[face];
    const rhs_groups sides = groups_of(call.layers, rows, sent.thread_blocks + n.all);
    enqueue(compiled_hop_kernel(number, std::make_index_sequence<std::size(own_hop_kernels)>()),
            sides.groups * sides.thread_blocks,
            dim3(QCD_LANES * warps, parts_of(sides.all, sides.groups)), call.stream, a,
            kernel_buffers<hopping_slots>(p), n, sent, sides);
}

void hopping_cuda(const void* args, void* const* p, const CudaCall& call)
{
    clear_sums(p[hopping_sums], call);
    enqueue_hop(*static_cast<const hopping_args*>(args), p, 0, nullptr, call);
}

QCD_END
