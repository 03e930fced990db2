#pragma once
// Scalar operations (device/scalar_step.h): each registers NAME and linked_NAME, and defines
// NAME_codelets.
//   QCD_SCALAR_START(NAME)  sets all scalars
//   QCD_SCALAR_STEP(NAME)   changes them

#include "codelets/device/linked_step.h"
#include "codelets/launch/scalar_codelets.hpp"
#include "codelets/registration.hpp"

namespace qcd::slot
{

/// Of device/scalar_step.h. The history begins anew unless the call says that it is updated.
inline std::vector<Slot> of_scalar_step(Mode of_scalars)
{
    return {scalars("scalars", of_scalars),
            optional({.name = "history", .holds = "history", .mode = Mode::writes}),
            optional(sums_read("sums_a")), optional(sums_read("sums_b"))};
}

/// Of device/linked_step.h.
inline std::vector<Slot> of_linked_step(Mode of_scalars)
{
    std::vector<Slot> slots = of_scalar_step(of_scalars);
    slots.insert(slots.end(), {order(),
                               optional(sums_read("more_a")),
                               optional(sums_read("more_b")),
                               {.name = "inbox", .holds = "peer memory"},
                               {.name = "outbox",
                                .holds = "peer memory",
                                .mode = Mode::writes,
                                .optional = true,
                                .count = QCD_MOST_PEERS}});
    return slots;
}

} // namespace qcd::slot

#define QCD_SCALAR_START(op) QCD_SCALAR_CODELETS(op, Mode::writes)
#define QCD_SCALAR_STEP(op) QCD_SCALAR_CODELETS(op, Mode::updates)

#define QCD_SCALAR_CODELETS(op, of_scalars)                                                        \
    namespace qcd                                                                                  \
    {                                                                                              \
    using op##_args = scalar_step_args;                                                            \
    using linked_##op##_args = linked_step_args;                                                   \
    static const Codelet& op##_codelet();                                                          \
    static const Codelet& linked_##op##_codelet();                                                 \
    }                                                                                              \
    QCD_OPERATION_OF(                                                                              \
        QCD_OPENCL_TEXT, scalars, op, .slots = slot::of_scalar_step(of_scalars),                   \
        .blocks = [](const void*) { return 1; }, .sweeps = false, .urgent = true)                  \
    QCD_OPERATION_OF(                                                                              \
        nullptr, scalars, linked_##op, .slots = slot::of_linked_step(of_scalars),                  \
        .blocks = [](const void*) { return 1; }, .sweeps = false, .urgent = true)                  \
    const qcd::ScalarCodelets& qcd::op##_codelets()                                                \
    {                                                                                              \
        static const ScalarCodelets both{op##_codelet(), linked_##op##_codelet()};                 \
        return both;                                                                               \
    }
