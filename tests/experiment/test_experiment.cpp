// Designs, rounds and their file: what is measured once is kept, whatever ends the program.

#include "base/error.hpp"
#include "experiment/csv.hpp"
#include "experiment/ranking.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

using namespace qcd::experiment;
using namespace qcd::test;
using Catch::Contains;

namespace
{

Design small_design()
{
    Design d;
    d.cases = {{"eager, 2 tiles", {{"sched", "eager"}, {"tiles", "1x1x1x2"}}},
               {"dmda", {{"sched", "dmda"}, {"tiles", "1x1x1x1"}}},
               {"\"lws\"", {{"sched", "lws"}, {"tiles", "1x1x1x1"}}}};
    d.quantities = {"tasks", "idle_percent"};
    d.rounds = 3;
    d.common = {{"lattice", "4x4x4x4"}};
    return d;
}

/// Numbers that tell which run it was.
Outcome outcome(int which, int count)
{
    return {0.1 + which + count / 3.0,
            {double(which), std::numeric_limits<double>::quiet_NaN()},
            "d1ge57",
            ""};
}

/// Counts what it runs.
struct Counting {
    std::vector<int> order;
    Control control()
    {
        return {.run = [this](int which) -> std::optional<Outcome> {
                    order.push_back(which);
                    return outcome(which, int(order.size()));
                },
                .progress = {},
                .stop = {}};
    }
};

std::string file_of(const Scratch& folder) { return folder / "runs.csv"; }

/// The text of a whole run, and its runs.
std::string whole_text(const Scratch& folder, const Design& d)
{
    Counting counting;
    RunFile file(file_of(folder), d);
    run_rounds(d, counting.control(), &file);
    return read_text(file_of(folder));
}

} // namespace

TEST_CASE("cells survive a line of CSV")
{
    const std::vector<std::string> cells{"a", "", "b,c", "say \"x\"", "\"", " ", "two\nlines"};
    std::string line = csv_line(cells);
    CHECK(line.back() == '\n');
    CHECK(std::count(line.begin(), line.end(), '\n') == 1);
    line.pop_back();
    std::vector<std::string> expected = cells;
    expected.back() = "two?lines";
    CHECK(csv_cells(line) == expected);
    CHECK_FALSE(csv_cells("a,\"b"));
    CHECK(csv_cells("a,b;\"c;\"", ';') == std::vector<std::string>{"a,b", "c;"});
    CHECK(csv_separator("a;b") == ';');
    for (const char* header : {"a,b", "a,b;c", "a", ""}) CHECK(csv_separator(header) == ',');
}

TEST_CASE("a round's order is every case once, a function of seed and round alone")
{
    Design d;
    for (int i = 0; i < 6; ++i) d.cases.push_back({std::to_string(i), {}});
    std::set<std::vector<int>> different;
    std::vector<int> sum(6);
    constexpr int rounds = 3000;
    for (int round = 0; round < rounds; ++round) {
        std::vector<int> order = order_of(d, round);
        CHECK(order == order_of(d, round));
        sum[order[0]]++;
        different.insert(order);
        std::sort(order.begin(), order.end());
        REQUIRE(order == std::vector<int>{0, 1, 2, 3, 4, 5});
    }
    CHECK(different.size() > 690); // of 720, of which 3000 draws miss 1.5% of a percent
    for (const int first : sum) CHECK(std::abs(first - rounds / 6) < 100); // five deviations
    d.seed = 2;
    CHECK(order_of(d, 1) ==
          std::vector<int>{0, 1, 5, 3, 4, 2}); // by hand: the same on every machine
}

TEST_CASE("every case runs once a round after a warm-up, and is recorded in order")
{
    const Design d = small_design();
    Counting counting;
    std::vector<Progress> seen;
    Control control = counting.control();
    control.progress = [&](const Progress& p) { seen.push_back(p); };
    const std::vector<Run> runs = run_rounds(d, control);
    REQUIRE(runs.size() == 12);
    for (int round = 0; round <= 3; ++round) {
        const std::vector<int> order = order_of(d, round);
        for (int place = 0; place < 3; ++place) {
            CHECK(runs[3 * round + place].round == round);
            CHECK(runs[3 * round + place].place == place);
            CHECK(runs[3 * round + place].which == order[place]);
        }
    }
    CHECK(complete(d, runs));
    REQUIRE(seen.size() == 12);
    CHECK(seen[0].runs == 12);
    CHECK_FALSE(seen[0].seconds_left);
    CHECK(seen[11].done == 11);
    CHECK(*seen[11].seconds_left >= 0);
    CHECK(differing_digests(d, runs).empty());
}

TEST_CASE("a different digest is named")
{
    const Design d = small_design();
    const std::vector<Run> runs =
        run_rounds(d, {.run = [](int which) -> std::optional<Outcome> {
                           return Outcome{1, {0, 0}, which == 1 ? "bad" : "good", ""};
                       },
                       .progress = {},
                       .stop = {}});
    CHECK_THAT(differing_digests(d, runs), Contains("dmda gives bad") && Contains("gives good"));
}

