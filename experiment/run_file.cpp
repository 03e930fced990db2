#include "experiment/run_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/file.h>
#include <unistd.h>

namespace qcd::experiment
{

namespace
{

std::vector<std::string> header(const Design& d)
{
    std::vector<std::string> cells{"round", "place", "case"};
    for (const Factor& f : d.cases.front().factors) cells.push_back(f.key);
    cells.insert(cells.end(), {"load_average", "seconds"});
    cells.insert(cells.end(), d.quantities.begin(), d.quantities.end());
    cells.insert(cells.end(), {"digest", "failure"});
    return cells;
}

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::vector<std::string> cells_of(const Run& r, const Design& d)
{
    const Case& c = d.cases.at(r.which);
    std::vector<std::string> cells{std::to_string(r.round), std::to_string(r.place), c.name};
    for (const Factor& f : c.factors) cells.push_back(f.value);
    const bool failed = !r.outcome.failure.empty();
    cells.insert(cells.end(), {cell(r.load_average), failed ? "" : cell(r.outcome.seconds)});
    for (std::size_t i = 0; i < d.quantities.size(); ++i)
        cells.push_back(failed ? "" : cell(r.outcome.values.at(i)));
    cells.insert(cells.end(), {r.outcome.digest, r.outcome.failure});
    return cells;
}

/// The digits of a cell; NaN for an empty one.
std::optional<double> number(const std::string& cell)
{
    if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
    return parse_number<double>(cell);
}

std::string whole(int descriptor, const std::string& path)
{
    std::string text;
    char some[1 << 16];
    for (;;) {
        const ssize_t n = pread(descriptor, some, sizeof some, off_t(text.size()));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw Error("{}: cannot read: {}", path, std::strerror(errno));
        if (n == 0) return text;
        text.append(some, std::size_t(n));
    }
}

} // namespace

RunFile::RunFile(const std::string& path, const Design& design) : path_(path), design_(design)
{
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    if (descriptor_ < 0) throw Error("{}: cannot write: {}", path, std::strerror(errno));
    try {
        if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
            throw Error(path + ": another process writes it");
        mend_and_read();
    } catch (...) {
        close(descriptor_);
        throw;
    }
}

RunFile::~RunFile() { close(descriptor_); }

void RunFile::mend_and_read()
{
    std::string text = whole(descriptor_, path_);
    const std::string first = csv_line(header(design_));
    const std::size_t lines_end = text.rfind('\n') + 1; // 0 where there is none
    if (!text.starts_with(first) && !first.starts_with(text))
        throw Error(path_ + ": the runs of another design");
    if (lines_end < text.size()) {
        text.resize(lines_end);
        if (ftruncate(descriptor_, off_t(lines_end)) != 0)
            throw Error("{}: cannot write: {}", path_, std::strerror(errno));
    }
    if (text.empty()) {
        write(first);
        return;
    }
    int line = 1;
    for (std::size_t at = first.size(); at < text.size();) {
        const std::size_t end = text.find('\n', at);
        keep(parsed(text.substr(at, end - at), ++line));
        at = end + 1;
    }
}

Run RunFile::parsed(const std::string& line, int number_of_line) const
{
    const Error damaged("{}: line {} is damaged", path_, number_of_line);
    const auto cells = csv_cells(line);
    const std::size_t quantities = design_.quantities.size();
    if (!cells || cells->size() != header(design_).size()) throw damaged;
    Run r;
    const auto& cases = design_.cases;
    const auto which = std::find_if(cases.begin(), cases.end(),
                                    [&](const Case& c) { return c.name == cells->at(2); });
    const auto round = parse_number<int>(cells->at(0)), place = parse_number<int>(cells->at(1));
    if (which == cases.end() || !round || !place) throw damaged;
    r.round = *round;
    r.place = *place;
    r.which = int(which - cases.begin());
    std::vector<double> numbers;
    for (std::size_t i = 0; i < quantities + 2; ++i) {
        const auto value = number(cells->at(3 + which->factors.size() + i));
        if (!value) throw damaged;
        numbers.push_back(*value);
    }
    r.load_average = numbers[0];
    r.outcome = {numbers[1],
                 {numbers.begin() + 2, numbers.end()},
                 cells->at(cells->size() - 2),
                 cells->back()};
    if (r.outcome.failure.empty() && !(r.outcome.seconds > 0)) throw damaged;
    return r;
}

void RunFile::keep(const Run& r)
{
    const auto same = [&](const Run& other) {
        return other.round == r.round && other.which == r.which;
    };
    std::erase_if(runs_, same);
    runs_.push_back(r);
}

void RunFile::write(const std::string& line)
{
    std::size_t done = 0;
    while (done < line.size()) {
        const ssize_t n = ::write(descriptor_, line.data() + done, line.size() - done);
        if (n < 0 && errno != EINTR)
            throw Error("{}: cannot write: {}", path_, std::strerror(errno));
        if (n > 0) done += std::size_t(n);
    }
    if (fdatasync(descriptor_) != 0 && errno != EINVAL) // EINVAL: no disk behind it
        throw Error("{}: cannot write: {}", path_, std::strerror(errno));
}

void RunFile::append(const Run& r)
{
    write(csv_line(cells_of(r, design_)));
    keep(r);
}

} // namespace qcd::experiment
