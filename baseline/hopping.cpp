#include "baseline/hopping.hpp"

#include <algorithm>

namespace qcd::baseline
{

namespace
{

/// out += (1-gamma_mu) U_mu(x) psi(x+mu) + (1+gamma_mu) U_mu(x-mu)^dagger psi(x-mu)
template <int mu, class Real>
inline void add_terms(const Link<Real>* links, const Field<Real>& psi, const int* near, long site,
                      Spinor<Real>& out)
{
    const long ahead = near[2 * mu], behind = near[2 * mu + 1];
    xgemm33x34(links[4 * site + mu], xgemm34x44<mu, -1>(psi[ahead]), out);
    xgemm33x34_adjoint(links[4 * behind + mu], xgemm34x44<mu, +1>(psi[behind]), out);
}

} // namespace

template <class Real>
Hopping<Real>::Hopping(const Grid& grid, bool antiperiodic)
    : grid_(&grid), antiperiodic_(antiperiodic),
      links_(std::make_unique_for_overwrite<Link<Real>[]>(4 * grid.all().count))
{
}

template <class Real>
void Hopping<Real>::set_slice(int t, std::span<const double> links)
{
    const Extents& e = grid_->extents();
    const double sign_t = antiperiodic_ && t == e[3] - 1 ? -1.0 : 1.0;
    const auto set = [&](long site) {
        const Coord x = grid_->coord(site);
        const double* in = &links[72 * (x[0] + e[0] * (x[1] + std::size_t(e[1]) * x[2]))];
        Link<Real>* u = &links_[4 * site];
        for (int mu = 0; mu < 4; ++mu) {
            const double sign = mu == 3 ? sign_t : 1.0;
            const double* z = in + 18 * mu;
            for (int k = 0; k < 9; ++k)
                u[mu].c[k / 3][k % 3] = {Real(sign * z[2 * k]), Real(sign * z[2 * k + 1])};
        }
    };
    // Each by the thread that will read it, in whose memory it then is.
    const long all = grid_->all().count, half = grid_->plane() * e[2], threads = grid_->threads();
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (long thread = 0; thread < threads; ++thread)
        for (const long first : {t * half, all / 2 + t * half})
            for (long site = std::max(first, thread * all / threads);
                 site < std::min(first + half, (thread + 1) * all / threads); ++site)
                set(site);
}

template <class Real>
void Hopping<Real>::apply(const Field<Real>& in, Field<Real>& out) const
{
    const Link<Real>* links = links_.get();
    for_sites(*grid_, out.sites(), [&, links](long site) {
        const int* near = grid_->neighbours(site);
        Spinor<Real> sum{};
        add_terms<0>(links, in, near, site, sum);
        add_terms<1>(links, in, near, site, sum);
        add_terms<2>(links, in, near, site, sum);
        add_terms<3>(links, in, near, site, sum);
        out[site] = sum;
    });
}

template class Hopping<float>;
template class Hopping<double>;

} // namespace qcd::baseline
