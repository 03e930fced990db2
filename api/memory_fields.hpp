#pragma once
// A caller's arrays as the fields that the lattice layer reads. They are not owned.

#include "api/qcd_starpu.h"
#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"
#include "lattice/twist.hpp"

namespace qcd
{

/// Links of the caller, twisted. Reading throws Error where a link is not in SU(3) within 1e-5.
class MemoryGauge final : public GaugeSource
{
public:
    MemoryGauge(const Extents& extents, const qcd_links& links, const Theta& theta);
    /// Looks at all links.
    bool third_rows_are_completed() const override;

private:
    void read(const Box&, std::span<double> links) override; ///< time slices

    qcd_links links_; // no stride is 0
    Theta theta_;
};

/// Links that are written into an array of the caller.
class MutableLinks
{
public:
    MutableLinks(const Extents& extents, const qcd_mutable_links& links);
    /// Stores links in the order of GaugeSource::read_slice.
    void store_slice(int t, std::span<const double> links) const;

private:
    long sites_; // of a slice
    qcd_mutable_links links_;
};

/// A spinor of the caller.
class MemorySpinor final : public SpinorSource
{
public:
    /// Throws Error, which begins with `name`, where there is no array or a number that is not
    /// finite.
    MemorySpinor(const Extents& extents, const qcd_const_spinor& spinor, const char* name);
    void site(const Coord& x, double out[24]) const override;
    std::string description() const override { return "memory"; }

private:
    Extents extents_;
    qcd_const_spinor spinor_;
};

/// Strides of 0 become the usual ones.
qcd_spinor with_strides(qcd_spinor);

/// Sites of the lattice in order, from a visitor's calls, into the caller's array.
void store_site(const Extents&, const qcd_spinor& with_strides, const Coord&, const double x[24]);

} // namespace qcd
