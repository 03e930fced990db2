#include "program/progress_line.hpp"

#include "program/progress.hpp"
#include "program/stop.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace qcd
{

ProgressLine::ProgressLine(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO)) {}

void ProgressLine::show(const std::string& text) const
{
    if (!shown_) return;
    std::fputs(("\r\033[K" + text).c_str(), stderr);
    std::fflush(stderr);
}

std::string line_of(const experiment::Progress& p, const experiment::Design& d)
{
    std::string text = p.round == 0 ? "warm-up" : fmt::format("round {} of {}", p.round, d.rounds);
    text += fmt::format("  run {} of {}  {}", p.done + 1, p.runs, d.cases[p.which].name);
    if (p.seconds_left) text += fmt::format("  about {} left", duration(*p.seconds_left));
    return text;
}

std::vector<experiment::Run>
run_rounds_shown(const experiment::Design& d, bool quiet, experiment::RunFile* file,
                 const std::function<std::optional<experiment::Outcome>(int which)>& run,
                 const std::function<void(const std::string&)>& tell)
{
    const ProgressLine line(quiet);
    return run_rounds(d,
                      {.run = run,
                       .progress = [&](const experiment::Progress& p) { line.show(line_of(p, d)); },
                       .stop = [] { return stop_requested.load(); },
                       .left_out =
                           [&](const std::string& what) {
                               line.show("");
                               tell(what);
                           }},
                      file);
}

} // namespace qcd
