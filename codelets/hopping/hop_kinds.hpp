#pragma once
// The CUDA kernels of a hop, and how large their thread blocks may be.

#include "codelets/hopping/bricks.h"

#include <algorithm>

namespace qcd
{

/// The kinds of hops that have a kernel of their own: what a kernel need not do costs it registers,
/// and these are loads in flight. bare: out = b o (H psi).
/// Each with a clover term is another kernel; bare is then none.
enum class HopKind { bare, add, sums };

/// Thread blocks of four warps that a multiprocessor has registers for: for as many loads in flight
/// as pay. 254 registers a thread in double, 128 in single. Links of 8 reals leave more to compute
/// between loads, which other warps cover, too; with faces they would spill. So would a clover term
/// with sums and faces.
///
/// several: of several right-hand sides, of which the rows of a thread block have the same links;
/// more threads are worth more then than loads in flight of each.
constexpr int hop_blocks_per_multiprocessor(HopKind kind, bool faces, int links, int math_bits,
                                            bool clover = false, bool several = false)
{
    const bool eight = links == 8;
    if (several && math_bits == 64) return eight || clover ? 2 : 3;
    if (math_bits == 32) return eight && kind != HopKind::sums && !faces ? 5 : 4;
    if (eight) return faces ? 2 : 3;
    return kind == HopKind::sums && faces && !clover ? 3 : 2;
}

/// Warps that a multiprocessor has registers for: a thread block has any number of them, up to
/// QCD_MOST_WARPS.
constexpr int hop_warps_per_multiprocessor(HopKind kind, bool faces, int links, int math_bits,
                                           bool clover = false, bool several = false)
{
    return 4 * hop_blocks_per_multiprocessor(kind, faces, links, math_bits, clover, several);
}
constexpr int most_hop_warps(HopKind kind, bool faces, int links, int math_bits,
                             bool clover = false, bool several = false)
{
    return std::min(hop_warps_per_multiprocessor(kind, faces, links, math_bits, clover, several),
                    QCD_MOST_WARPS);
}

/// A CUDA kernel of a hop.
struct HopKernel {
    HopKind kind;
    bool faces, clover, several;
    constexpr bool does(const HopKernel& call) const
    {
        return kind >= call.kind && faces >= call.faces && clover >= call.clover &&
               several >= call.several;
    }
};

/// All that there are, in each variant of the hop: a call takes the first one that does what it
/// asks for. What a kernel need not do costs it registers, and these are loads in flight.
inline constexpr HopKernel hop_kernels[]{
    {HopKind::bare, false, false, false}, {HopKind::add, false, false, false},
    {HopKind::sums, false, false, false}, {HopKind::add, false, true, false},
    {HopKind::sums, false, true, false},  {HopKind::bare, true, false, false},
    {HopKind::add, true, false, false},   {HopKind::sums, true, false, false},
    {HopKind::add, true, true, false},    {HopKind::sums, true, true, false},
    {HopKind::bare, false, false, true},  {HopKind::sums, false, false, true},
    {HopKind::sums, true, false, true},   {HopKind::sums, true, true, true},
};
/// Of double on single fields: one call a solve, so that no time is lost where it is slow.
inline constexpr HopKernel hop_kernels_of_residuals[]{
    {HopKind::sums, true, false, true},
    {HopKind::sums, true, true, true},
};

} // namespace qcd
