#include "experiment/notebook.hpp"

#include "base/atomic_file.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace qcd::experiment
{

namespace
{

/// A string of R; also one of YAML, which has the same escapes.
std::string r_string(const std::string& text)
{
    std::string out;
    for (const char c : one_line(text)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return '"' + out + '"';
}

std::string r_strings(const std::vector<std::string>& texts)
{
    std::vector<std::string> quoted;
    for (const std::string& t : texts) quoted.push_back(r_string(t));
    return fmt::format("c({})", fmt::join(quoted, ",\n           "));
}

/// What does not depend on the comparison.
constexpr const char* statistics = R"(
A round runs each case once; round 0 is the warm-up. Of a run that was measured twice the later one counts.

```{r runs}
runs <- read.csv("runs.csv", check.names = FALSE, na.strings = "", colClasses = c(digest = "character"))
runs <- runs[!duplicated(runs[c("round", "case")], fromLast = TRUE), ]
failed <- unique(runs$case[!is.na(runs$failure)])
measured <- runs[runs$round > 0 & !(runs$case %in% failed), ]
seconds <- with(measured, tapply(seconds, list(round, case), mean))
seconds <- seconds[, order(colMeans(log(seconds), na.rm = TRUE)), drop = FALSE] # best first
```

The ratio of two cases is the exponential of the mean of the logarithms of each round's ratio; `p` is that of the
paired t-test of these logarithms, and is corrected by Holm for all pairs of cases, because the best case is found from
the same numbers.

```{r statistics}
interval <- function(x) {
  x <- x[!is.na(x)]
  if (length(x) < 2) return(c(NA, NA))
  mean(x) + c(-1, 1) * qt(1 - (1 - confidence) / 2, length(x) - 1) * sd(x) / sqrt(length(x))
}
logarithms <- function(a, b) { # of ratios, of the rounds that have both
  d <- log(seconds[, a] / seconds[, b])
  d[!is.na(d)]
}
p_of <- function(d) {
  if (length(d) < 2) return(NA)
  if (sd(d) == 0) return(if (mean(d) == 0) 1 else 0)
  t.test(d)$p.value
}
found_from <- function(d, pairs) {
  if (length(d) < 2) return(NA)
  tryCatch(exp(power.t.test(n = length(d), sd = sd(d), sig.level = level / pairs, power = power,
                            type = "one.sample", tol = 1e-12)$delta), error = function(e) NA)
}
n <- ncol(seconds)
pairs <- if (n > 1) combn(n, 2) else matrix(0, 2, 0)
p <- apply(pairs, 2, function(ij) p_of(logarithms(ij[2], ij[1])))
tests <- sum(!is.na(p))
with_best <- c(NA, p.adjust(p, "holm")[pairs[1, ] == 1])
ranking <- do.call(rbind, lapply(seq_len(n), function(i) {
  d <- logarithms(i, 1)
  own <- seconds[!is.na(seconds[, i]), i]
  data.frame(case = colnames(seconds)[i], rounds = length(own), mean = mean(own), low = interval(own)[1],
             high = interval(own)[2], median = median(own), best = min(own), ratio = exp(mean(d)),
             ratio_low = exp(interval(d)[1]), ratio_high = exp(interval(d)[2]),
             p = if (i == 1) NA else p_of(d), p_corrected = with_best[i],
             found_from = if (i == 1) NA else found_from(d, tests))
}))
ranking$differs <- !is.na(ranking$p_corrected) & ranking$p_corrected < level
knitr::kable(ranking, digits = 4, row.names = FALSE)
```

Times are seconds. `low` to `high`, and `ratio_low` to `ratio_high`: intervals of `confidence` by Student's t, of the mean
and of the ratio to the best. `found_from`: so much slower than the best would have been found with a probability of
`power`.

```{r plots, fig.width = 9, fig.height = 1.2 + 0.3 * n}
library(ggplot2)
bars <- function(data, what, title) {
  data$case <- factor(data$case, levels = rev(ranking$case))
  ggplot(data, aes(y = case, x = middle)) + geom_col(fill = "#1f6fb4") +
    geom_errorbar(aes(xmin = low, xmax = high), width = 0.3, na.rm = TRUE) + labs(x = what, y = NULL, title = title)
}
bars(data.frame(case = ranking$case, middle = ranking$mean, low = ranking$low, high = ranking$high), "s",
     "Time of a run")
first <- intersect(cases, ranking$case)[1]
speedup <- do.call(rbind, lapply(ranking$case, function(c) {
  d <- logarithms(first, c)
  data.frame(case = c, middle = exp(mean(d)), low = exp(interval(d)[1]), high = exp(interval(d)[2]))
}))
bars(speedup, paste("times as fast as", first), "Speed-up, round by round")
stacked <- function(parts, what, title) {
  parts <- parts[parts %in% names(measured)]
  means <- sapply(parts, function(q) tapply(measured[[q]], measured$case, mean, na.rm = TRUE)[ranking$case])
  long <- data.frame(case = factor(rep(ranking$case, length(parts)), levels = rev(ranking$case)),
                     part = factor(rep(names(parts), each = nrow(ranking)), levels = rev(names(parts))),
                     mean = as.vector(means))
  ggplot(long, aes(y = case, x = mean, fill = part)) + geom_col(na.rm = TRUE) +
    labs(x = what, y = NULL, fill = NULL, title = title)
}
)";

std::string text_of(const Notebook& n)
{
    std::string text = fmt::format(
        "---\ntitle: {}\noutput: html_document\n---\n\n"
        "<!-- Rscript -e 'rmarkdown::render(\"runs.Rmd\")' in this folder makes runs.html -->\n\n"
        "```{{r settings}}\nconfidence <- {}\nlevel <- {}\npower <- {}\ncases <- {}\n```\n{}",
        r_string(n.title), n.certainty.confidence, n.certainty.level, n.certainty.power,
        r_strings(n.cases), statistics);
    for (const NotebookPlot& plot : n.plots) {
        std::vector<std::string> parts;
        for (const auto& [what, quantity] : plot.parts)
            parts.push_back(fmt::format("{} = {}", r_string(what), r_string(quantity)));
        text += fmt::format("stacked(c({}),\n        {}, {})\n", fmt::join(parts, ",\n          "),
                            r_string(plot.axis), r_string(plot.title));
    }
    return text + "```\n";
}

} // namespace

void write_notebook(const std::string& folder, const Notebook& n)
{
    write_whole(folder + "/runs.Rmd", text_of(n));
}

} // namespace qcd::experiment