TEST_CASE("runs that are cut at any byte of the last line go on to the same file")
{
    const Design d = small_design();
    const Scratch folder;
    const std::string text = whole_text(folder, d);
    const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
    const std::string header = text.substr(0, text.find('\n') + 1);
    for (std::size_t cut = last; cut <= text.size(); ++cut) {
        write_text(file_of(folder), text.substr(0, cut));
        Counting counting;
        RunFile file(file_of(folder), d);
        const std::size_t before = cut == text.size() ? 12 : 11;
        CHECK(file.runs().size() == before);
        CHECK(read_text(file_of(folder)) == text.substr(0, cut == text.size() ? cut : last));
        const std::vector<Run> runs = run_rounds(d, counting.control(), &file);
        CHECK(complete(d, runs));
        // The one that is missing after its own warm-up.
        CHECK(counting.order == (before == 12
                                     ? std::vector<int>{}
                                     : std::vector<int>{order_of(d, 3)[2], order_of(d, 3)[2]}));
    }
    for (std::size_t cut = 0; cut < header.size(); ++cut) {
        write_text(file_of(folder), header.substr(0, cut));
        CHECK(RunFile(file_of(folder), d).runs().empty());
        CHECK(read_text(file_of(folder)) == header);
    }
}

TEST_CASE("what is read is what was measured")
{
    const Design d = small_design();
    const Scratch folder;
    Counting counting;
    std::vector<Run> written;
    {
        RunFile file(file_of(folder), d);
        written = run_rounds(d, counting.control(), &file);
    }
    const RunFile file(file_of(folder), d);
    REQUIRE(file.runs().size() == written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        const Run &a = written[i], &b = file.runs()[i];
        CHECK(a.round == b.round);
        CHECK(a.place == b.place);
        CHECK(a.which == b.which);
        CHECK(a.load_average == b.load_average);
        CHECK(a.outcome.seconds == b.outcome.seconds);
        CHECK(a.outcome.values[0] == b.outcome.values[0]);
        CHECK(std::isnan(b.outcome.values[1]));
        CHECK(a.outcome.digest == b.outcome.digest);
    }
}

TEST_CASE("files that are not these runs are refused and left as they are")
{
    const Design d = small_design();
    const Scratch folder;
    const std::string text = whole_text(folder, d);
    const std::string file = file_of(folder);
    const auto refused = [&](const std::string& content, const std::string& why) {
        write_text(file, content);
        CHECK_THROWS_WITH(RunFile(file, d), Contains(why));
        CHECK(read_text(file) == content);
    };
    refused("round,something\n1,2\n", "the runs of another design");
    refused("something else", "the runs of another design");
    const std::size_t second = text.find('\n') + 1;
    refused(text.substr(0, second) + "1,2,nobody,,,,,,,,\n" + text.substr(second),
            "line 2 is damaged");
    refused(text.substr(0, second) + std::string(20, '\0') + "\n", "line 2 is damaged");
    write_text(file, text);
    const RunFile mine(file, d);
    CHECK_THROWS_WITH(RunFile(file, d), Contains("another process writes it"));
    CHECK_THROWS_AS(RunFile(folder / "no/such/folder.csv", d), qcd::Error);
}

TEST_CASE("a folder is one design's")
{
    const Scratch scratch;
    const std::string folder = scratch / "new/folder";
    Design d = small_design();
    claim_folder(folder, d);
    const std::string text = read_text(folder + "/design.json");
    CHECK(Json::parse(text).at("cases").at(1).at("factors").at(0) ==
          Json{{"key", "sched"}, {"value", "dmda"}});
    claim_folder(folder, d);
    const auto refused = [&](const Design& other, const std::string& why) {
        CHECK_THROWS_WITH(claim_folder(folder, other), Contains("another design") && Contains(why));
        CHECK(read_text(folder + "/design.json") == text);
    };
    Design other = d;
    other.rounds = 20;
    refused(other, "'rounds': '3' there, '20' here");
    other = d;
    other.common["lattice"] = "8x8x8x8";
    refused(other, "common/lattice");
    other = d;
    other.cases.pop_back();
    refused(other, "cases/2");
    other = d;
    other.cases.push_back({"heft", {{"sched", "heft"}, {"tiles", "1x1x1x1"}}});
    refused(other, "'cases/3': nothing there");
    write_text(folder + "/design.json", text.substr(0, 10));
    CHECK_THROWS_WITH(claim_folder(folder, d), Contains("damaged"));
    CHECK_THROWS_AS(claim_folder("/proc/no", d), qcd::Error);
    const std::string others = scratch / "other";
    std::filesystem::create_directory(others);
    write_text(others + "/runs.csv", "of another program");
    CHECK_THROWS_WITH(claim_folder(others, d), Contains("has files in it, and no design.json"));
    CHECK(read_text(others + "/runs.csv") == "of another program");
    CHECK_FALSE(std::filesystem::exists(others + "/design.json"));
}

