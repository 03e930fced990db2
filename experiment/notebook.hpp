#pragma once
// An R Markdown file that reads the runs, repeats the statistics in base R and redraws the charts
// by ggplot2: for those who go on in R. Nothing here needs R.

#include "experiment/ranking.hpp"

#include <string>
#include <utility>
#include <vector>

namespace qcd::experiment
{

/// Bars of quantities, put end to end: means over the rounds of each case.
struct NotebookPlot {
    std::string title, axis;                                ///< axis: what, and its unit
    std::vector<std::pair<std::string, std::string>> parts; ///< what it is, and its quantity
};

struct Notebook {
    std::string title;
    Certainty certainty;
    std::vector<std::string> cases; ///< names, in the design's order
    std::vector<NotebookPlot> plots;
};

/// runs.Rmd in the folder, beside runs.csv, whole or not at all. Throws Error.
void write_notebook(const std::string& folder, const Notebook&);

} // namespace qcd::experiment
