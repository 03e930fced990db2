#pragma once
// Vector operations of the study as tasks: one for each line of the report, on each tile.

#include "tasks/study_fields.hpp"

namespace qcd
{

/// The report's forms of its vector operations: what a thread takes.
enum class StudyThread { spinor, element };

/// Operations on fields of one precision. The vectors of a call differ.
class StudyVectors
{
public:
    StudyVectors(const StudyLattice&, Precision, StudyThread);

    void clear(const StudyField& y) const;                      ///< y = 0
    void xcopy(const StudyField& x, const StudyField& y) const; ///< y = x
    /// y = y + factor alpha x, factor +1 or -1; alpha null: 1
    void xaxpy(double factor, const StudyScalar* alpha, const StudyField& x,
               const StudyField& y) const;
    void xscal(const StudyScalar& alpha, const StudyField& x) const; ///< x = alpha x

    /// (x|y) and |x|^2, in passes: a sum of each 256 items of a tile, of each 256 of these, and so
    /// on to one, and those of all tiles.
    void xdot(const StudyField& x, const StudyField& y, const StudyScalar& out) const;
    void xnrm2(const StudyField& x, const StudyScalar& out) const;
    /// quotient = conj(a) / b
    void quotient(const StudyScalar& a, const StudyScalar& b, const StudyScalar& quotient) const;

private:
    study_vector vector(int tile) const;
    /// first_pass(tile, sums): submits it
    template <class FirstPass>
    void sum(const StudyScalar& out, const FirstPass&) const;

    const StudyLattice& lattice_;
    Precision precision_;
    StudyThread thread_;
    struct Pass {
        int count;
        std::unique_ptr<StarpuData> sums; // null: of the only tile, the last one
    };
    std::vector<std::vector<Pass>> passes_; // of each tile
};

} // namespace qcd
