#include "base/error.hpp"
#include "drivers/machine/machine_report.hpp"
#include "drivers/machine/memory_bandwidth.hpp"
#include "runtime/environment.hpp"
#include "runtime/machine_probe.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <vector>

using namespace qcd;

TEST_CASE("the machine has at least a core and some memory, and caches grow with their level")
{
    const MachineFacts facts = probe_machine();
    CHECK(facts.cores >= 1);
    CHECK(facts.threads >= facts.cores);
    CHECK(facts.threads <= int(std::thread::hardware_concurrency()));
    CHECK(facts.numa_nodes >= 1);
    CHECK_FALSE(facts.cpu_model.empty());
    CHECK(facts.memory_bytes > 0);
    CHECK(facts.available_bytes > 0);
    CHECK(facts.available_bytes <= facts.memory_bytes);
    for (std::size_t k = 0; k < facts.caches.size(); ++k) {
        CHECK(facts.caches[k].bytes > 0);
        CHECK(facts.caches[k].instances >= 1);
        CHECK(facts.caches[k].cores >= 1);
        if (k > 0) CHECK(facts.caches[k].level > facts.caches[k - 1].level);
    }
    CHECK(last_level_bytes(facts) > 0);
    CHECK(load_average() >= 0);
}

TEST_CASE("of a group's limit and those above it the least room counts, file cache as free")
{
    const test::Scratch mount;
    const auto group = [&](const std::string& path, const std::string& limit, long used) {
        std::filesystem::create_directories(mount / path);
        test::write_text(mount / (path + "/memory.max"), limit + "\n");
        test::write_text(mount / (path + "/memory.current"), std::to_string(used));
        test::write_text(mount / (path + "/memory.stat"), "anon 5\ninactive_file 20\nslab 7\n");
    };
    CHECK(cgroup_room(mount.path(), "job/step") == std::numeric_limits<long>::max());
    group("job", "1000", 300);
    group("job/step", "max", 250);
    CHECK(cgroup_room(mount.path(), "job/step") == 1000 - 300 + 20);
    group("job/step", "400", 250);
    CHECK(cgroup_room(mount.path(), "job/step") == 400 - 250 + 20);
    group("job/step", "400", 1000);
    CHECK(cgroup_room(mount.path(), "job/step") == 0);
}

