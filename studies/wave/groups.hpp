#pragma once

#include "runtime/operation.hpp"
#include "studies/wave/args.h"

namespace qcd
{

/// Work groups of version vector.
inline WorkGroups wave_vector_groups(const wave_args& a)
{
    const auto parts = [](int n, int of) { return (n + of - 1) / of; };
    return {parts(a.n[0], QCD_WAVE_WIDE) * parts(a.n[1], QCD_WAVE_HIGH) *
                parts(a.n[2], QCD_WAVE_DEEP),
            QCD_WAVE_WIDE * QCD_WAVE_HIGH};
}

} // namespace qcd
