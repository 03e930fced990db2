#include "lattice/polyakov_loop.hpp"

namespace qcd
{

PolyakovLoop::PolyakovLoop(const Extents& lattice)
    : products_(std::size_t(volume(lattice) / lattice[3]), links::unit())
{
}

void PolyakovLoop::add_slice(std::span<const double> links)
{
    constexpr int mu_t = 3;
#pragma omp parallel for schedule(static) if (products_.size() > 250)
    for (std::size_t s = 0; s < products_.size(); ++s)
        products_[s] =
            products_[s] *
            links::load(&links[s * links::reals_per_site + mu_t * links::reals_per_link]);
}

links::Complex PolyakovLoop::result() const
{
    links::Complex sum{0, 0};
    for (const links::Link& p : products_) sum = sum + p.e[0][0] + p.e[1][1] + p.e[2][2];
    const double n = 3.0 * double(products_.size());
    return {sum.re / n, sum.im / n};
}

} // namespace qcd
