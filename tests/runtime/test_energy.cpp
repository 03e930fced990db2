// Joules, from counters that tests make.

#include "runtime/energy.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::test;
namespace fs = std::filesystem;

namespace
{

void write_zone(const std::string& folder, const std::string& name, const std::string& energy,
                const std::string& range = "262143328850")
{
    fs::create_directories(folder);
    write_text(folder + "/name", name + "\n");
    write_text(folder + "/energy_uj", energy + "\n");
    write_text(folder + "/max_energy_range_uj", range + "\n");
}

EnergyMeters meters_in(const fs::path& powercap)
{
    return {.powercap = powercap, .nvml = "", .gpus = {}};
}

} // namespace

TEST_CASE("packages: joules since the beginning, their memory besides, over a counter's end")
{
    const Scratch scratch;
    const std::string one = scratch / "intel-rapl:0", two = scratch / "intel-rapl:1",
                      memory = scratch / "intel-rapl:0:1";
    write_zone(scratch / "intel-rapl", "", ""); // what all have in common: no zone
    write_zone(one, "package-0", "1000000");
    write_zone(scratch / "intel-rapl:0:0", "core", "500000"); // in the package's own
    write_zone(memory, "dram", "100");
    write_zone(two, "package-1", "9000000", "10000000");
    write_zone(scratch / "intel-rapl:2", "psys", "77");
    write_zone(scratch / "intel-rapl-mmio:0", "package-0", "1000000"); // once more
    EnergyCounter counter(meters_in(scratch / ""));
    write_text(one + "/energy_uj", "3500000\n");
    write_text(memory + "/energy_uj", "500100\n");
    write_text(two + "/energy_uj", "250000\n");
    std::vector<EnergyUsed> used = counter.used();
    REQUIRE(used.size() == 3);
    CHECK(used[0].meter == "package-0");
    CHECK(used[0].joules == Approx(2.5));
    CHECK(used[1].meter == "dram of package-0");
    CHECK(used[1].joules == Approx(0.5));
    CHECK(used[2].meter == "package-1");
    CHECK(used[2].joules == Approx(1.25));

    // Looks add up, and what cannot be read any more costs nothing.
    write_text(one + "/energy_uj", "4500000\n");
    write_text(two + "/energy_uj", "no number\n");
    used = counter.used();
    CHECK(used[0].joules == Approx(3.5));
    CHECK(used[2].joules == Approx(1.25));
}

TEST_CASE("where nothing can be read there is no energy")
{
    const Scratch scratch;
    CHECK(EnergyCounter(meters_in(scratch / "nowhere")).used().empty());
    write_zone(scratch / "intel-rapl:0", "package-0", "not for you");
    CHECK(EnergyCounter(meters_in(scratch / "")).used().empty());
    EnergyMeters no_library = meters_in(scratch / "nowhere");
    no_library.nvml = scratch / "libnvidia-ml.so.1";
    no_library.gpus = {"0000:07:00.0"};
    CHECK(EnergyCounter(no_library).used().empty());
}

TEST_CASE("GPUs: by NVML, those that are there")
{
    const Scratch scratch;
    EnergyMeters meters = meters_in(scratch / "nowhere");
    meters.nvml = QCD_FAKE_NVML;
    meters.gpus = {"0000:07:00.0", "0000:08:00.0"};
    EnergyCounter counter(meters);
    counter.look_again(); // too soon
    const std::vector<EnergyUsed> used = counter.used();
    REQUIRE(used.size() == 1);
    CHECK(used[0].meter == "A GPU at 0000:07:00.0");
    CHECK(used[0].joules == Approx(1.5));
}
