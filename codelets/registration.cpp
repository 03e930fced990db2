#include "codelets/registration.hpp"

#include <fmt/format.h>

namespace qcd::registration
{

namespace
{

// Names in the order of Precision.
constexpr const char* names[] = {"f64", "f32", "f32_in_f64", "f16", "f16_in_f64"};

/// NAME_f64, NAME_links12_f64, ...
std::string name_of(const char* operation, Precision p, LinkStorage links)
{
    return links == LinkStorage::full
               ? fmt::format("{}_{}", operation, names[int(p)])
               : fmt::format("{}_links{}_{}", operation, reals(links), names[int(p)]);
}

} // namespace

OpenclProgram program_of(const char* text, std::string_view family, Precision p, LinkStorage links)
{
    const std::string part =
        family == "scalars" ? "SCALARS" : fmt::format("{}_{}", names[int(p)], reals(links));
    return {text, fmt::format("-DQCD_PRECISION={} -DQCD_LINK_ROWS={} -DQCD_PROGRAM_{}",
                              names[int(p)], reals(links), part)};
}

VariantCodelets::VariantCodelets(const Operation& operation, const char* opencl_text,
                                 std::string_view family, std::vector<VariantKernels> variants)
{
    for (VariantKernels& v : variants) {
        v.kernels.opencl = program_of(opencl_text, family, v.precision, v.links);
        codelets_[index(v.links)][int(v.precision)] = std::make_unique<Codelet>(
            operation, int(v.precision), name_of(operation.name, v.precision, v.links),
            std::move(v.kernels));
        if (!first_) first_ = codelets_[index(v.links)][int(v.precision)].get();
    }
    for (const LinkStorage links : {LinkStorage::full, LinkStorage::two_rows, LinkStorage::minimal})
        for (int p = 0; p < precisions; ++p)
            if (auto& codelet = codelets_[index(links)][p]; !codelet)
                codelet = std::make_unique<Codelet>(
                    operation, p, name_of(operation.name, Precision(p), links), Kernels{});
}

} // namespace qcd::registration
