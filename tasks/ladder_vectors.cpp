#include "tasks/ladder_vectors.hpp"

#include "codelets/ladder/contracts.hpp"
#include "codelets/ladder/groups.hpp"

namespace qcd
{

LadderVectors::LadderVectors(const LadderLattice& lattice, Precision precision, LadderThread thread)
    : lattice_(lattice), precision_(precision), thread_(thread)
{
    for (int tile = 0; tile < lattice.tiles(); ++tile) {
        std::vector<Pass>& passes = passes_.emplace_back();
        int count = ladder_items(vector(tile));
        do {
            count = ladder_item_groups(count).count;
            const bool last = count == 1 && !lattice.cut();
            passes.push_back(
                {count, last ? nullptr : lattice.complex_data(tile, count, Precision::f64)});
        } while (count > 1);
    }
}

ladder_vector LadderVectors::vector(int tile) const
{
    return {QCD_LADDER_ELEMENTS * lattice_.shape(tile).sites, thread_ == LadderThread::spinor};
}

void LadderVectors::clear(const LadderField& y) const
{
    for (int tile = 0; tile < lattice_.tiles(); ++tile)
        lattice_.graph().submit(ladder_xcopy_codelet(precision_),
                                ladder_xcopy_args{vector(tile), 0}, {y.at(tile)});
}

void LadderVectors::xcopy(const LadderField& x, const LadderField& y) const
{
    for (int tile = 0; tile < lattice_.tiles(); ++tile)
        lattice_.graph().submit(ladder_xcopy_codelet(precision_),
                                ladder_xcopy_args{vector(tile), 0}, {y.at(tile), x.at(tile)});
}

void LadderVectors::xaxpy(double factor, const LadderScalar* alpha, const LadderField& x,
                          const LadderField& y) const
{
    for (int tile = 0; tile < lattice_.tiles(); ++tile)
        lattice_.graph().submit(
            ladder_xaxpy_codelet(precision_), ladder_xaxpy_args{vector(tile), factor},
            {y.at(tile), x.at(tile), alpha ? Operand(alpha->data()) : Operand()});
}

void LadderVectors::xscal(const LadderScalar& alpha, const LadderField& x) const
{
    for (int tile = 0; tile < lattice_.tiles(); ++tile)
        lattice_.graph().submit(ladder_xscal_codelet(precision_), ladder_xscal_args{vector(tile)},
                                {x.at(tile), alpha.data()});
}

template <class FirstPass>
void LadderVectors::sum(const LadderScalar& out, const FirstPass& first_pass) const
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
                graph.submit(ladder_sum_codelet(precision_), ladder_sum_args{{count, 0}},
                             {sums, before});
            before = sums;
            count = pass.count;
        }
        parts.push_back(before);
    }
    if (!lattice_.cut()) return;
    for (std::size_t first = 0; first < parts.size(); first += QCD_LADDER_PARTS) {
        std::vector<Operand> slots = {Operand(out.data(), first > 0)};
        for (std::size_t i = first; i < first + QCD_LADDER_PARTS && i < parts.size(); ++i)
            slots.push_back(parts[i]);
        graph.submit(ladder_total_codelet(precision_), ladder_total_args{first > 0}, slots);
    }
}

void LadderVectors::xdot(const LadderField& x, const LadderField& y, const LadderScalar& out) const
{
    sum(out, [&](int tile, const Data& sums) {
        lattice_.graph().submit(ladder_xdot_codelet(precision_), ladder_xdot_args{vector(tile)},
                                {sums, x.at(tile), y.at(tile)});
    });
}

void LadderVectors::xnrm2(const LadderField& x, const LadderScalar& out) const
{
    sum(out, [&](int tile, const Data& sums) {
        lattice_.graph().submit(ladder_xnrm2_codelet(precision_), ladder_xnrm2_args{vector(tile)},
                                {sums, x.at(tile)});
    });
}

void LadderVectors::quotient(const LadderScalar& a, const LadderScalar& b,
                             const LadderScalar& quotient) const
{
    lattice_.graph().submit(ladder_quotient_codelet(precision_), ladder_quotient_args{1},
                            {quotient.data(), a.data(), b.data()});
}

} // namespace qcd
