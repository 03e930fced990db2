#include "tasks/spinor_copy.hpp"

#include "lattice/error.hpp"

#include <algorithm>
#include <cstring>

namespace qcd
{

namespace
{

constexpr int reals_of_site = 24;

/// Extents are even, so that of both parities there are as many sites in each row.
std::size_t number_of(const SpinorCopy& copy, const Coord& x)
{
    const Extents& l = copy.lattice;
    const std::size_t of_all = x[0] + l[0] * (x[1] + l[1] * (x[2] + std::size_t(l[2]) * x[3]));
    return copy.sites == Sites::all ? of_all : of_all / 2;
}

template <class Real>
void store(SpinorCopy& copy, const Coord& x, const double* spinor)
{
    Real r[reals_of_site];
    std::copy_n(spinor, reals_of_site, r);
    std::memcpy(copy.reals.data() + number_of(copy, x) * sizeof r, r, sizeof r);
}

class CopySource : public SpinorSource
{
public:
    explicit CopySource(const SpinorCopy& copy) : copy_(copy) {}
    void site(const Coord& x, double out[24]) const override
    {
        copy_.precision == Precision::f64 ? read<double>(x, out) : read<float>(x, out);
    }
    std::string description() const override { return "a copy"; }

private:
    template <class Real>
    void read(const Coord& x, double* out) const
    {
        Real r[reals_of_site];
        std::memcpy(r, copy_.reals.data() + number_of(copy_, x) * sizeof r, sizeof r);
        std::copy_n(r, reals_of_site, out);
    }
    const SpinorCopy& copy_;
};

} // namespace

SpinorCopy copy_of(const SpinorField& field, int rhs)
{
    SpinorCopy copy{field.tiling().lattice(), field.precision(), field.sites(), {}};
    copy.reals.resize(parities(copy.sites).size() * volume(copy.lattice) / 2 * reals_of_site *
                      real_bytes(copy.precision));
    const auto keep = [&](const Coord& x, const double* spinor) {
        copy.precision == Precision::f64 ? store<double>(copy, x, spinor)
                                         : store<float>(copy, x, spinor);
    };
    field.visit_by_threads(keep, rhs);
    return copy;
}

void put(const SpinorCopy& copy, SpinorField& field, int rhs)
{
    if (copy.lattice != field.tiling().lattice() || copy.precision != field.precision() ||
        copy.sites != field.sites())
        throw Error("a copied spinor field is of another lattice, precision or other sites");
    field.fill(CopySource(copy), rhs);
}

} // namespace qcd
