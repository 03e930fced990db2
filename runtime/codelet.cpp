#include "runtime/codelet.hpp"

#include "runtime/device_failure.hpp"
#include "runtime/kernel_times.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/pulse.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

#ifdef QCD_WITH_CUDA
#include <starpu_cuda.h>
#endif

namespace qcd
{

namespace
{

void (*observer)(void* buffers[], void* arg) = nullptr;

constexpr const char* suffix[] = {"f64", "f32", "f32_in_f64"};

/// A running task: its operation, arguments and a pointer per slot.
struct Call {
    const Codelet& codelet;
    const TaskHeader& header;
    const void* args;
    void* slot[max_slots] = {};

    Call(void* buffers[], void* arg)
        : codelet(*reinterpret_cast<const Codelet*>(starpu_task_get_current()->cl)),
          header(*static_cast<const TaskHeader*>(arg)),
          args(static_cast<const char*>(arg) + task_header_bytes)
    {
        beat();
        for (int s = 0, b = 0; s < codelet.family->slots; ++s)
            if (header.present >> s & 1) slot[s] = buffers[b++];
    }
};

void cpu_entry(void* buffers[], void* arg)
{
    if (observer) observer(buffers, arg);
    Call call(buffers, arg);
    for (void*& s : call.slot)
        if (s) s = reinterpret_cast<void*>(STARPU_VECTOR_GET_PTR(s));
    const TimedKernel timed(call.codelet, call.header.work, call.slot);
    execute_on_cores(call.codelet, call.args, call.slot, call.header.manner);
}

#ifdef QCD_WITH_CUDA
void cuda_entry(void* buffers[], void* arg)
{
    Call call(buffers, arg);
    for (void*& s : call.slot)
        if (s) s = reinterpret_cast<void*>(STARPU_VECTOR_GET_PTR(s));
    const cudaStream_t stream = starpu_cuda_get_local_stream();
    const TimedKernel timed(call.codelet, call.header.work, stream);
    const Manner& manner = call.header.manner;
    call.codelet.cuda_kernel(manner.row_bytes)(call.args, call.slot,
                                               {.stream = stream, .downwards = manner.downwards});
    check_cuda(cudaGetLastError());
}
#endif

#ifdef STARPU_USE_OPENCL
void opencl_entry(void* buffers[], void* arg)
{
    Call call(buffers, arg);
    for (void*& s : call.slot)
        if (s) s = reinterpret_cast<void*>(STARPU_VECTOR_GET_DEV_HANDLE(s));
    const TimedKernel timed(call.codelet, call.header.work, opencl_finish);
    opencl_launch(call.codelet, call.args, call.slot, {.manner = call.header.manner});
}
#endif

void fill(Codelet& c, const CodeletFamily& family, const Kernels& kernels, Precision precision)
{
    const int p = int(precision);
    c.family = &family;
    c.precision = precision;
    c.kernels = kernels[p];
    c.cpu = c.kernels.cpu[int(cpu_isa())];
    if (family.links == LinkStorage::full)
        std::snprintf(c.name, sizeof c.name, "%s_%s", family.name, suffix[p]);
    else
        std::snprintf(c.name, sizeof c.name, "%s_links%d_%s", family.name, reals(family.links),
                      suffix[p]);
    if (c.cpu == nullptr) return; // the operation has no such precision
    starpu_codelet_init(&c.cl);
    std::memset(&c.model, 0, sizeof c.model);
    c.model.type = STARPU_HISTORY_BASED;
    c.model.symbol = c.name;
    // The default, but StarPU 1.4 first looks, without a lock, into a table that another worker may
    // be moving: seldom, a crash.
    c.model.footprint = starpu_task_data_footprint;
    c.cl.name = c.name;
    c.cl.model = &c.model;
    c.cl.nbuffers = STARPU_VARIABLE_NBUFFERS;
    c.cl.cpu_funcs[0] = cpu_entry;
#ifdef QCD_WITH_CUDA
    if (c.kernels.cuda[0]) {
        c.cl.cuda_funcs[0] = cuda_entry;
        c.cl.cuda_flags[0] = STARPU_CUDA_ASYNC;
    }
#endif
#ifdef STARPU_USE_OPENCL
    if (family.opencl) {
        c.cl.opencl_funcs[0] = opencl_entry;
        c.cl.opencl_flags[0] = STARPU_OPENCL_ASYNC;
    }
#endif
}

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

void observe_cpu_tasks(void (*see)(void* buffers[], void* arg)) { observer = see; }

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

#else

std::vector<int> cuda_devices() { return {}; }
int all_cuda_devices() { return 0; }
std::string cuda_problem() { return "this build has no CUDA"; }

#endif

const char* to_string(Isa isa)
{
    return isa == Isa::avx512 ? "avx512" : isa == Isa::avx2 ? "avx2" : "generic";
}

CodeletFamily::CodeletFamily(const Operation& operation, const Kernels& kernels)
    : Operation(operation)
{
    for (const Precision p : {Precision::f64, Precision::f32, Precision::f32_in_f64})
        fill(codelets_[int(p)], *this, kernels, p);
}

} // namespace qcd
