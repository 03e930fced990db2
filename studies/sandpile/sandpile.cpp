// The abelian sandpile: whatever the order in which unstable cells give, the pile ends in the same
// stable state. So every version has the same digest.

#include "base/error.hpp"
#include "base/random.hpp"
#include "program/cli/argument_checks.hpp"
#include "program/cli/parser.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/paused_workers.hpp"
#include "studies/all_studies.hpp"
#include "studies/frame/options.hpp"
#include "studies/sandpile/groups.hpp"
#include "studies/sandpile/operations.hpp"
#include "studies/sandpile/picture.hpp"
#include "studies/sandpile/task_pile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace qcd::studies
{

namespace
{

const cli::Words<PileVersion> pile_versions{{"naive", PileVersion::naive},
                                            {"synchronous", PileVersion::synchronous},
                                            {"absorb", PileVersion::absorb},
                                            {"openmp", PileVersion::openmp},
                                            {"openmp-absorb", PileVersion::openmp_absorb},
                                            {"stack", PileVersion::stack},
                                            {"tiles", PileVersion::tiles},
                                            {"overlap", PileVersion::overlap},
                                            {"lazy", PileVersion::lazy}};
const cli::Words<bool> pile_kinds{{"homogeneous", false}, {"towers", true}};
const cli::Words<bool> touch_kinds{{"first", true}, {"one", false}};

constexpr int most_cells_a_side = 20000;
constexpr std::size_t local_bytes_of_devices = 48 * 1024;

Schedule parse_schedule(const std::string& text)
{
    const auto pieces = split(text, ',');
    const auto chunk = pieces.size() == 2 ? parse_number<int>(pieces[1]) : std::optional<int>(0);
    const bool known = pieces[0] == "static" || pieces[0] == "dynamic";
    if (!known || pieces.size() > 2 || !chunk || *chunk < (pieces.size() == 2 ? 1 : 0))
        throw Error("--schedule: {} is not static or dynamic, with ,ROWS or without",
                    qcd::quoted(text));
    return {pieces[0] == "dynamic", *chunk};
}

class Sandpile : public Study
{
public:
    void add_options(cli::Parser& app) override
    {
        add_size(app, size_, most_cells_a_side, "N|XxY", "cells in x and y; N: the same [128]");
        cli::add_choice(app, "--version", version_, pile_versions,
                        "plain loops (naive, synchronous, absorb, openmp, openmp-absorb, stack) or "
                        "tasks (tiles, overlap, lazy)");
        cli::add_choice(app, "--pile", towers_, pile_kinds,
                        "grains in every cell, or in one of 64x64 cells");
        add_count(app, "--grains", grains_, 0, 1000000, "of such a cell [5, of towers 20000]");
        add_tiles(app, tiles_, most_cells_a_side, "XxY",
                  "parts in x and y, of versions that are tasks [chosen]");
        add_count(app, "--sweeps", sweeps_, 1, 1000, "of a task of overlap (at most 8) and lazy")
            ->type_name("K");
        add_count(app, "--look", look_, 1, 100000,
                  "sweeps (overlap: tasks) between two looks whether all is stable");
        app.add_option_function<std::string>(
               "--schedule", [this](const std::string& t) { schedule_ = parse_schedule(t); },
               "of rows, in openmp: static or dynamic, with ,ROWS or without [static]")
            ->type_name("WORD[,ROWS]");
        cli::add_choice(app, "--touch", first_touch_, touch_kinds,
                        "openmp: memory is first touched by the threads that compute, or by one");
        add_count(app, "--max-sweeps", most_sweeps_, 1, 1000000000, "so many, stable or not");
        app.add_option("--png", picture_, "a picture of the last run's pile")->type_name("FILE");
    }

    void finish_options(const cli::Parser& app) override
    {
        const auto only = [&](const char* option, bool fits, const char* versions) {
            if (app.given(option) && !fits) throw Error("{}: only {} have it", option, versions);
        };
        only("--tiles", is_tasks(), "tiles, overlap and lazy");
        only("--sweeps", has_sweeps(), "overlap and lazy");
        only("--look", is_tasks() && version_ != PileVersion::lazy, "tiles and overlap");
        only("--schedule", is_openmp(), "openmp and openmp-absorb");
        only("--touch", is_openmp(), "openmp and openmp-absorb");
        if (version_ == PileVersion::overlap && sweeps_ > QCD_PILE_DEEP)
            throw Error("--sweeps: {} of overlap, its blocks have halos for {}", sweeps_,
                        QCD_PILE_DEEP);
        if (version_ == PileVersion::lazy && app.given("--plan") &&
            app.get_option("--plan")->as<std::string>() == "batch")
            throw Error("--plan batch: version lazy looks at its parts after each round");
        if (app.given("--tiles")) check_tiles();
        if (app.given("--png")) {
            cli::check_output("--png", picture_);
            cli::check_different(
                {{"--png", picture_}, {"--json", app.get_option("--json")->as<std::string>()}});
        }
        if (!grains_) grains_ = towers_ ? 20000 : 5;
    }

    void prepare(const Session& session) override
    {
        const WorkerCounts w = session.workers();
        require_memory("the pile", 4 * sizeof(int) * cells(), probe_machine());
        threads_ = std::max(1, w.cores());
        if (!is_tasks() && w.devices() > 0)
            throw Error("--version {}: plain loops for cores (--cuda 0 --opencl 0)",
                        cli::word_of(pile_versions, version_));
        if (is_tasks()) {
            if (tiles_[0] == 0) choose_tiles(w);
            grid_.emplace(size_, tiles_, 1, Grid<2>::Open{true, true});
            check_local_memory(w);
            for (const Codelet* codelet : {&pile_step_codelet(), &faces_codelet()})
                opencl_prepare(*codelet); // each with all of its program
        }
        if (expected_.grains.empty()) {
            const PausedWorkers paused;
            expected_ = beginning();
            settle(expected_,
                   version_ == PileVersion::absorb ? PileVersion::naive : PileVersion::absorb,
                   {.stop = &stop_requested});
        }
    }

    Result run(const Run& r) override
    {
        Pile pile = beginning();
        const Settled s = is_tasks() ? settle_by_tasks(r.graph, pile) : settle_by_loops(pile);
        if (!picture_.empty()) write_picture(picture_, pile);
        return result(s, pile);
    }

    std::string problem() const override
    {
        std::string text =
            fmt::format("{} cells, {} grains in {}, version {}", fmt::join(size_, "x"), *grains_,
                        towers_ ? "each tower" : "each", cli::word_of(pile_versions, version_));
        if (is_tasks()) text += fmt::format(", tiles {}", fmt::join(tiles_, "x"));
        if (has_sweeps()) text += fmt::format(", {} a task", counted(sweeps_, "sweep"));
        if (is_openmp())
            text += fmt::format(", {}, schedule {}{}, touched by {}", counted(threads_, "thread"),
                                schedule_word(),
                                schedule_.chunk == 0 ? "" : fmt::format(",{}", schedule_.chunk),
                                first_touch_ ? "those that compute" : "one");
        return text;
    }

    Json to_json() const override
    {
        return {{"size", size_},
                {"version", cli::word_of(pile_versions, version_)},
                {"pile", cli::word_of(pile_kinds, towers_)},
                {"grains", *grains_},
                {"tiles", is_tasks() ? Json(tiles_) : Json()},
                {"sweeps", sweeps_},
                {"look", look_},
                {"threads", is_tasks() ? Json() : Json(is_openmp() ? threads_ : 1)},
                {"schedule", schedule_word()},
                {"chunk", schedule_.chunk},
                {"first_touch", first_touch_}};
    }

private:
    bool is_tasks() const { return version_ >= PileVersion::tiles; }
    bool is_openmp() const
    {
        return version_ == PileVersion::openmp || version_ == PileVersion::openmp_absorb;
    }
    /// Several of a task.
    bool has_sweeps() const
    {
        return version_ == PileVersion::overlap || version_ == PileVersion::lazy;
    }
    int sweeps_of_task() const { return has_sweeps() ? sweeps_ : 1; }
    const char* schedule_word() const { return schedule_.dynamic ? "dynamic" : "static"; }
    std::size_t cells() const { return std::size_t(size_[0]) * size_[1]; }

    Pile beginning() const
    {
        constexpr int apart = 64;
        const auto [nx, ny] = size_;
        Pile pile{nx, ny, std::vector<int>(cells(), towers_ ? 0 : *grains_)};
        for (int y = apart / 2; towers_ && y < ny + apart / 2; y += apart)
            for (int x = apart / 2; x < nx + apart / 2; x += apart)
                pile.grains[std::size_t(std::min(y, ny - 1)) * nx + std::min(x, nx - 1)] = *grains_;
        return pile;
    }

    void check_tiles() const
    {
        const auto [nx, ny] = size_;
        const auto [tx, ty] = tiles_;
        if (tx > nx || ty > ny) throw Error("--tiles: {}x{} parts of {}x{} cells", tx, ty, nx, ny);
        if (version_ == PileVersion::overlap && tx > 1)
            throw Error("--tiles: overlap is cut in y alone: 1xN");
        if (version_ == PileVersion::overlap && ty > 1 && ny / ty < sweeps_)
            throw Error("--tiles: {} slabs of {} rows have fewer than the {} sweeps of "
                        "a task",
                        ty, ny, sweeps_);
    }

    void check_local_memory(const WorkerCounts& w) const
    {
        if (version_ != PileVersion::lazy || w.devices() == 0) return;
        const auto [nx, ny] = grid_->extents(0); // the largest
        if (pile_avalanche_groups({nx, ny, sweeps_}).local_bytes > local_bytes_of_devices)
            throw Error("--tiles: lazy parts of {}x{} cells do not fit into a work "
                        "group's local memory, as devices need (6000 cells)",
                        nx, ny);
    }

    void choose_tiles(const WorkerCounts& w)
    {
        const auto [nx, ny] = size_;
        constexpr int side = 48; // fits into a group's local memory
        if (version_ == PileVersion::lazy)
            tiles_ = {(nx + side - 1) / side, (ny + side - 1) / side};
        else
            tiles_ = {1, chosen_parts(w, version_ == PileVersion::overlap ? ny / sweeps_ : ny)};
    }

    SettleControl control() const
    {
        return {.most_sweeps = most_sweeps_,
                .stop = &stop_requested,
                .threads = threads_,
                .schedule = schedule_,
                .first_touch = first_touch_,
                .sweeps = sweeps_of_task(),
                .look = look_};
    }

    Settled settle_by_loops(Pile& pile)
    {
        const PausedWorkers paused; // they would poll on the cores of the threads
        Stopwatch clock;
        const long sweeps = settle(pile, version_, control());
        seconds_ = clock.lap();
        return {std::max(0L, sweeps), 0, sweeps >= 0};
    }

    Settled settle_by_tasks(Graph& graph, Pile& pile)
    {
        const auto settled = [&](auto&& tasks) {
            Settled s;
            seconds_ = seconds_of(graph, [&] { s = tasks.settle(control()); });
            pile.grains = tasks.grains();
            return s;
        };
        if (version_ == PileVersion::lazy) return settled(LazyPile(graph, *grid_, pile));
        return settled(SynchronousPile(graph, *grid_, pile, sweeps_of_task(),
                                       version_ == PileVersion::overlap));
    }

    Result result(const Settled& s, const Pile& pile) const
    {
        const double none = std::nan(""),
                     sweeps = version_ == PileVersion::stack ? none : double(s.sweeps);
        const long all = is_tasks() ? s.sweeps / sweeps_of_task() * grid_->part_count() : 0;
        Result r{.seconds = seconds_};
        r.quantities = {{"total", "s", Better::lower,
                         "from the first sweep until the pile is known to be stable", seconds_},
                        {"sweeps", "1", Better::lower,
                         "over all cells, those after it was stable included", sweeps},
                        {"cells", "1/s", Better::higher, "cells of the pile times sweeps, a second",
                         double(cells()) * sweeps / seconds_},
                        {"submitted", "%", Better::lower,
                         "tasks on parts, of those that all parts in all sweeps would be",
                         all > 0 ? 100.0 * double(s.tasks) / double(all) : none}};
        if (s.stable) r.digest = digest_of(pile.grains);
        r.ended = s.stable;
        if (s.stable && pile.grains != expected_.grains)
            r.fault =
                fmt::format("the pile differs from that of another loop; {} cells are unstable",
                            unstable_cells(pile));
        return r;
    }

    std::array<int, 2> size_{128, 128}, tiles_{}; // no tiles: to be chosen
    PileVersion version_ = PileVersion::tiles;
    bool towers_ = false;
    std::optional<int> grains_;
    int sweeps_ = 4, look_ = 16;
    Schedule schedule_;
    bool first_touch_ = true;
    int most_sweeps_ = 100000000;
    std::string picture_;
    int threads_ = 1;
    std::optional<Grid<2>> grid_;
    Pile expected_;
    double seconds_ = 0;
};

} // namespace

std::unique_ptr<Study> make_sandpile() { return std::make_unique<Sandpile>(); }

} // namespace qcd::studies
