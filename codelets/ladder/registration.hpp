#pragma once
// An operation of the ladder that comes in versions: its codelet.cpp is one line, which defines
// NAME_codelet(Precision, const LadderVersion&, int multiple).
//   QCD_LADDER_OPERATION(NAME, separate, ...)  for versions that have, or have not, separate tasks
// Others use codelets/registration.hpp.

#include "codelets/ladder/versions.hpp"
#include "codelets/registration.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace qcd
{

/// Of one operation, all that there are.
class LadderCodelets
{
public:
    LadderCodelets(const Operation& operation, bool separate, const char* opencl_text,
                   const std::vector<registration::VariantKernels>& variants)
    {
        for (const LadderVersion& v : ladder_versions) {
            if (v.separate != separate) continue;
            for (const int multiple : ladder_multiples)
                for (const auto& [precision, links, kernels] : variants)
                    add(operation, v, ladder_multiple(v, multiple), precision, opencl_text,
                        kernels);
        }
    }
    const Codelet& of(Precision p, const LadderVersion& v, int multiple) const
    {
        return all_.at({v.name, multiple, int(p)});
    }

private:
    void add(const Operation& operation, const LadderVersion& v, int multiple, Precision p,
             const char* opencl_text, Kernels kernels)
    {
        if (v.on_devices) {
            kernels.opencl = registration::program_of(opencl_text, "fields", p, LinkStorage::full);
            kernels.opencl.options += fmt::format(" -DQCD_LADDER_SWITCHES={}", v.switches);
        } else {
            kernels.cuda = nullptr;
        }
        const std::string sites = v.full_groups ? fmt::format("x{}", multiple) : "";
        all_.try_emplace({v.name, multiple, int(p)}, operation, int(p),
                         fmt::format("{}_{}{}_{}", operation.name, v.name, sites,
                                     p == Precision::f64 ? "f64" : "f32"),
                         std::move(kernels));
    }
    std::map<std::tuple<std::string, int, int>, Codelet> all_; // by version, multiple, precision
};

} // namespace qcd

#define QCD_LADDER_OPERATION(op, separate, ...)                                                    \
    QCD_VARIANTS_fields(QCD_DECLARE_VARIANT, op) const qcd::Codelet& qcd::op##_codelet(            \
        Precision precision, const LadderVersion& version, int multiple)                           \
    {                                                                                              \
        static const Operation operation{                                                          \
            .name = #op, .args_size = sizeof(op##_args), __VA_ARGS__};                             \
        static const LadderCodelets codelets(operation, separate, QCD_OPENCL_TEXT,                 \
                                             {QCD_VARIANTS_fields(QCD_KERNELS_OF_VARIANT, op)});   \
        return codelets.of(precision, version, multiple);                                          \
    }
