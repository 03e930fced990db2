#pragma once
// A thermalised gauge field by name, for small lattices: the field of the command `generate` without
// tasks, made by the kernels for cores on one tile.

#include "lattice/gauge_source.hpp"
#include "tasks/link_updates.hpp"

namespace qcd
{

/// The field that a cold start becomes after a number of sweeps of the rule.
std::unique_ptr<GaugeSource> quenched_gauge(const Extents& lattice, const UpdateRule&, int sweeps);

/// Opens what lattice/gauge_source.hpp's open_gauge does, and quenched:BETA,SEED,SWEEPS.
std::unique_ptr<GaugeSource> open_any_gauge(std::string_view spec,
                                            const std::optional<Extents>& lattice,
                                            const GaugeReading& = {});

} // namespace qcd
