#pragma once
// Site order and storage of the baseline: all even sites, then all odd ones, each x fastest.
// A whole-lattice field holds both parities, an even-odd field one; links always all sites.

#include "baseline/site.hpp"
#include "lattice/extents.hpp"

#include <memory>
#include <vector>

namespace qcd::baseline
{

/// Sites first .. first+count-1 of the order above.
struct Sites {
    long first, count;
};

class Grid
{
public:
    /// Throws Error unless every extent is even (lattice/extents.hpp, require_lattice).
    Grid(const Extents& lattice, int threads);

    const Extents& extents() const { return lattice_; }
    int threads() const { return threads_; }

    Sites all() const { return {0, volume_}; }
    Sites even() const { return {0, volume_ / 2}; }
    Sites odd() const { return {volume_ / 2, volume_ / 2}; }

    /// Sites of one parity in one xy-plane: the unit of all partial sums, contiguous in the order.
    long plane() const { return long(lattice_[0]) * lattice_[1] / 2; }

    long number(const Coord& x) const;
    Coord coord(long site) const;

    /// The eight neighbours of a site: x+1, x-1, y+1, y-1, z+1, z-1, t+1, t-1.
    const int* neighbours(long site) const { return &neighbours_[8 * site]; }

private:
    Extents lattice_;
    long volume_;
    int threads_;
    std::vector<int> neighbours_;
};

/// A spinor on some sites of a grid, zero at first. The grid must outlive it.
template <class Real>
class Field
{
public:
    Field(const Grid& grid, Sites sites);

    const Grid& grid() const { return *grid_; }
    Sites sites() const { return sites_; }

    Spinor<Real>& operator[](long site) { return data_[site - sites_.first]; }
    const Spinor<Real>& operator[](long site) const { return data_[site - sites_.first]; }

private:
    const Grid* grid_;
    Sites sites_;
    std::unique_ptr<Spinor<Real>[]> data_;
};

/// Runs body(site) for every site, on the grid's threads.
template <class Body>
inline void for_sites(const Grid& grid, Sites sites, const Body& body)
{
    const long first = sites.first, last = sites.first + sites.count;
#pragma omp parallel for num_threads(grid.threads()) schedule(static)
    for (long site = first; site < last; ++site) body(site);
}

template <class Real>
Field<Real>::Field(const Grid& grid, Sites sites)
    : grid_(&grid), sites_(sites),
      data_(std::make_unique_for_overwrite<Spinor<Real>[]>(sites.count))
{
    // touched first by the thread that will work on it
    for_sites(grid, sites, [&](long site) { (*this)[site] = Spinor<Real>{}; });
}

} // namespace qcd::baseline
