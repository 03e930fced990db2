// Yardsticks of each kind of worker that is there, with right results.

#include "tests/studies/runs.hpp"

using namespace qcd;
using namespace qcd::test;

TEST_CASE("yardsticks measure each kind of worker, and right", "[yardsticks]")
{
    on_all_workers([&](const StudyWorkers& workers) {
        const studies::Result r = workers.run("yardsticks --size 1 --matrix 65 --pairs 1001");
        CHECK(r.fault == "");
        const WorkerCounts w = workers.session().workers();
        for (const auto& [there, name] : {std::pair{w.cpu > 0, "cores-triad"},
                                          {w.cuda > 0, "CUDA-triad"},
                                          {w.opencl > 0, "OpenCL-triad"},
                                          {w.cpu > 0, "cores-sort"},
                                          {w.cuda > 0, "CUDA-sort"}}) {
            INFO(name);
            CHECK(there == std::any_of(r.quantities.begin(), r.quantities.end(),
                                       [&, key = name](const auto& q) {
                                           return q.key == key && q.value > 0;
                                       }));
        }
    });
}
