// The reference files and the numbers that other codes agree on.

#include "base/error.hpp"
#include "tests/lattice/made_files.hpp"
#include "tests/reference/golden_checks.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace qcd;
using namespace qcd::test;
using nlohmann::json;

namespace
{

std::string file_of(const std::string& config)
{
    return config == "gen_4x6x2x8_s7_w1" ? config + ".nersc" : config;
}

void compare(const Field& field, const json& golden)
{
    const GaugeObservables& o = field.observables;
    constexpr const char* planes[6] = {"plane_01", "plane_02", "plane_03",
                                       "plane_12", "plane_13", "plane_23"};
    const auto near = [](double value) { return Approx(value).epsilon(1e-12).margin(1e-14); };
    CHECK(o.plaquette_total == near(golden["plaquette"]["avg"]));
    CHECK(o.plaquette_spatial == near(golden["plaquette"]["spatial"]));
    CHECK(o.plaquette_temporal == near(golden["plaquette"]["temporal"]));
    for (int p = 0; p < 6; ++p) CHECK(o.planes[p] == near(golden["plaquette"][planes[p]]));
    CHECK(o.link_trace == near(golden["link_trace"]));
    CHECK(unitarity_violation(field) ==
          Approx(double(golden["unitarity_violation_max"])).epsilon(0.5).margin(1e-15));
}

} // namespace

QCD_GOLDEN_CASE("reference files give the golden plaquettes and traces")
{
    const json golden = reference::golden_numbers(folder)["configs"];
    REQUIRE(golden.size() >= reference::golden_count(folder, 1, 4));
    for (const auto& [name, config] : golden.items()) {
        CAPTURE(name);
        const auto source = open_gauge((folder / "data" / file_of(name)).string(), std::nullopt);
        CHECK(source->extents() == config["dims_xyzt"].get<Extents>());
        compare(load(*source), config["gauge"]);
    }
}

QCD_GOLDEN_CASE("gen:7,1 has the bits of the reference files")
{
    const Field field = load_spec("gen:7,1", {4, 6, 2, 8});
    for (const char* name : {"gen_4x6x2x8_s7_w1.nersc", "gen_4x6x2x8_s7_w1.ildg"}) {
        CAPTURE(name);
        CHECK(load(*open_gauge((folder / "data" / name).string(), Extents{4, 6, 2, 8})).links ==
              field.links);
    }
}
