// Files of cases: what is read is what was written, and nonsense is named by its line.

#include "base/error.hpp"
#include "base/random.hpp"
#include "drivers/spec/case_factors.hpp"
#include "experiment/csv.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace qcd;
using namespace qcd::cli;
using namespace qcd::test;
using Catch::Contains;

namespace
{

CaseTable read(const std::string& text)
{
    const Scratch folder;
    write_text(folder / "cases.csv", text);
    return read_cases(folder / "cases.csv");
}

RunSpec options_of(const CaseLine& line)
{
    RunSpec o;
    for (const CaseValue& value : line.values) value.set(o);
    return o;
}

} // namespace

TEST_CASE("a file of cases: a case a line, and what is empty is left open")
{
    const CaseTable t = read("sched,tiles,split,workers\n"
                             "lws,1x1x1x4,,cpus:2\n"
                             "\n"
                             " \"dmda\" , 1x1x2x2 ,none,cpus:1+opencl:1\r\n"
                             ",,0.25,\n"
                             "eager,,,"); // no line end
    CHECK(t.keys == std::vector<std::string>{"sched", "tiles", "split", "workers"});
    REQUIRE(t.lines.size() == 4);
    CHECK(t.lines[1].number == 4);
    const RunSpec first = options_of(t.lines[0]), second = options_of(t.lines[1]),
                  third = options_of(t.lines[2]), last = options_of(t.lines[3]);
    CHECK(first.execution.sched() == "lws");
    CHECK(first.execution.tiles() == Extents{1, 1, 1, 4});
    CHECK_FALSE(first.execution.split());
    CHECK(first.execution.cpus() == 2);
    CHECK(second.execution.sched() == "dmda");
    CHECK(second.execution.opencl() == 1);
    CHECK_FALSE(second.execution.split());
    CHECK(third.execution.split()->devices == 0.25);
    CHECK(third.execution.sched().empty());
    CHECK_FALSE(third.execution.cpus());
    CHECK(last.execution.sched() == "eager");
    CHECK_FALSE(last.execution.tiles());
}

TEST_CASE("a column has the name that its option had before, too")
{
    const CaseTable now = read("ladder,multiple\n1.2,16\nauto,\n"),
                    before = read("stencil,multiple\n1.2,16\nauto,\n");
    CHECK(before.keys == std::vector<std::string>{"ladder", "multiple"});
    CHECK(before.keys == now.keys);
    REQUIRE(before.lines.size() == now.lines.size());
    for (std::size_t i = 0; i < now.lines.size(); ++i)
        CHECK(options_of(before.lines[i]) == options_of(now.lines[i]));
    CHECK(options_of(before.lines[0]).method.ladder()->name == std::string("1.2"));
    CHECK_FALSE(options_of(before.lines[1]).method.even_odd().value());
    CHECK_THROWS_WITH(read("ladder,stencil\n1.2,1.2\n"), Contains("'stencil' is there twice"));
}

TEST_CASE("cases as spreadsheets and R write them")
{
    const CaseTable plain = read("sched,tiles\nlws,1x1x1x4\n,1x1x2x2\n");
    const std::string mark = "\xef\xbb\xbf";
    for (const std::string& text :
         {mark + "sched,tiles\r\nlws,1x1x1x4\r\n,1x1x2x2\r\n", // Excel, UTF-8
          mark + "sched;tiles\r\nlws;1x1x1x4\r\n;1x1x2x2\r\n", // where 0,5 is a half
          std::string("\"sched\";\"tiles\"\n\"lws\";\"1x1x1x4\"\n;\"1x1x2x2\"\n"), // LibreOffice
          std::string("\"\",\"sched\",\"tiles\"\n\"1\",\"lws\",\"1x1x1x4\"\n"
                      "\"2\",NA,\"1x1x2x2\"\n"), // write.csv
          std::string("\"\";\"sched\";\"tiles\"\n\"a\";\"lws\";\"1x1x1x4\"\n"
                      "\"b\";NA;\"1x1x2x2\"\n")}) { // write.csv2
        INFO(text);
        const CaseTable t = read(text);
        CHECK(t.keys == plain.keys);
        REQUIRE(t.lines.size() == plain.lines.size());
        for (std::size_t i = 0; i < t.lines.size(); ++i) {
            CHECK(t.lines[i].number == plain.lines[i].number);
            CHECK(options_of(t.lines[i]) == options_of(plain.lines[i]));
        }
    }
}

