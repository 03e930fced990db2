#include "traces/paje_writer.hpp"

#include "base/text.hpp"
#include "traces/palette.hpp"
#include "traces/text_file.hpp"

#include <algorithm>
#include <map>

namespace qcd
{

namespace
{

/// A kind of lines: what stands in one behind its number.
struct LineKind {
    int number;
    const char *name, *fields;
};
constexpr LineKind line_kinds[]{
    {1, "PajeDefineContainerType", "Alias Type Name"},
    {2, "PajeDefineEventType", "Alias Type Name Color"},
    {3, "PajeDefineStateType", "Alias Type Name"},
    {4, "PajeDefineVariableType", "Alias Type Name Color"},
    {5, "PajeDefineLinkType", "Alias Type StartContainerType EndContainerType Name"},
    {6, "PajeDefineEntityValue", "Alias Type Name Color"},
    {7, "PajeCreateContainer", "Time Alias Type Container Name"},
    {8, "PajeDestroyContainer", "Time Name Type"},
    {9, "PajeNewEvent", "Time Type Container Value"},
    {10, "PajeSetState", "Time Container Type Value"},
    {11, "PajeSetState", "Time Container Type Value Tile Iteration"},
    {13, "PajeSetVariable", "Time Container Type Value"},
    {18, "PajeStartLink", "Time Type Container Value StartContainer Key"},
    {19, "PajeEndLink", "Time Type Container Value EndContainer Key"}};

/// Lines that define containers, events, states, variables and links. What StarPU's own traces have,
/// too, is called as there.
constexpr const char* types = R"(1	P	0	Program
1	D	P	Device
1	W	D	Worker
1	M	P	"Memory Node"
2	I	P	Iteration	"0.0 0.0 0.0"
3	S	W	"Worker State"
4	U	P	"Number of Submitted Uncompleted Tasks"	"0.4 0.4 0.4"
4	R	P	"Number of Ready Tasks"	"0.1 0.3 0.7"
4	B	P	"GB/s of operations"	"0.0 0.5 0.3"
5	T	P	M	M	"Intra-node data Fetch"
1	N	P	Rank
5	G	P	N	N	"MPI communication"
)";

/// Each kind of lines is defined before any is written.
std::string definitions()
{
    std::string text;
    for (const auto& [number, name, fields] : line_kinds) {
        text += fmt::format("%EventDef {} {}\n", name, number);
        for (const std::string_view field : split(fields, ' '))
            text += fmt::format("%\t{} {}\n", field,
                                field == "Time"                    ? "date"
                                : field == "Color"                 ? "color"
                                : number == 13 && field == "Value" ? "double" // of a variable
                                                                   : "string");
        text += "%EndEventDef\n";
    }
    return text + types;
}

/// A line of the file at its time: Paje wants them in order.
struct Line {
    enum Kind {
        mark,
        copy_begins,
        copy_ends,
        message_begins,
        message_ends,
        submitted,
        ready,
        bytes,
        idle,
        task
    };
    double time;
    Kind kind;
    unsigned index;
};

class PajeWriter
{
public:
    PajeWriter(TextFile& out, const Trace& t)
        : out_(out), trace_(t), submitted_(submitted_operations(t)), ready_(ready_tasks(t)),
          bytes_(bytes_per_second(t))
    {
    }

    void write()
    {
        out_.add("{}", definitions());
        define_values();
        make_containers();
        for (const Line& line : lines()) write(line);
        destroy_containers();
    }

private:
    double ms(double time) const
    {
        return 1e3 * (std::clamp(time, trace_.from, trace_.to) - trace_.from);
    }

    void define_values()
    {
        const std::vector<Colour> colours = palette(trace_.operations);
        const auto define = [&](const std::string& alias, const std::string& name,
                                const Colour& c) {
            out_.add("6\t{}\tS\t\"{}\"\t\"{:.3f} {:.3f} {:.3f}\"\n", alias, name, c.red / 255.0,
                     c.green / 255.0, c.blue / 255.0);
        };
        define("i", "Idle", idle_colour);
        for (std::size_t o = 0; o < colours.size(); ++o)
            define(fmt::format("o{}", o), trace_.operations[o], colours[o]);
    }

    void make_containers()
    {
        out_.add("7\t0\tp\tP\t0\tqcd_starpu\n");
        for (std::size_t w = 0; w < trace_.workers.size(); ++w) {
            const TraceWorker& worker = trace_.workers[w];
            const auto [device, isnew] =
                devices_.try_emplace(worker.device, fmt::format("d{}", devices_.size()));
            if (isnew) out_.add("7\t0\t{}\tD\tp\t\"{}\"\n", device->second, worker.device);
            out_.add("7\t0\tw{}\tW\t{}\t\"{}\"\n10\t0\tw{}\tS\ti\n", w, device->second, worker.name,
                     w);
        }
        for (std::size_t m = 0; m < trace_.memories.size(); ++m)
            out_.add("7\t0\tm{}\tM\tp\t\"memory of {}\"\n", m, trace_.memories[m]);
        for (int rank = 0; rank < ranks(); ++rank)
            out_.add("7\t0\tn{}\tN\tp\t\"rank {}\"\n", rank, rank);
        for (const char* counter : {"U", "R", "B"}) out_.add("13\t0\tp\t{}\t0\n", counter);
    }

