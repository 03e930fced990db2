#include "drivers/ensemble/ensemble_report.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/gnuplot.hpp"
#include "base/own_folder.hpp"
#include "base/text.hpp"
#include "experiment/chart.hpp"
#include "experiment/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <ostream>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* settings = R"(set grid
history = 'set multiplot layout 2,1; \
set xlabel ""; set ylabel "plaquette"; set key above; \
plot "history.dat" using 1:3 with lines title "space", "" using 1:4 with lines title "time"; \
set xlabel "sweep"; set ylabel "Polyakov loop"; \
plot "history.dat" using 1:5 with lines title "Re P", "" using 1:6 with lines title "Im P", \
     "" using 1:7 with lines title "|P|"; \
unset multiplot')";
constexpr std::string_view data_head = "# sweep, plaquette, of space, of time, Re P, Im P, |P|";

double size_of(const links::Complex& z) { return std::hypot(z.re, z.im); }

double trials_of(const link_counts& c) { return double(c.trials) / double(c.drawn); }

/// NaN is null.
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }

} // namespace

double EnsembleReport::link_updates_a_second() const
{
    return sweep_seconds > 0 ? 4.0 * double(volume(state.lattice)) * done() *
                                   (1 + state.rule.overrelaxations) / sweep_seconds
                             : 0;
}

std::vector<EnsembleMean> means_of(const std::vector<EnsembleRow>& rows, int thermalize)
{
    struct Quantity {
        const char *key, *meaning;
        double (*of)(const EnsembleRow&);
    };
    static const Quantity quantities[] = {
        {"plaquette", "(1/3) Re tr U_p, all planes",
         [](const EnsembleRow& r) { return r.plaquette; }},
        {"plaquette_space", "(1/3) Re tr U_p in the planes xy, xz, yz",
         [](const EnsembleRow& r) { return r.spatial; }},
        {"plaquette_time", "(1/3) Re tr U_p in the planes xt, yt, zt",
         [](const EnsembleRow& r) { return r.temporal; }},
        {"polyakov_re", "Re P, P = (1/3) tr of the links t along t, average over space",
         [](const EnsembleRow& r) { return r.polyakov.re; }},
        {"polyakov_im", "Im P", [](const EnsembleRow& r) { return r.polyakov.im; }},
        {"polyakov_abs", "|P|", [](const EnsembleRow& r) { return size_of(r.polyakov); }}};
    std::vector<EnsembleMean> means;
    for (const Quantity& q : quantities) {
        std::vector<double> series;
        for (const EnsembleRow& r : rows)
            if (r.sweep > thermalize) series.push_back(q.of(r));
        if (!series.empty())
            means.push_back({q.key, q.meaning, experiment::mean_of_series(series)});
    }
    return means;
}

void print_text(std::ostream& out, const EnsembleReport& r)
{
    const auto line = [&](std::string_view name, const std::string& text) {
        out << fmt::format("{:<16}{}\n", name, text);
    };
    const auto sweeps = [](int n) { return n == 1 ? "sweep" : counted(n, "sweep"); };
    const EnsembleState& s = r.state;
    line("ensemble", fmt::format("SU(3), Wilson's action, beta {}, {}, start {}, seed {}",
                                 s.rule.beta, to_string(s.lattice), s.start, s.rule.seed));
    line("sweep", fmt::format("heat bath, {} of overrelaxation; reunitarized after every {}",
                              s.rule.overrelaxations, sweeps(s.rule.reunitarize)));
    line("plan", to_string(*r.run.plan));
    line("command", r.run.command);
    line("sweeps",
         fmt::format("{}{}{}", s.sweeps,
                     r.first_sweep > 0 ? fmt::format(", {} of them before", r.first_sweep) : "",
                     r.interrupted ? fmt::format(", interrupted: {} were asked for", r.asked_sweeps)
                                   : ""));
    if (r.done() > 0 && r.sweep_seconds > 0)
        line("time",
             fmt::format("{:.4g} s, {:.4g} ms a sweep, {:.4g} million link updates a second; "
                         "{:.4g} s to measure; {} tasks",
                         r.sweep_seconds, 1e3 * r.sweep_seconds / r.done(),
                         1e-6 * r.link_updates_a_second(), r.measure_seconds, r.run.tasks));
    if (s.counts.drawn > 0)
        line("heat bath",
             fmt::format("{:.4f} trials an SU(2) element; {} of {} elements stayed as "
                         "they were, for want of an accepted one in {} trials",
                         trials_of(s.counts), s.counts.exhausted, s.counts.drawn, QCD_MOST_TRIALS));
    for (const std::string& file : r.files) line("saved", file);
    if (!r.checkpoint.empty()) line("checkpoint", r.checkpoint);
    if (r.means.empty()) {
        line("means",
             fmt::format("none: no measurement after sweep {} (--thermalize)", r.thermalize));
    } else {
        line("means",
             fmt::format("of {} after sweep {}, one every {}", counted(r.averaged, "measurement"),
                         r.thermalize, sweeps(r.measure_every)));
        line("", fmt::format("{:>12}  {:>9}  {:>8}   {}", "mean", "error", "tau", "of"));
        for (const EnsembleMean& m : r.means)
            line(m.key, fmt::format("{:>12.8f}  {:>9}  {:>8.3g}   {}", m.mean.mean,
                                    m.mean.bins > 1 ? fmt::format("{:.2g}", m.mean.error) : "-",
                                    m.mean.tau * r.measure_every, m.meaning));
        if (r.means.front().mean.bins > 1)
            line("", fmt::format("error: of the mean, from {} bins of about {}; tau: integrated "
                                 "autocorrelation time, in sweeps",
                                 r.means.front().mean.bins,
                                 counted(r.means.front().mean.bin, "measurement")));
    }
    line("digest", fmt::format("{} (xxh64 of the links)", r.digest));
}

