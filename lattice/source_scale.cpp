#include "lattice/source_scale.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qcd
{

double largest_real(const SpinorSource& source, const Box& box)
{
    double largest = 0;
    bool is_number = true;
#pragma omp parallel for schedule(static) collapse(2) reduction(max : largest) reduction(&& : is_number)
    for (int t = 0; t < box.extents[3]; ++t)
        for (int z = 0; z < box.extents[2]; ++z)
            for (int y = 0; y < box.extents[1]; ++y)
                for (int x = 0; x < box.extents[0]; ++x) {
                    double s[24];
                    source.site(
                        {box.lower[0] + x, box.lower[1] + y, box.lower[2] + z, box.lower[3] + t},
                        s);
                    for (const double real : s) {
                        is_number = is_number && !std::isnan(real);
                        largest = std::max(largest, std::abs(real));
                    }
                }
    return is_number ? largest : std::numeric_limits<double>::quiet_NaN();
}

namespace
{

const char* name_of(Precision p) { return p == Precision::f64 ? "double" : "single"; }

/// Powers of two between whose inverse and which squares, and what rounding leaves of vectors that
/// have become small, are ordinary numbers.
int usual_range(Precision p) { return p == Precision::f64 ? 200 : 40; }

} // namespace

int source_exponent(double largest, Precision precision, Precision lowest)
{
    if (largest == 0 || !std::isfinite(largest)) return 0;
    const int most = precision == Precision::f64 ? 900 : 100;
    int exponent;
    std::frexp(largest, &exponent);
    if (std::abs(exponent) > most)
        throw Error("source: its largest real is {:.1e}; in {} precision it has to be "
                    "between {:.0e} and {:.0e}",
                    largest, name_of(precision), std::ldexp(1, -most), std::ldexp(1, most));
    return std::abs(exponent) > usual_range(lowest) ? exponent : 0;
}

void require_usual_range(double largest, Precision precision, const char* who)
{
    if (source_exponent(largest, precision, precision) != 0)
        throw Error("source: its largest real is {:.1e}; {} need one between {:.0e} and "
                    "{:.0e} in {} precision",
                    largest, who, std::ldexp(1, -usual_range(precision)),
                    std::ldexp(1, usual_range(precision)), name_of(precision));
}

void require_guess(double largest, Precision precision)
{
    const double most = std::ldexp(1, 2 * usual_range(precision));
    if (largest > most)
        throw Error("guess: its largest real is {:.1e} in units of the source's; in {} "
                    "precision at most {:.0e}",
                    largest, name_of(precision), most);
}

double times_power_of_two(double value, int power)
{
    const double product = std::ldexp(value, power);
    const bool holds = value == 0 || power == 0 || std::isnormal(product);
    return holds ? product : std::numeric_limits<double>::quiet_NaN();
}

void ScaledSource::line(const Coord& x, int sites, double* out) const
{
    source_.line(x, sites, out);
    for (int i = 0; i < 24 * sites; ++i) out[i] = std::ldexp(out[i], power_);
}

} // namespace qcd
