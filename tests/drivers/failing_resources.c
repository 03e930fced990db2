/* Loaded before all libraries: what a system that has no more of it refuses to C++; StarPU, OpenMP
   and other libraries get it. QCD_FAILING_THREAD=N: threads from the N-th on. QCD_FAILING_BYTES=N:
   memory of N bytes and more, from the QCD_FAILING_ALLOCATION-th of these on.
   QCD_FAILING_IN_TASKS=1: all memory in tasks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* 0: it is not asked for. */
static long asked(const char* variable)
{
    const char* value = getenv(variable);
    return value ? atol(value) : 0;
}

static int is_of_cpp(const void* caller)
{
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libstdc++");
}

int pthread_create(void* thread, const void* attributes, void* (*run)(void*), void* argument)
{
    static int threads;
    int (*next)(void*, const void*, void* (*)(void*), void*) = dlsym(RTLD_NEXT, "pthread_create");
    const long first = asked("QCD_FAILING_THREAD");
    if (first > 0 && is_of_cpp(__builtin_return_address(0)) &&
        __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED) >= first)
        return EAGAIN;
    return next(thread, attributes, run, argument);
}

static int is_in_task(void)
{
    int (*worker)(void) = dlsym(RTLD_DEFAULT, "starpu_worker_get_id");
    return worker && worker() >= 0;
}

static int fails(size_t bytes, const void* caller)
{
    static int allocations;
    const long least = asked("QCD_FAILING_BYTES");
    if (asked("QCD_FAILING_IN_TASKS") && is_in_task() && is_of_cpp(caller)) return 1;
    return least > 0 && bytes >= (size_t)least && is_of_cpp(caller) &&
           __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) >= asked("QCD_FAILING_ALLOCATION");
}

void* __libc_malloc(size_t);

void* malloc(size_t bytes)
{
    static __thread int is_asking; /* what asks may need memory itself */
    if (is_asking) return __libc_malloc(bytes);
    is_asking = 1;
    const int refused = fails(bytes, __builtin_return_address(0));
    is_asking = 0;
    if (!refused) return __libc_malloc(bytes);
    errno = ENOMEM;
    return NULL;
}
