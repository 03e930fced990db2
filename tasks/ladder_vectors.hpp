#pragma once
// Vector operations of the ladder as tasks: one for each line of the report, on each tile.

#include "tasks/ladder_fields.hpp"

namespace qcd
{

/// The report's forms of its vector operations: what a thread takes.
enum class LadderThread { spinor, element };

/// Operations on fields of one precision. The vectors of a call differ.
class LadderVectors
{
public:
    LadderVectors(const LadderLattice&, Precision, LadderThread);

    void clear(const LadderField& y) const;                       ///< y = 0
    void xcopy(const LadderField& x, const LadderField& y) const; ///< y = x
    /// y = y + factor alpha x, factor +1 or -1; alpha null: 1
    void xaxpy(double factor, const LadderScalar* alpha, const LadderField& x,
               const LadderField& y) const;
    void xscal(const LadderScalar& alpha, const LadderField& x) const; ///< x = alpha x

    /// (x|y) and |x|^2, in passes: a sum of each 256 items of a tile, of each 256 of these, and so
    /// on to one, and those of all tiles.
    void xdot(const LadderField& x, const LadderField& y, const LadderScalar& out) const;
    void xnrm2(const LadderField& x, const LadderScalar& out) const;
    /// quotient = conj(a) / b
    void quotient(const LadderScalar& a, const LadderScalar& b, const LadderScalar& quotient) const;

private:
    ladder_vector vector(int tile) const;
    /// first_pass(tile, sums): submits it
    template <class FirstPass>
    void sum(const LadderScalar& out, const FirstPass&) const;

    const LadderLattice& lattice_;
    Precision precision_;
    LadderThread thread_;
    struct Pass {
        int count;
        std::unique_ptr<StarpuData> sums; // null: of the only tile, the last one
    };
    std::vector<std::vector<Pass>> passes_; // of each tile
};

} // namespace qcd
