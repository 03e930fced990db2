#include "studies/wave/wave.hpp"

#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/parser.hpp"
#include "drivers/stop.hpp"
#include "drivers/stopwatch.hpp"
#include "lattice/error.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "studies/frame/cells.hpp"
#include "studies/frame/faces.hpp"
#include "studies/frame/options.hpp"
#include "studies/wave/args.h"

#include <fmt/format.h>

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
        app.add_option_function<std::string>(
               "--size",
               [this](const std::string& text) {
                   const auto n = parse_numbers("--size", text, 3, most_wave_extent, 0);
                   if ((n[1] == 0) != (n[2] == 0))
                       throw Error(fmt::format("--size: {} is not N or XxYxZ", qcd::quoted(text)));
                   size_ = n[1] ? std::array{n[0], n[1], n[2]} : std::array{n[0], n[0], n[0]};
               },
               "cells in x, y and z; N: the same [64]")
            ->type_name("N|XxYxZ");
        cli::add_choice(app, "--version", vector_, wave_versions,
                        "a cell at a time, or several (cores: SIMD; devices: two a thread)");
        app.add_option_function<std::string>(
               "--tiles",
               [this](const std::string& text) {
                   const auto n = parse_numbers("--tiles", text, 3, most_wave_extent, 1);
                   tiles_ = {n[0], n[1], n[2]};
               },
               "parts in x, y and z [chosen: slabs in z, two a worker]")
            ->type_name("XxYxZ");
        app.add_option("--steps", steps_, "in time")
            ->type_name("N")
            ->transform(cli::whole(1, 1000000))
            ->capture_default_str();
        app.add_option("--courant", courant_, "c dt / h; stable up to 0.5")
            ->type_name("C")
            ->check(cli::real([](double c) { return c > 0 && c <= 0.5; },
                              "a number above 0, at most 0.5"))
            ->capture_default_str();
    }

    void finish_options(const cli::Parser&) override
    {
        for (int mu = 0; tiles_ && mu < 3; ++mu)
            if ((*tiles_)[mu] > 1 && size_[mu] / (*tiles_)[mu] < QCD_WAVE_LAYERS)
                throw Error(fmt::format("--tiles: {} parts of {} cells are thinner than the {} "
                                        "that neighbours read",
                                        (*tiles_)[mu], size_[mu], QCD_WAVE_LAYERS));
    }

    void prepare(const Session& session, const Plan& plan) override
    {
        require_memory("the fields", 4 * sizeof(double) * cells(), probe_machine());
        const int workers = session.workers().all();
        if (!tiles_) tiles_ = {1, 1, workers == 1 ? 1 : std::clamp(size_[2] / 2, 1, 2 * workers)};
        grid_.emplace(size_, *tiles_);
        for (const Codelet* codelet :
             {&wave_codelet(vector_), &wave_copy_codelet(), &study_faces_codelet()})
            opencl_prepare(*codelet, plan.row_bytes);
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
        return fmt::format("{}x{}x{} cells, {} steps, c dt / h = {}, version {}, tiles {}x{}x{}",
                           size_[0], size_[1], size_[2], steps_, courant_,
                           vector_ ? "vector" : "plain", (*tiles_)[0], (*tiles_)[1], (*tiles_)[2]);
    }

    Json to_json() const override
    {
        return {{"size", size_},
                {"version", vector_ ? "vector" : "plain"},
                {"tiles", *tiles_},
                {"steps", steps_},
                {"courant", courant_}};
    }

private:
    std::size_t cells() const { return std::size_t(size_[0]) * size_[1] * size_[2]; }

    /// sin(k x - omega t), one wave length in each direction, after so many steps. h = c = 1.
    std::vector<double> wave_at_step(int step) const
    {
        std::array<double, 3> k;
        double omega2 = 0;
        for (int mu = 0; mu < 3; ++mu) {
            k[mu] = 2 * std::numbers::pi / size_[mu];
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
        return {{n[0], n[1], n[2]}, courant_ * courant_};
    }

    /// Seconds. u is the latest field afterwards.
    double step(Graph& graph, WaveField& u, WaveField& before, Faces<3>& faces, int count)
    {
        graph.wait();
        Stopwatch clock;
        {
            Graph::Batch batch(graph);
            for (int i = 0; i < count && !stop_requested; ++i) {
                const Graph::Iteration mark(graph, i);
                faces.make([&](int p) { return u.data(p); });
                for (int p = 0; p < grid_->part_count(); ++p) {
                    std::vector<Operand> slots{u.data(p)};
                    for (int f = 0; f < Grid<3>::faces; ++f) slots.push_back(faces.seen_by(p, f));
                    slots.push_back(before.data(p));
                    graph.submit(wave_codelet(vector_), args(p), slots);
                }
                u.swap(before);
                if (i % 16 == 15) batch.flush();
            }
        }
        graph.wait();
        return clock.lap();
    }

    /// Of a copy of the field, on the same parts, by the same workers: the fastest of several.
    double copy_seconds(Graph& graph)
    {
        WaveField from(graph, *grid_), to(graph, *grid_);
        double best = 0;
        for (int i = 0; i < 6; ++i) {
            Stopwatch clock;
            {
                Graph::Batch batch(graph);
                for (int p = 0; p < grid_->part_count(); ++p)
                    graph.submit(wave_copy_codelet(), args(p), {from.data(p), to.data(p)});
            }
            graph.wait();
            const double seconds = clock.lap();
            if (i > 0 && (best == 0 || seconds < best)) best = seconds; // the first brings data
        }
        return best;
    }

    Result result(double seconds, double copy, const std::vector<double>& found) const
    {
        const std::vector<double> exact = wave_at_step(steps_);
        double error = 0;
        for (std::size_t i = 0; i < found.size(); ++i)
            error = std::max(error, std::abs(found[i] - exact[i]));
        const double none = std::nan(""), gigacells = 1e-9 * double(cells()),
                     rate = steps_ > 1 ? 24 * gigacells * (steps_ - 1) / seconds : none,
                     copied = 16 * gigacells / copy;
        Result r{.seconds = seconds};
        r.quantities = {
            {"total", "s", "all steps but the first, which brings the data", seconds},
            {"step", "s", "of one of them", steps_ > 1 ? seconds / (steps_ - 1) : none},
            {"bandwidth", "GB/s", "24 bytes a cell and step: u, and before read and written", rate},
            {"copy", "GB/s",
             "of a field of this size on these parts, 16 bytes a cell; the best of 5", copied},
            {"share", "%", "bandwidth of that of the copy", 100 * rate / copied},
            {"error", "1", "largest distance from sin(k x - omega t) at the end", error}};
        r.digest = digest_of(found.data(), found.size() * sizeof(double));
        r.ended = !stop_requested;
        if (!(error < 2)) r.fault = "the field has grown: it is no wave any more";
        return r;
    }

    std::array<int, 3> size_{64, 64, 64};
    bool vector_ = true;
    std::optional<std::array<int, 3>> tiles_;
    int steps_ = 50;
    double courant_ = 0.3;
    std::optional<Grid<3>> grid_;
};

} // namespace

std::unique_ptr<Study> make_wave() { return std::make_unique<Wave>(); }

} // namespace qcd::studies
