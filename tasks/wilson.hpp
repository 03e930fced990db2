#pragma once
// H on the lattice: hops with their halo exchange, and spin factors. solver/operator.hpp makes D
// and Dhat of them.

#include "codelets/hopping/args.h"
#include "tasks/field.hpp"
#include "tasks/halo.hpp"
#include "tasks/scalars.hpp"

namespace qcd
{

/// Diagonal spin factors and their products.
namespace spin
{
inline chiral real(double c) { return {c, 0, c, 0}; }
inline chiral gamma5() { return {1, 0, -1, 0}; }
/// 1 + i mubar gamma5
inline chiral twist(double mubar) { return {1, mubar, 1, -mubar}; }
/// (1 + i mubar gamma5)^-1
chiral inverse_twist(double mubar);
chiral operator*(const chiral& a, const chiral& b);
inline chiral operator*(double c, const chiral& a) { return real(c) * a; }
} // namespace spin

/// What an operator application adds to sums besides its result; see codelets/hopping/hopping.hpp.
struct Dots {
    int which = 0;                     ///< bits QCD_SUM_*; v is the operator's input
    const SpinorField* u = nullptr;    ///< for QCD_SUM_U_OUT and Hop::add_u
    const LatticeSums* sums = nullptr; ///< parts written; merge them before use
};

/// One hop over the lattice: out = a o v + b o (H psi) [+ u] on the sites of one parity.
struct Hop {
    int parity;                       ///< of out, v and u
    const SpinorField* out = nullptr; ///< null: only sums
    const SpinorField* psi = nullptr; ///< the other parity is read
    chiral b{};
    const SpinorField* v = nullptr;
    chiral a{};
    bool add_u = false;
    Dots dots{};
    const Coefficients* gate = nullptr; ///< null: always
};

/// H on a tiled lattice. `arithmetic` is the links' precision, or f32_in_f64 on single links.
class Wilson
{
public:
    Wilson(const Tiling&, const GaugeField&, Precision arithmetic);
    /// What one with this arithmetic will need that takes seconds to make, so that it need not be
    /// made in the middle of something: kernels that devices compile.
    static void prepare(Precision arithmetic, LinkStorage);
    /// Submits the tasks of one hop: faces of psi, then every tile.
    void hop(const Hop&) const;

    const Tiling& tiling() const { return *tiling_; }
    Precision arithmetic() const { return arithmetic_; }

private:
    void exchange(const Hop&) const;
    void hop_tile(const Hop&, int tile) const;
    void hop_linked(const Hop&, int tile) const;
    std::vector<Access> slots_of(const Hop&, int tile) const;
    hopping_args args_of(const Hop&, int tile) const;
    double flops(int tile) const;
    /// Do hops across the tile's upper end in t get a factor -1 that is not in the links?
    bool negates_t(int tile) const;
    const Halo& halo() const { return halo_[exchanges_ % 2]; } // of the newest exchange
    const Tiling* tiling_;
    const GaugeField* gauge_;
    Precision arithmetic_;
    Halo halo_[2]; // in turn: a neighbour may still read the last faces
    mutable long exchanges_ = 0;
    int reach_;    // QCD_REACH_*
    int prefetch_; // QCD_PREFETCH_*
};

} // namespace qcd
