#include "runtime/codelet.hpp"

#include "base/error.hpp"
#include "runtime/device_failure.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/pulse.hpp"
#include "runtime/task_times.hpp"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

#ifdef QCD_WITH_CUDA
#include <starpu_cuda.h>
#endif

namespace qcd
{

namespace
{

#ifdef STARPU_SIMGRID

void not_run(void**, void*) {}

const char* kind_of(starpu_worker_archtype type)
{
    return type == STARPU_CUDA_WORKER ? "CUDA" : type == STARPU_OPENCL_WORKER ? "OpenCL" : "CPU";
}

/// What a simulated task takes, us, with what its worker does between two: as sleep of its own that
/// would pass dm's schedulers by, which then give one worker what is another's.
double simulated_us(starpu_task* task, starpu_perfmodel_arch* arch, unsigned)
{
    const TaskHeader& h = header_of(*task);
    if (!h.times) return 0;
    const char* const kind = kind_of(arch->devices[0].type);
    return 1e6 * (h.times->task_seconds(kind) +
                  h.times->seconds(*h.origin.codelet, h.origin.present, h.origin.work.bytes, kind));
}

#else

/// A running task: its operation, arguments and a pointer per slot.
struct Call {
    const TaskHeader& header;
    const Codelet& codelet;
    const void* args;
    void* slot[max_slots] = {};

