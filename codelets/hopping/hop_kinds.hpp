#pragma once
// The CUDA kernels of a hop, and how a tile's blocks are dealt out to their thread blocks.

#include "codelets/hopping/bricks.h"

#include <algorithm>

namespace qcd
{

/// A CUDA kernel of a hop: what it can do. What a call does not ask for costs it a test at run
/// time.
struct HopKernel {
    bool adds;    ///< v, u or sums; else out = b o (H psi)
    bool faces;   ///< of tiles that are cut
    bool clover;  ///< with a clover term
    bool several; ///< of several right-hand sides, of which the rows of a thread block have the
                  ///< same links
    constexpr bool does(const HopKernel& call) const
    {
        return adds >= call.adds && faces >= call.faces && clover >= call.clover &&
               several >= call.several;
    }
};

/// All that there are, in each variant of the hop (codelets/variants.hpp): a call takes the first
/// one that does what it asks for. On an H100 kernels that do less gain less than 2% of a solve,
/// but for these: a clover term or faces cost registers, and so loads in flight; of several
/// right-hand sides a bare hop in 16 bits is 8% of a solve quicker without sums
/// (docs/lab/ideas-gpu.md).
inline constexpr HopKernel hop_kernels[]{
    {.adds = true, .faces = false, .clover = false, .several = false},
    {.adds = true, .faces = false, .clover = true, .several = false},
    {.adds = true, .faces = true, .clover = false, .several = false},
    {.adds = true, .faces = true, .clover = true, .several = false},
    {.adds = false, .faces = false, .clover = false, .several = true},
    {.adds = true, .faces = false, .clover = false, .several = true},
    {.adds = true, .faces = true, .clover = false, .several = true},
    {.adds = true, .faces = true, .clover = true, .several = true},
};
/// The kernels in double on single fields: a solve calls them once, for its true residual, so that
/// few of them are enough, slow as they are.
inline constexpr HopKernel hop_kernels_of_residuals[]{
    {.adds = true, .faces = true, .clover = false, .several = true},
    {.adds = true, .faces = true, .clover = true, .several = true},
};

/// Warps that a multiprocessor has registers for, by fours: for as many loads in flight as pay. 254
/// registers a thread in double, 128 in single. Links of 8 reals leave more to compute between
/// loads, which other warps cover, too; with faces they would spill. So would a clover term with
/// faces. Of several right-hand sides more threads are worth more than loads in flight of each.
constexpr int hop_warps_per_multiprocessor(const HopKernel& k, int links, int math_bits)
{
    const bool eight = links == 8;
    if (math_bits == 32) return 4 * 4;
    if (k.several) return 4 * (eight || k.clover ? 2 : 3);
    if (eight) return 4 * (k.faces ? 2 : 3);
    return 4 * (k.faces && !k.clover ? 3 : 2);
}
/// The warps that a thread block may have.
constexpr int most_hop_warps(const HopKernel& k, int links, int math_bits)
{
    return std::min(hop_warps_per_multiprocessor(k, links, math_bits), QCD_MOST_WARPS);
}

/// A thread block computes a brick of the tile's blocks (device/shape.h), a warp each.
struct HopBrick {
    int extent[4];
    /// The share of the warps that have no block.
    constexpr double idle(const int (&blocks)[4]) const
    {
        double covered = 1, all = 1;
        for (int mu = 0; mu < 4; ++mu) {
            covered *= (blocks[mu] + extent[mu] - 1) / extent[mu] * extent[mu];
            all *= blocks[mu];
        }
        return 1 - all / covered;
    }
};

/// The brick of a hop on one right-hand side, for a tile of so many blocks: it has four warps.
/// Neighbours in x and y share most; in single precision, whose loads take half as long, it is worth
/// more that few warps have no block (20x20x20x40, H100: 1 to 2% of a solve).
constexpr HopBrick hop_brick(const int (&blocks)[4], int math_bits)
{
    constexpr HopBrick bricks[]{{{2, 2, 1, 1}}, {{1, 2, 2, 1}}, {{2, 1, 2, 1}},
                                {{2, 1, 1, 2}}, {{1, 2, 1, 2}}, {{1, 1, 2, 2}}};
    const HopBrick* best = bricks;
    for (const HopBrick& b : bricks)
        if ((math_bits == 32 || best->idle(blocks) >= 0.5) && b.idle(blocks) < best->idle(blocks))
            best = &b;
    return *best;
}
/// A thread block computes at most so many right-hand sides of the same block: they read the same
/// links, which come from the first cache then.
inline constexpr int most_hop_rows = 6;

} // namespace qcd
