#pragma once
// An operation of the study that comes in versions: its codelet.cpp is one line, which defines
// NAME_codelet(Precision, const StudyVersion&, int multiple).
//   QCD_STUDY_OPERATION(NAME, separate, ...)  for versions that have, or have not, separate tasks
// Others use codelets/registration.hpp.

#include "codelets/registration.hpp"
#include "codelets/study/versions.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace qcd
{

/// Of one operation, all that there are.
class StudyCodelets
{
public:
    /// kernels: in double and single, without an OpenCL program
    StudyCodelets(const Operation& operation, bool separate, const char* opencl_text,
                  const Kernels (&kernels)[2])
    {
        for (const StudyVersion& v : study_versions) {
            if (v.separate != separate) continue;
            for (const int multiple : study_multiples)
                for (const Precision p : {Precision::f64, Precision::f32})
                    add(operation, v, study_multiple(v, multiple), p, opencl_text, kernels[int(p)]);
        }
    }
    const Codelet& of(Precision p, const StudyVersion& v, int multiple) const
    {
        return all_.at({v.name, multiple, int(p)});
    }

private:
    void add(const Operation& operation, const StudyVersion& v, int multiple, Precision p,
             const char* opencl_text, Kernels kernels)
    {
        if (v.on_devices) {
            kernels.opencl = registration::program_of(opencl_text, p, LinkStorage::full, false);
            kernels.opencl.options += fmt::format(" -DQCD_STUDY_SWITCHES={}", v.switches);
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

#define QCD_STUDY_OPERATION(op, separate, ...)                                                     \
    QCD_DECLARE_KERNELS(f64, op)                                                                   \
    QCD_DECLARE_KERNELS(f32, op)                                                                   \
    const qcd::Codelet& qcd::op##_codelet(Precision precision, const StudyVersion& version,        \
                                          int multiple)                                            \
    {                                                                                              \
        static const Operation operation{QCD_NAME_AND_SIZE(op), __VA_ARGS__};                      \
        static const StudyCodelets codelets(                                                       \
            operation, separate, QCD_OPENCL_TEXT,                                                  \
            {{{QCD_CPU_KERNELS(f64, op)}, {QCD_CUDA_KERNEL(f64, op)}},                             \
             {{QCD_CPU_KERNELS(f32, op)}, {QCD_CUDA_KERNEL(f32, op)}}});                           \
        return codelets.of(precision, version, multiple);                                          \
    }
