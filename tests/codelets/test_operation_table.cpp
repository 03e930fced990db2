// The tables of operations: what runtime/ does follows from them, and contracts say the same.

#include "base/error.hpp"
#include "base/random.hpp"
#include "codelets/all_operations.hpp"
#include "runtime/graph.hpp"
#include "tests/codelets/launch.hpp"
#include "tests/codelets/operations/axpy/axpy.hpp"
#include "tests/codelets/operations/count_blocks/count_blocks.hpp"
#include "tests/runtime/session.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace qcd::test
{

namespace
{

using Uses = std::set<std::string>; // "name R"

std::string first_word(const std::string& s) { return s.substr(0, s.find(' ')); }

/// Uses in the lines "///   [name ...] MODE" of a header, where several names may share a mode.
Uses uses_in(const std::string& contract)
{
    static const std::regex line(R"(///?\s+((?:\[[^\]]+\]\s+)+)(RW|R|W)\b)"),
        name(R"(\[([^\]]+)\])");
    Uses uses;
    for (std::sregex_iterator l(contract.begin(), contract.end(), line), end; l != end; ++l) {
        const std::string names = (*l)[1];
        for (std::sregex_iterator n(names.begin(), names.end(), name); n != end; ++n)
            uses.insert(first_word((*n)[1]) + " " + std::string((*l)[2]));
    }
    return uses;
}

Uses uses_in(const Operation& operation)
{
    Uses uses;
    for (const Slot& s : operation.slots) uses.insert(first_word(s.name) + " " + to_string(s.mode));
    return uses;
}

/// Empty where the sources are not: in an archive (scripts/bundle).
std::string text_of(const std::string& header)
{
    std::ifstream in(QCD_SOURCE_DIR "/codelets/" + header);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

bool is_step(const Operation& o) { return std::string(o.slots[0].name) == "scalars"; }

/// The contract of an operation of the ladder, which has one header: the lines above its
/// declaration.
std::string contract_in(const std::string& header, const std::string& name)
{
    const std::size_t end = header.find("const Codelet& " + name + "_codelet");
    if (end == std::string::npos) return header; // it lacks this one, or there is none
    return header.substr(header.rfind("\n\n", end), end - header.rfind("\n\n", end));
}

/// Steps of scalars have one for all.
std::string contract_of(const Operation& o)
{
    const std::string name = o.name;
    if (name.rfind("ladder_", 0) == 0) return contract_in(text_of("ladder/contracts.hpp"), name);
    if (!is_step(o)) {
        const std::string header = name + "/" + name + ".hpp", on_fields = text_of(header);
        return on_fields.empty() ? text_of("gauge/" + header) : on_fields;
    }
    return text_of("device/scalar_step.h") +
           (name.rfind("linked_", 0) == 0 ? text_of("device/linked_step.h") : "");
}

/// A handle of so many ints on the host.
struct Ints {
    explicit Ints(int n) : memory(n)
    {
        starpu_vector_data_register(&data.handle, STARPU_MAIN_RAM, uintptr_t(memory.data()),
                                    memory.size(), sizeof(int));
    }
    ~Ints() { starpu_data_unregister(data.handle); }
    std::vector<int> memory;
    Data data;
};

} // namespace

TEST_CASE("tables: names, and the same slots and access modes as contracts", "[codelets]")
{
    std::vector<const Codelet*> all = operations_of_qcd_codelets();
    const std::vector<const Codelet*> gauge = operations_of_qcd_gauge(),
                                      ladder = operations_of_qcd_ladder();
    REQUIRE(all.size() >= 30);
    REQUIRE(gauge.size() >= 5);
    REQUIRE(ladder.size() >= 11);
    all.insert(all.end(), gauge.begin(), gauge.end());
    all.insert(all.end(), ladder.begin(), ladder.end());
    std::set<std::string> names;
    for (const Codelet* codelet : all) {
        const Operation& operation = codelet->operation;
        INFO(operation.name);
        CHECK(names.insert(operation.name).second);
        CHECK(operation.blocks != nullptr);
        CHECK(codelet->kernels.cpu[0] != nullptr);
        CHECK(int(codelet->slots.size()) <= max_slots);
        bool writes = false;
        for (const Slot& s : operation.slots) writes |= s.mode != Mode::reads;
        CHECK(writes);

        const std::string contract = contract_of(operation);
        if (contract.empty()) continue;
        Uses said = uses_in(contract);
        const Uses are = uses_in(operation);
        if (is_step(operation) && operation.slots[0].mode == Mode::writes) {
            CHECK(std::string(operation.name).find("_start") != std::string::npos);
            said.erase("scalars RW");
            said.insert("scalars W");
        }
        if (contract.find("  slots of ") == std::string::npos)
            CHECK(said == are);
        else // and those of another, which its table takes over
            for (const std::string& use : said) CHECK(are.count(use) == 1);
    }
}

TEMPLATE_TEST_CASE("an operation of a folder of its own runs on every worker", "[codelets]", double,
                   float)
{
    const Precision precision = sizeof(TestType) == 8 ? Precision::f64 : Precision::f32;
    const int blocks = GENERATE(1, 7);
    const TestType alpha = 0.75;
    Buffer<TestType> x(blocks * 24 * 32), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = TestType(uniform(i, 1));
        y[i] = TestType(uniform(i, 2));
    }
    for (const Backend& backend : backends()) {
        Buffer<TestType> result = y;
        backend.run(axpy_codelet(precision), axpy_args{blocks, alpha}, {in(x), out(result)});
        for (std::size_t i = 0; i < x.size(); ++i)
            REQUIRE(result[i] == std::fma(alpha, x[i], y[i]));
    }
}

TEST_CASE("an operation for cores alone: every block once; refused where none can run it",
          "[codelets]")
{
    constexpr int blocks = 9;
    const auto submit = [](Graph& graph, const Ints& times) {
        graph.submit(count_blocks_codelet(Precision::f64), count_blocks_args{blocks}, {times.data});
    };
    for (const PlanKind kind : {PlanKind::graph, PlanKind::batch}) {
        use_workers({.cpu = 1});
        {
            Graph graph({.kind = kind});
            Ints times(blocks);
            submit(graph, times);
            graph.wait();
            starpu_data_acquire(times.data.handle, STARPU_R);
            CHECK(times.memory == std::vector<int>(blocks, 1));
            starpu_data_release(times.data.handle);
        }
        if (!has_workers("opencl")) continue;
        use_workers({.opencl = 1});
        Graph graph({.kind = kind});
        Ints times(blocks);
        Graph::Batch batch(graph);
        CHECK_THROWS_WITH(submit(graph, times),
                          "count_blocks_f64: no worker can run it (implemented for CPU; workers: "
                          "1 OpenCL)");
    }
}

TEST_CASE("what fills no slot, or too many, is refused before a task exists", "[codelets]")
{
    use_workers({.cpu = 1});
    Graph graph({});
    Ints times(1);
    const Codelet& codelet = count_blocks_codelet(Precision::f64);
    CHECK_THROWS_WITH(graph.submit(codelet, count_blocks_args{1}, {}),
                      "count_blocks_f64: nothing fills slot 0, times");
    CHECK_THROWS_WITH(graph.submit(codelet, count_blocks_args{1}, {times.data, times.data}),
                      "count_blocks_f64: 2 operands for 1 slots");
    CHECK(graph.tasks() == 0);
}

TEST_CASE("performance models tell teams apart", "[codelets]")
{
    const Codelet& codelet = count_blocks_codelet(Precision::f64);
    const auto symbol = [&](const Manner& m) {
        return std::string(codelet.starpu(m).model->symbol);
    };
    const std::string isa = to_string(cpu_isa());
    CHECK(symbol({}) == "count_blocks_f64_" + isa);
    CHECK(symbol({.downwards = true}) == symbol({}));
    CHECK(symbol({.cores = 2}) == "count_blocks_f64_" + isa + "_cores2");
}

} // namespace qcd::test
