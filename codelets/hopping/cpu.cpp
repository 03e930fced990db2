#include "codelets/hopping/site.h"
#include "codelets/launch/cpu_launch.hpp"

#include <optional>

QCD_BEGIN

/// Links are read once for so many right-hand sides at a time. Each of them reads 12 KiB of spinors
/// before links are used again, so that links of more than three do not stay in L1; and spinors of
/// the time slices around one, which a hop reads three times, do not stay in L3
/// (docs/lab/ideas-cores.md, "Several right-hand sides").
constexpr int most_open_rhs = 3;

/// Right-hand sides whose gates are open, at most so many: their buffers and sums.
struct OpenRhs {
    int count = 0;
    hopping_buffers f[most_open_rhs];
    std::optional<TileSums> sums[most_open_rhs];
};

/// Functions of their own for what is rare or must be short: one that could also handle mixed row
/// offsets would make every hop 5 to 8% slower, one that asks whether to prefetch has a twelfth
/// more instructions, which costs 4 to 6% where data come from a near cache, and one that looks up
/// its right-hand side at each site costs 5 to 8%, too.
/// Tiles with mixed offsets may have empty lanes; a register of empty lanes holds 0. Such registers
/// are skipped if the data come from a near cache; from farther away skipping gains nothing, as the
/// data pass by anyway.
template <bool mixed, bool near, bool several>
static __attribute__((noinline)) void hop_blocks(const hopping_args& args, OpenRhs& open,
                                                 CpuShare share)
{
    hopping_args a = args;
    if (near) {
        a.reach = QCD_REACH_NEAR;
        a.prefetch = QCD_PREFETCH_REST;
    }
    const hopping_buffers alone = open.f[0];
    TileSums& sums_alone = *open.sums[0];
    const CrossingLanes& crossing = CrossingLanes::of(a.shape);
    const int in_use = lanes_in_use(a.shape);
    const block_box inside = inside_of(a.shape, a.late);
    for_each_place(
        a.shape, share, [&](int block, block_place place) __attribute__((always_inline)) {
            if (a.part != QCD_HOP_WHOLE && is_in_box(inside, place) != (a.part == QCD_HOP_INSIDE))
                return;
            const block_steps n = neighbour_blocks(a.shape, place, a.parity);
            for_each_first_lane([&](int first) __attribute__((always_inline)) {
                for (int i = 0; i < (several ? open.count : 1); ++i) {
                    const hopping_buffers& f = several ? open.f[i] : alone;
                    TileSums& sums = several ? *open.sums[i] : sums_alone;
                    if (mixed && first >= in_use && a.reach == QCD_REACH_NEAR) {
                        if (f.out != 0)
                            store_spinor(f.out + spinor_place(block, crossing.group(first)),
                                         spinor_zero());
                        continue;
                    }
                    sums.add(hopping_site(a, f, place, block, n, mixed, crossing.group(first)),
                             a.sums);
                }
            });
        });
}

/// Right-hand sides from `rhs` on; returns the first one that is left.
static int open_rhs(const hopping_args& a, void* const* p, CpuShare share, int rhs, OpenRhs& open)
{
    const auto first = buffers_of<hopping_buffers>(p);
    for (; rhs < share.layers && open.count < most_open_rhs; ++rhs) {
        if (gate_closed(gate_of(first.gate, rhs))) continue;
        open.f[open.count] = hopping_buffers_of_rhs(a.shape, first, rhs);
        open.sums[open.count++].emplace(sums_of(first.sums, rhs), share, a.part == QCD_HOP_BORDER);
    }
    return rhs;
}

void hopping_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const hopping_args*>(args);
    for (int rhs = 0; rhs < share.layers;) {
        OpenRhs open;
        rhs = open_rhs(a, p, share, rhs, open);
        if (open.count == 0) return;
        const bool several = open.count > 1;
        if (a.shape.other_rows)
            (several ? hop_blocks<true, false, true> : hop_blocks<true, false, false>)(a, open,
                                                                                       share);
        else if (several)
            hop_blocks<false, false, true>(a, open, share);
        else if (a.reach == QCD_REACH_NEAR)
            hop_blocks<false, true, false>(a, open, share);
        else
            hop_blocks<false, false, false>(a, open, share);
    }
}

QCD_END