    Call(void* buffers[], void* arg)
        : header(*static_cast<const TaskHeader*>(arg)), codelet(*header.origin.codelet),
          args(static_cast<const char*>(arg) + task_header_bytes)
    {
        beat();
        for (int s = 0, b = 0; s < int(codelet.slots.size()); ++s)
            if (header.origin.present >> s & 1) slot[s] = buffers[b++];
        if (Placed* const p = header.placed) {
            p->worker = starpu_worker_get_id_check();
            p->started = Events::now();
            p->predicted = starpu_task_get_current()->predicted > 0;
        }
    }
    ~Call()
    {
        if (header.placed) header.placed->ended = Events::now();
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
};

void cpu_entry(void* buffers[], void* arg)
{
    Call call(buffers, arg);
    if (call.header.observer)
        call.header.observer->before(starpu_task_get_current(), buffers, call.header, call.args);
    for (void*& s : call.slot)
        if (s) s = reinterpret_cast<void*>(STARPU_VECTOR_GET_PTR(s));
    Laps laps(call.header.events, Laps::Task::of_one, call.header.ready);
    execute_on_cores(call.codelet, call.args, call.slot, call.header.manner);
    laps.lap(call.header.origin, call.slot);
}

#ifdef QCD_WITH_CUDA
void cuda_entry(void* buffers[], void* arg)
{
    Call call(buffers, arg);
    for (void*& s : call.slot)
        if (s) s = reinterpret_cast<void*>(STARPU_VECTOR_GET_PTR(s));
    const cudaStream_t stream = starpu_cuda_get_local_stream();
    Laps laps(call.header.events, Laps::Task::of_one, call.header.ready, stream);
    const Manner& manner = call.header.manner;
    call.codelet.kernels.cuda(
        call.args, call.slot,
        {.stream = stream, .downwards = manner.downwards, .layers = manner.layers});
    laps.lap(call.header.origin);
    check_cuda(cudaGetLastError());
}
#endif

#ifdef STARPU_USE_OPENCL
void opencl_entry(void* buffers[], void* arg)
{
    Call call(buffers, arg);
    for (void*& s : call.slot)
        if (s) s = reinterpret_cast<void*>(STARPU_VECTOR_GET_DEV_HANDLE(s));
    Laps laps(call.header.events, Laps::Task::of_one, call.header.ready, opencl_finish);
    opencl_launch(call.codelet, call.args, call.slot, {.manner = call.header.manner});
    laps.lap(call.header.origin);
}
#endif

#endif

} // namespace

Isa cpu_isa()
{
    static const Isa isa = [] {
        const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
        const bool avx512 =
            avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
        const char* asked = std::getenv("QCD_ISA");
        if (asked && std::strcmp(asked, "generic") == 0) return Isa::generic;
        if (asked && std::strcmp(asked, "avx2") == 0 && avx2) return Isa::avx2;
        return avx512 ? Isa::avx512 : avx2 ? Isa::avx2 : Isa::generic;
    }();
    return isa;
}

#ifdef QCD_WITH_CUDA

namespace
{

/// Such as 90; 0 where it cannot be told.
int compute_capability(int device)
{
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    return 10 * major + minor;
}

} // namespace

std::vector<int> cuda_devices()
{
    std::vector<int> usable;
    for (int device = 0; device < all_cuda_devices(); ++device)
        if (compute_capability(device) >= QCD_LEAST_CUDA) usable.push_back(device);
    return usable;
}

int all_cuda_devices()
{
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess ? n : 0;
}

std::string cuda_problem()
{
    int n = 0;
    const cudaError_t status = cudaGetDeviceCount(&n);
    if (status != cudaSuccess) return cudaGetErrorString(status);
    for (int device = 0; device < n; ++device)
        if (const int has = compute_capability(device); has < QCD_LEAST_CUDA)
            return fmt::format(
                "device {} has compute capability {}.{}, kernels are built for {}.{} "
                "(CUDAARCHS={} builds others)",
                device, has / 10, has % 10, QCD_LEAST_CUDA / 10, QCD_LEAST_CUDA % 10, has);
    return "";
}

#elif defined(STARPU_SIMGRID)

/// Devices of the simulated machine, as the caller of the simulation says.
int all_cuda_devices()
{
    const char* const count = std::getenv("QCD_SIMULATED_CUDA");
    return count ? std::atoi(count) : 0;
}

std::vector<int> cuda_devices()
{
    std::vector<int> all(all_cuda_devices());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::string cuda_problem() { return "the simulated machine has fewer"; }

#else

std::vector<int> cuda_devices() { return {}; }
int all_cuda_devices() { return 0; }
std::string cuda_problem() { return "this build has no CUDA"; }

#endif

const char* to_string(Isa isa)
{
    return isa == Isa::avx512 ? "avx512" : isa == Isa::avx2 ? "avx2" : "generic";
}

struct Codelet::Registered {
    starpu_codelet cl{};
    starpu_perfmodel model{};
    std::string symbol;
};

Codelet::Codelet(const Operation& o, int v, std::string n, Kernels k)
    : operation(o), slots(o.each_slot()), variant(v), name(std::move(n)), kernels(std::move(k)),
      cpu(kernels.cpu[int(cpu_isa())])
{
    if (slots.size() > std::size_t(max_slots))
        throw Error("{}: {} slots, {} are possible", name, slots.size(), max_slots);
}

Codelet::~Codelet() = default;

bool Codelet::can_run(int worker) const
{
    const auto has = [&](starpu_worker_archtype kind) {
        return worker < 0 ? starpu_worker_get_count_by_type(kind) > 0
                          : starpu_worker_get_type(worker) == kind;
    };
    return (cpu && has(STARPU_CPU_WORKER)) || (kernels.cuda && has(STARPU_CUDA_WORKER)) ||
           (kernels.opencl.text && has(STARPU_OPENCL_WORKER));
}

starpu_codelet& Codelet::starpu(const Manner& manner) const
{
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Registered>& r = registered_[manner.cores];
    if (r) return r->cl;
    r = std::make_unique<Registered>();
    r->symbol = fmt::format("{}_{}", name, to_string(cpu_isa()));
    if (manner.cores > 1) r->symbol += fmt::format("_cores{}", manner.cores);
    starpu_codelet_init(&r->cl);
#ifdef STARPU_SIMGRID
    r->model.type = STARPU_PER_ARCH;
    r->model.arch_cost_function = simulated_us;
#else
    r->model.type = STARPU_HISTORY_BASED;
#endif
    r->model.symbol = r->symbol.c_str();
    // The default, but StarPU 1.4 first looks, without a lock, into a table that another worker may
    // be moving: seldom, a crash.
    r->model.footprint = starpu_task_data_footprint;
    r->cl.name = name.c_str();
    r->cl.model = &r->model;
    r->cl.nbuffers = STARPU_VARIABLE_NBUFFERS;
#ifdef STARPU_SIMGRID
    if (cpu) r->cl.cpu_funcs[0] = not_run;
    if (kernels.cuda) {
        r->cl.cuda_funcs[0] = not_run;
        r->cl.cuda_flags[0] = STARPU_CUDA_ASYNC;
    }
    if (kernels.opencl.text) {
        r->cl.opencl_funcs[0] = not_run;
        r->cl.opencl_flags[0] = STARPU_OPENCL_ASYNC;
    }
    return r->cl;
#else
    if (cpu) r->cl.cpu_funcs[0] = cpu_entry;
#ifdef QCD_WITH_CUDA
    if (kernels.cuda) {
        r->cl.cuda_funcs[0] = cuda_entry;
        r->cl.cuda_flags[0] = STARPU_CUDA_ASYNC;
    }
#endif
#ifdef STARPU_USE_OPENCL
    if (kernels.opencl.text) {
        r->cl.opencl_funcs[0] = opencl_entry;
        r->cl.opencl_flags[0] = STARPU_OPENCL_ASYNC;
    }
#endif
    return r->cl;
#endif
}

} // namespace qcd
