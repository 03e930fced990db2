#pragma once
// What was measured, a line a run, there as soon as it is measured.

#include "experiment/design.hpp"

#include <string>
#include <vector>

namespace qcd::experiment
{

/// What one run gave.
struct Outcome {
    double seconds = 0;         ///< what is compared
    std::vector<double> values; ///< of the design's quantities; NaN: not measured
    std::string digest;         ///< of the result, which all runs must have alike; empty: none
    std::string failure;        ///< in a line: why it could not run; empty: it did
};

struct Run {
    int round = 0, place = 0; ///< its place in the round's order, from 0
    int which = 0;            ///< of the design's cases
    double load_average = 0;  ///< of one minute, before it
    Outcome outcome;
};

/// A CSV file: round, place, case, its factors, load_average, seconds, quantities, digest, failure.
/// Only whole lines count: the end of one that was cut off is removed.
class RunFile
{
public:
    /// Made if it is not there. Throws Error where it is another design's, damaged before its end,
    /// or another process writes it.
    RunFile(const std::string& path, const Design&);
    ~RunFile();
    RunFile(const RunFile&) = delete;
    RunFile& operator=(const RunFile&) = delete;

    /// The last run of each case in each round.
    const std::vector<Run>& runs() const { return runs_; }
    /// It is in the file when this returns. Throws Error.
    void append(const Run&);

private:
    void mend_and_read();
    Run parsed(const std::string& line, int number) const;
    void keep(const Run&);
    void write(const std::string& line);

    std::string path_;
    const Design& design_;
    int descriptor_ = -1;
    std::vector<Run> runs_;
};

} // namespace qcd::experiment
