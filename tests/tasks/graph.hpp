#pragma once
// Fields of the task graph made from, and read back as, the plain arrays of tests/reference.

#include "tasks/wilson.hpp"
#include "tests/reference/dirac.hpp"
#include "tests/reference/sources.hpp"
#include "tests/runtime/session.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <limits>
#include <ostream>

namespace qcd
{
inline std::ostream& operator<<(std::ostream& out, Precision p)
{
    return out << (p == Precision::f64   ? "double"
                   : p == Precision::f32 ? "single"
                                         : "double on single");
}
} // namespace qcd

namespace qcd::test
{

namespace ref = qcd::reference;

/// Rounding of what is stored.
inline double epsilon(Precision p)
{
    return p == Precision::f64 ? std::numeric_limits<double>::epsilon()
                               : std::numeric_limits<float>::epsilon();
}

inline Precision any_precision() { return GENERATE(Precision::f64, Precision::f32); }

/// Every kind of worker present, one and several of it, and CPU with OpenCL together.
inline std::vector<Workers> all_workers()
{
    const bool cpu = has_workers("cpu");
    std::vector<Workers> w;
    if (cpu) w.push_back({.cpu = 1});
    if (cpu && cores() > 1) w.push_back({.cpu = cores(), .scheduler = "lws"});
    if (has_workers("opencl")) {
        w.push_back({.opencl = 1});
        if (cpu && cores() > 1) // StarPU keeps a core for the device
            w.push_back({.cpu = cores() - 1, .opencl = 1, .scheduler = "random"});
    }
    if (has_workers("cuda")) w.push_back({.cuda = 1});
    return w;
}

inline std::string name_of(const Workers& w)
{
    return fmt::format("{} CPU, {} OpenCL, {} CUDA workers, {}", w.cpu, w.opencl, w.cuda,
                       w.scheduler);
}

/// Starts each in turn; the case's own loops run inside.
inline Workers any_workers()
{
    const Workers w = GENERATE(from_range(all_workers()));
    use_workers(w);
    return w;
}

/// A launch on a device takes long, whatever its size.
inline int most_tiles(const Workers& w) { return w.opencl + w.cuda > 0 ? 12 : 1000; }

inline std::unique_ptr<SpinorField> field_of(LatticeGraph& graph, Precision p, Sites sites,
                                             const ref::Spinors& psi)
{
    auto f = std::make_unique<SpinorField>(graph, p, sites);
    f->fill(ref::ArraySource(graph.tiling().lattice(), psi));
    return f;
}

inline std::unique_ptr<GaugeField> gauge_of(LatticeGraph& graph, Precision p,
                                            const ref::Links& links, bool antiperiodic,
                                            LinkStorage storage = LinkStorage::full,
                                            CloverField* clover = nullptr)
{
    ref::ArrayGauge source(graph.tiling().lattice(), links);
    return std::make_unique<GaugeField>(graph, p, source, antiperiodic, storage, clover);
}

/// The whole lattice; 0 where the field has no sites.
inline ref::Spinors values(const SpinorField& field)
{
    const Extents& l = field.tiling().lattice();
    ref::Spinors psi(12 * volume(l));
    field.visit([&](const Coord& x, const double s[24]) {
        for (int k = 0; k < 12; ++k)
            psi[12 * ref::site_number(l, x) + k] = {s[2 * k], s[2 * k + 1]};
    });
    return psi;
}

/// Numbers that single precision holds, in both precisions the same problem.
inline std::vector<ref::Complex> in_single(std::vector<ref::Complex> z)
{
    for (auto& c : z) c = {double(float(c.real())), double(float(c.imag()))};
    return z;
}

} // namespace qcd::test
