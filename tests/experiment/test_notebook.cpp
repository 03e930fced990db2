// The notebook in R says what the ranking here says. Without R it is skipped, visibly.

#include "base/random.hpp"
#include "base/text.hpp"
#include "experiment/csv.hpp"
#include "experiment/notebook.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <map>

using namespace qcd::experiment;
using namespace qcd::test;

namespace
{

/// Seconds of a run: drift of the round, noise of its own, and case c slower by 2c%.
double seconds_of(int round, int c, int seed)
{
    const auto normal = [&](int number) {
        return qcd::normal_pair(std::uint64_t(number), std::uint64_t(seed),
                                qcd::Stream::spinors)[0];
    };
    return (1 + 0.02 * c) * std::exp(0.1 * normal(1000 + round) + 0.02 * normal(10 * round + c));
}

Design awkward_design()
{
    Design d;
    for (const char* name : {"sched lws, tiles 1x1x1x4", "say \"x\" \\ y'", "#3 100%", "fails"})
        d.cases.push_back({name, {{"sched", name}}});
    d.quantities = {"cores_seconds", "idle_percent"};
    d.rounds = 7;
    return d;
}

/// As it would be measured: one case fails, one lacks a round, one was measured twice.
void write_runs(const std::string& file, const Design& d, int seed)
{
    RunFile out(file, d);
    for (int round = 0; round <= d.rounds; ++round)
        for (int c = 0; c < 4; ++c) {
            if (c == 2 && round == 3) continue;
            const double s = seconds_of(round, c, seed);
            out.append({round,
                        c,
                        c,
                        0.5,
                        {c == 3 ? 0 : s,
                         {s, 5},
                         "0123456789012345",
                         c == 3 ? "no worker, \"really\"" : ""}});
        }
    out.append({2, 0, 0, 0.5, {1.5, {1.5, 7}, "0123456789012345", ""}});
}

/// The table of R, by case and column.
std::map<std::string, std::map<std::string, std::string>> table_of(const std::string& text)
{
    std::map<std::string, std::map<std::string, std::string>> table;
    std::vector<std::string> header;
    for (const std::string_view line : qcd::split(text, '\n')) {
        if (line.empty()) continue;
        const auto cells = csv_cells(line);
        REQUIRE(cells);
        if (header.empty()) {
            header = *cells;
            continue;
        }
        for (std::size_t i = 0; i < header.size(); ++i)
            table[cells->at(0)][header[i]] = cells->at(i);
    }
    return table;
}

} // namespace

TEST_CASE("a notebook needs no R to be written")
{
    const Scratch folder;
    write_notebook(folder.path(), {"a \"title\"", {}, {"one \"1\"", "two\\"}, {}});
    const std::string text = read_text(folder / "runs.Rmd");
    CHECK(text.find("title: \"a \\\"title\\\"\"") != std::string::npos);
    CHECK(text.find("c(\"one \\\"1\\\"\",") != std::string::npos);
    CHECK(text.find("\"two\\\\\")") != std::string::npos);
}

TEST_CASE("R finds the numbers of the ranking in runs.csv, and draws them")
{
    if (std::system("Rscript -e 'library(rmarkdown); library(ggplot2); "
                    "stopifnot(pandoc_available())' >/dev/null 2>&1") != 0) {
        WARN("SKIPPED: no R with rmarkdown, ggplot2 and pandoc (r-cran-rmarkdown, r-cran-ggplot2)");
        return;
    }
    const Scratch folder;
    const Design d = awkward_design();
    write_runs(folder / "runs.csv", d, GENERATE(1, 2));
    const Ranking r = rank(d, RunFile(folder / "runs.csv", d).runs());
    std::vector<std::string> names;
    for (const Case& c : d.cases) names.push_back(c.name);
    write_notebook(folder.path(),
                   {"test", r.certainty, names, {{"parts", "s", {{"cores", "cores_seconds"}}}}});
    const std::string command =
        "cd '" + folder.path().string() +
        "' && Rscript -e 'options(digits = 15); rmarkdown::render(\"runs.Rmd\", quiet = TRUE, "
        "envir = globalenv()); write.csv(ranking, \"r.csv\", row.names = FALSE)' >out 2>&1";
    const int status = std::system(command.c_str());
    INFO(read_text(folder / "out"));
    REQUIRE(status == 0);
    CHECK(read_text(folder / "runs.html").find("data:image/png") != std::string::npos);
    auto table = table_of(read_text(folder / "r.csv"));
    CHECK(table.size() == 3);
    const auto same = [](const std::string& there, const std::optional<double>& here) {
        if (here)
            CHECK(std::stod(there) == Approx(*here).epsilon(1e-8));
        else
            CHECK(there == "NA");
    };
    for (const Ranked& c : r.cases) {
        if (!c.failure.empty()) continue;
        const std::string& name = d.cases[c.which].name;
        INFO(name);
        REQUIRE(table.count(name) == 1);
        auto& of_r = table.at(name);
        same(of_r["rounds"], c.seconds.n);
        same(of_r["mean"], c.seconds.mean);
        same(of_r["median"], c.seconds.median);
        same(of_r["best"], c.seconds.least);
        same(of_r["low"], c.seconds.interval->low);
        same(of_r["high"], c.seconds.interval->high);
        same(of_r["ratio"], c.to_best.ratio);
        same(of_r["ratio_low"], c.to_best.interval->low);
        same(of_r["ratio_high"], c.to_best.interval->high);
        same(of_r["p"], c.corrected ? c.to_best.p : std::nullopt);
        same(of_r["p_corrected"], c.corrected);
        same(of_r["found_from"], c.detectable);
        CHECK(of_r["differs"] == (c.differs ? "TRUE" : "FALSE"));
    }
}
