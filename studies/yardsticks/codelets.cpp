#include "studies/frame/registration.hpp"
#include "studies/yardsticks/args.h"
#include "studies/yardsticks/yardsticks.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace qcd::studies
{
void sort_on_device(const void* args, void* const* buffers, const CudaCall&);
}

namespace qcd
{

namespace slot
{
inline constexpr Slot reals{.holds = "reals"}, integers{.holds = "integers"};
}

namespace
{

void sort_on_core(const void* args, void* const* buffers, CpuShare share)
{
    if (share.index > 0) return; // it is one core's
    const std::size_t n = std::size_t(static_cast<const sort_args*>(args)->pairs);
    auto* keys = static_cast<std::uint32_t*>(buffers[sort_keys]);
    auto* values = static_cast<std::uint32_t*>(buffers[sort_values]);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(n);
    for (std::size_t i = 0; i < n; ++i) pairs[i] = {keys[i], values[i]};
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t i = 0; i < n; ++i) std::tie(keys[i], values[i]) = pairs[i];
}

} // namespace

} // namespace qcd

QCD_STUDY_OPERATION(yardsticks, stream, cell_operation<stream_args>(QCD_SLOT_TABLE(stream)))

const qcd::Codelet& qcd::sort_codelet()
{
    Kernels kernels{{sort_on_core, sort_on_core, sort_on_core}, {}, {}};
#ifdef QCD_WITH_CUDA
    kernels.cuda = studies::sort_on_device;
#endif
    static const studies::StudyCodelet own("sort_pairs", std::move(kernels),
                                           {.name = nullptr,
                                            .args_size = sizeof(sort_args),
                                            .slots = QCD_SLOT_TABLE(sort),
                                            .blocks = [](const void*) { return 1; },
                                            .sweeps = false});
    return own.codelet;
}
