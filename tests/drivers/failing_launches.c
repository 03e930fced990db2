/* Loaded before OpenCL's and CUDA's libraries: from the QCD_FAILING_LAUNCH-th launch of a kernel on
   they say that it failed, as drivers do when a device has no memory left or is lost. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

static int fails(int another)
{
    static int launches;
    const char* first = getenv("QCD_FAILING_LAUNCH");
    const int n = another ? __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED)
                          : __atomic_load_n(&launches, __ATOMIC_RELAXED);
    return first && n >= atoi(first);
}

int clEnqueueNDRangeKernel(void* queue, void* kernel, unsigned dimensions, const size_t* offset,
                           const size_t* items, const size_t* group, unsigned count,
                           const void* waits, void* event)
{
    enum { CL_MEM_OBJECT_ALLOCATION_FAILURE = -4 };
    int (*next)(void*, void*, unsigned, const size_t*, const size_t*, const size_t*, unsigned,
                const void*, void*) = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
    if (fails(1)) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return next(queue, kernel, dimensions, offset, items, group, count, waits, event);
}

enum { cudaErrorLaunchFailure = 719 };

int cudaLaunchKernelExC(const void* config, const void* kernel, void** arguments)
{
    int (*next)(const void*, const void*, void**) = dlsym(RTLD_NEXT, "cudaLaunchKernelExC");
    return fails(1) ? cudaErrorLaunchFailure : next(config, kernel, arguments);
}

int cudaGetLastError(void)
{
    int (*next)(void) = dlsym(RTLD_NEXT, "cudaGetLastError");
    return fails(0) ? cudaErrorLaunchFailure : next();
}
