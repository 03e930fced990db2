// Fisher's equation u_t = D (u_xx + u_yy) + R u (1 - u) on a rectangle with Dirichlet boundaries,
// implicit in time: Newton's method in each step, CG in each of its steps. D = R = 1.

#include "base/error.hpp"
#include "program/cli/parser.hpp"
#include "program/stop.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "studies/all_studies.hpp"
#include "studies/fisher/newton.hpp"
#include "studies/fisher/operations.hpp"
#include "studies/frame/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace qcd::studies
{

namespace
{

/// fused     delta, r and |r|^2 in one kernel
/// separate  a kernel for each vector operation
/// whole     a solve is one kernel of one work group
enum class FisherVersion { fused, separate, whole };
const cli::Words<FisherVersion> fisher_versions{{"fused", FisherVersion::fused},
                                                {"separate", FisherVersion::separate},
                                                {"whole", FisherVersion::whole}};
const cli::Words<bool> fisher_rows{{"together", false}, {"apart", true}};
const cli::Words<bool> fisher_loads{{"one", false}, {"two", true}};
constexpr int most_fisher_extent = 16384;

/// A wave that travels in x, an exact solution on the plane (Ablowitz & Zeppetella 1979).
double travelling_wave(double x, double t)
{
    const double e = 1 + std::exp((x - 5 / std::sqrt(6.0) * t) / std::sqrt(6.0));
    return 1 / (e * e);
}

class Fisher : public Study
{
public:
    void add_options(cli::Parser& app) override
    {
        add_size(app, size_, most_fisher_extent, "N|XxY",
                 "cells in x and y without the boundary; N: the same [128]");
        cli::add_choice(app, "--version", version_, fisher_versions,
                        "vector operations of CG in one kernel, or each in its own, or the whole "
                        "solve in one of one work group");
        add_tiles(app, {&slabs_, 1}, QCD_FISHER_SLABS, "N", "slabs in y, at most 16 [chosen]");
        cli::add_choice(app, "--rows", apart_, fisher_rows,
                        "rows that need neighbouring slabs: with the others, or in tasks of their "
                        "own");
        cli::add_choice(app, "--loads", wide_, fisher_loads, "cells that are computed at a time");
        add_count(
            app, "--look", look_, 1, 10000,
            "iterations of CG between two looks at its residual (1: the host waits for each)");
        add_count(app, "--steps", steps_, 1, 1000000, "in time");
        add_positive(app, "--dt", dt_, 1, "of a step, where D = R = 1")->type_name("T");
        add_positive(app, "--length", length_, 1000, "of the rectangle in x")->type_name("L");
    }

    void finish_options(const cli::Parser& app) override
    {
        if (version_ == FisherVersion::whole)
            for (const char* option : {"--tiles", "--rows", "--loads", "--look"})
                if (app.given(option))
                    throw Error("{}: version whole is one kernel on one part", option);
        if (slabs_ > size_[1]) throw Error("--tiles: {} slabs of {} rows", slabs_, size_[1]);
    }

    void prepare(const Session& session) override
    {
        require_memory("the fields", 8 * sizeof(double) * cells(), probe_machine());
        if (version_ == FisherVersion::whole) slabs_ = 1;
        if (slabs_ == 0)
            slabs_ = chosen_parts(session.workers(), std::min(size_[1], QCD_FISHER_SLABS));
        for (const Codelet* codelet : {&fisher_residual_codelet(), &faces_codelet()})
            opencl_prepare(*codelet); // of one program
    }

    Result run(const Run& r) override
    {
        NewtonControl control{.alpha = h() * h() / dt_, .beta = h() * h()};
        control.fused = version_ == FisherVersion::fused;
        control.whole = version_ == FisherVersion::whole;
        control.apart = apart_;
        control.wide = wide_;
        control.look = look_;
        control.stop = &stop_requested;
        Newton newton(r.graph, Grid<2>(size_, std::array{1, slabs_}, 1, {true, true}), control);
        newton.set(wave_at(0));
        NewtonCount count;
        const double seconds = seconds_of(r.graph, [&] {
            for (int i = 1; i <= steps_ && count.converged; ++i)
                newton.step(edge_at(i * dt_), count);
        });
        return result(seconds, count, newton.get());
    }

    std::string problem() const override
    {
        std::string text =
            fmt::format("{}x{} cells, {} of {}, version {}", size_[0], size_[1],
                        counted(steps_, "step"), dt_, cli::word_of(fisher_versions, version_));
        if (version_ != FisherVersion::whole)
            text += fmt::format(", {}, rows {}, {} at a time, a look every {}",
                                counted(slabs_, "slab"), cli::word_of(fisher_rows, apart_),
                                cli::word_of(fisher_loads, wide_), counted(look_, "iteration"));
        return text;
    }

    Json to_json() const override
    {
        return {{"size", size_},
                {"version", cli::word_of(fisher_versions, version_)},
                {"tiles", slabs_},
                {"rows", cli::word_of(fisher_rows, apart_)},
                {"loads", cli::word_of(fisher_loads, wide_)},
                {"look", look_},
                {"steps", steps_},
                {"dt", dt_},
                {"length", length_}};
    }

private:
    std::size_t cells() const { return std::size_t(size_[0]) * size_[1]; }
    double h() const { return length_ / (size_[0] + 1); }

    std::vector<double> wave_at(double t) const
    {
        std::vector<double> u;
        for (int y = 0; y < size_[1]; ++y)
            for (int x = 0; x < size_[0]; ++x) u.push_back(travelling_wave(h() * (x + 1), t));
        return u;
    }
    /// The boundary's values beside the first column, along x, and beside the last column.
    std::vector<double> edge_at(double t) const
    {
        std::vector<double> edge;
        for (int x = 0; x <= size_[0] + 1; ++x) edge.push_back(travelling_wave(h() * x, t));
        return edge;
    }

    Result result(double seconds, const NewtonCount& count, const std::vector<double>& u) const
    {
        const double error = largest_distance(u, wave_at(steps_ * dt_));
        const bool fused = version_ != FisherVersion::separate;
        const double bytes = fused ? 96 : 104, none = std::nan(""),
                     iteration = count.cg > 0 ? count.cg_seconds / double(count.cg) : none;
        Result r{.seconds = seconds};
        r.quantities = {
            {"total", "s", Better::lower, "all steps", seconds},
            {"newton", "1", Better::lower, "steps of Newton's method", double(count.newton)},
            {"cg", "1", Better::lower, "iterations of CG in them", double(count.cg)},
            {"iteration", "s", Better::lower,
             "of CG: all its time, looks included, by the iterations", iteration},
            {"bandwidth", "GB/s", Better::higher,
             fmt::format("{} bytes a cell and iteration: 3 fields in A p, {} in the updates, 3 in "
                         "p",
                         bytes, fused ? 6 : 7),
             1e-9 * bytes * double(cells()) / iteration},
            {"error", "1", Better::lower, "largest distance from the travelling wave at the end",
             error}};
        r.digest = digest_of(u);
        r.ended = count.converged && !stop_requested;
        if (!(error < 1)) r.fault = "the field is no wave any more";
        return r;
    }

    std::array<int, 2> size_{128, 128};
    FisherVersion version_ = FisherVersion::fused;
    int slabs_ = 0; // to be chosen
    bool apart_ = false, wide_ = false;
    int look_ = 10, steps_ = 5;
    double dt_ = 0.01, length_ = 10;
};

} // namespace

std::unique_ptr<Study> make_fisher() { return std::make_unique<Fisher>(); }

} // namespace qcd::studies
