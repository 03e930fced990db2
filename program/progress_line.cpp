#include "program/progress_line.hpp"

#include "program/progress.hpp"

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

} // namespace qcd
