#pragma once
// The Polyakov loop of a gauge field that passes by one time slice at a time.

#include "lattice/extents.hpp"
#include "lattice/link.hpp"

#include <span>
#include <vector>

namespace qcd
{

/// P = average over space of (1/3) tr of the product of the links t along the line (x, y, z), from
/// t = 0 on. The sum has a fixed order.
class PolyakovLoop
{
public:
    explicit PolyakovLoop(const Extents& lattice);

    /// Slices t = 0 .. LT-1 in this order, each once; links as GaugeMeasurement::add_slice.
    void add_slice(std::span<const double> links);

    /// After the last slice.
    links::Complex result() const;

private:
    std::vector<links::Link> products_; // by site of a time slice
};

} // namespace qcd
