#include "codelets/hopping/bricks.h"
#include "codelets/hopping/site.h"
#include "codelets/runtime/cuda_sums.cuh"

QCD_BEGIN

/// The kinds of hops that have a kernel of their own: what a kernel need not do costs it registers,
/// and these are loads in flight. bare: out = b o (H psi).
enum hop_kind { bare, full, full_with_sums };

/// Registers for as many loads in flight as pay: 254 a thread in double, 168 with sums, whose end
/// has to be covered by other warps; 128 in single. Links of 8 reals leave more to compute between
/// loads, which other warps cover, too; with faces they would spill.
constexpr int hopping_blocks_per_multiprocessor(hop_kind kind, bool faces)
{
    const bool eight = QCD_LINK_ROWS == 8;
    if (sizeof(math) == 4) return eight && kind != full_with_sums && !faces ? 5 : 4;
    if (eight) return faces ? 2 : 3;
    return kind == full_with_sums ? 3 : 2;
}

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

static_assert(QCD_BRICK_BLOCKS * QCD_LANES == threads_per_block);

template <hop_kind kind, bool faces>
__global__ void __launch_bounds__(threads_per_block, hopping_blocks_per_multiprocessor(kind, faces))
    hopping_kernel(hopping_args a, KernelBuffers p, hopping_bricks n)
{
    let_next_start();
    __shared__ SharedSums shared;
    if (kind != full_with_sums) a.sums = 0;
    if (kind == bare) {
        p.p[hopping_v] = nullptr;
        a.add_u = 0;
    }
    a.reach = QCD_REACH_NEAR;
    const lanes w = {int(threadIdx.x % QCD_LANES)};
    const block_place place = place_in_brick(a.shape, n, blockIdx.x, int(threadIdx.x / QCD_LANES));
    const bool mine = is_block(a.shape, place) && hopping_has_block(a, place);
    for (int mu = 0; !faces && mu < 4; ++mu) a.shape.cut[mu] = 0;
    const int block = block_number(a.shape, place);
    const block_steps steps = neighbour_blocks(a.shape, place, a.parity);
    wait_for_previous();
    if (gate_closed(buffer<const double>(p, hopping_gate))) return;
    site_sums s = no_sums();
    if (mine) s = hopping_site(a, hopping_buffers_of(p), place, block, steps, w);
    if (kind == full_with_sums) add_site_sums(shared, buffer<i64>(p, hopping_sums), s, a.sums);
}

using HoppingKernel = void (*)(hopping_args, KernelBuffers, hopping_bricks);

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
    const hopping_bricks n = bricks_of(g, z_chunk(g));
    const HoppingKernel kernel =
        hopping_reads_faces(a) ? kernel_for<true>(a, p) : kernel_for<false>(a, p);
    enqueue(kernel, n.all, threads_per_block, stream, a, kernel_buffers(p, hopping_slots), n);
}

QCD_END
