#pragma once
// Canonical arrays offered as the sources that the program reads, so that a test chooses every
// number.

#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"
#include "tests/reference/fields.hpp"

#include <algorithm>
#include <span>

namespace qcd::reference
{

class ArrayGauge : public GaugeSource
{
public:
    ArrayGauge(const Extents& lattice, const Links& links)
        : GaugeSource(lattice, "an array"), links_(links)
    {
    }

private:
    void read(const Box& box, std::span<double> out) override
    {
        const double* all = reinterpret_cast<const double*>(links_.data());
        for (long i = 0; i < volume(box); ++i)
            std::copy_n(all + 72 * qcd::site_number(extents(), box, i), 72, &out[72 * i]);
    }

    Links links_;
};

class ArraySource : public SpinorSource
{
public:
    ArraySource(const Extents& lattice, const Spinors& psi) : lattice_(lattice), psi_(psi) {}

    std::string description() const override { return "an array"; }

    void site(const Coord& x, double out[24]) const override
    {
        const double* all = reinterpret_cast<const double*>(psi_.data());
        std::copy_n(all + 24 * site_number(lattice_, x), 24, out);
    }

private:
    Extents lattice_;
    Spinors psi_;
};

} // namespace qcd::reference
