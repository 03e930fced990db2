#include "tasks/study_vectors.hpp"

#include "codelets/study/groups.hpp"
#include "codelets/study/study_quotient/study_quotient.hpp"
#include "codelets/study/study_sum/study_sum.hpp"
#include "codelets/study/study_total/study_total.hpp"
#include "codelets/study/study_xaxpy/study_xaxpy.hpp"
#include "codelets/study/study_xcopy/study_xcopy.hpp"
#include "codelets/study/study_xdot/study_xdot.hpp"
#include "codelets/study/study_xnrm2/study_xnrm2.hpp"
#include "codelets/study/study_xscal/study_xscal.hpp"

namespace qcd
{

StudyVectors::StudyVectors(const StudyLattice& lattice, Precision precision, StudyThread thread)
    : lattice_(lattice), precision_(precision), thread_(thread)
{
    for (int tile = 0; tile < lattice.tiles(); ++tile) {
        std::vector<Pass>& passes = passes_.emplace_back();
        int count = study_items(vector(tile));
        do {
            count = study_item_groups(count).count;
            const bool last = count == 1 && !lattice.cut();
            passes.push_back(
                {count, last ? nullptr : lattice.complex_data(tile, count, Precision::f64)});
        } while (count > 1);
    }
}

study_vector StudyVectors::vector(int tile) const
{
    return {QCD_STUDY_ELEMENTS * lattice_.shape(tile).sites, thread_ == StudyThread::spinor};
}

void StudyVectors::clear(const StudyField& y) const
{
    for (int tile = 0; tile < lattice_.tiles(); ++tile)
        lattice_.graph().submit(study_xcopy_codelet(precision_), study_xcopy_args{vector(tile), 0},
                                {y.at(tile)});
}

void StudyVectors::xcopy(const StudyField& x, const StudyField& y) const
{
    for (int tile = 0; tile < lattice_.tiles(); ++tile)
        lattice_.graph().submit(study_xcopy_codelet(precision_), study_xcopy_args{vector(tile), 0},
                                {y.at(tile), x.at(tile)});
}

void StudyVectors::xaxpy(double factor, const StudyScalar* alpha, const StudyField& x,
                         const StudyField& y) const
{
    for (int tile = 0; tile < lattice_.tiles(); ++tile)
        lattice_.graph().submit(
            study_xaxpy_codelet(precision_), study_xaxpy_args{vector(tile), factor},
            {y.at(tile), x.at(tile), alpha ? Operand(alpha->data()) : Operand()});
}

void StudyVectors::xscal(const StudyScalar& alpha, const StudyField& x) const
{
    for (int tile = 0; tile < lattice_.tiles(); ++tile)
        lattice_.graph().submit(study_xscal_codelet(precision_), study_xscal_args{vector(tile)},
                                {x.at(tile), alpha.data()});
}

template <class FirstPass>
void StudyVectors::sum(const StudyScalar& out, const FirstPass& first_pass) const
{
    Graph& graph = lattice_.graph();
    std::vector<Operand> parts;
    for (int tile = 0; tile < lattice_.tiles(); ++tile) {
        Data before;
        int count = 0;
        for (const Pass& pass : passes_[tile]) {
            const Data sums = pass.sums ? pass.sums->data() : out.data();
            if (!before)
                first_pass(tile, sums);
            else
                graph.submit(study_sum_codelet(precision_), study_sum_args{{count, 0}},
                             {sums, before});
            before = sums;
            count = pass.count;
        }
        parts.push_back(before);
    }
    if (!lattice_.cut()) return;
    for (std::size_t first = 0; first < parts.size(); first += QCD_STUDY_PARTS) {
        std::vector<Operand> slots = {Operand(out.data(), first > 0)};
        for (std::size_t i = first; i < first + QCD_STUDY_PARTS && i < parts.size(); ++i)
            slots.push_back(parts[i]);
        graph.submit(study_total_codelet(precision_), study_total_args{first > 0}, slots);
    }
}

void StudyVectors::xdot(const StudyField& x, const StudyField& y, const StudyScalar& out) const
{
    sum(out, [&](int tile, const Data& sums) {
        lattice_.graph().submit(study_xdot_codelet(precision_), study_xdot_args{vector(tile)},
                                {sums, x.at(tile), y.at(tile)});
    });
}

void StudyVectors::xnrm2(const StudyField& x, const StudyScalar& out) const
{
    sum(out, [&](int tile, const Data& sums) {
        lattice_.graph().submit(study_xnrm2_codelet(precision_), study_xnrm2_args{vector(tile)},
                                {sums, x.at(tile)});
    });
}

void StudyVectors::quotient(const StudyScalar& a, const StudyScalar& b,
                            const StudyScalar& quotient) const
{
    lattice_.graph().submit(study_quotient_codelet(precision_), study_quotient_args{1},
                            {quotient.data(), a.data(), b.data()});
}

} // namespace qcd
