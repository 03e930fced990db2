#include "codelets/coefficients/site.h"
#include "codelets/launch/cpu_launch.hpp"

QCD_BEGIN

static lattice_sums rounded(const i64* words)
{
    lattice_sums s = {};
    for (int i = 0; words && i < QCD_MAX_SUMS; ++i)
        s.v[i] = round_exact_sum(words + i * QCD_SUM_WORDS);
    return s;
}

void coefficients_cpu(const void* args, void* const* p, CpuShare share)
{
    if (share.index > 0) return;
    const i64* b = buffer<const i64>(p, coefficients_sums_b);
    coefficients_site(*static_cast<const coefficients_args*>(args),
                      buffer<double>(p, coefficients_out),
                      buffer<const double>(p, coefficients_previous),
                      rounded(buffer<const i64>(p, coefficients_sums_a)), rounded(b), b != nullptr);
}

QCD_END
