#include "drivers/run/solution_summary.hpp"

#include <cmath>
#include <fmt/format.h>

namespace qcd
{

void SolutionSummary::add_site(const double x[24], const double b[24])
{
    digest_.add_site(x);
    for (int i = 0; i < 24; i += 2) {
        norm2_ += x[i] * x[i] + x[i + 1] * x[i + 1];
        source_norm2_ += b[i] * b[i] + b[i + 1] * b[i + 1];
        source_dot_ += std::complex(b[i], -b[i + 1]) * std::complex(x[i], x[i + 1]);
    }
}

RunReport::Solution SolutionSummary::result() const
{
    return {.norm2 = norm2_,
            .source_dot = source_dot_,
            .digest = fmt::format("{:016x}", digest_.value()),
            .x_over_b = source_norm2_ > 0 ? std::sqrt(norm2_ / source_norm2_) : 0};
}

} // namespace qcd
