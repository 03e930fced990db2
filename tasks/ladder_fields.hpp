#pragma once
// Fields in the layouts of the ladder of 2013 (codelets/ladder), on slabs in t: data of the graph,
// converted when they are filled and read, never in between.

#include "codelets/ladder/shape.h"
#include "codelets/ladder/vector.h"
#include "lattice/gauge_source.hpp"
#include "lattice/precision.hpp"
#include "lattice/spinor_source.hpp"
#include "runtime/grid.hpp"
#include "runtime/owned_data.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace qcd
{

/// A lattice cut into slabs in t, of any thickness from 1 on.
class LadderLattice
{
public:
    /// Thicknesses that add up to the extent in t. The graph's plan is graph or pinned. Throws
    /// Error where it is another, thicknesses do not fit, or kernels cannot number what a slab has.
    LadderLattice(Graph&, const Extents& lattice, const std::vector<int>& slabs);

    Graph& graph() const { return *graph_; }
    const Extents& extents() const { return slabs_.extents(); }
    int tiles() const { return slabs_.part_count(); }
    bool cut() const { return slabs_.any_cut(); }
    ladder_shape shape(int tile) const;
    /// Where the lattice's site number s (x fastest) lies.
    struct Place {
        int tile;
        std::size_t site;
    };
    Place place(std::size_t s) const;
    int ahead(int tile) const { return slabs_.neighbour(tile, 3, +1); }
    int behind(int tile) const { return slabs_.neighbour(tile, 3, -1); }

    /// Data of a tile, of so many complex numbers of fields, without a value at first.
    std::unique_ptr<StarpuData> complex_data(int tile, std::size_t count, Precision) const;

private:
    Graph* graph_;
    Grid<4> slabs_;
};

/// Spinors psi[site][colour][spin], complex.
class LadderField
{
public:
    LadderField(const LadderLattice&, Precision);

    const LadderLattice& lattice() const { return *lattice_; }
    Precision precision() const { return precision_; }
    Data at(int tile) const { return tiles_[tile]->data(); }

    /// Fills it from 24 doubles a site, as tasks/field.hpp does; waits.
    void fill(const SpinorSource&);
    /// Calls f for every site in site order; waits.
    void visit(const std::function<void(const Coord&, const double spinor[24])>& f) const;

    static std::size_t bytes(const Extents&, Precision);

private:
    const LadderLattice* lattice_;
    Precision precision_;
    std::vector<std::unique_ptr<StarpuData>> tiles_;
};

/// 8 matrices a site, as the switches of a version say (codelets/ladder/links.h); the sign of the
/// antiperiodic boundary in t is in them.
class LadderLinks
{
public:
    /// Reads the source slice by slice.
    LadderLinks(const LadderLattice&, Precision, int switches, GaugeSource&, bool antiperiodic);
    Data at(int tile) const { return tiles_[tile]->data(); }
    static std::size_t bytes(const Extents&, Precision);

private:
    std::vector<std::unique_ptr<StarpuData>> tiles_;
};

/// A complex number in double that tasks compute.
class LadderScalar
{
public:
    explicit LadderScalar(Graph&);
    Data data() const { return value_->data(); }
    /// Waits for the task that writes it.
    ladder_sum wait() const;

private:
    std::unique_ptr<HostData> value_;
};

} // namespace qcd
