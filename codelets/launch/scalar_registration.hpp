#pragma once
// QCD_SCALAR_STEP(NAME) registers the scalar operations NAME and linked_NAME, and defines
// NAME_codelets.

#include "codelets/device/linked_step.h"
#include "codelets/launch/scalar_codelets.hpp"
#include "runtime/registration.hpp"

#define QCD_SCALAR_STEP(op)                                                                        \
    namespace qcd                                                                                  \
    {                                                                                              \
    using op##_args = scalar_step_args;                                                            \
    using linked_##op##_args = linked_step_args;                                                   \
    enum { op##_slots = scalar_step_slots, linked_##op##_slots = linked_step_slots };              \
    static const Codelet& op##_codelet();                                                          \
    static const Codelet& linked_##op##_codelet();                                                 \
    }                                                                                              \
    QCD_SCALAR_OPERATION(                                                                          \
        op, .blocks = [](const void*) { return 1; }, .scalars = true,                              \
        .clears = 1u << scalar_step_sums_a | 1u << scalar_step_sums_b)                             \
    QCD_SCALAR_OPERATION(                                                                          \
        linked_##op, .blocks = [](const void*) { return 1; }, .opencl = false, .scalars = true,    \
        .clears = 1u << scalar_step_sums_a | 1u << scalar_step_sums_b | 1u << linked_step_more_a | \
                  1u << linked_step_more_b)                                                        \
    const qcd::ScalarCodelets& qcd::op##_codelets()                                                \
    {                                                                                              \
        static const ScalarCodelets both{op##_codelet(), linked_##op##_codelet()};                 \
        return both;                                                                               \
    }
