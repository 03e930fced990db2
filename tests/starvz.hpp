#pragma once
// The tables of starvz/ as a reader of StarVZ's takes them: columns, types, and that what one table
// names is in the other.

#include "tests/scratch.hpp"

#include <catch2/catch.hpp>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace qcd::test
{

/// A row by the names of columns.
using StarvzRow = std::map<std::string, std::string>;

inline std::string read_gzip(const std::string& file)
{
    std::string text;
    const gzFile in = gzopen(file.c_str(), "rb");
    REQUIRE(in);
    std::vector<char> piece(1 << 16);
    for (int n; (n = gzread(in, piece.data(), unsigned(piece.size()))) > 0;)
        text.append(piece.data(), std::size_t(n));
    CHECK(gzeof(in));
    REQUIRE(gzclose(in) == Z_OK);
    return text;
}

inline std::vector<std::string> cells_of(const std::string& line, char separator = ',')
{
    std::vector<std::string> cells;
    std::istringstream in(line + separator);
    for (std::string cell; std::getline(in, cell, separator);) cells.push_back(cell);
    return cells;
}

inline std::vector<StarvzRow> rows_of(const std::string& text,
                                      const std::vector<std::string>& columns)
{
    std::istringstream in(text);
    std::string line;
    REQUIRE(std::getline(in, line));
    REQUIRE(cells_of(line) == columns);
    std::vector<StarvzRow> rows;
    while (std::getline(in, line)) {
        const std::vector<std::string> cells = cells_of(line);
        REQUIRE(cells.size() == columns.size());
        StarvzRow& row = rows.emplace_back();
        for (std::size_t c = 0; c < cells.size(); ++c) row[columns[c]] = cells[c];
    }
    return rows;
}

inline double number_in(const StarvzRow& row, const std::string& column)
{
    const std::string& text = row.at(column);
    std::size_t end = 0;
    INFO(column << " " << text);
    const double value = std::stod(text, &end);
    CHECK(end == text.size());
    return value;
}

/// R's integers: NA, or below 2^31.
inline void check_integer(const StarvzRow& row, const std::string& column)
{
    const std::string& text = row.at(column);
    INFO(column << " " << text);
    const bool is_integer =
        text == "NA" || (!text.empty() && text.find_first_not_of("0123456789") == text.npos &&
                         text.size() <= 10 && std::stoll(text) < (1ll << 31));
    CHECK(is_integer);
}

struct Starvz {
    explicit Starvz(const std::string& folder)
    {
        const auto read = [&](const char* name, const std::string& columns) {
            INFO(name);
            return rows_of(read_gzip(folder + "/" + name), cells_of(columns));
        };
        entities =
            rows_of(read_text(folder + "/entities.csv"), cells_of("Parent,Name,Type,Nature"));
        workers =
            read("paje.worker_state.csv.gz",
                 "Nature,ResourceId,Type,Start,End,Duration,Depth,Value,Size,Params,Footprint,"
                 "Tag,JobId,GFlop,SubmitOrder,X,Y,Iteration,Subiteration,NumaNodes");
        variables = read("paje.variable.csv.gz", "Nature,ResourceId,Type,Start,End,Duration,Value");
        const std::string states = "Nature,ResourceId,Type,Start,End,Duration,Depth,Value";
        memory = read("paje.memory_state.csv.gz", states);
        threads = read("paje.other_state.csv.gz", states);
        CHECK(read("paje.comm_state.csv.gz", states).empty());
        links = read("paje.link.csv.gz", "Nature,Container,Type,Start,End,Duration,Size,Origin,"
                                         "Dest,Key,Tag,MPIType,Priority,Handle");
        dag = read("dag.csv.gz", "Node,DependsOn,JobId,Dependent");
        tasks = read("rec.tasks.csv.gz",
                     "Control,JobId,SubmitOrder,SubmitTime,Handles,MPIRank,DependsOn,Tag,"
                     "Footprint,Iteration,Name,Model,Priority,WorkerId,MemoryNode,StartTime,"
                     "EndTime,Parameters,Modes,Sizes");
        handles = read("rec.data_handles.csv.gz", "Handle,HomeNode,MPIRank,Size,Description,"
                                                  "Coordinates,MPIOwner,MPITag");
        events = read("paje.events.csv.gz",
                      "Nature,Container,Type,Start,Value,Handle,Info,Size,Tid,Src");
    }

    static bool is_application(const StarvzRow& state) { return state.at("Value") != "Idle"; }

    /// Types, times, and that all which is named is there.
    void check() const
    {
        check_entities();
        for (const auto* states : {&workers, &memory, &threads, &variables})
            for (const StarvzRow& s : *states) check_interval(s, s.at("ResourceId"));
        for (const StarvzRow& s : variables) number_in(s, "Value");
        check_jobs();
        for (const StarvzRow& l : links) {
            check_interval(l, l.at("Container"));
            check_integer(l, "Size");
            for (const char* end : {"Origin", "Dest"}) CHECK(names_.count(l.at(end)) == 1);
        }
        for (const StarvzRow& e : events) {
            CHECK(of_container_.count({e.at("Container"), e.at("Type")}) == 1);
            number_in(e, "Start");
        }
    }

    std::vector<StarvzRow> entities, workers, variables, memory, threads, links, dag, tasks,
        handles, events;

private:
    void check_entities() const
    {
        names_ = {"0"};
        of_container_.clear();
        for (const StarvzRow& e : entities) {
            INFO(e.at("Parent") << " " << e.at("Name"));
            CHECK(names_.count(e.at("Parent")) == 1); // parents come first
            if (e.at("Nature") == "Container") {
                CHECK((names_.insert(e.at("Name")).second || e.at("Name") == "0"));
            } else {
                CHECK(of_container_.emplace(e.at("Parent"), e.at("Type")).second);
                CHECK(std::set<std::string>{"State", "Link", "Event", "Variable"}.count(
                          e.at("Nature")) == 1);
            }
        }
    }

    void check_interval(const StarvzRow& row, const std::string& container) const
    {
        INFO(container << " " << row.at("Type"));
        CHECK(of_container_.count({container, row.at("Type")}) == 1);
        const double start = number_in(row, "Start"), end = number_in(row, "End");
        CHECK(end >= start);
        CHECK(number_in(row, "Duration") == Approx(end - start).margin(2e-6));
    }

    void check_jobs() const
    {
        std::set<std::string> jobs, known, data;
        std::map<std::string, double> last; // end of the state before, by worker
        for (const StarvzRow& s : workers) {
            for (const char* column :
                 {"Size", "JobId", "SubmitOrder", "X", "Y", "Iteration", "Subiteration"})
                check_integer(s, column);
            if (is_application(s)) {
                INFO(s.at("JobId"));
                if (s.at("JobId") != "NA") CHECK(jobs.insert(s.at("JobId")).second); // once
                CHECK(number_in(s, "GFlop") >= 0);
            } else {
                CHECK(s.at("JobId") == "NA");
            }
            const auto before = last.find(s.at("ResourceId"));
            if (before != last.end()) CHECK(number_in(s, "Start") >= before->second - 1e-6);
            last[s.at("ResourceId")] = number_in(s, "End");
        }
        for (const StarvzRow& h : handles) {
            CHECK(data.insert(h.at("Handle")).second);
            for (const char* column : {"HomeNode", "MPIRank", "Size", "MPIOwner"})
                check_integer(h, column);
        }
        for (const StarvzRow& t : tasks) {
            CHECK(known.insert(t.at("JobId")).second);
            for (const char* column :
                 {"SubmitOrder", "MPIRank", "Iteration", "WorkerId", "MemoryNode"})
                check_integer(t, column);
            const std::size_t uses = words(t, "Handles").size();
            CHECK((words(t, "Modes").size() == uses && words(t, "Sizes").size() == uses));
            for (const std::string& h : words(t, "Handles")) CHECK(data.count(h) == 1);
        }
        CHECK(known == jobs);
        std::size_t dependencies = 0;
        for (const StarvzRow& t : tasks) dependencies += words(t, "DependsOn").size();
        CHECK(dag.size() == dependencies);
        for (const StarvzRow& d : dag) {
            CHECK((jobs.count(d.at("Node")) == 1 && jobs.count(d.at("DependsOn")) == 1));
            CHECK(std::stol(d.at("DependsOn")) < std::stol(d.at("Node")));
            CHECK((d.at("JobId") == d.at("Node") && d.at("Dependent") == d.at("DependsOn")));
        }
    }

    static std::vector<std::string> words(const StarvzRow& row, const char* column)
    {
        return row.at(column) == "NA" ? std::vector<std::string>{} : cells_of(row.at(column), ' ');
    }

    mutable std::set<std::string> names_;                                // of containers
    mutable std::set<std::pair<std::string, std::string>> of_container_; // its types
};

} // namespace qcd::test
