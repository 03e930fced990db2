#include "runtime/device_limits.hpp"

#include "base/error.hpp"

#include <string>
#include <vector>

#ifdef STARPU_USE_OPENCL
#include <starpu_opencl.h>
#endif

namespace qcd
{

namespace
{

struct Limits {
    std::string device;
    std::size_t items = 0, local_bytes = 0, cache_bytes = 0;
};

[[maybe_unused]] std::vector<int> workers_of(starpu_worker_archtype kind)
{
    std::vector<int> workers(starpu_worker_get_count_by_type(kind));
    starpu_worker_get_ids_by_type(kind, workers.data(), int(workers.size()));
    return workers;
}

std::vector<Limits> limits_of_devices()
{
    std::vector<Limits> all;
#ifdef STARPU_USE_OPENCL
    for (const int worker : workers_of(STARPU_OPENCL_WORKER)) {
        cl_device_id device;
        starpu_opencl_get_device(starpu_worker_get_devid(worker), &device);
        cl_ulong local_bytes = 0, cache_bytes = 0;
        Limits l{"OpenCL"};
        clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes,
                        nullptr);
        clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof l.items, &l.items, nullptr);
        clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache_bytes, &cache_bytes,
                        nullptr);
        l.local_bytes = local_bytes;
        l.cache_bytes = cache_bytes;
        all.push_back(l);
    }
#endif
#ifdef QCD_WITH_CUDA
    for (const int worker : workers_of(STARPU_CUDA_WORKER)) {
        const int device = starpu_worker_get_devid(worker);
        int items = 0, local_bytes = 0, cache_bytes = 0;
        cudaDeviceGetAttribute(&items, cudaDevAttrMaxThreadsPerBlock, device);
        cudaDeviceGetAttribute(&local_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
        cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, device);
        all.push_back(
            {"CUDA", std::size_t(items), std::size_t(local_bytes), std::size_t(cache_bytes)});
    }
#endif
    return all;
}

} // namespace

long cache_bytes_of_devices()
{
    long sum = 0;
    for (const Limits& l : limits_of_devices()) sum += long(l.cache_bytes);
    return sum;
}

void require_groups_fit(const Codelet& codelet, const void* args)
{
    if (!codelet.operation.groups) return;
    const WorkGroups groups = codelet.operation.groups(codelet.variant, args);
    for (const Limits& l : limits_of_devices()) {
        if (std::size_t(groups.items) > l.items)
            throw Error("{}: work groups of {} items, {} device allows {}", codelet.name,
                        groups.items, l.device, l.items);
        if (groups.local_bytes > l.local_bytes)
            throw Error("{}: a work group needs {} bytes of local memory, {} device "
                        "has {}",
                        codelet.name, groups.local_bytes, l.device, l.local_bytes);
    }
}

} // namespace qcd
