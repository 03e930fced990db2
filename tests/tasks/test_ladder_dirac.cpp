// Every version of the ladder is the Wilson-Dirac matrix of the reference, on every kind of worker.

#include "base/error.hpp"
#include "codelets/ladder/contracts.hpp"
#include "runtime/device_limits.hpp"
#include "tests/tasks/ladder.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>

using namespace qcd;
using namespace qcd::test;

namespace
{

struct Case {
    Extents lattice;
    std::vector<int> slabs;
};

/// Odd and unequal slabs, slabs of one time slice, extents that differ.
const std::vector<Case>& cases()
{
    static const std::vector<Case> all = {{{2, 4, 6, 8}, {8}},
                                          {{2, 4, 6, 8}, {3, 5}},
                                          {{4, 4, 4, 6}, {1, 2, 3}},
                                          {{6, 2, 4, 4}, {1, 1, 1, 1}}};
    return all;
}

double tolerance(Precision p) { return p == Precision::f64 ? 1e-13 : 1e-5; }

constexpr double kappa = 0.13, mubar = 0.07;

} // namespace

TEST_CASE("ladder: a product counts the links of its own direction", "[ladder]")
{
    use_workers({.cpu = 1});
    const Extents l{4, 4, 4, 4};
    Graph graph({});
    const LadderLattice lattice(graph, l, {4});
    ref::ArrayGauge gauge(l, ref::gen_gauge(l, 7, 1));
    const LadderDirac D(lattice, Precision::f64, LadderStencil{ladder_version("2.0"), 8}, gauge,
                        true);
    LadderField in(lattice, Precision::f64), out(lattice, Precision::f64);
    in.fill(ref::ArraySource(l, ref::det_spinor(l, 3)));
    const double before = graph.work().bytes;
    D(in, out, {1, 0, 1, 0}, {-kappa, 0, -kappa, 0});
    // For each direction psi to t, then t, a link, and psi to out or out to out: complex numbers.
    const int numbers = 8 * (2 * 12 + 3 * 12 + 9);
    CHECK(graph.work().bytes - before == 16 * numbers * volume(l));
}

TEST_CASE("ladder: D psi of every version is the reference's, and repeats to the bit",
          "[ladder][long]")
{
    const Precision precision = any_precision();
    for (const LadderVersion& version : ladder_versions)
        for (const Workers& workers : ladder_workers(version)) {
            use_workers(workers);
            for (const Case& c : cases())
                for (const int multiple : multiples_of(version)) {
                    INFO(fmt::format("version {}, multiple {}, {}, slabs {}, {}", version.name,
                                     multiple, to_string(c.lattice), fmt::join(c.slabs, " "),
                                     name_of(workers)));
                    const bool antiperiodic = c.slabs.size() % 2 == 1;
                    const ref::Links links = in_single(ref::gen_gauge(c.lattice, 7, 1));
                    const ref::Spinors psi = in_single(ref::det_spinor(c.lattice, 3));
                    Graph graph({});
                    const LadderLattice lattice(graph, c.lattice, c.slabs);
                    ref::ArrayGauge gauge(c.lattice, links);
                    std::optional<LadderDirac> fitting;
                    try {
                        fitting.emplace(lattice, precision, LadderStencil{version, multiple}, gauge,
                                        antiperiodic);
                    } catch (const Error& e) {
                        // NVIDIA's OpenCL gives a group 48 KiB.
                        CHECK(multiple == 64);
                        CHECK_THAT(e.what(), Catch::Contains("bytes of local memory"));
                        continue;
                    }
                    const LadderDirac& D = *fitting;
                    LadderField in(lattice, precision), out(lattice, precision);
                    in.fill(ref::ArraySource(c.lattice, psi));
                    CHECK(values(in) == psi);
                    D(in, out, {1, mubar, 1, -mubar}, {-kappa, 0, -kappa, 0});
                    const ref::Spinors result = values(out);
                    const ref::Spinors expected =
                        ref::dirac({c.lattice, links, kappa, mubar, antiperiodic}, psi);
                    CHECK(relative_distance(result, expected) < tolerance(precision));
                    D(in, out, {1, mubar, 1, -mubar}, {-kappa, 0, -kappa, 0});
                    CHECK(values(out) == result);
                }
        }
}

