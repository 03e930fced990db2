#include "traces/graph_picture.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "traces/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace qcd
{

namespace
{

constexpr double column = 150, row_height = 44, margin = 20; // pixels
constexpr double task_width = 140, task_height = 34, data_width = 110, data_height = 18;
constexpr int header = 40; // of the picture

/// A box of the picture: an operation, or data that operations read and write.
struct Node {
    const TraceTask* task = nullptr; ///< null: data
    int data = -1;
    bool is_from_before = false; ///< data that no operation of the picture has written
    int row = 0;
    double x = 0; ///< of its middle
};
struct Edge {
    int from, to;
};

/// The operations as they were submitted: the first stretch of these iterations.
std::vector<const TraceTask*> operations_of(const Trace& t, std::pair<int, int> iterations)
{
    std::vector<const TraceTask*> all, some;
    for (const TraceTask& task : t.tasks)
        if (task.job >= 0 && t.operations[task.operation] != whole_batch) all.push_back(&task);
    std::sort(all.begin(), all.end(),
              [](const TraceTask* a, const TraceTask* b) { return a->job < b->job; });
    for (const TraceTask* task : all) {
        if (task->iteration >= iterations.first && task->iteration <= iterations.second)
            some.push_back(task);
        else if (!some.empty())
            break;
    }
    return some;
}

class GraphPicture
{
public:
    GraphPicture(const Trace& t, const std::vector<const TraceTask*>& operations) : trace_(t)
    {
        for (const TraceTask* task : operations) {
            node_of_job_[task->job] = int(nodes_.size());
            nodes_.push_back({.task = task});
        }
        place_in_rows(operations);
        add_data(operations);
        order_rows();
    }

    std::string svg(const std::string& title) const
    {
        double width = 0;
        int rows = 0;
        for (const Node& n : nodes_) {
            width = std::max(width, n.x + column / 2);
            rows = std::max(rows, n.row + 1);
        }
        constexpr double least = 700; // for the lines of text
        width = std::max(width + 2 * margin, least);
        const double height = header + rows * row_height + 2 * margin;
        std::string text = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
            "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica,Arial,sans-serif\" "
            "font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
            "<text x=\"{2}\" y=\"18\" font-size=\"13\">{3}</text>\n"
            "<text x=\"{2}\" y=\"34\" fill=\"#555\">box: an operation, with its tile, its worker "
            "and the time that it took; rounded: data that one wrote, grey: from before; who waits "
            "stands below</text>\n",
            width, height, margin, escaped(title));
        for (const Edge& e : edges_) text += line(nodes_[e.from], nodes_[e.to]);
        const std::vector<Colour> colours = palette(trace_.operations);
        for (const Node& n : nodes_) text += n.task ? box(n, colours) : label(n);
        return text + "</svg>\n";
    }

private:
    /// Who waits for somebody stands two rows below; between them is what was written.
    void place_in_rows(const std::vector<const TraceTask*>& operations)
    {
        for (const TraceTask* task : operations) {
            Node& n = nodes_[node_of_job_.at(task->job)];
            n.row = 1;
            auto d = std::lower_bound(trace_.dependencies.begin(), trace_.dependencies.end(),
                                      TraceDependency{task->job, -1});
            for (; d != trace_.dependencies.end() && d->job == task->job; ++d) {
                const auto before = node_of_job_.find(d->on);
                if (before != node_of_job_.end() && d->on < task->job)
                    n.row = std::max(n.row, nodes_[before->second].row + 2);
            }
        }
    }

    void add_data(const std::vector<const TraceTask*>& operations)
    {
        std::map<int, int> latest; // node of each piece of data
        for (const TraceTask* task : operations) {
            const int node = node_of_job_.at(task->job), row = nodes_[node].row;
            auto u = std::lower_bound(trace_.uses.begin(), trace_.uses.end(), task->job,
                                      [](const TraceUse& use, long job) { return use.job < job; });
            for (; u != trace_.uses.end() && u->job == task->job; ++u) {
                if (u->mode != TraceUse::writes) {
                    const auto [it, isnew] = latest.try_emplace(u->data, int(nodes_.size()));
                    if (isnew)
                        nodes_.push_back({.data = u->data, .is_from_before = true, .row = row - 1});
                    edges_.push_back({it->second, node});
                }
                if (u->mode == TraceUse::reads) continue;
                latest[u->data] = int(nodes_.size());
                edges_.push_back({node, int(nodes_.size())});
                nodes_.push_back({.data = u->data, .row = row + 1});
            }
        }
    }

    /// Each row in the order of the middle of what its nodes are joined to, so that few lines cross.
    void order_rows()
    {
        std::map<int, std::vector<int>> rows;
        for (int i = 0; i < int(nodes_.size()); ++i) rows[nodes_[i].row].push_back(i);
        std::size_t widest = 0;
        for (const auto& [row, some] : rows) widest = std::max(widest, some.size());
        std::vector<std::vector<int>> joined(nodes_.size());
        for (const Edge& e : edges_) {
            joined[e.from].push_back(e.to);
            joined[e.to].push_back(e.from);
        }
        const auto spread = [&](const std::vector<int>& row) {
            const double left = margin + column * double(widest - row.size()) / 2;
            for (std::size_t i = 0; i < row.size(); ++i)
                nodes_[row[i]].x = left + column * (double(i) + 0.5);
        };
        for (auto& [row, some] : rows) {
            std::stable_sort(some.begin(), some.end(),
                             [&](int a, int b) { return tile_of(a) < tile_of(b); });
            spread(some);
        }
        constexpr int sweeps = 8;
        std::vector<double> middle(nodes_.size());
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (auto& [row, some] : rows) {
                for (const int node : some) {
                    double sum = 0;
                    for (const int other : joined[node]) sum += nodes_[other].x;
                    middle[node] =
                        joined[node].empty() ? nodes_[node].x : sum / double(joined[node].size());
                }
                std::stable_sort(some.begin(), some.end(),
                                 [&](int a, int b) { return middle[a] < middle[b]; });
                spread(some);
            }
    }
    int tile_of(int node) const
    {
        const Node& n = nodes_[node];
        return n.task ? n.task->tile : trace_.data[n.data].tile;
    }

    double y(const Node& n) const { return header + margin + (n.row + 0.5) * row_height; }

    static std::string escaped(const std::string& text)
    {
        std::string all;
        for (const char c : one_line(text)) {
            if (c == '<')
                all += "&lt;";
            else if (c == '&')
                all += "&amp;";
            else
                all += c;
        }
        return all;
    }

    std::string line(const Node& from, const Node& to) const
    {
        const double y0 = y(from) + (from.task ? task_height : data_height) / 2,
                     y1 = y(to) - (to.task ? task_height : data_height) / 2, mid = (y0 + y1) / 2;
        return fmt::format("<path d=\"M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\" "
                           "fill=\"none\" stroke=\"{}\" stroke-width=\"0.8\"/>\n",
                           from.x, y0, from.x, mid, to.x, mid, to.x, y1,
                           from.is_from_before ? "#bbb" : "#666");
    }

    std::string box(const Node& n, const std::vector<Colour>& colours) const
    {
        const TraceTask& t = *n.task;
        const Colour& c = colours[t.operation];
        const bool is_dark = 3 * c.red + 6 * c.green + c.blue < 1300;
        const std::string tile = t.tile < 0 ? "" : fmt::format("tile {}, ", t.tile);
        return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" "
                           "fill=\"{}\" stroke=\"#333\" stroke-width=\"0.5\"/>\n"
                           "<g text-anchor=\"middle\" fill=\"{}\"><text x=\"{:.1f}\" "
                           "y=\"{:.1f}\">{}</text><text x=\"{:.1f}\" y=\"{:.1f}\">{}{}, {:.1f} "
                           "us</text></g>\n",
                           n.x - task_width / 2, y(n) - task_height / 2, task_width, task_height,
                           c.hex(), is_dark ? "white" : "black", n.x, y(n) - 4,
                           escaped(trace_.operations[t.operation]), n.x, y(n) + 10, tile,
                           escaped(trace_.workers[t.worker].name), 1e6 * (t.ended - t.started));
    }

    std::string label(const Node& n) const
    {
        const TraceData& d = trace_.data[n.data];
        const std::string tile = d.tile < 0 ? "" : fmt::format(", tile {}", d.tile);
        return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" rx=\"9\" "
                           "fill=\"{}\" stroke=\"#666\" stroke-width=\"0.5\"/>\n<text "
                           "text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text>\n",
                           n.x - data_width / 2, y(n) - data_height / 2, data_width, data_height,
                           n.is_from_before ? "#ececec" : "white", n.x, y(n) + 3.5, escaped(d.name),
                           tile);
    }

    const Trace& trace_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::map<long, int> node_of_job_;
};

} // namespace

std::pair<int, int> usual_iteration(const Trace& t)
{
    int highest = -1;
    for (const TraceTask& task : t.tasks) highest = std::max(highest, task.iteration);
    return {std::min(highest, 1), std::min(highest, 1)};
}

std::string draw_graph(const Trace& t, std::pair<int, int> iterations)
{
    if (t.uses.empty())
        throw Error("--graph: the trace does not say what operations use: it is of an earlier "
                    "version, or of a schedule");
    const auto [first, last] = iterations;
    const std::vector<const TraceTask*> operations = operations_of(t, iterations);
    if (operations.empty())
        throw Error("--graph: the trace has no operation of iterations {}:{}", first, last);
    if (int(operations.size()) > most_drawn)
        throw Error("--graph: iterations {}:{} have {} operations, a picture holds {}: take fewer "
                    "tiles or iterations",
                    first, last, operations.size(), most_drawn);
    const std::string which = first == last ? fmt::format("iteration {}", first)
                                            : fmt::format("iterations {} to {}", first, last);
    return GraphPicture(t, operations)
        .svg(fmt::format("{}: {} operations; lattice {}, tiles {}", which, operations.size(),
                         t.about_of("lattice"), t.about_of("tiles")));
}

} // namespace qcd