TEST_CASE("a case that cannot run is named, and the others go on")
{
    const Design d = small_design();
    const Scratch folder;
    int tried = 0;
    const Control control{.run = [&](int which) -> std::optional<Outcome> {
                              if (which != 1) return outcome(which, 1);
                              ++tried;
                              return Outcome{0, {}, "", "no CUDA, worker"};
                          },
                          .progress = {},
                          .stop = {}};
    {
        RunFile file(file_of(folder), d);
        const std::vector<Run> runs = run_rounds(d, control, &file);
        CHECK(tried == 1);
        CHECK(runs.size() == 2 * 4 + 1);
        CHECK_FALSE(complete(d, runs));
        const Ranking r = rank(d, runs);
        REQUIRE(r.cases.size() == 3);
        CHECK(r.cases[2].which == 1);
        CHECK(r.cases[2].failure == "no CUDA, worker");
        CHECK(r.pairs == 1);
        std::ostringstream out;
        print_text(out, d, r);
        CHECK_THAT(out.str(), Contains("not ranked: dmda: no CUDA, worker"));
        CHECK(to_json(d, r).at("cases").at(2).at("failure") == "no CUDA, worker");
        CHECK(to_json(d, r).at("cases").at(2).at("seconds").is_null());
    }
    // The same again tries it anew, and alone.
    RunFile file(file_of(folder), d);
    Counting counting;
    const std::vector<Run> runs = run_rounds(d, counting.control(), &file);
    CHECK(counting.order == std::vector<int>{1, 1, 1, 1});
    CHECK(complete(d, runs));
    for (const Ranked& c : rank(d, runs).cases) CHECK(c.failure.empty());
}

TEST_CASE("a stop keeps what is measured, and the same again goes on")
{
    const Design d = small_design();
    const Scratch folder;
    Counting before, after;
    SECTION("between runs")
    {
        RunFile file(file_of(folder), d);
        Control control = before.control();
        control.stop = [&] { return before.order.size() == 7; };
        CHECK(run_rounds(d, control, &file).size() == 7);
    }
    SECTION("within a run")
    {
        RunFile file(file_of(folder), d);
        Control control = before.control();
        const auto run = control.run;
        control.run = [&](int which) -> std::optional<Outcome> {
            if (before.order.size() == 7) return std::nullopt;
            return run(which);
        };
        CHECK(run_rounds(d, control, &file).size() == 7);
    }
    RunFile file(file_of(folder), d);
    const std::vector<Run> runs = run_rounds(d, after.control(), &file);
    CHECK(after.order.size() == 3 + 12 - 7); // warmed up again
    CHECK(complete(d, runs));
}

TEST_CASE("the table of one round, and of none")
{
    Design d = small_design();
    d.rounds = 1;
    Counting counting;
    std::ostringstream one, none;
    const Ranking r = rank(d, run_rounds(d, counting.control()));
    print_verdict(one, d, r);
    CHECK_THAT(one.str(), Contains("one round: no intervals"));
    CHECK(r.pairs == 0);
    CHECK(to_json(d, r).at("cases").at(1).at("to_best").at("p").is_null());
    print_text(none, d, rank(d, {}));
    CHECK_THAT(none.str(), Contains("not ranked: dmda: not run"));
}

TEST_CASE("the verdict says which is the fastest, or which do not differ")
{
    Design d = small_design();
    d.rounds = 6;
    const auto verdict = [&](const std::vector<std::vector<double>>& seconds) {
        std::vector<Run> runs;
        for (int which = 0; which < int(seconds.size()); ++which)
            for (int round = 1; round <= d.rounds; ++round) {
                Run run;
                run.round = round;
                run.which = which;
                run.outcome.seconds = seconds[which][round - 1];
                runs.push_back(run);
            }
        std::ostringstream out;
        print_verdict(out, d, rank(d, runs));
        return out.str();
    };
    const std::vector<double> fast{1, 1.01, 1, 0.99, 1, 1.01}, alike{1.01, 1, 1, 1, 0.99, 1.02},
        slow{2, 2.01, 2, 1.99, 2.01, 2};
    CHECK_THAT(verdict({slow, fast, slow}),
               Contains(d.cases[1].name + " is the fastest: ") && Contains("times as long"));
    CHECK_THAT(verdict({slow, fast, alike}),
               Contains(d.cases[1].name + "; " + d.cases[2].name + " do not differ") &&
                   Contains("6 rounds more would show a difference of ") &&
                   Contains("; the other cases are slower"));
    CHECK(verdict({fast}).empty());
    d.cases.resize(2);
    const std::vector<double> wild{1, 20, 1, 20, 1, 20}, tame{4, 4, 4, 5, 4, 4};
    CHECK_THAT(verdict({wild, tame}), Contains("both within a factor of ") &&
                                          Contains("6 rounds more would show a factor of "));
}
