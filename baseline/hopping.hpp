#pragma once
// The hopping term in one loop over sites (docs/conventions.md):
//   (H psi)(x) = sum_mu [(1-gamma_mu) U_mu(x) psi(x+mu) + (1+gamma_mu) U_mu(x-mu)^dagger psi(x-mu)]
// Cost 1320 flop/site by convention; this form, which knows no projection, does 2304 in the links
// alone.

#include "baseline/field.hpp"

#include <span>

namespace qcd::baseline
{

template <class Real>
class Hopping
{
public:
    /// Links take no memory until they are set. The grid must outlive this.
    Hopping(const Grid& grid, bool antiperiodic);

    /// Links of time slice t: sites ascending, x fastest, then mu, row, column, re, im.
    void set_slice(int t, std::span<const double> links);

    const Grid& grid() const { return *grid_; }

    /// out <- H in, on the sites of out; in holds all sites or the other parity.
    void apply(const Field<Real>& in, Field<Real>& out) const;

private:
    const Grid* grid_;
    bool antiperiodic_;
    std::unique_ptr<Link<Real>[]> links_; ///< [site*4+mu]; U_t(LT-1) times -1 if antiperiodic
};

} // namespace qcd::baseline
