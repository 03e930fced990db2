#include "drivers/cli/option_groups.hpp"
#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"

namespace qcd::cli
{

namespace
{

/// "500", "30s", "10min" or "2h".
CheckpointInterval parse_interval(const std::string& text)
{
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = parse_number<int>(std::string_view(text).substr(0, digits));
    const std::string unit = text.substr(digits);
    constexpr int longest = 10000000; // s; in other units less
    const int seconds = unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
    const int most = seconds > 0 ? longest / seconds : most_repetitions;
    if (!number || *number < 1 || *number > most || (seconds == 0 && !unit.empty()))
        throw Error(fmt::format("--checkpoint-every: {} is neither a number of iterations nor a "
                                "time such as 30s, 10min or 2h",
                                qcd::quoted(text)));
    if (seconds == 0) return {.iterations = *number, .time = {}};
    return {.iterations = 0, .time = std::chrono::seconds(seconds * *number)};
}

void refuse_others(const Parser& app, const SolveOptions& o)
{
    for (const char* option : {"--checkpoint", "--resume"}) {
        if (!app.given(option)) continue;
        if (o.engine != Engine::starpu)
            throw Error(
                fmt::format("{}: --engine {} has no checkpoints", option, to_string(o.engine)));
        if (o.stencil)
            throw Error(fmt::format("{}: version {} of the study has no checkpoints", option,
                                    o.stencil->name));
        if (o.method == Method::gcr)
            throw Error(fmt::format("{}: --solver gcr has no checkpoints in files", option));
        if (o.sloppy)
            throw Error(
                fmt::format("{}: a solve in two precisions (--sloppy) has no checkpoints", option));
        if (o.repeat > 1)
            throw Error(fmt::format("{}: of one solve, not of {} (--repeat)", option, o.repeat));
    }
    if (app.given("--resume") && app.given("--guess"))
        throw Error("--resume, --guess: a checkpoint has its own x");
    if (app.given("--checkpoint-every") && !app.given("--checkpoint"))
        throw Error("--checkpoint-every: without --checkpoint it means nothing");
}

} // namespace

void add_checkpoint(Parser& app, SolveOptions& o)
{
    app.option_defaults()->group("Output");
    app.add_option("--checkpoint", o.checkpoint,
                   "write the state of the solve to this file again and again, on SIGUSR1, which "
                   "ends it, and where it ends without a solution")
        ->type_name("FILE");
    app.add_option_function<std::string>(
           "--checkpoint-every",
           [&o](const std::string& text) { o.checkpoint_every = parse_interval(text); },
           "how often: iterations, or a time such as 30s, 10min or 2h")
        ->type_name("N|TIME")
        ->default_str("10min");
    app.option_defaults()->group("Problem");
    app.add_option("--resume", o.resume, "go on from such a file, on whatever workers and tiles")
        ->type_name("FILE");
}

void finish_checkpoint(const Parser& app, const SolveOptions& o)
{
    refuse_others(app, o);
    if (app.given("--resume")) check_readable("--resume", o.resume);
    if (app.given("--checkpoint")) check_writable("--checkpoint", o.checkpoint);
    const ProblemOptions& p = o.problem;
    const OptionFiles written = with_outputs({{"--config", app.config_file()},
                                              {"--save-gauge", p.save_gauge},
                                              {"--save-solution", o.save_solution}},
                                             o.output);
    const auto keep_apart = [&](OptionFiles files) {
        files.insert(files.end(), written.begin(), written.end());
        check_different(files);
    };
    keep_apart({{"--resume", o.resume}}); // the checkpoint may replace it
    for (const auto& input :
         OptionFiles{{"--gauge", is_generated(p.gauge) ? "" : p.gauge},
                     {"--source", is_generated_source(p.source) ? "" : p.source},
                     {"--guess", o.guess}})
        keep_apart({input, {"--checkpoint", o.checkpoint}});
}

} // namespace qcd::cli
