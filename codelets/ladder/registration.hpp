#pragma once
// Lines that register the ladder's operations (codelets/registration.hpp). FLOPS: so many a complex
// number or site[, and where this SLOT is filled, so many MORE].
//   QCD_LADDER_VECTOR_OPERATION(FAMILY, NAME, URGENT, FLOPS...)  on vectors
//   QCD_LADDER_SUM_OPERATION(FAMILY, NAME, URGENT, FLOPS...)     of which each makes one sum
//   QCD_LADDER_SINGLE_OPERATION(FAMILY, NAME)                    on a few numbers
//   QCD_LADDER_SITE_OPERATION(FAMILY, NAME, FLOPS...)            of versions with separate tasks
// The latter, and the stencil, come in versions:
//   QCD_LADDER_OPERATION(FAMILY, NAME, separate, ...)  of versions that have, or have not, separate
//                                                      tasks
// defines NAME_codelet(Precision, const LadderVersion&, int multiple).

#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/slots.hpp"
#include "codelets/ladder/versions.hpp"
#include "codelets/registration.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace qcd
{

/// All codelets of one operation.
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

#define QCD_LADDER_VECTOR_OPERATION(family, op, is_urgent, ...)                                    \
    QCD_OPERATION(family, op, .blocks = ladder_vector_blocks<op##_args>,                           \
                  .flops = ladder_flops<op##_args, __VA_ARGS__>,                                   \
                  .groups = ladder_vector_groups<op##_args>, .sweeps = false, .urgent = is_urgent)
#define QCD_LADDER_SUM_OPERATION(family, op, is_urgent, ...)                                       \
    QCD_OPERATION(family, op, .blocks = ladder_vector_blocks<op##_args>,                           \
                  .flops = ladder_flops<op##_args, __VA_ARGS__>,                                   \
                  .groups = ladder_sum_groups<op##_args>, .sweeps = false, .urgent = is_urgent)
#define QCD_LADDER_SINGLE_OPERATION(family, op)                                                    \
    QCD_OPERATION(family, op, .blocks = one_block, .groups = ladder_one_group, .sweeps = false,    \
                  .urgent = true)
#define QCD_LADDER_SITE_OPERATION(family, op, ...)                                                 \
    QCD_LADDER_OPERATION(family, op, true, .blocks = ladder_site_blocks<op##_args>,                \
                         .flops = ladder_flops<op##_args, __VA_ARGS__>,                            \
                         .groups = ladder_groups_of_sites<op##_args>, .sweeps = false)

#define QCD_LADDER_OPERATION(family, op, separate, ...)                                            \
    QCD_VARIANTS_##family(QCD_DECLARE_VARIANT, op) const qcd::Codelet& qcd::op##_codelet(          \
        Precision precision, const LadderVersion& version, int multiple)                           \
    {                                                                                              \
        static const Operation operation{.name = #op,                                              \
                                         .args_size = sizeof(op##_args),                           \
                                         .slots = QCD_SLOT_TABLE(op),                              \
                                         __VA_ARGS__};                                             \
        static const LadderCodelets codelets(operation, separate, QCD_OPENCL_TEXT,                 \
                                             {QCD_VARIANTS_##family(QCD_KERNELS_OF_VARIANT, op)}); \
        return codelets.of(precision, version, multiple);                                          \
    }                                                                                              \
    QCD_OPERATIONS(op, &op##_codelet(Precision::f64))