    void destroy_containers()
    {
        const double end = ms(trace_.to);
        for (std::size_t w = 0; w < trace_.workers.size(); ++w)
            out_.add("8\t{:.6f}\tw{}\tW\n", end, w);
        for (const auto& [name, alias] : devices_) out_.add("8\t{:.6f}\t{}\tD\n", end, alias);
        for (std::size_t m = 0; m < trace_.memories.size(); ++m)
            out_.add("8\t{:.6f}\tm{}\tM\n", end, m);
        for (int rank = 0; rank < ranks(); ++rank) out_.add("8\t{:.6f}\tn{}\tN\n", end, rank);
        out_.add("8\t{:.6f}\tp\tP\n", end);
    }

    /// The number of ranks that have messages.
    int ranks() const
    {
        int most = -1;
        for (const TraceMessage& m : trace_.messages) most = std::max({most, m.from, m.to});
        return most + 1;
    }

    std::vector<Line> lines() const
    {
        std::vector<Line> all;
        all.reserve(2 * trace_.tasks.size() + 2 * trace_.transfers.size() + trace_.marks.size() +
                    submitted_.size() + ready_.size() + bytes_.size());
        for (unsigned i = 0; i < trace_.marks.size(); ++i)
            all.push_back({trace_.marks[i].time, Line::mark, i});
        for (unsigned i = 0; i < submitted_.size(); ++i)
            all.push_back({submitted_[i].time, Line::submitted, i});
        for (unsigned i = 0; i < ready_.size(); ++i)
            all.push_back({ready_[i].time, Line::ready, i});
        for (unsigned i = 0; i < bytes_.size(); ++i)
            all.push_back({bytes_[i].time, Line::bytes, i});
        for (unsigned i = 0; i < trace_.transfers.size(); ++i) {
            all.push_back({trace_.transfers[i].began, Line::copy_begins, i});
            all.push_back({trace_.transfers[i].ended, Line::copy_ends, i});
        }
        for (unsigned i = 0; i < trace_.messages.size(); ++i) {
            const TraceMessage& m = trace_.messages[i];
            all.push_back({m.made, Line::message_begins, i});
            all.push_back({std::max(m.made, m.received), Line::message_ends, i});
        }
        for (unsigned i = 0; i < trace_.tasks.size(); ++i) {
            const TraceTask& task = trace_.tasks[i];
            all.push_back({task.started, Line::task, i});
            const bool followed = i + 1 < trace_.tasks.size() &&
                                  trace_.tasks[i + 1].worker == task.worker &&
                                  trace_.tasks[i + 1].started <= task.ended;
            if (!followed) all.push_back({task.ended, Line::idle, i});
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const Line& a, const Line& b) { return a.time < b.time; });
        return all;
    }

    void write(const Line& line)
    {
        const double time = ms(line.time);
        const auto counter = [&](const char* name, double value) {
            out_.add("13\t{:.6f}\tp\t{}\t{:.6g}\n", time, name, value);
        };
        switch (line.kind) {
        case Line::task: {
            const TraceTask& task = trace_.tasks[line.index];
            out_.add("11\t{:.6f}\tw{}\tS\to{}\t{}\t{}\n", time, task.worker, task.operation,
                     task.tile, task.iteration);
            break;
        }
        case Line::idle:
            out_.add("10\t{:.6f}\tw{}\tS\ti\n", time, trace_.tasks[line.index].worker);
            break;
        case Line::mark:
            out_.add("9\t{:.6f}\tI\tp\t{}\n", time, trace_.marks[line.index].iteration);
            break;
        case Line::submitted:
            counter("U", submitted_[line.index].value);
            break;
        case Line::ready:
            counter("R", ready_[line.index].value);
            break;
        case Line::bytes:
            counter("B", 1e-9 * bytes_[line.index].value);
            break;
        case Line::message_begins:
        case Line::message_ends: {
            const TraceMessage& m = trace_.messages[line.index];
            const bool begins = line.kind == Line::message_begins;
            out_.add("{}\t{:.6f}\tG\tp\t{}\tn{}\tg{}\n", begins ? 18 : 19, time, m.what,
                     begins ? m.from : m.to, line.index);
            break;
        }
        case Line::copy_begins:
        case Line::copy_ends: {
            const Transfer& t = trace_.transfers[line.index];
            const bool begins = line.kind == Line::copy_begins;
            out_.add("{}\t{:.6f}\tT\tp\tcopy\tm{}\tk{}\n", begins ? 18 : 19, time,
                     begins ? t.from : t.to, line.index);
            break;
        }
        }
    }

    TextFile& out_;
    const Trace& trace_;
    std::vector<Step> submitted_, ready_, bytes_;
    std::map<std::string, std::string> devices_; // name -> alias
};

} // namespace

void write_paje(const std::string& path, const Trace& trace)
{
    TextFile file(path);
    PajeWriter(file, trace).write();
    file.commit();
}

} // namespace qcd
