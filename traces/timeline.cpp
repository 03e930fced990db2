#include "traces/timeline.hpp"

#include "base/gnuplot.hpp"
#include "base/text.hpp"
#include "traces/palette.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

namespace qcd
{

namespace
{

constexpr int width = 960;                          // pixels; a page is as wide
constexpr int plot = 840;                           // of them, about, between the axes
constexpr int columns = 1680;                       // half pixels
constexpr int entry_columns = 3, entry_height = 20; // of the legend

struct Box {
    int worker;
    double from, to; // seconds
    int operation;
};

/// Boxes of a worker's tasks. Wide ones are drawn one by one; of the others each half pixel becomes
/// the operation that has most of it, where they have half of it.
class Boxes
{
public:
    explicit Boxes(const Trace& t) : trace_(t), column_((t.to - t.from) / columns) {}

    std::vector<Box> all()
    {
        for (std::size_t i = 0; i < trace_.tasks.size();) {
            const int worker = trace_.tasks[i].worker;
            used_.assign(columns, {});
            for (; i < trace_.tasks.size() && trace_.tasks[i].worker == worker; ++i)
                add(trace_.tasks[i]);
            add_columns(worker);
        }
        return boxes_;
    }

private:
    void add(const TraceTask& t)
    {
        constexpr double wide = 4; // columns
        if (t.ended - t.started >= wide * column_) {
            boxes_.push_back({t.worker, t.started, t.ended, t.operation});
            return;
        }
        const int first = int((t.started - trace_.from) / column_);
        for (int c = first; c < columns; ++c) {
            const double begin = trace_.from + c * column_;
            if (begin >= t.ended) break;
            used_[c][t.operation] +=
                std::min(t.ended, begin + column_) - std::max(t.started, begin);
        }
    }

    /// The operation that a column shows; -1: none.
    int shown(int c) const
    {
        double sum = 0, most = 0;
        int operation = -1;
        for (const auto& [o, seconds] : used_[c]) {
            sum += seconds;
            if (seconds > most) std::tie(most, operation) = std::tuple(seconds, o);
        }
        return sum >= column_ / 2 ? operation : -1;
    }

    void add_columns(int worker)
    {
        for (int c = 0; c < columns;) {
            const int operation = shown(c), begin = c;
            while (c < columns && shown(c) == operation) ++c;
            if (operation >= 0)
                boxes_.push_back(
                    {worker, trace_.from + begin * column_, trace_.from + c * column_, operation});
        }
    }

