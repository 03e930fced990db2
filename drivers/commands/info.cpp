#include "base/text.hpp"
#include "drivers/bench/bench_session.hpp"
#include "drivers/commands/commands.hpp"
#include "drivers/machine/machine_report.hpp"
#include "drivers/run/problem.hpp"
#include "program/devices.hpp"
#include "program/json_file.hpp"
#include "program/lines.hpp"
#include "program/provenance.hpp"
#include "program/starpu_facts.hpp"
#include "runtime/codelet.hpp"
#include "runtime/ranks.hpp"
#include "solver/dirac_solve.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

#ifdef QCD_WITH_CUDA
constexpr bool cuda_kernels = true;
#else
constexpr bool cuda_kernels = false;
#endif

struct Missing {
    std::string what, effect, remedy;
};

/// What a solve of the default kind on a generated field needs, and what fits into the memory that
/// is free.
struct MemoryNeed {
    std::string precision;
    double bytes_per_site;
    double largest_volume;
};

struct InfoReport {
    MachineFacts machine;
    std::vector<MemoryBandwidth> bandwidth; // with one thread, with all
    std::vector<PeakArithmetic> peaks;
    StarpuFacts starpu;
    std::vector<Device> devices;
    std::vector<MemoryNeed> memory;
    std::string mpi_library; // empty: none
    std::vector<Missing> missing;

    bool has_device(const std::string& kind) const
    {
        return std::any_of(devices.begin(), devices.end(),
                           [&](const Device& d) { return d.kind == kind; });
    }
};

bool in_path(const std::string& program)
{
    const char* path = std::getenv("PATH");
    for (const std::string_view folder : split(path ? path : "", ':'))
        if (std::error_code none;
            std::filesystem::exists(std::filesystem::path(folder) / program, none))
            return true;
    return false;
}

std::vector<Missing> find_missing(const InfoReport& r)
{
    std::vector<Missing> list;
    const auto need = [&](bool there, Missing m) {
        if (!there) list.push_back(std::move(m));
    };
    const StarpuFacts& s = r.starpu;
    const std::string rebuild = ", then ./bootstrap build (builds StarPU anew)";
    need(s.failure.empty(),
         {"workers", s.failure, "check STARPU_NCPU and the other STARPU_ variables"});
    need(s.has("FxT"), {"FxT in StarPU", "no --trace-fxt", "install libfxt-dev" + rebuild});
    need(s.has("OpenCL"),
         {"OpenCL in StarPU", "no --opencl", "install ocl-icd-opencl-dev" + rebuild});
    if (s.has("OpenCL"))
        need(r.has_device("OpenCL"),
             {"an OpenCL device", "no --opencl",
              "install pocl-opencl-icd for the cores, or the driver of the GPU"});
    need(s.has("CUDA"),
         {"CUDA in StarPU", "no --cuda", "install the CUDA toolkit (nvcc)" + rebuild});
    if (s.has("CUDA"))
        need(cuda_kernels, {"CUDA kernels in this program", "no --cuda",
                            "configure with nvcc in PATH or CUDA_HOME set, and build again"});
    if (cuda_kernels)
        need(r.has_device("CUDA"), {"a CUDA device", "no --cuda",
                                    "needs an NVIDIA GPU and its driver (nvidia-smi shows both)"});
    need(!r.mpi_library.empty(),
         {"MPI", "no mpirun, one node", "install libopenmpi-dev and openmpi-bin" + rebuild});
    need(cpu_isa() != Isa::generic, {"AVX2", "slow CPU kernels", "another CPU (or QCD_ISA unset)"});
    need(in_path("vite"), {"ViTE", "traces can be written, not looked at, here", "install vite"});
    return list;
}

std::vector<MemoryNeed> memory_needs(const MachineFacts& facts)
{
    const Extents sample{16, 16, 16, 16};
    const Tiling tiling(sample, Extents{1, 1, 1, 1});
    const auto gauge = open_gauge("random", sample);
    std::vector<MemoryNeed> needs;
    for (const Precision p : {Precision::f64, Precision::f32}) {
        const DiracProblem problem{.precision = p, .links = default_links(*gauge, p)};
        const double bytes = double(DiracSolve::bytes(tiling, problem)) / double(volume(sample));
        needs.push_back({std::string(to_string(p)), bytes, double(facts.available_bytes) / bytes});
    }
    return needs;
}

/// Measures one worker, all cores and a device of each kind; find_missing() reports those that do
/// not start.
std::vector<PeakArithmetic> measure_peaks(const MachineFacts& machine,
                                          const std::vector<Device>& devices)
{
    std::vector<PeakArithmetic> peaks;
    try {
        for (const WorkerCounts& w : bench_configurations({}, machine, devices, one_rank())) {
            if (w.cores_per_cpu > 1) continue;
            const BenchSession session({}, w, false, one_rank());
            const std::vector<PeakArithmetic> some = measure_peak(session.session());
            peaks.insert(peaks.end(), some.begin(), some.end());
        }
    } catch (const DeviceError&) {
    }
    return peaks;
}

InfoReport gather()
{
    InfoReport r;
    r.machine = probe_machine();
    r.bandwidth = {measure_bandwidth(r.machine, 1)}; // before StarPU's workers poll
    if (r.machine.threads > 1)
        r.bandwidth.push_back(measure_bandwidth(r.machine, r.machine.threads));
    r.devices = find_devices();
    r.peaks = measure_peaks(r.machine, r.devices);
    r.starpu = probe_starpu();
    r.memory = memory_needs(r.machine);
    r.mpi_library = mpi_library();
    r.missing = find_missing(r);
    return r;
}

