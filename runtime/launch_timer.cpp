#include "runtime/launch_timer.hpp"

#include "lattice/error.hpp"
#include "lattice/random.hpp"

#include <fmt/format.h>

#include <algorithm>

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace qcd
{

namespace
{

constexpr std::size_t alignment = 256; // as cudaMalloc's

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

} // namespace

std::size_t TimedCall::bytes() const
{
    std::size_t all = 0;
    for (const std::size_t b : slot_bytes) all += aligned(b);
    return all;
}

#ifdef QCD_WITH_CUDA

namespace
{

void require(cudaError_t status, const char* what)
{
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw DeviceError(fmt::format("{}: {}", what, cudaGetErrorString(status)));
}

template <class Real>
std::vector<char> random_numbers(std::size_t bytes)
{
    std::vector<char> out(bytes);
    auto* numbers = reinterpret_cast<Real*>(out.data());
    for (std::size_t i = 0; i < bytes / sizeof(Real); ++i) numbers[i] = Real(uniform(i, 1));
    return out;
}

} // namespace

struct LaunchTimer::Parts {
    int device_before = 0;
    char* memory = nullptr;
    std::size_t bytes = 0;
    cudaStream_t stream = nullptr;
    cudaEvent_t start = nullptr, end = nullptr;

    ~Parts()
    {
        if (end) cudaEventDestroy(end);
        if (start) cudaEventDestroy(start);
        if (stream) cudaStreamDestroy(stream);
        cudaFree(memory);
        cudaSetDevice(device_before);
    }

    /// A few MiB from the host, then doubled.
    void fill(std::size_t real_bytes)
    {
        const std::size_t first = std::min<std::size_t>(bytes, 4 << 20);
        const auto numbers =
            real_bytes == 8 ? random_numbers<double>(first) : random_numbers<float>(first);
        require(cudaMemcpyAsync(memory, numbers.data(), first, cudaMemcpyHostToDevice, stream),
                "random numbers");
        for (std::size_t done = first; done < bytes; done *= 2)
            require(cudaMemcpyAsync(memory + done, memory, std::min(done, bytes - done),
                                    cudaMemcpyDeviceToDevice, stream),
                    "random numbers");
        require(cudaStreamSynchronize(stream), "random numbers");
    }
};

LaunchTimer::LaunchTimer(int device, std::size_t bytes, std::size_t real_bytes)
{
    parts_ = std::make_unique<Parts>();
    cudaGetDevice(&parts_->device_before);
    require(cudaSetDevice(device), "device");
    std::size_t free = 0, total = 0;
    require(cudaMemGetInfo(&free, &total), "memory");
    if (bytes > free / 10 * 9)
        throw Error(
            fmt::format("the kernels' data take {} MiB, {} are free", bytes >> 20, free >> 20));
    require(cudaMalloc(&parts_->memory, bytes), "memory");
    parts_->bytes = bytes;
    require(cudaStreamCreateWithFlags(&parts_->stream, cudaStreamNonBlocking), "stream");
    require(cudaEventCreate(&parts_->start), "event");
    require(cudaEventCreate(&parts_->end), "event");
    parts_->fill(real_bytes);
}

double LaunchTimer::seconds_of(const TimedCall& call, int calls)
{
    void* slots[max_slots] = {};
    char* next = parts_->memory;
    for (std::size_t s = 0; s < call.slot_bytes.size(); ++s) {
        if (call.slot_bytes[s]) slots[s] = next;
        next += aligned(call.slot_bytes[s]);
    }
    require(cudaEventRecord(parts_->start, parts_->stream), "event");
    for (int i = 0; i < calls; ++i)
        call.codelet->kernels.cuda(call.args, slots, {.stream = parts_->stream});
    require(cudaGetLastError(), call.codelet->name.c_str());
    require(cudaEventRecord(parts_->end, parts_->stream), "event");
    require(cudaEventSynchronize(parts_->end), call.codelet->name.c_str());
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, parts_->start, parts_->end), "event");
    return milliseconds * 1e-3 / calls;
}

CudaDevice describe_cuda_device(int device)
{
    cudaDeviceProp p;
    require(cudaGetDeviceProperties(&p, device), "device");
    int driver = 0;
    require(cudaDriverGetVersion(&driver), "driver");
    return {p.name, fmt::format("{}.{}", p.major, p.minor), p.multiProcessorCount,
            fmt::format("{}.{}", driver / 1000, driver % 1000 / 10)};
}

#else

struct LaunchTimer::Parts {
};
LaunchTimer::LaunchTimer(int, std::size_t, std::size_t) { throw Error("this build has no CUDA"); }
double LaunchTimer::seconds_of(const TimedCall&, int) { return 0; }
CudaDevice describe_cuda_device(int) { throw Error("this build has no CUDA"); }

#endif

LaunchTimer::~LaunchTimer() = default;

} // namespace qcd