TEST_CASE("limits of version 1 count, with the file cache of the groups below")
{
    const test::Scratch mount;
    std::filesystem::create_directories(mount / "job/step");
    const auto write = [&](const std::string& file, const std::string& text) {
        test::write_text(mount / file, text);
    };
    write("memory.limit_in_bytes", "9223372036854771712\n");
    write("memory.usage_in_bytes", "5000\n");
    write("job/memory.limit_in_bytes", "1000\n");
    write("job/memory.usage_in_bytes", "400\n");
    write("job/memory.stat", "inactive_file 1\ntotal_inactive_file 20\ntotal_active_file 30\n");
    write("job/step/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(cgroup_room(mount.path(), "job/step") == 1000 - 400 + 50);
    CHECK(cgroup_room(mount.path(), "of another name space") > 1L << 60);
    // Files just removed are counted in the statistics for a while, and no longer in the use.
    write("job/memory.limit_in_bytes", "9223372036854771712\n");
    write("job/memory.stat", "total_inactive_file 20000\n");
    CHECK(cgroup_room(mount.path(), "job/step") > 1L << 60);
    write("job/memory.limit_in_bytes", "1000\n");
    CHECK(cgroup_room(mount.path(), "job/step") == 1000);
}

TEST_CASE("CPU time that a group may have, by either version")
{
    const test::Scratch mount;
    std::filesystem::create_directories(mount / "job/step");
    const auto write = [&](const std::string& file, const std::string& text) {
        test::write_text(mount / file, text);
    };
    CHECK(cgroup_quota(mount.path(), "job/step") == 0);
    write("job/cpu.max", "250000 100000\n");
    write("job/step/cpu.max", "max 100000\n");
    CHECK(cgroup_quota(mount.path(), "job/step") == 2.5);
    write("job/step/cpu.max", "50000 100000\n");
    CHECK(cgroup_quota(mount.path(), "job/step") == 0.5);
    std::filesystem::create_directories(mount / "first");
    write("first/cpu.cfs_quota_us", "-1\n");
    write("first/cpu.cfs_period_us", "100000\n");
    CHECK(cgroup_quota(mount.path(), "first") == 0);
    write("first/cpu.cfs_quota_us", "300000\n");
    CHECK(cgroup_quota(mount.path(), "first") == 3);
}

TEST_CASE("more threads than there is room for are noticed")
{
    MachineFacts facts;
    CHECK(crowding("CPU workers", 4, "cores", 4, facts).empty());
    CHECK(crowding("CPU workers", 8, "cores", 2, facts) ==
          "8 CPU workers on 2 cores take turns: times mean little");
    facts.cpu_quota = 1.5;
    CHECK(crowding("CPU workers", 2, "cores", 4, facts).empty());
    CHECK(crowding("CPU workers", 3, "cores", 4, facts) ==
          "3 CPU workers on the time of 1.5 cores (cgroup) take turns: times mean little");
    facts.cpu_quota = 16;
    CHECK(crowding("threads", 4, "hardware threads", 4, facts).empty());
}

TEST_CASE("memory that a limit leaves is what fields may have, and is named")
{
    MachineFacts facts;
    facts.available_bytes = 300L << 20;
    CHECK_NOTHROW(require_memory("the solve", 300L << 20, facts));
    CHECK_THROWS_WITH(require_memory("the solve", 3L << 29, facts),
                      "memory: the solve needs 1.5 GiB, 0.3 GiB are free");
    facts.available_bytes = 5L << 20;
    facts.memory_limit = "cgroup";
    CHECK_THROWS_WITH(require_memory("the solve", 20L << 20, facts),
                      "memory: the solve needs 20.0 MiB, 5.0 MiB are free (cgroup)");
}

TEST_CASE("an unknown cache has a size to go by")
{
    CHECK(last_level_bytes({}) == 32L << 20);
    MachineFacts facts;
    facts.caches = {{1, 32 << 10, 4, 1}, {3, 8 << 20, 2, 2}};
    CHECK(last_level_bytes(facts) == 16 << 20);
}

TEST_CASE("bandwidth is positive, and arrays respect the memory there is")
{
    MachineFacts facts = probe_machine();
    facts.available_bytes = 240 << 20;
    const MemoryBandwidth rate = measure_bandwidth(facts, 2);
    CHECK(3 * rate.array_bytes <= facts.available_bytes / 4);
    for (const double gb_per_s : {rate.triad, rate.read}) {
        CHECK(gb_per_s > 0.1);
        CHECK(gb_per_s < 1e5);
    }
    CHECK(rate.threads == 2);
}

TEST_CASE("the environment says how large arrays are")
{
    const MachineFacts facts = probe_machine();
    const auto array_bytes = [&](const char* mib) {
        Environment environment;
        environment.set("QCD_BANDWIDTH_MIB", mib);
        return measure_bandwidth(facts, 1).array_bytes;
    };
    CHECK(array_bytes("1") == 1 << 20);
    CHECK(array_bytes("3") == 3 << 20);
    for (const char* nonsense : {"", "0", "-1", "many", "1.5"})
        CHECK_THROWS_AS(array_bytes(nonsense), Error);
}

TEST_CASE("machine and bandwidth as text and JSON")
{
    MachineFacts facts;
    facts.cpu_model = "Some CPU";
    facts.caches = {{1, 32 << 10, 4, 1}, {3, 8 << 20, 2, 2}};
    facts.memory_bytes = 16L << 30;
    MemoryBandwidth rate;
    rate.threads = 4;
    rate.read = 41.25;
    std::ostringstream text;
    print_text(text, facts);
    print_text(text, std::vector{rate});
    for (const char* part :
         {"Some CPU", "L1: 4 x 32 KiB", "L3: 2 x 8 MiB", "16 GiB", "      4  ", "41.2", "24 bytes"})
        CHECK_THAT(text.str(), Catch::Contains(part));
    CHECK(to_json(facts)["caches"][1]["bytes"] == 8 << 20);
    CHECK(to_json(rate)["read"] == 41.25);
}
