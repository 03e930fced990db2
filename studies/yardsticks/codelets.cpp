#include "studies/frame/registration.hpp"
#include "studies/yardsticks/args.h"
#include "studies/yardsticks/yardsticks.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

QCD_DECLARE_STUDY_KERNELS(stream)

QCD_STUDY_TEXT(yardsticks)

namespace qcd
{

namespace studies
{
void sort_on_device(const void* args, void* const* buffers, const CudaCall&);
}

namespace
{

int stream_rows_of(const stream_args& a) { return a.rows; }
WorkGroups stream_groups(const stream_args& a) { return studies::cell_groups(a.columns, a.rows); }

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
    static const studies::StudyCodelet own(
        studies::study_operation<stream_args, stream_rows_of, stream_groups>(
            "stream", {{"to", "reals", Mode::writes},
                       {"x", "reals", Mode::reads, true},
                       {"y", "reals", Mode::reads, true}}),
        QCD_STUDY_KERNELS_OF(stream, yardsticks_text));
    return own.codelet;
}

const Codelet& sort_codelet()
{
    Kernels kernels{{sort_on_core, sort_on_core, sort_on_core}, {}, {}};
#ifdef QCD_WITH_CUDA
    kernels.cuda = {studies::sort_on_device, studies::sort_on_device};
#endif
    static const studies::StudyCodelet own(
        {.name = "sort_pairs",
         .args_size = sizeof(sort_args),
         .slots = {{"keys", "integers", Mode::updates}, {"values", "integers", Mode::updates}},
         .blocks = [](const void*) { return 1; },
         .sweeps = false},
        std::move(kernels));
    return own.codelet;
}

} // namespace qcd