TEST_CASE("random tables of cases are read as they were written")
{
    const std::map<std::string, std::vector<std::string>> values{
        {"plan", {"", "auto", "graph", "batch:4", "linked"}},
        {"sched", {"", "lws", "dmda", "any name, quoted"}},
        {"tiles", {"", "auto", "1x1x1x4", "2.2.2.2"}},
        {"workers", {"", "auto", "cpus:1x2", "cuda:2+cpus:3", "opencl:1"}}};
    std::uint64_t state = GENERATE(1, 2, 3, 4);
    const auto draw = [&](std::size_t n) { return (state = splitmix64(state)) % n; };
    std::vector<std::string> keys;
    for (const auto& [key, texts] : values)
        if (keys.empty() || draw(3) > 0)
            keys.insert(keys.begin() + long(draw(keys.size() + 1)), key);
    std::string text = experiment::csv_line(keys);
    std::vector<std::vector<std::string>> lines(1 + draw(20));
    for (auto& line : lines) {
        for (const std::string& key : keys)
            line.push_back(values.at(key)[draw(values.at(key).size())]);
        if (keys.size() == 1 && line[0].empty()) line[0] = "auto"; // an empty line is none
        text += experiment::csv_line(line);
    }
    if (keys == std::vector<std::string>{"sched"}) return; // where "auto" is a name like any other
    const CaseTable t = read(text);
    CHECK(t.keys == keys);
    REQUIRE(t.lines.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        for (std::size_t k = 0; k < keys.size(); ++k)
            CHECK(t.lines[i].values[k].text == lines[i][k]);
}

TEST_CASE("nonsense in a file of cases is named by its line")
{
    const auto refused = [](const std::string& text, const std::string& why) {
        INFO(text);
        CHECK_THROWS_WITH(read(text), Contains("--cases: ") && Contains(why));
    };
    refused("", "has no case");
    refused("\n\n", "has no case");
    refused("sched,tiles\n", "has no case");
    refused("sched,colour\nlws,red\n", "line 1: 'colour' is none of plan, sched, tiles");
    refused("lws\n", "line 1: 'lws' is none of");
    refused("sched,sched\nlws,lws\n", "line 1: 'sched' is there twice");
    refused("sched,\nlws,\n", "line 1: '' is none of");
    refused("sched,tiles\nlws\n", "line 2: 1 values for 2 columns");
    refused("sched\nlws,\n", "line 2: 2 values for 1 columns");
    refused("tiles\nauto\n\n1x1\n", "line 4: --tiles");
    refused("tiles\n\"1x1x1x1\n", "line 2: its quotes do not match");
    refused("split,tiles\n0.5,1x1x1x4\n", "line 2: split excludes tiles");
    refused("sched,split\nlws,auto\n", "line 2: split excludes");
    refused("workers\ncpus:0\n", "line 2: --workers");
    refused("plan\ngraph:4\n", "line 2: --plan");
    refused("sched\n\n\xff\n,,\n", "line 4: 3 values");
    refused(std::string("sched\nl\0ws\n", 11), "line 2: a byte 0");
    refused(std::string("\xff\xfes\0c\0h\0", 8),
            "line 1: a byte 0: it is no text, or one in UTF-16");
    refused("\"\",sched\n\"1\"\n", "line 2: 1 values for 2 columns");
    refused("sched;tiles\nlws,1x1x1x4\n", "line 2: 1 values for 2 columns");
    refused("split;workers\n0,25;cpus:1\n", "line 2: --split: '0,25'");
    refused("sched\n" + std::string(2 << 20, 'x'), "is longer than");
}
