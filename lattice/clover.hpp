#pragma once
// The clover term of a gauge field, in double on the host.

#include "lattice/box.hpp"

#include <functional>
#include <span>
#include <vector>

namespace qcd
{

/// Reals of a site's clover term: two Hermitian 6x6 matrices, one for each chirality (spins 0, 1
/// and 2, 3), in the form that codelets/device/clover.h says, 36 reals each.
inline constexpr int clover_reals = 72;

/// A = 1 + i c sum_{mu<nu} sigma_munu F_munu, sigma_munu = (i/2) [gamma_mu, gamma_nu],
/// F_munu = (Q_munu - Q_munu^dagger)/8, Q_munu the sum of the four plaquettes of the plane that
/// begin at the site and go round from mu to nu; c = kappa csw. Phases of the boundaries cancel in
/// it. Takes time slices in order, and gives A of those sites of a slice that are in the box when
/// both its neighbours are known.
class CloverSlices
{
public:
    /// take(t, matrices): clover_reals a site of the box, x fastest; every slice of it once, in any
    /// order.
    using Take = std::function<void(int t, std::span<const double> matrices)>;
    CloverSlices(const Extents&, const Box&, double c, Take);

    /// Links of a whole slice, [z][y][x][mu][row][column][re, im]: of the box's slices from the
    /// lowest to the highest; then, where the box has not all slices, of the one above it, and of
    /// the one below it. Throws Error on another size.
    void add_slice(int t, std::span<const double> links);
    /// Where the box has not all slices: the one above it, and the one below.
    int above() const { return (box_.lower[3] + box_.extents[3]) % lattice_[3]; }
    int below() const { return (box_.lower[3] + lattice_[3] - 1) % lattice_[3]; }
    bool needs_outside() const { return box_.extents[3] < lattice_[3]; }

    /// Memory that it takes: four slices of links, and one of matrices.
    static std::size_t bytes(const Extents&);

private:
    using Slice = std::vector<double>;
    void give(int t, const Slice& below, const Slice& here, const Slice& above);

    Extents lattice_;
    Box box_;
    int added_ = 0;
    double c_;
    Take take_;
    Slice first_, second_, before_, last_, matrices_;
};

/// (A^2 + mubar^2)^-1 of both chiralities, A^-1 for mubar = 0. Not finite where there is none.
void invert_clover(const double* matrix, double mubar, double* inverse);

} // namespace qcd
