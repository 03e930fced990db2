// What operations leave as it is behind a closed gate, on whichever worker.

#include "tasks/updates.hpp"
#include "tests/tasks/graph.hpp"

using namespace qcd;
using namespace qcd::test;

namespace
{

constexpr Extents gates_lattice{4, 4, 2, 8};

/// Fields whose contents are with workers, and were others in the host's memory.
class GatedFields
{
public:
    GatedFields() : psi_(ref::det_spinor(gates_lattice, 1)), rho_(ref::det_spinor(gates_lattice, 2))
    {
    }

    SpinorField& from_host(Precision p, const ref::Spinors& psi)
    {
        return *fields_.emplace_back(field_of(graph_, p, Sites::all, psi));
    }
    SpinorField& other(Precision p = Precision::f64) { return from_host(p, rho_); }
    SpinorField& kept()
    {
        SpinorField& field = from_host(Precision::f64, ref::Spinors(psi_.size(), ref::Complex(7)));
        scale(spin::real(1), from_host(Precision::f64, psi_), field);
        return field;
    }
    bool is_kept(const SpinorField& field) const { return ref::distance(values(field), psi_) == 0; }

    const Scalars<gcr_scalars>& closed()
    {
        gcr_scalars c{};
        c.solve.gate = QCD_GATE_CONVERGED;
        scalars_.set(c);
        return scalars_;
    }
    LatticeGraph& graph() { return graph_; }

private:
    ref::Spinors psi_, rho_;
    LatticeGraph graph_{Tiling(gates_lattice, Extents{1, 1, 1, 4})};
    Scalars<gcr_scalars> scalars_{graph_};
    std::vector<std::unique_ptr<SpinorField>> fields_;
};

} // namespace

TEST_CASE("gates: copies and new directions of GCR stay, whichever worker leaves them", "[updates]")
{
    INFO(name_of(any_workers()));
    for (int round = 0; round < 8; ++round) { // schedulers choose anew
        GatedFields f;
        const Scalars<gcr_scalars>& gate = f.closed();
        SpinorField &copied = f.kept(), &widened = f.kept(), &direction = f.kept();
        scale(spin::real(2), f.other(), copied, &gate);
        widen(f.other(Precision::f32), widened, &gate);
        LatticeSums sums(f.graph(), Sites::all);
        gcr_update(gate, f.other(), {}, f.other(), &direction, sums);
        CHECK(f.is_kept(copied));
        CHECK(f.is_kept(widened));
        CHECK(f.is_kept(direction));
    }
}
