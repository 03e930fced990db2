#include "experiment/chart.hpp"
#include "experiment/curves.hpp"
#include "tests/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <limits>

using namespace qcd::experiment;
using namespace qcd::test;

namespace
{

const Chart chart{.name = "time",
                  .title = "seconds of a solve, \"quoted\" \\ _x^2",
                  .axis = "s",
                  .parts = {"hops", "updates"},
                  .bars = {{"one", {0.2, 0.1}, {{0.28, 0.33}}},
                           {"two 'x' \"y\"", {0.3, std::numeric_limits<double>::quiet_NaN()}, {}}}};

} // namespace

TEST_CASE("a chart is data and a script beside its pictures")
{
    const Scratch folder;
    write_chart(folder.path(), chart);
    CHECK(read_text(folder / "time.dat").find("\"one\" 0.28 0.33 0.2 0.3") != std::string::npos);
    CHECK(read_text(folder / "time.dat").find("\"two 'x' 'y'\" ? ? 0.3 0.3") != std::string::npos);
    const std::string script = read_text(folder / "time.gp");
    CHECK(script.find("set output \"time.svg\"") != std::string::npos);
    CHECK(script.find("set xrange [0:0.3399]") != std::string::npos); // right of the interval, 0.33
    const std::string problem = draw_chart(folder.path(), "time");
    if (std::system("gnuplot --version >/dev/null 2>&1") != 0) {
        WARN("SKIPPED: gnuplot is not installed");
        CHECK(problem == "gnuplot is not installed: no plots are drawn");
        return;
    }
    CHECK(problem.empty());
    const std::string svg = read_text(folder / "time.svg");
    CHECK(svg.find("two 'x' 'y'") != std::string::npos);
    CHECK(svg.find("scale(0") == std::string::npos); // which librsvg refuses
    CHECK(read_text(folder / "time.png").substr(1, 3) == "PNG");
    write_text(folder / "time.gp", "nonsense\n");
    CHECK(draw_chart(folder.path(), "time").find("gnuplot time.gp fails") == 0);
}

TEST_CASE("curves are data and a script beside their pictures")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const CurveChart curves{.name = "curves",
                            .title = "\"efficiency\"",
                            .x_axis = "us",
                            .y_axis = "share",
                            .curves = {{"one", {{1, 0.2, {{0.1, 0.3}}}, {10, 0.5, {}}}, 0, 0},
                                       {"two", {{2, nan, {}}, {20, 0.25, {{0.2, 0.3}}}}, 1, 0}},
                            .log_y = false,
                            .line = 0.5};
    const Scratch folder;
    write_curves(folder.path(), curves);
    const std::string data = read_text(folder / "curves.dat");
    CHECK(data.find("# one\n1 0.2 0.1 0.3\n10 0.5 0.5 0.5\n\n\n# two\n20 0.25 0.2 0.3\n") !=
          std::string::npos);
    CHECK(read_text(folder / "curves.gp").find("set title \"'efficiency'\"") != std::string::npos);
    const std::string problem = draw_chart(folder.path(), "curves");
    if (problem == "gnuplot is not installed: no plots are drawn") {
        WARN("SKIPPED: gnuplot is not installed");
        return;
    }
    CHECK(problem.empty());
    const std::string svg = read_text(folder / "curves.svg");
    CHECK(svg.find("two") != std::string::npos);
    CHECK(svg.find("scale(0") == std::string::npos); // which librsvg refuses
    CHECK(read_text(folder / "curves.png").substr(1, 3) == "PNG");
}
