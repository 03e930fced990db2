#pragma once
// The matrices of the clover term as data of the task graph.

#include "lattice/clover.hpp"
#include "lattice/precision.hpp"
#include "tasks/data.hpp"
#include "tasks/host_access.hpp"

#include <memory>
#include <optional>

namespace qcd
{

/// A = 1 + clover term (lattice/clover.hpp) on all sites and, if asked for, B = (A^2 + mubar^2)^-1
/// on the odd ones: 72 reals a site each (codelets/device/clover.h), computed in double from links
/// as they are read, and rounded once.
class CloverField
{
public:
    enum class Inverse { none, on_odd_sites };
    /// c = kappa csw
    CloverField(LatticeGraph&, Precision, double c, double mubar, Inverse);

    /// Matrices in single: those of a complete field in double, each real rounded. Waits.
    explicit CloverField(const CloverField& in_double);

    /// Slices of links as CloverSlices wants them, of those in which tiles are owned. Throws Error
    /// where a matrix has no inverse, or none in this precision.
    CloverSlices& slices() { return *slices_; }
    /// Puts the matrices A of a slice of the owned box, clover_reals a site, x fastest.
    void put_slice(int t, std::span<const double> matrices);
    /// Call it after the last slice.
    void complete();

    Data matrix(int parity, int tile) const { return matrices_.at(parity, tile); }
    Data inverse(int tile) const { return inverses_->at(1, tile); }
    bool has_inverse() const { return inverses_.has_value(); }
    static std::size_t bytes(const Tiling&, Precision, Inverse);

private:
    /// Throws Error, naming the site, where what was computed is no number.
    template <class Real>
    void put_slice_as(int t, std::span<const double> matrices);
    template <class Real>
    bool put_site(const Coord&, const double* matrix);

    LatticeGraph* graph_;
    Precision precision_;
    double mubar_;
    TileData matrices_;
    std::optional<TileData> inverses_;
    // while slices come
    std::unique_ptr<CloverSlices> slices_;
    std::vector<std::unique_ptr<HostAccess>> access_;
};

} // namespace qcd