nlohmann::ordered_json to_json(const EnsembleReport& r)
{
    const EnsembleState& s = r.state;
    Json means = Json::object(), rows = Json::array();
    for (const EnsembleMean& m : r.means)
        means[m.key] = {{"mean", number(m.mean.mean)},
                        {"error", number(m.mean.error)},
                        {"bin", m.mean.bin},
                        {"bins", m.mean.bins},
                        {"tau_sweeps", number(m.mean.tau * r.measure_every)},
                        {"tau_error_sweeps", number(m.mean.tau_error * r.measure_every)}};
    for (const EnsembleRow& row : s.rows)
        rows.push_back({{"sweep", row.sweep},
                        {"plaquette", row.plaquette},
                        {"plaquette_space", row.spatial},
                        {"plaquette_time", row.temporal},
                        {"polyakov_re", row.polyakov.re},
                        {"polyakov_im", row.polyakov.im}});
    return {{"lattice", s.lattice},
            {"beta", s.rule.beta},
            {"start", s.start},
            {"seed", s.rule.seed},
            {"overrelaxations", s.rule.overrelaxations},
            {"reunitarize", s.rule.reunitarize},
            {"sweeps", s.sweeps},
            {"sweeps_before", r.first_sweep},
            {"sweeps_asked", r.asked_sweeps},
            {"interrupted", r.interrupted},
            {"plan", to_string(r.run.plan->kind)},
            {"ranks", r.run.plan->rank_grid},
            {"tiles", r.run.plan->tiles()},
            {"scheduler", r.run.plan->scheduler},
            {"workers",
             {{"cpu", r.run.workers.cpu},
              {"cuda", r.run.workers.cuda},
              {"opencl", r.run.workers.opencl}}},
            {"command", r.run.command},
            {"tasks", r.run.tasks},
            {"seconds",
             {{"setup", r.run.seconds.setup},
              {"sweeps", r.sweep_seconds},
              {"measurements", r.measure_seconds}}},
            {"link_updates_per_s", r.link_updates_a_second()},
            {"heatbath",
             {{"drawn", s.counts.drawn},
              {"trials", s.counts.trials},
              {"exhausted", s.counts.exhausted},
              {"most_trials", QCD_MOST_TRIALS}}},
            {"files", r.files},
            {"thermalize", r.thermalize},
            {"measure_every", r.measure_every},
            {"averaged", r.averaged},
            {"means", means},
            {"history", rows},
            {"digest", r.digest}};
}

std::string csv_of(const std::vector<EnsembleRow>& rows)
{
    std::string text = experiment::csv_line(
        {"sweep", "plaquette", "plaquette_space", "plaquette_time", "polyakov_re", "polyakov_im"});
    for (const EnsembleRow& r : rows)
        text += experiment::csv_line({fmt::format("{}", r.sweep), fmt::format("{}", r.plaquette),
                                      fmt::format("{}", r.spatial), fmt::format("{}", r.temporal),
                                      fmt::format("{}", r.polyakov.re),
                                      fmt::format("{}", r.polyakov.im)});
    return text;
}

void require_history_folder(const std::string& folder)
{
    std::string first;
    std::getline(std::ifstream(folder + "/history.dat"), first);
    if (first != data_head) require_free_folder("--plot", folder, "history.dat of this program");
}

std::string plot_history(const std::string& folder, const EnsembleReport& r)
{
    const NewFolders made("--plot", folder);
    std::string data = std::string(data_head) + "\n";
    for (const EnsembleRow& row : r.state.rows)
        data += fmt::format("{} {} {} {} {} {} {}\n", row.sweep, row.plaquette, row.spatial,
                            row.temporal, row.polyakov.re, row.polyakov.im, size_of(row.polyakov));
    write_whole(folder + "/history.dat", data);
    write_whole(folder + "/history.gp",
                gnuplot_script("history", 960, 640, settings, "eval history", "eval history"));
    if (r.state.rows.size() < 2) return "--plot: fewer than two measurements make no picture";
    return experiment::draw_chart(folder, "history");
}

} // namespace qcd
