#include "codelets/coefficients/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void coefficients_cpu(const void* args, void* const* p)
{
    coefficients_site(
        *static_cast<const coefficients_args*>(args), buffer<double>(p, coefficients_out),
        buffer<const double>(p, coefficients_previous), buffer<const i64>(p, coefficients_sums_a),
        buffer<const i64>(p, coefficients_sums_b));
}

QCD_END
