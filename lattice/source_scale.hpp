#pragma once
// Sources so small or so large that their squares are no ordinary numbers are solved as multiples
// of a power of two.

#include "lattice/box.hpp"
#include "lattice/precision.hpp"
#include "lattice/spinor_source.hpp"

namespace qcd
{

/// The largest magnitude among the reals of the sites of a box; no number if one of them is none.
double largest_real(const SpinorSource&, const Box&);

/// e, where b / 2^e is to be solved for b, whose largest real this is: 0 in the range in which all
/// that a solve makes of b is ordinary numbers in `lowest`, the lowest precision that it uses; else
/// the e that brings the largest real to between 1/2 and 1. Throws Error where x, which is of the
/// size of b, cannot be trusted to be ordinary numbers in `precision`, in which it is stored.
int source_exponent(double largest, Precision precision, Precision lowest);

/// Solves that do not scale b call this: it throws Error, in the name of `who`, where they would
/// have to.
void require_usual_range(double largest, Precision, const char* who);

/// Throws Error where a first guess, whose largest real this is for a source of size 1 or of the
/// usual range, is so large that its squares are no ordinary numbers.
void require_guess(double largest, Precision);

/// value * 2^power; no number where a double does not hold that to all of its digits.
double times_power_of_two(double value, int power);

/// A source times a power of two.
class ScaledSource final : public SpinorSource
{
public:
    /// The source lives longer.
    ScaledSource(const SpinorSource& source, int power) : source_(source), power_(power) {}
    void site(const Coord& x, double out[24]) const override { line(x, 1, out); }
    void line(const Coord& x, int sites, double* out) const override;
    std::string description() const override { return source_.description(); }

private:
    const SpinorSource& source_;
    int power_;
};

} // namespace qcd
