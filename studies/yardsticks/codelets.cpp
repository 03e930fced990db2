#include "studies/frame/registration.hpp"
#include "studies/yardsticks/args.h"
#include "studies/yardsticks/yardsticks.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

QCD_DECLARE_STUDY_KERNELS(stream)

#ifdef QCD_WITH_OPENCL
extern const char qcd_opencl_yardsticks[];
#define QCD_YARDSTICKS_TEXT qcd_opencl_yardsticks
#else
#define QCD_YARDSTICKS_TEXT nullptr
#endif

namespace qcd
{

namespace studies
{
void sort_on_device(const void* args, void* const* buffers, const CudaCall&);
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

const Codelet& stream_codelet()
{
    static const Operation operation{
        .name = "stream",
        .args_size = sizeof(stream_args),
        .slots = {{"a", "reals", Mode::writes}, {"b", "reals"}, {"c", "reals", Mode::reads, true}},
        .blocks = [](const void* args) { return static_cast<const stream_args*>(args)->rows; },
        .groups =
            [](int, const void* args) {
                const auto& a = *static_cast<const stream_args*>(args);
                return studies::cell_groups(a.columns, a.rows);
            },
        .sweeps = false};
    static const Codelet codelet(operation, 0, operation.name,
                                 QCD_STUDY_KERNELS_OF(stream, QCD_YARDSTICKS_TEXT));
    return codelet;
}

const Codelet& sort_codelet()
{
    static const Operation operation{
        .name = "sort_pairs",
        .args_size = sizeof(sort_args),
        .slots = {{"keys", "integers", Mode::updates}, {"values", "integers", Mode::updates}},
        .blocks = [](const void*) { return 1; },
        .sweeps = false};
    Kernels kernels{{sort_on_core, sort_on_core, sort_on_core}, {}, {}};
#ifdef QCD_WITH_CUDA
    kernels.cuda = {studies::sort_on_device, studies::sort_on_device};
#endif
    static const Codelet codelet(operation, 0, operation.name, std::move(kernels));
    return codelet;
}

} // namespace qcd