    const Trace& trace_;
    double column_; // seconds
    std::vector<std::map<int, double>> used_;
    std::vector<Box> boxes_;
};

/// Operations that take most of the time, first; those below a thousandth of it are not named.
std::vector<int> legend_of(const Trace& t)
{
    std::vector<double> seconds(t.operations.size());
    for (const TraceTask& task : t.tasks) seconds[task.operation] += task.ended - task.started;
    const double all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    std::vector<int> order(seconds.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return seconds[a] > seconds[b]; });
    while (!order.empty() && seconds[order.back()] < 1e-3 * all) order.pop_back();
    constexpr std::size_t most = 15; // entries that a legend of a page's width holds
    order.resize(std::min(order.size(), most));
    return order;
}

/// The device's own name in StarPU's, which is "CUDA 0.0 (NAME 125.8 GiB 00:06.0)".
std::string name_of_device(const std::string& text)
{
    const std::size_t begin = text.find('('), end = text.rfind(')');
    if (begin == text.npos || end == text.npos || end < begin) return text;
    const std::string name = text.substr(begin + 1, end - begin - 1);
    const std::size_t size = name.rfind(" GiB");
    return size == name.npos ? name : name.substr(0, name.rfind(' ', size - 1));
}

/// What the workers run on: "2 x NVIDIA H200 and AMD EPYC".
std::string machine_of(const Trace& t)
{
    std::vector<std::pair<std::string, int>> devices;
    bool cores = false;
    for (const TraceWorker& w : t.workers) {
        if (w.kind == "CPU" || w.device.empty()) {
            cores = true;
            continue;
        }
        const std::string name = name_of_device(w.device);
        const auto known = std::find_if(devices.begin(), devices.end(),
                                        [&](const auto& d) { return d.first == name; });
        known == devices.end() ? void(devices.emplace_back(name, 1)) : void(++known->second);
    }
    std::vector<std::string> words;
    for (const auto& [name, count] : devices)
        words.push_back(count == 1 ? name : fmt::format("{} x {}", count, name));
    if (cores && !t.about_of("cpu").empty()) words.push_back(t.about_of("cpu"));
    return fmt::format("{}", fmt::join(words, " and "));
}

std::string data_of(const std::vector<Box>& boxes, const Trace& t,
                    const std::vector<Colour>& colours)
{
    std::string text = "# worker, begin and end in ms, colour as 0xRRGGBB, operation\n";
    for (const Box& b : boxes) {
        const Colour& c = colours[b.operation];
        text += fmt::format("{} {:.5f} {:.5f} {} {}\n", b.worker, 1e3 * b.from, 1e3 * b.to,
                            c.red << 16 | c.green << 8 | c.blue, t.operations[b.operation]);
    }
    return text;
}

/// Where iterations begin, if there is room for lines.
std::string marks_of(const Trace& t)
{
    std::string text;
    constexpr std::size_t most = 60;
    if (t.marks.size() > most) return text;
    double shown = t.from - (t.to - t.from);
    for (const IterationMark& m : t.marks) {
        text += fmt::format("set arrow from {0:.5f}, graph 0 to {0:.5f}, graph 1 nohead "
                            "linecolor rgb \"#888888\" dashtype 3 front\n",
                            1e3 * m.time);
        constexpr double apart = 22; // pixels of a label
        if ((m.time - shown) / (t.to - t.from) * plot < apart) continue;
        text += fmt::format("set label \"{}\" at {:.5f}, graph 1.0 offset 0.3, 0.5 "
                            "textcolor rgb \"#666666\" font \",10\"\n",
                            m.iteration, 1e3 * m.time);
        shown = m.time;
    }
    return text;
}

/// Colours and names in columns below the picture.
std::string draw_legend(const std::vector<std::pair<Colour, std::string>>& entries, int height)
{
    const int rows = (int(entries.size()) + entry_columns - 1) / entry_columns;
    std::string text;
    for (int i = 0; i < int(entries.size()); ++i) {
        const double x = 30 + double(width - 40) / entry_columns * (i % entry_columns),
                     y = 10 + entry_height * (rows - 1 - i / entry_columns);
        text += fmt::format("set object rectangle from screen {:.5f}, screen {:.5f} to screen "
                            "{:.5f}, screen {:.5f} fillcolor rgb \"{}\" fillstyle solid noborder\n"
                            "set label {} at screen {:.5f}, screen {:.5f} left\n",
                            x / width, y / height, (x + 20) / width, (y + 11) / height,
                            entries[i].first.hex(), gnuplot_text(entries[i].second),
                            (x + 27) / width, (y + 5.5) / height);
    }
    return text;
}

/// What ran, and where and when; a second line says how to read the picture.
std::string draw_title(const Trace& t, int height)
{
    const auto about = [&](const char* key) { return t.about_of(key); };
    const auto first_of = [](const std::string& a, const std::string& b) {
        return a.empty() ? b : a;
    };
    std::vector<std::string> what;
    const auto add = [](std::vector<std::string>& words, const std::string& word) {
        if (!word.empty()) words.push_back(word);
    };
    add(what, first_of(about("lattice"), about("problem")));
    const std::string plan = about("plan").substr(0, about("plan").find(';'));
    add(what, what.empty() || plan.empty() ? plan : "plan " + plan);
    std::string title = fmt::format("{}", fmt::join(what, ", "));
    constexpr std::size_t longest = 125; // letters
    if (title.size() > longest) title = title.substr(0, longest - 3) + "...";
    const std::string simulated = about("simulated machine");
    std::vector<std::string> how;
    add(how, simulated.empty() ? machine_of(t) : "simulated " + simulated);
    add(how, about("date").substr(0, 10));
    how.emplace_back("a row is a worker, a box an operation");
    constexpr double first = 14, second = 32; // pixels from the top
    return fmt::format("set label {} at screen {:.5f}, screen {:.5f} left\n"
                       "set label {} at screen {:.5f}, screen {:.5f} left textcolor rgb "
                       "\"#555555\" font \",10\"\n",
                       gnuplot_text(title), 10.0 / width, 1 - first / height,
                       gnuplot_text(fmt::format("{}", fmt::join(how, "; "))), 10.0 / width,
                       1 - second / height);
}

constexpr const char* settings = R"(set lmargin at screen {:.5f}
set rmargin at screen {:.5f}
set bmargin at screen {:.5f}
set tmargin at screen {:.5f}
set border 1
set ytics ({}) scale 0
set yrange [{}.5:-0.5]
set xrange [{:.5f}:{:.5f}]
set xlabel "{}"
unset key
{}set style fill solid noborder
box = 0.4)";

} // namespace

Timeline draw_timeline(const Trace& t, const std::string& name)
{
    const std::vector<Colour> colours = palette(t.operations);
    std::vector<std::pair<Colour, std::string>> legend;
    for (const int o : legend_of(t)) legend.emplace_back(colours[o], t.operations[o]);
    legend.emplace_back(idle_colour, "idle");
    std::string tics, drawn;
    std::size_t longest = 0;
    for (std::size_t w = 0; w < t.workers.size(); ++w) {
        const std::string& label = t.workers[w].name;
        longest = std::max(longest, label.size());
        tics += fmt::format("{}{} {}", w ? ", " : "", gnuplot_text(label), w);
        drawn += fmt::format("set object rectangle from {:.5f},{}-0.4 to {:.5f},{}+0.4 fillcolor "
                             "rgb \"{}\" fillstyle solid noborder behind\n",
                             1e3 * t.from, w, 1e3 * t.to, w, idle_colour.hex());
    }
    const int rows = int(t.workers.size()), row = rows > 40 ? 12 : rows > 12 ? 20 : 34;
    const int top = 64, below = 72 + entry_height * ((int(legend.size()) + 2) / entry_columns);
    const int height = top + rows * row + below;
    const std::string marks = marks_of(t);
    drawn += draw_title(t, height) + marks + draw_legend(legend, height);
    constexpr double letter = 8.5, right = 24; // pixels
    return {
        data_of(Boxes(t).all(), t, colours),
        gnuplot_script(
            name, width, height,
            fmt::format(settings, (20 + letter * double(longest)) / width, 1 - right / width,
                        double(below) / height, 1 - double(top) / height, tics, rows - 1,
                        1e3 * t.from, 1e3 * t.to,
                        marks.empty() ? "ms"
                                      : "ms; dashed, with numbers at the top: an iteration begins",
                        drawn),
            fmt::format("plot \"{}.dat\" using (($2 + $3) / 2):1:2:3:($1 - box):($1 + box):4 "
                        "with boxxyerror linecolor rgb variable",
                        name))};
}

} // namespace qcd