TEST_CASE("ladder: a slab more or less does not change a bit of D psi", "[ladder]")
{
    const Extents l{4, 2, 2, 6};
    for (const LadderVersion& version : ladder_versions)
        for (const Workers& workers : ladder_workers(version)) {
            INFO(version.name << ", " << name_of(workers));
            use_workers(workers);
            ref::Spinors first;
            for (const std::vector<int>& slabs : {std::vector<int>{6}, {2, 4}, {1, 4, 1}}) {
                Graph graph({});
                const LadderLattice lattice(graph, l, slabs);
                ref::ArrayGauge gauge(l, ref::gen_gauge(l, 5, 0.5));
                const LadderDirac D(lattice, Precision::f64, {version, 8}, gauge, true);
                LadderField in(lattice, Precision::f64), out(lattice, Precision::f64);
                in.fill(ref::ArraySource(l, ref::det_spinor(l, 2)));
                D(in, out, {1, 0, -1, 0}, {-kappa, 0, kappa, 0});
                const ref::Spinors result = values(out);
                if (first.empty()) first = result;
                CHECK(result == first);
            }
        }
}

TEST_CASE("ladder: what a version or a device cannot do is refused in one line", "[ladder]")
{
    use_workers({.cpu = 1});
    CHECK_THROWS_WITH(ladder_version("1.7"),
                      "ladder: no version 1.7; there are original, 1.0, 1.1, "
                      "1.2, 1.3, 1.4, 1.5, 1.6, 1.6.1, 2.0");
    CHECK_THROWS_WITH(ladder_multiple(ladder_version("1.2"), 12),
                      "multiple: kernels are built for 8, 16, 64, not 12");
    CHECK(ladder_multiple(ladder_version("1.1"), 64) == 1);
    Graph graph({});
    CHECK_THROWS_AS(LadderLattice(graph, {4, 4, 4, 4}, {2, 3}), Error);
    Graph batch({.kind = PlanKind::batch});
    CHECK_THROWS_WITH(LadderLattice(batch, {4, 4, 4, 4}, {4}),
                      "ladder: versions run by plan graph, pinned or replay, not batch");
}

TEST_CASE("ladder: work groups that no device can take are refused in one line", "[ladder]")
{
    const Precision precision = any_precision();
    const LadderVersion& version = ladder_version("1.6");
    const Codelet& codelet = ladder_stencil_codelet(precision, version, 64);
    const auto fits = [&](int multiple) {
        const ladder_stencil_args args{
            {4, 4, 4, 4, 64, 256, 0}, version.switches, multiple, {}, {}};
        require_groups_fit(codelet, &args);
    };
    use_workers({.cpu = 1});
    CHECK_NOTHROW(fits(1 << 20)); // cores have no groups
    for (const Workers& device : {Workers{.opencl = 1}, Workers{.cuda = 1}}) {
        if (!has_workers(device.opencl ? "opencl" : "cuda")) continue;
        use_workers(device);
        CHECK_NOTHROW(fits(8));
        CHECK_THROWS_WITH(fits(1 << 20), Catch::Contains(codelet.name + ": work groups of 12582912 "
                                                                        "items"));
    }
}

TEST_CASE("ladder: a device tells of its kernels, or nothing", "[ladder]")
{
    const Extents l{4, 4, 4, 4};
    for (const Workers& workers : ladder_workers(ladder_version("1.6"))) {
        use_workers(workers);
        Graph graph({});
        const LadderLattice lattice(graph, l, {4});
        ref::ArrayGauge gauge(l, ref::unit_links(l));
        const LadderDirac D(lattice, Precision::f64, {ladder_version("1.6"), 8}, gauge, true);
        const auto facts = D.kernel_facts(0);
        REQUIRE(facts.has_value() == (workers.cuda > 0));
        if (!facts) continue;
        CHECK(facts->registers > 0);
        CHECK(facts->local_bytes == 8 * 1568);
        CHECK(facts->groups > 0);
        CHECK(facts->occupancy > 0);
        CHECK(facts->occupancy <= 1);
    }
}

TEST_CASE("ladder: local memory as docs/ladder.md says", "[ladder]")
{
    const auto bytes = [](const char* name, int multiple) {
        const LadderVersion& v = ladder_version(name);
        const ladder_stencil_args args{{4, 4, 4, 4, 64, 256, 0}, v.switches, multiple, {}, {}};
        return ladder_stencil_codelet(Precision::f64, v, multiple)
            .operation.groups(int(Precision::f64), &args)
            .local_bytes;
    };
    CHECK(bytes("1.1", 1) == 1376);
    CHECK(bytes("1.4", 16) == 16 * 1376);
    CHECK(bytes("1.6", 64) == 64 * 1568);
    CHECK(bytes("1.6", 64) > 48 * 1024);
    CHECK(bytes("1.6.1", 64) == 64 * 416);
    CHECK(bytes("1.6.1", 64) <= 48 * 1024);
}
