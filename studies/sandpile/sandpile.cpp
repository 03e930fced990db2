#include "studies/sandpile/sandpile.hpp"

#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/parser.hpp"
#include "drivers/stop.hpp"
#include "drivers/stopwatch.hpp"
#include "lattice/error.hpp"
#include "lattice/random.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/paused_workers.hpp"
#include "studies/frame/options.hpp"
#include "studies/sandpile/groups.hpp"
#include "studies/sandpile/operations.hpp"
#include "studies/sandpile/picture.hpp"
#include "studies/sandpile/task_pile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace qcd::studies
{

namespace
{

enum class PileVersion {
    naive,
    synchronous,
    absorb,
    openmp,
    openmp_absorb,
    stack,
    tiles,
    overlap,
    lazy
};

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
        throw Error(fmt::format("--schedule: {} is not static or dynamic, with ,ROWS or without",
                                qcd::quoted(text)));
    return {pieces[0] == "dynamic", *chunk};
}

class Sandpile : public Study
{
public:
    void add_options(cli::Parser& app) override
    {
        app.add_option_function<std::string>(
               "--size",
               [this](const std::string& text) {
                   const auto n = parse_numbers("--size", text, 2, most_cells_a_side, 0);
                   nx_ = n[0];
                   ny_ = n[1] ? n[1] : n[0];
               },
               "cells in x and y; N: the same [128]")
            ->type_name("N|XxY");
        cli::add_choice(app, "--version", version_, pile_versions,
                        "plain loops (naive, synchronous, absorb, openmp, openmp-absorb, stack) or "
                        "tasks (tiles, overlap, lazy)");
        cli::add_choice(app, "--pile", towers_, pile_kinds,
                        "grains in every cell, or in one of 64x64 cells");
        app.add_option("--grains", grains_, "of such a cell [5, of towers 20000]")
            ->type_name("N")
            ->transform(cli::whole(0, 1000000));
        app.add_option_function<std::string>(
               "--tiles",
               [this](const std::string& text) {
                   const auto n = parse_numbers("--tiles", text, 2, most_cells_a_side, 1);
                   tiles_ = {n[0], n[1]};
               },
               "parts in x and y, of versions that are tasks [chosen]")
            ->type_name("XxY");
        app.add_option("--sweeps", sweeps_, "of a task of overlap (at most 8) and lazy [4]")
            ->type_name("K")
            ->transform(cli::whole(1, 1000));
        app.add_option("--look", look_,
                       "sweeps (overlap: tasks) between two looks whether all is stable [16]")
            ->type_name("N")
            ->transform(cli::whole(1, 100000));
        app.add_option_function<std::string>(
               "--schedule", [this](const std::string& t) { schedule_ = parse_schedule(t); },
               "of rows, in openmp: static or dynamic, with ,ROWS or without [static]")
            ->type_name("WORD[,ROWS]");
        cli::add_choice(app, "--touch", first_touch_, touch_kinds,
                        "openmp: memory is first touched by the threads that compute, or by one");
        app.add_option("--max-sweeps", most_sweeps_, "so many, stable or not")
            ->type_name("N")
            ->transform(cli::whole(1, 1000000000))
            ->capture_default_str();
        app.add_option("--png", picture_, "a picture of the last run's pile")->type_name("FILE");
    }

    void finish_options(const cli::Parser& app) override
    {
        const auto only = [&](const char* option, bool fits, const char* versions_with) {
            if (app.given(option) && !fits)
                throw Error(fmt::format(
                    "{}: only {} {} it", option, versions_with,
                    std::string_view(versions_with).find(' ') == std::string_view::npos ? "has"
                                                                                        : "have"));
        };
        only("--tiles", is_tasks(), "tiles, overlap and lazy");
        only("--sweeps", version_ == PileVersion::overlap || version_ == PileVersion::lazy,
             "overlap and lazy");
        only("--look", version_ == PileVersion::tiles || version_ == PileVersion::overlap,
             "tiles and overlap");
        only("--schedule", is_openmp(), "openmp and openmp-absorb");
        only("--touch", is_openmp(), "openmp and openmp-absorb");
        if (version_ == PileVersion::overlap && sweeps_ > QCD_PILE_DEEP)
            throw Error(fmt::format("--sweeps: {} of overlap, its blocks have halos for {}",
                                    sweeps_, QCD_PILE_DEEP));
        if (version_ == PileVersion::lazy && app.given("--plan") &&
            app.get_option("--plan")->as<std::string>() == "batch")
            throw Error("--plan batch: version lazy looks at its parts after each round");
        if (tiles_) check_tiles();
        if (app.given("--png")) {
            cli::check_output("--png", picture_);
            cli::check_different(
                {{"--png", picture_}, {"--json", app.get_option("--json")->as<std::string>()}});
        }
        if (!app.given("--grains")) grains_ = towers_ ? 20000 : 5;
    }

    void prepare(const Session& session, const Plan& plan) override
    {
        const WorkerCounts w = session.workers();
        require_memory("the pile", 4 * sizeof(int) * cells(), probe_machine());
        threads_ = std::max(1, w.cores());
        if (!is_tasks() && w.devices() > 0)
            throw Error(fmt::format("--version {}: plain loops for cores (--cuda 0 --opencl 0)",
                                    cli::word_of(pile_versions, version_)));
        if (is_tasks()) {
            if (!tiles_) choose_tiles(w);
            grid_.emplace(std::array{nx_, ny_}, *tiles_, 1, Grid<2>::Open{true, true});
            check_local_memory(w);
            for (const Codelet* codelet :
                 {&pile_step_codelet(), &pile_overlap_codelet(), &pile_avalanche_codelet()})
                opencl_prepare(*codelet, plan.row_bytes);
            opencl_prepare(study_faces_codelet(), plan.row_bytes);
        }
        if (expected_.grains.empty()) {
            expected_ = beginning();
            settle(expected_, PlainVersion::stack, {});
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
            fmt::format("{}x{} cells, {} grains in {}, version {}", nx_, ny_, grains_,
                        towers_ ? "each tower" : "each", cli::word_of(pile_versions, version_));
        if (is_tasks()) text += fmt::format(", tiles {}x{}", (*tiles_)[0], (*tiles_)[1]);
        if (version_ == PileVersion::overlap || version_ == PileVersion::lazy)
            text += fmt::format(", {} sweeps a task", sweeps_);
        if (is_openmp())
            text += fmt::format(", {} threads, schedule {},{}, touched by {}", threads_,
                                schedule_.dynamic ? "dynamic" : "static", schedule_.chunk,
                                first_touch_ ? "those that compute" : "one");
        return text;
    }

    Json to_json() const override
    {
        return {{"size", {nx_, ny_}},
                {"version", cli::word_of(pile_versions, version_)},
                {"pile", towers_ ? "towers" : "homogeneous"},
                {"grains", grains_},
                {"tiles", is_tasks() ? Json(*tiles_) : Json()},
                {"sweeps", sweeps_},
                {"look", look_},
                {"threads", is_tasks() ? Json() : Json(is_openmp() ? threads_ : 1)},
                {"schedule", schedule_.dynamic ? "dynamic" : "static"},
                {"chunk", schedule_.chunk},
                {"first_touch", first_touch_}};
    }

private:
    bool is_tasks() const { return version_ >= PileVersion::tiles; }
    bool is_openmp() const
    {
        return version_ == PileVersion::openmp || version_ == PileVersion::openmp_absorb;
    }
    std::size_t cells() const { return std::size_t(nx_) * std::size_t(ny_); }

    Pile beginning() const
    {
        constexpr int apart = 64;
        Pile pile{nx_, ny_, std::vector<int>(cells(), towers_ ? 0 : grains_)};
        for (int y = apart / 2; towers_ && y < ny_ + apart / 2; y += apart)
            for (int x = apart / 2; x < nx_ + apart / 2; x += apart)
                pile.grains[std::size_t(std::min(y, ny_ - 1)) * nx_ + std::min(x, nx_ - 1)] =
                    grains_;
        return pile;
    }

    void check_tiles() const
    {
        const auto [tx, ty] = *tiles_;
        if (tx > nx_ || ty > ny_)
            throw Error(fmt::format("--tiles: {}x{} parts of {}x{} cells", tx, ty, nx_, ny_));
        if (version_ == PileVersion::overlap && tx > 1)
            throw Error("--tiles: overlap is cut in y alone: 1xN");
        if (version_ == PileVersion::overlap && ty > 1 && ny_ / ty < sweeps_)
            throw Error(fmt::format("--tiles: {} slabs of {} rows have fewer than the {} sweeps of "
                                    "a task",
                                    ty, ny_, sweeps_));
    }

    void check_local_memory(const WorkerCounts& w) const
    {
        if (version_ != PileVersion::lazy || w.devices() == 0) return;
        const auto [nx, ny] = grid_->extents(0); // the largest
        if (pile_avalanche_groups({nx, ny, sweeps_}).local_bytes > local_bytes_of_devices)
            throw Error(fmt::format("--tiles: lazy parts of {}x{} cells do not fit into a work "
                                    "group's local memory, as devices need (6000 cells)",
                                    nx, ny));
    }

    void choose_tiles(const WorkerCounts& w)
    {
        if (version_ == PileVersion::lazy) {
            constexpr int side = 48; // fits into a group's local memory
            tiles_ = {(nx_ + side - 1) / side, (ny_ + side - 1) / side};
        } else {
            const int wanted = w.all() == 1 ? 1 : 2 * w.all();
            const int most = version_ == PileVersion::overlap ? ny_ / sweeps_ : ny_;
            tiles_ = {1, std::max(1, std::min(wanted, most))};
        }
    }

    Settled settle_by_loops(Pile& pile)
    {
        const PlainControl control{threads_, schedule_, first_touch_, most_sweeps_,
                                   &stop_requested};
        const PausedWorkers paused; // they would poll on the cores of the threads
        Stopwatch clock;
        const long sweeps = settle(pile, PlainVersion(version_), control);
        seconds_ = clock.lap();
        return {std::max(0L, sweeps), 0, sweeps >= 0};
    }

    Settled settle_by_tasks(Graph& graph, Pile& pile)
    {
        const SettleControl control{version_ == PileVersion::tiles ? 1 : sweeps_, look_,
                                    most_sweeps_, &stop_requested};
        const auto settled = [&](auto&& tasks) {
            graph.wait();
            Stopwatch clock;
            const Settled s = tasks.settle(control);
            seconds_ = clock.lap();
            tasks.read(pile);
            return s;
        };
        if (version_ == PileVersion::lazy) return settled(LazyPile(graph, *grid_, pile));
        return settled(
            SynchronousPile(graph, *grid_, pile, control.sweeps, version_ == PileVersion::overlap));
    }

    Result result(const Settled& s, const Pile& pile) const
    {
        const double none = std::nan("");
        const long parts = is_tasks() ? grid_->part_count() : 0,
                   all = is_tasks()
                             ? s.sweeps / (version_ == PileVersion::tiles ? 1 : sweeps_) * parts
                             : 0;
        Result r{.seconds = seconds_};
        r.quantities = {
            {"total", "s", "from the first sweep until the pile is known to be stable", seconds_},
            {"sweeps", "1", "over all cells, those after it was stable included",
             version_ == PileVersion::stack ? none : double(s.sweeps)},
            {"cells", "1/s", "cells of the pile times sweeps, a second",
             version_ == PileVersion::stack ? none : double(cells()) * double(s.sweeps) / seconds_},
            {"submitted", "%", "tasks on parts, of those that all parts in all sweeps would be",
             all > 0 ? 100.0 * double(s.tasks) / double(all) : none}};
        r.digest = digest_of(pile.grains.data(), pile.grains.size() * sizeof(int));
        r.ended = s.stable;
        if (s.stable && pile.grains != expected_.grains)
            r.fault = fmt::format("the pile differs from that of the stack; {} cells are unstable",
                                  unstable_cells(pile));
        if (!s.stable) r.digest.clear();
        return r;
    }

    int nx_ = 128, ny_ = 128;
    PileVersion version_ = PileVersion::tiles;
    bool towers_ = false;
    int grains_ = 5;
    std::optional<std::array<int, 2>> tiles_;
    int sweeps_ = 4, look_ = 16;
    Schedule schedule_;
    bool first_touch_ = true;
    long most_sweeps_ = 100000000;
    std::string picture_;
    int threads_ = 1;
    std::optional<Grid<2>> grid_;
    Pile expected_;
    double seconds_ = 0;
};

} // namespace

std::unique_ptr<Study> make_sandpile() { return std::make_unique<Sandpile>(); }

} // namespace qcd::studies
