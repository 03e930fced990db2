#pragma once

#include "experiment/rounds.hpp"

#include <string>

namespace qcd
{

/// A line on a terminal that is rewritten before each run; gone at the end.
class ProgressLine
{
public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine() { show(""); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(const std::string& text) const;

private:
    bool shown_;
};

/// "round 2 of 10  run 7 of 44  NAME  about 3 min left"
std::string line_of(const experiment::Progress&, const experiment::Design&);

/// experiment::run_rounds() with such a line, until somebody asks for an end. tell: of a case that
/// is left out, in a line.
std::vector<experiment::Run>
run_rounds_shown(const experiment::Design&, bool quiet, experiment::RunFile*,
                 const std::function<std::optional<experiment::Outcome>(int which)>& run,
                 const std::function<void(const std::string&)>& tell);

} // namespace qcd
