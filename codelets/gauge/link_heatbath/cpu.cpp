#include "codelets/gauge/link_kernels.hpp"

QCD_BEGIN

static inline u64 sum_over_lanes(vuint v)
{
    u64 sum = 0;
    for (int j = 0; j < vector_width; ++j) sum += v[j];
    return sum;
}

void link_heatbath_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const link_update_args*>(args);
    const auto f = buffers_of<link_update_buffers>(p);
    link_counts sums = {};
    for_each_link_register(a.shape, share, [&](int block, block_place place, lanes w) {
        const site_counts c = link_heatbath_site(a, f, block, place, w);
        sums.drawn += sum_over_lanes(c.drawn);
        sums.trials += sum_over_lanes(c.trials);
        sums.exhausted += sum_over_lanes(c.exhausted);
    });
    if (!f.counts) return;
    __atomic_fetch_add(&f.counts->drawn, sums.drawn, __ATOMIC_RELAXED);
    __atomic_fetch_add(&f.counts->trials, sums.trials, __ATOMIC_RELAXED);
    __atomic_fetch_add(&f.counts->exhausted, sums.exhausted, __ATOMIC_RELAXED);
}

QCD_END
