#pragma once
// QCD_SCALAR_OPERATIONS(METHOD) registers the operations on a method's scalars
// (device/scalar_step.h) that METHOD/args.h lists: of each NAME and linked_NAME, which NAME_codelets
// has. The history begins anew unless the call says that it is updated.

#include "codelets/device/linked_step.h"
#include "codelets/launch/scalar_codelets.hpp"
#include "codelets/registration.hpp"

namespace qcd::registration
{

/// The table of a step, whose first slot are the scalars.
inline std::vector<Slot> with_scalars(Mode of_scalars, std::vector<Slot> table)
{
    table[0].mode = of_scalars;
    return table;
}

} // namespace qcd::registration

#define QCD_SCALAR_OPERATIONS(method)                                                              \
    QCD_STEPS_##method(QCD_SCALAR_CODELETS)                                                        \
        QCD_OPERATIONS(method, QCD_STEPS_##method(QCD_BOTH_SCALAR_CODELETS))

#define QCD_BOTH_SCALAR_CODELETS(op, use, scalars) &op##_codelets().alone, &op##_codelets().linked,

#define QCD_SCALAR_CODELETS(op, use, scalars)                                                      \
    namespace qcd                                                                                  \
    {                                                                                              \
    using op##_args = scalar_step_args;                                                            \
    using linked_##op##_args = linked_step_args;                                                   \
    static const Codelet& op##_codelet();                                                          \
    static const Codelet& linked_##op##_codelet();                                                 \
    }                                                                                              \
    QCD_SCALAR_OPERATION(QCD_OPENCL_TEXT, op, use, scalar_step)                                    \
    QCD_SCALAR_OPERATION(nullptr, linked_##op, use, linked_step)                                   \
    const qcd::ScalarCodelets& qcd::op##_codelets()                                                \
    {                                                                                              \
        static const ScalarCodelets both{op##_codelet(), linked_##op##_codelet()};                 \
        return both;                                                                               \
    }

#define QCD_SCALAR_OPERATION(text, op, use, step)                                                  \
    QCD_OPERATION_OF(text, scalars, op,                                                            \
                     .slots = registration::with_scalars(Mode::use, QCD_SLOT_TABLE(step)),         \
                     .blocks = one_block, .sweeps = false, .urgent = true)
