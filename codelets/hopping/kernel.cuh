#include "codelets/hopping/site.h"
#include "codelets/runtime/cuda_launch.cuh"

QCD_BEGIN

/// Registers for as many loads in flight as fit: 168 a thread in double, 128 in single.
enum { hopping_blocks_per_multiprocessor = sizeof(math) == 8 ? 3 : 4 };

__device__ inline hopping_buffers hopping_buffers_of(KernelBuffers p)
{
    hopping_buffers f = {buffer<real>(p, hopping_out),
                         buffer<const real>(p, hopping_psi),
                         buffer<const real>(p, hopping_links),
                         buffer<const real>(p, hopping_links_other),
                         buffer<const real>(p, hopping_v),
                         buffer<const real>(p, hopping_u),
                         {}};
    for (int i = 0; i < 8; ++i) f.faces[i] = buffer<const math>(p, hopping_faces + i);
    return f;
}

/// A thread block is a brick of 2x2 neighbouring blocks in x and y: its warps share spinors in L1,
/// the hop being bound by what L2 delivers (docs/measurements.md). Bricks follow each other in x,
/// y, z, t, but z goes in chunks, so that the spinors of three time slices of a chunk stay in L2.
enum { brick = 2, warps_of_brick = brick * brick };
struct Bricks {
    int x, y, z_chunk; // bricks in x and y, planes in a chunk of z
};

__device__ inline block_place place_in_brick(const tile_shape& g, const Bricks& n)
{
    const int warp = threadIdx.x / QCD_LANES;
    int i = blockIdx.x;
    block_place p;
    p.i[0] = i % n.x * brick + warp % brick;
    i /= n.x;
    p.i[1] = i % n.y * brick + warp / brick;
    i /= n.y;
    const int z = i % n.z_chunk;
    i /= n.z_chunk;
    p.i[2] = i / g.m[3] * n.z_chunk + z;
    p.i[3] = i % g.m[3];
    return p;
}

/// The kinds of hops that have a kernel of their own: what a kernel need not do costs it registers,
/// and these are loads in flight. bare: out = b o (H psi).
enum hop_kind { bare, full, full_with_sums };

template <hop_kind kind, bool faces>
__global__ void __launch_bounds__(warps_of_brick* QCD_LANES, hopping_blocks_per_multiprocessor)
    hopping_kernel(hopping_args a, KernelBuffers p, Bricks n)
{
    __shared__ SharedSums words;
    if (gate_closed(buffer<const double>(p, hopping_gate))) return;
    if (kind == full_with_sums)
        start_sums(words);
    else
        a.sums = 0;
    if (kind == bare) {
        p.p[hopping_v] = nullptr;
        a.add_u = 0;
    }
    a.reach = QCD_REACH_NEAR;
    const lanes w = {int(threadIdx.x % QCD_LANES)};
    const block_place place = place_in_brick(a.shape, n);
    const bool mine = place.i[0] < a.shape.m[0] && place.i[1] < a.shape.m[1] &&
                      place.i[2] < a.shape.m[2] && hopping_has_block(a, place);
    for (int mu = 0; !faces && mu < 4; ++mu) a.shape.cut[mu] = 0;
    site_sums s = no_sums();
    if (mine)
        s = hopping_site(a, hopping_buffers_of(p), place, block_number(a.shape, place),
                         neighbour_blocks(a.shape, place, a.parity), w);
    if (kind == full_with_sums) add_site_sums(words, buffer<i64>(p, hopping_sums), s, a.sums);
}

using HoppingKernel = void (*)(hopping_args, KernelBuffers, Bricks);

template <bool faces>
HoppingKernel kernel_for(const hopping_args& a, void* const* p)
{
    if (a.sums) return hopping_kernel<full_with_sums, faces>;
    return p[hopping_v] || a.add_u ? hopping_kernel<full, faces> : hopping_kernel<bare, faces>;
}

/// The largest part of the z extent whose spinors of three time slices take a third of L2.
inline int z_chunk(const tile_shape& g)
{
    static const int level2 = [] {
        int device = 0, bytes = 0;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device);
        return bytes;
    }();
    const double plane = double(g.m[0]) * g.m[1] * QCD_LANES * QCD_SPINOR_ROWS * sizeof(real);
    int parts = 1;
    while (parts < g.m[2] && 3 * plane * (g.m[2] / parts) > level2 / 3.0) ++parts;
    return (g.m[2] + parts - 1) / parts;
}

void hopping_cuda(const void* args, void* const* p, cudaStream_t stream)
{
    const auto& a = *static_cast<const hopping_args*>(args);
    const tile_shape& g = a.shape;
    if (a.part != QCD_HOPPING_BOUNDARY) clear_sums(p[hopping_sums], stream);
    const Bricks n = {(g.m[0] + brick - 1) / brick, (g.m[1] + brick - 1) / brick, z_chunk(g)};
    const int chunks = (g.m[2] + n.z_chunk - 1) / n.z_chunk;
    const int grid = n.x * n.y * n.z_chunk * g.m[3] * chunks;
    const bool faces =
        a.part != QCD_HOPPING_INTERIOR && (g.cut[0] || g.cut[1] || g.cut[2] || g.cut[3]);
    const HoppingKernel kernel = faces ? kernel_for<true>(a, p) : kernel_for<false>(a, p);
    kernel<<<grid, warps_of_brick * QCD_LANES, 0, stream>>>(a, kernel_buffers(p, hopping_slots), n);
}

QCD_END