const char* yes_no(bool b) { return b ? "yes" : "no"; }

/// One item a line.
void print_lines(const char* label, const std::vector<std::string>& lines, const char* none)
{
    for (const std::string& line : lines) {
        Lines(std::cout).add(label, "{}", line);
        label = "";
    }
    if (lines.empty()) Lines(std::cout).add(label, "{}", none);
}

/// A labelled list, broken where a line would grow longer than a terminal is wide.
void print_list(const char* label, const std::vector<std::string>& items)
{
    std::vector<std::string> lines{""};
    for (const std::string& item : items) {
        const std::string comma = &item == &items.back() ? "" : ",";
        if (lines.back().size() + item.size() > 78) lines.push_back("");
        lines.back() += (lines.back().empty() ? "" : " ") + item + comma;
    }
    print_lines(label, lines, "none");
}

void print_starpu(const InfoReport& r)
{
    const StarpuFacts& s = r.starpu;
    std::vector<std::string> features, limits, devices;
    for (const auto& [name, there] : s.features)
        features.push_back(fmt::format("{} {}", name, yes_no(there)));
    for (const auto& [name, most] : s.limits) limits.push_back(fmt::format("{} {}", most, name));
    for (const Device& d : r.devices)
        devices.push_back(
            fmt::format("{}: {}{}", d.kind, d.name, d.is_cpu ? ", on the cores" : ""));
    std::cout << "StarPU " << s.version << '\n';
    print_list("built with", features);
    print_list("at most", limits);
    print_list("schedulers", s.schedulers);
    if (!s.scheduler.empty()) Lines(std::cout).add("by default", "{}", s.scheduler);
    print_list("workers", s.workers);
    print_lines("devices", devices, "none");
    if (!r.mpi_library.empty()) Lines(std::cout).add("nodes (MPI)", "several, under mpirun");
}

void print_limits(const InfoReport& r)
{
    std::cout << "limits\n";
    Lines lines(std::cout);
    lines.add("lattice", "every extent even, 2 to {}; at most 2^31 = {} sites", max_extent,
              max_volume);
    lines.add("tiles",
              "1 to half the extent in every direction; at most {} sites a tile, "
              "empty lanes included",
              2L * QCD_LANES * most_blocks);
    for (const MemoryNeed& m : r.memory)
        lines.add(&m == &r.memory.front() ? "memory" : "",
                  "{:.0f} bytes a site in {} (even-odd CR); {:.0f} million sites fit, {:.0f}^4",
                  m.bytes_per_site, m.precision, m.largest_volume / 1e6,
                  std::floor(std::pow(m.largest_volume, 0.25) / 2) * 2);
}

void print_text(const InfoReport& r)
{
    std::cout << version_line() << '\n';
    print_text(std::cout, r.machine);
    Lines lines(std::cout);
    lines.add("CPU kernels", "{} (QCD_ISA=generic|avx2|avx512 chooses)", to_string(cpu_isa()));
    if (cuda_kernels) lines.add("CUDA kernels", "yes");
    print_text(std::cout, r.bandwidth);
    print_text(std::cout, r.peaks);
    print_starpu(r);
    print_limits(r);
    std::cout << "missing\n";
    for (const Missing& m : r.missing)
        std::cout << fmt::format("  {}: {}; {}\n", m.what, m.effect, m.remedy);
    if (r.missing.empty()) std::cout << "  nothing\n";
}

Json to_json(const InfoReport& r)
{
    const StarpuFacts& s = r.starpu;
    Json devices = Json::array(), memory, missing = Json::array();
    Json bandwidth = Json::array();
    for (const Device& d : r.devices)
        devices.push_back({{"kind", d.kind}, {"name", d.name}, {"is_cpu", d.is_cpu}});
    for (const MemoryBandwidth& b : r.bandwidth) bandwidth.push_back(to_json(b));
    for (const MemoryNeed& m : r.memory) memory[m.precision] = m.bytes_per_site;
    for (const Missing& m : r.missing)
        missing.push_back({{"what", m.what}, {"effect", m.effect}, {"remedy", m.remedy}});
    return {{"machine", to_json(r.machine)},
            {"isa", to_string(cpu_isa())},
            {"cuda_kernels", cuda_kernels},
            {"bandwidth", bandwidth},
            {"peaks", to_json(r.peaks)},
            {"starpu",
             {{"schedulers", s.schedulers}, {"scheduler", s.scheduler}, {"workers", s.workers}}},
            {"mpi_library", r.mpi_library.empty() ? Json() : Json(r.mpi_library)},
            {"devices", devices},
            {"limits",
             {{"smallest_extent", 2},
              {"largest_extent", max_extent},
              {"largest_volume", max_volume},
              {"bytes_per_site", memory}}},
            {"missing", missing}};
}

} // namespace

int run_info(const InfoSpec& spec)
{
    const OutputSpec& o = spec.run.output;
    const InfoReport report = gather();
    print_text(report);
    if (!o.json().empty())
        write_json(o.json(), with_provenance(to_json(report), o, report.devices, report.starpu));
    return exit_converged;
}

} // namespace qcd
