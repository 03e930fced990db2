#include "codelets/multigrid/coarse_hop/site.h"
#include "codelets/multigrid/level_kernels.hpp"

QCD_BEGIN

void coarse_hop_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const coarse_hop_args*>(args);
    constexpr int groups = QCD_LANES / vector_width;
    // Registers of lanes are shared: a coarse level has few blocks.
    const int units = a.blocks * groups;
    constexpr int most_together = 16;
    for (int unit = share.first(units); unit < share.end(units); ++unit) {
        const int block = unit / groups;
        const lanes w{unit % groups * vector_width, nullptr, nullptr, nullptr};
        for (int first = 0; first < share.layers; first += most_together) {
            const int n =
                share.layers - first < most_together ? share.layers - first : most_together;
            spinor sums[most_together];
            for (int i = 0; i < n; ++i) sums[i] = spinor_zero();
            for (int d = 0; d < QCD_COARSE_DIRECTIONS; ++d)
                for (int i = 0; i < n; ++i) { // they read the same matrices
                    const auto f = coarse_hop_of_rhs(buffers_of<coarse_hop_buffers>(p), first + i);
                    if (!coarse_hop_closed(f))
                        sums[i] = spinor_add(sums[i], coarse_term(a, f, first + i, block, d, w));
                }
            for (int i = 0; i < n; ++i) {
                const auto f = coarse_hop_of_rhs(buffers_of<coarse_hop_buffers>(p), first + i);
                if (!coarse_hop_closed(f)) put_coarse_hop(a, f, first + i, block, w, sums[i]);
            }
        }
    }
}

QCD_END
