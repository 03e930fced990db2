#include "traces/paje.hpp"
#include "traces/profile.hpp"

#include "base/error.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <sstream>

using namespace qcd;

namespace
{

/// Milliseconds; operations are numbered in the order of their names.
Trace drawn(const std::vector<std::string>& operations, const std::vector<std::string>& kinds,
            const std::vector<std::array<double, 4>>& operation_worker_start_end)
{
    Trace t;
    t.operations = operations;
    for (const std::string& kind : kinds) t.workers.push_back({kind, kind, kind});
    for (const auto& [operation, worker, start, end] : operation_worker_start_end) {
        TraceTask task;
        task.operation = int(operation);
        task.worker = int(worker);
        task.started = 1e-3 * start;
        task.ended = 1e-3 * end;
        t.tasks.push_back(task);
    }
    finish(t);
    return t;
}

} // namespace

TEST_CASE("what a worker does outside of tasks is no more than there is")
{
    Trace t = drawn({"a"}, {"CPU", "CUDA", "CPU"}, {{0, 0, 0, 10}, {0, 1, 0, 4}, {0, 2, 2, 6}});
    t.workers[0].overhead = 1e-3; // of which there was no time: counted before the first task
    t.workers[0].waiting = 0;
    t.workers[1].overhead = 3e-3;
    t.workers[1].waiting = 2e-3;
    const Profile p = make_profile(t);
    REQUIRE(p.of_workers.size() == 3);
    CHECK(p.of_workers[0].overhead_ms == Approx(0).margin(1e-12));
    CHECK(p.of_workers[1].overhead_ms == Approx(3));
    CHECK(p.of_workers[1].waiting_ms == Approx(2));
    CHECK(p.of_workers[1].idle_ms == Approx(1));
    CHECK_FALSE(p.of_workers[2].overhead_ms);
    CHECK(p.of_workers[2].idle_ms == Approx(6));
    for (const WorkerRow& w : p.of_workers)
        CHECK(w.busy_ms + w.overhead_ms.value_or(0) + w.waiting_ms.value_or(0) + w.idle_ms ==
              Approx(10));
    std::ostringstream text;
    print_text(text, p);
    CHECK(text.str().find("overhead ms") != std::string::npos);

    const Trace part = cropped(t, 0, 5e-3); // StarPU counts no parts
    CHECK_FALSE(make_profile(part).of_workers[1].overhead_ms);
}

TEST_CASE("profile of a schedule drawn by hand")
{
    // worker 0 (CPU):  |aaaa|b |aaaa|      ms 0-4, 4-6, 6-10
    // worker 1 (CUDA): |a |  bb|           ms 0-2, 4-6
    const Profile p = make_profile(
        drawn({"a", "b"}, {"CPU", "CUDA"},
              {{0, 0, 0, 4}, {1, 0, 4, 6}, {0, 0, 6, 10}, {0, 1, 0, 2}, {1, 1, 4, 6}}));
    CHECK(p.tasks == 5);
    CHECK(p.workers == 2);
    CHECK(p.end_ms - p.start_ms == Approx(10));
    CHECK(p.median_task_us == Approx(2000));
    CHECK(p.idle_share == Approx(6.0 / 20));
    REQUIRE(p.rows.size() == 4);
    CHECK(p.rows[0].name == "a");
    CHECK(p.rows[0].worker_kind == "CPU");
    CHECK(p.rows[0].count == 2);
    CHECK(p.rows[0].mean_us == Approx(4000));
    CHECK(p.rows[0].total_ms == Approx(8));
    CHECK(p.rows[0].share == Approx(8.0 / 20));
    double sum = p.idle_share;
    for (const ProfileRow& row : p.rows) {
        sum += row.share;
        CHECK(row.min_us <= row.median_us);
        CHECK(row.median_us <= row.max_us);
    }
    CHECK(sum == Approx(1));

    std::ostringstream text, csv;
    print_text(text, p);
    print_csv(csv, p);
    CHECK_THAT(text.str(), Catch::Contains("5 tasks on 2 workers in 10.000 ms"));
    CHECK_THAT(text.str(), Catch::Contains("40.00%"));
    CHECK_THAT(csv.str(),
               Catch::Contains("a,CPU,2,4000.000,4000.000,4000.000,4000.000,8.000000,0.400000\n"));
    CHECK_THAT(csv.str(), Catch::Contains("idle,,,,,,,6.000000,0.300000\n"));
}

TEST_CASE("profile of nothing")
{
    const Profile p = make_profile(drawn({}, {"CPU"}, {}));
    CHECK(p.tasks == 0);
    CHECK(p.rows.empty());
}

TEST_CASE("records of StarPU: only tasks with a name, a start and an end count")
{
    std::istringstream in(
        "Name: hopping_f64\nModel: hopping_f64\nJobId: 3\nWorkerId: 1\nStartTime: 1.5\n"
        "EndTime: 2.25\nMPIRank: -1\n\n"
        "JobId: 4\nStartTime: 1\nEndTime: 2\n\n"   // no name
        "Name: cut\nWorkerId: 0\nStartTime: 3\n\n" // ran while the recording stopped
        "Name: axpy\nWorkerId: 0\nStartTime: 2\nEndTime: 3\n\n");
    const std::vector<std::string> workers{"CPU", "CPU"};
    const Trace t = read_task_records(in, workers);
    REQUIRE(t.tasks.size() == 2); // by worker
    CHECK(t.operations.at(t.tasks[0].operation) == "axpy");
    CHECK(t.operations.at(t.tasks[1].operation) == "hopping_f64");
    CHECK(t.tasks[1].worker == 1);
    CHECK(t.tasks[1].started == Approx(1.5e-3));
    CHECK(t.tasks[1].ended == Approx(2.25e-3));

    for (const char* text :
         {"Name: a\nStartTime: soon\n\n", "Name: a\nWorkerId: 2\nStartTime: 1\nEndTime: 2\n\n",
          "Name: a\nWorkerId: -1\nStartTime: 1\nEndTime: 2\n\n"}) {
        std::istringstream broken(text);
        CHECK_THROWS_AS(read_task_records(broken, workers), Error);
    }
}

TEST_CASE("cropping a trace moves its clock and keeps everything else")
{
    std::istringstream in("%EventDef\tPajeSetState 10\n%\tTime\tdate\n%EndEventDef\n"
                          "1       P       0       Program\n"
                          "6\tI\tS\tInitializing\t\"0.0 .7 1.0\"\n"
                          "7\t0.000000000\tp\tP\tMPIroot\tprogram\n"
                          "10\t5.000000000\tw0\tWS\tI\n     \n\n"
                          "20\t12.500000000\tw0\tS\taxpy\t0\n"
                          "8       99.000000000    w0      T\n");
    std::ostringstream out;
    crop_paje(in, out, 10, 20);
    CHECK(out.str() == "%EventDef\tPajeSetState 10\n%\tTime\tdate\n%EndEventDef\n"
                       "1       P       0       Program\n"
                       "6\tI\tS\tInitializing\t\"0.0 .7 1.0\"\n"
                       "7\t0.000000000\tp\tP\tMPIroot\tprogram\n"
                       "10\t0.000000000\tw0\tWS\tI\n     \n\n"
                       "20\t2.500000000\tw0\tS\taxpy\t0\n"
                       "8\t10.000000000    w0      T\n");
    for (const char* line : {"hello\n", "10\n", "10\tnow\tw0\n"}) {
        std::istringstream bad(line);
        std::ostringstream none;
        CHECK_THROWS_AS(crop_paje(bad, none, 0, 1), Error);
    }
}
