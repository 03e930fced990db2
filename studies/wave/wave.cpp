#include "studies/wave/wave.hpp"

#include "base/error.hpp"
#include "program/cli/parser.hpp"
#include "program/stop.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "studies/all_studies.hpp"
#include "studies/frame/cells.hpp"
#include "studies/frame/faces.hpp"
#include "studies/frame/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace qcd::studies
{

namespace
{

constexpr int most_wave_extent = 2000;
const cli::Words<bool> wave_versions{{"plain", false}, {"vector", true}};

using WaveField = Cells<3, double>;

class Wave : public Study
{
public:
    void add_options(cli::Parser& app) override
    {
        add_size(app, size_, most_wave_extent, "N|XxYxZ", "cells in x, y and z; N: the same [64]");
        cli::add_choice(app, "--version", vector_, wave_versions,
                        "a cell at a time, or several (cores: SIMD; devices: a column a thread)");
        add_tiles(app, tiles_, most_wave_extent, "XxYxZ",
                  "parts in x, y and z [chosen: slabs in z, two a worker]");
        add_count(app, "--steps", steps_, 1, 1000000, "in time");
        add_positive(app, "--courant", courant_, 0.5, "c dt / h; stable up to 0.5")->type_name("C");
    }

    void finish_options(const cli::Parser& app) override
    {
        if (app.given("--size") &&
            split(app.get_option("--size")->as<std::string>(), 'x').size() == 2)
            throw Error("--size: two numbers are not N or XxYxZ");
        for (int mu = 0; mu < 3; ++mu)
            if (tiles_[mu] > 1 && size_[mu] / tiles_[mu] < QCD_WAVE_LAYERS)
                throw Error("--tiles: {} parts of {} cells are thinner than the {} "
                            "that neighbours read",
                            tiles_[mu], size_[mu], QCD_WAVE_LAYERS);
    }

    void prepare(const Session& session) override
    {
        require_memory("the fields", 4 * sizeof(double) * cells(), probe_machine());
        if (tiles_[0] == 0) tiles_ = {1, 1, chosen_parts(session.workers(), size_[2] / 2)};
        grid_.emplace(size_, tiles_);
        for (const Codelet* codelet : {&step_codelet(), &faces_codelet()}) opencl_prepare(*codelet);
    }

    Result run(const Run& r) override
    {
        WaveField u(r.graph, *grid_), before(r.graph, *grid_);
        Faces<3> faces(r.graph, *grid_, {QCD_WAVE_LAYERS, QCD_WAVE_LAYERS, QCD_WAVE_LAYERS},
                       sizeof(double));
        u.set(wave_at_step(0));
        before.set(wave_at_step(-1));
        step(r.graph, u, before, faces, 1); // brings the data to where they are used
        const double seconds = step(r.graph, u, before, faces, steps_ - 1);
        const std::vector<double> found = u.get();
        return result(seconds, copy_seconds(r.graph), found);
    }

    std::string problem() const override
    {
        return fmt::format("{} cells, {}, c dt / h = {}, version {}, tiles {}",
                           fmt::join(size_, "x"), counted(steps_, "step"), courant_,
                           cli::word_of(wave_versions, vector_), fmt::join(tiles_, "x"));
    }

    Json to_json() const override
    {
        return {{"size", size_},
                {"version", cli::word_of(wave_versions, vector_)},
                {"tiles", tiles_},
                {"steps", steps_},
                {"courant", courant_}};
    }

private:
    std::size_t cells() const { return std::size_t(size_[0]) * size_[1] * size_[2]; }

    /// sin(k x - omega t), one wave length in each direction of more than one cell, after so many
    /// steps. h = c = 1.
    std::vector<double> wave_at_step(int step) const
    {
        std::array<double, 3> k;
        double omega2 = 0;
        for (int mu = 0; mu < 3; ++mu) {
            k[mu] = size_[mu] > 1 ? 2 * std::numbers::pi / size_[mu] : 0;
            omega2 += k[mu] * k[mu];
        }
        const double phase = std::sqrt(omega2) * courant_ * step;
        std::vector<double> all;
        all.reserve(cells());
        for (int z = 0; z < size_[2]; ++z)
            for (int y = 0; y < size_[1]; ++y)
                for (int x = 0; x < size_[0]; ++x)
                    all.push_back(std::sin(k[0] * x + k[1] * y + k[2] * z - phase));
        return all;
    }

    wave_args args(int part) const
    {
        const auto n = grid_->extents(part);
        return {n[0], n[1] * n[2], {n[0], n[1], n[2]}, courant_ * courant_};
    }
    const Codelet& step_codelet() const
    {
        return vector_ ? wave_vector_codelet() : wave_plain_codelet();
    }

    void submit_step(Graph& graph, int number, WaveField& u, WaveField& before, Faces<3>& faces)
    {
        const Graph::Iteration mark(graph, number);
        faces.make([&](int p) { return u.data(p); });
        for (int p = 0; p < grid_->part_count(); ++p) {
            std::vector<Operand> slots{u.data(p)};
            for (int f = 0; f < Grid<3>::faces; ++f) slots.push_back(faces.seen_by(p, f));
            slots.push_back(before.data(p));
            graph.submit(step_codelet(), args(p), slots);
        }
    }

    /// Seconds. u is the latest field afterwards.
    double step(Graph& graph, WaveField& u, WaveField& before, Faces<3>& faces, int count)
    {
        return seconds_of(graph, [&] {
            Graph::Batch batch(graph);
            for (int i = 0; i < count && !stop_requested; ++i) {
                submit_step(graph, i, u, before, faces);
                u.swap(before);
                if (i % 16 == 15) batch.flush();
            }
        });
    }

    /// Seconds of a copy of the field, on the same parts, by the same workers: the fastest four in
    /// a row.
    double copy_seconds(Graph& graph)
    {
        WaveField from(graph, *grid_), to(graph, *grid_);
        constexpr int rounds = 4, in_a_row = 4;
        return best_seconds(graph, rounds,
                            [&] {
                                Graph::Batch batch(graph);
                                for (int copy = 0; copy < in_a_row; ++copy, from.swap(to))
                                    for (int p = 0; p < grid_->part_count(); ++p)
                                        graph.submit(wave_copy_codelet(), args(p),
                                                     {from.data(p), to.data(p)});
                            }) /
               in_a_row;
    }

    Result result(double seconds, double copy, const std::vector<double>& found) const
    {
        const double error = largest_distance(found, wave_at_step(steps_));
        const double none = std::nan(""), gigacells = 1e-9 * double(cells()),
                     rate = steps_ > 1 ? 24 * gigacells * (steps_ - 1) / seconds : none,
                     copied = 16 * gigacells / copy;
        Result r{.seconds = seconds};
        r.quantities = {
            {"total", "s", Better::lower, "all steps but the first, which brings the data",
             seconds},
            {"step", "s", Better::lower, "of one of them",
             steps_ > 1 ? seconds / (steps_ - 1) : none},
            {"bandwidth", "GB/s", Better::higher,
             "24 bytes a cell and step: u, and before read and written", rate},
            {"copy", "GB/s", Better::higher,
             "of a field of this size on these parts, 16 bytes a cell; the best four in a row",
             copied},
            {"share", "%", Better::higher, "bandwidth of that of the copy", 100 * rate / copied},
            {"error", "1", Better::lower, "largest distance from sin(k x - omega t) at the end",
             error}};
        r.digest = digest_of(found);
        r.ended = !stop_requested;
        if (!(error < 2)) r.fault = "the field has grown: it is no wave any more";
        return r;
    }

    std::array<int, 3> size_{64, 64, 64}, tiles_{}; // no tiles: to be chosen
    bool vector_ = true;
    int steps_ = 50;
    double courant_ = 0.3;
    std::optional<Grid<3>> grid_;
};

} // namespace

std::unique_ptr<Study> make_wave() { return std::make_unique<Wave>(); }

} // namespace qcd::studies
