#pragma once
// Plaquettes and Polyakov loop of a field of links, as tasks.

#include "lattice/link.hpp"
#include "tasks/link_field.hpp"
#include "tasks/scalars.hpp"

#include <memory>
#include <vector>

namespace qcd
{

/// Averages over the lattice.
struct LinkAverages {
    double plaquette_space = 0;    ///< (1/3) Re tr U_p, planes xy, xz, yz
    double plaquette_time = 0;     ///< planes xt, yt, zt
    links::Complex polyakov{0, 0}; ///< (1/3) tr of the product of the links t along t
};

/// Measures a field as often as it is asked to. Sums over sites are exact: the same bits on every
/// tiling, worker and rank.
class LinkMeasurement
{
public:
    explicit LinkMeasurement(LinkField&);

    /// Submits what it takes, and waits for it. All ranks call it, and all have the result.
    LinkAverages measure();

private:
    void submit_plaquettes();
    void submit_lines();
    long tag(int column) const { return first_tag_ + column; }

    LinkField& links_;
    LatticeGraph& graph_;
    LatticeSums plaquettes_, traces_;
    std::vector<std::unique_ptr<HostData>> lines_; ///< products so far, by column of tiles in t
    long first_tag_;
};

} // namespace qcd
