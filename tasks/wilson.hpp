#pragma once
// H on the lattice: hops with their halo exchange, and spin factors. solver/operator.hpp makes D
// and Dhat of them.

#include "codelets/hopping/slots.h"
#include "codelets/pack_faces/slots.h"
#include "tasks/clover_field.hpp"
#include "tasks/exchange.hpp"
#include "tasks/field.hpp"
#include "tasks/scalars.hpp"

namespace qcd
{

/// Diagonal spin factors and their products.
namespace spin
{
inline chiral real(double c) { return {c, 0, c, 0}; }
inline chiral gamma5() { return {1, 0, -1, 0}; }
chiral operator*(const chiral& a, const chiral& b);
inline chiral operator*(double c, const chiral& a) { return real(c) * a; }
} // namespace spin

/// What an operator application adds to sums besides its result; see codelets/hopping/hopping.hpp.
struct Dots {
    /// (v|out), |out|^2, (u|out), where v is the operator's input
    static constexpr int re_v_out = QCD_SUM_RE_V_OUT, v_out = QCD_SUM_V_OUT,
                         norm2 = QCD_SUM_OUT_OUT, re_u_out = QCD_SUM_RE_U_OUT,
                         u_out = QCD_SUM_U_OUT;
    int which = 0;                     ///< of these, bit by bit
    const SpinorField* u = nullptr;    ///< for QCD_SUM_U_OUT and Hop::add_u
    const LatticeSums* sums = nullptr; ///< parts written; merge them before use
};

/// What T = 1 + clover term + i twist gamma5 does in a hop.
enum class Clover { none, multiplies_v, divides };

/// One hop over the lattice, on the sites of one parity: out = a o v + b o (H psi) [+ u], with a
/// clover term a o T v + b o (H psi) [+ u] or T^-1 (a o v + b o (H psi)) [+ u].
struct Hop {
    int parity;                       ///< of out, v and u
    const SpinorField* out = nullptr; ///< null: only sums
    const SpinorField* psi = nullptr; ///< the other parity is read
    chiral b{};
    const SpinorField* v = nullptr;
    chiral a{};
    Clover clover = Clover::none;
    double twist = 0; ///< of T; to divide it is +- the mubar of the clover field
    bool add_u = false;
    Dots dots{};
    const ScalarData* gate = nullptr; ///< a method's scalars; null: always
};

/// H on a tiled lattice. `arithmetic` is the links' precision, or f32_in_f64 on single links. With
/// a clover field (in single for links in 16 bits) hops can multiply by T, and divide by it on odd
/// sites.
class Wilson
{
public:
    Wilson(LatticeGraph&, const GaugeField&, Precision arithmetic,
           const CloverField* clover = nullptr);
    /// What one with this arithmetic will need that takes seconds to make, so that it need not be
    /// made in the middle of something: kernels that devices compile.
    static void prepare(Precision arithmetic, LinkStorage);
    /// Submits the tasks of one hop: faces of psi, then every tile.
    void hop(const Hop&) const;

    LatticeGraph& graph() const { return *graph_; }
    const Tiling& tiling() const { return graph_->tiling(); }
    Precision arithmetic() const { return arithmetic_; }
    LinkStorage links() const { return gauge_->storage(); }
    bool has_clover() const { return clover_ != nullptr; }
    /// Do hops need faces of other tiles? Not where the links between tiles are 0.
    bool has_faces() const { return halo_[0] != nullptr; }

    // What the tasks of a hop are given, for exchanges: of the codelets hopping and pack_faces.
    hopping_args hop_args(const Hop&, int tile) const;
    /// halo: null where no direction is cut.
    std::vector<Operand> hop_slots(const Hop&, int tile, const Halo*) const;
    pack_faces_args packing_args(const Hop&, int tile) const;
    std::vector<Operand> packing_slots(const Hop&, int tile, const Halo&) const;

private:
    /// Do hops across the tile's upper end in t get a factor -1 that is not in the links?
    bool negates_t(int tile) const;
    LatticeGraph* graph_;
    const GaugeField* gauge_;
    const CloverField* clover_;
    Precision arithmetic_;
    std::unique_ptr<Halo> halo_[2]; // in turn: a neighbour may still read the last faces
    mutable long exchanges_ = 0;
    int reach_;    // QCD_REACH_*
    int prefetch_; // QCD_PREFETCH_*
};

} // namespace qcd
