#include "drivers/spec/commands.hpp"
#include "program/provenance.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace qcd;

TEST_CASE("a GPU that CUDA and OpenCL list is one; cores are none")
{
    const qcd::Device h200{"CUDA", "NVIDIA H200", false},
        same{"OpenCL", "NVIDIA H200 (NVIDIA CUDA)", false},
        other{"OpenCL", "gfx90a (AMD Accelerated Parallel Processing)", false},
        cores{"OpenCL", "pthread-AMD EPYC (Portable Computing Language)", true};
    using Names = std::vector<std::string>;
    CHECK(gpu_names({}).empty());
    CHECK(gpu_names({cores}).empty());
    CHECK(gpu_names({h200, h200, same, same, cores}) == Names{"NVIDIA H200", "NVIDIA H200"});
    CHECK(gpu_names({h200, cores, other}) == Names{h200.name, other.name});
    CHECK(gpu_names({same, same}) == Names{same.name, same.name});
    const qcd::Device h20{"CUDA", "NVIDIA H20", false};
    CHECK(gpu_names({h20, same}) == Names{h20.name, same.name});
}

TEST_CASE("what a result is cited by stands before it")
{
    OutputSpec output;
    output.call.arguments = {"info", "--json", "x"};
    output.call.started = std::chrono::system_clock::from_time_t(951827696);
    const StarpuBuild build{"1.4.10", {{"CUDA", true}, {"SimGrid", false}}, {{"CPU workers", 128}}};
    const nlohmann::ordered_json result{{"starpu", {{"scheduler", "lws"}}}, {"isa", "avx2"}};
    const auto j = with_provenance(result, output, {{"CUDA", "NVIDIA H200", false}}, build);
    CHECK(j.begin().key() == "schema_version");
    CHECK(j["date"] == "2000-02-29T12:34:56Z");
    CHECK(j["arguments"] == output.call.arguments);
    CHECK(j["gpus"] == std::vector{"NVIDIA H200"});
    CHECK(j["starpu"]["features"]["cuda"] == true);
    CHECK(j["starpu"]["features"]["simgrid"] == false);
    CHECK(j["starpu"]["limits"]["cpu_workers"] == 128);
    CHECK(j["starpu"]["scheduler"] == "lws");
    CHECK(j["isa"] == "avx2");
}
