/* Loaded before StarPU: what never comes back. QCD_STUCK_START: StarPU's start, as where a driver
   hangs. QCD_STUCK_KERNEL=N: the N-th kernel, counted where a worker asks for its task. The file
   QCD_STUCK_SIGN appears when it has come to that. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void hang(void)
{
    close(open(getenv("QCD_STUCK_SIGN"), O_WRONLY | O_CREAT, 0600));
    while (1) pause(); /* signals end it, but not us */
}

int starpu_init(void* options)
{
    int (*next)(void*) = dlsym(RTLD_NEXT, "starpu_init");
    if (getenv("QCD_STUCK_START")) hang();
    return next(options);
}

int starpu_worker_get_id(void);

void* starpu_task_get_current(void)
{
    static int kernels;
    void* (*next)(void) = dlsym(RTLD_NEXT, "starpu_task_get_current");
    const char* stuck = getenv("QCD_STUCK_KERNEL");
    if (stuck && starpu_worker_get_id() >= 0 &&
        __atomic_add_fetch(&kernels, 1, __ATOMIC_RELAXED) == atoi(stuck))
        hang();
    return next();
}
