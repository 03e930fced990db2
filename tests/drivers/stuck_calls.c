/* Loaded before StarPU: what never comes back. QCD_STUCK_START: StarPU's start, as where a driver
   hangs. QCD_STUCK_KERNEL=N: the N-th kernel, counted where a worker asks for its task.
   QCD_STUCK_LIST=N: what a worker has of the N-th lists of a replayed schedule that are started by
   another worker; QCD_REFUSED_LIST=N: StarPU does not take that one. The file QCD_STUCK_SIGN appears
   when it has come to that. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <starpu.h>
#include <stdlib.h>
#include <unistd.h>

static void give_sign(void)
{
    close(open(getenv("QCD_STUCK_SIGN"), O_WRONLY | O_CREAT, 0600));
}

static void hang(void)
{
    give_sign();
    while (1) pause(); /* signals end it, but not us */
}

/* Is this call the one of which the variable has the number? */
static int is_the_one(const char* variable, int* calls)
{
    const char* number = getenv(variable);
    return number && __atomic_add_fetch(calls, 1, __ATOMIC_RELAXED) == atoi(number);
}

int starpu_init(struct starpu_conf* conf)
{
    int (*next)(struct starpu_conf*) = dlsym(RTLD_NEXT, "starpu_init");
    if (getenv("QCD_STUCK_START")) hang();
    return next(conf);
}

struct starpu_task* starpu_task_get_current(void)
{
    static int kernels;
    struct starpu_task* (*next)(void) = dlsym(RTLD_NEXT, "starpu_task_get_current");
    if (starpu_worker_get_id() >= 0 && is_the_one("QCD_STUCK_KERNEL", &kernels)) hang();
    return next();
}

static void stuck_list(void** buffers, void* argument)
{
    (void)buffers;
    (void)argument;
    hang();
}

#undef starpu_task_submit /* StarPU's headers may have a macro of this name */
int starpu_task_submit(struct starpu_task* task)
{
    static int stuck, refused;
    static struct starpu_codelet stuck_codelet;
    int (*next)(struct starpu_task*) = dlsym(RTLD_NEXT, "starpu_task_submit");
    if (starpu_worker_get_id() < 0) return next(task); /* only lists are submitted by a worker */
    if (is_the_one("QCD_REFUSED_LIST", &refused)) {
        give_sign();
        return -ENODEV;
    }
    if (is_the_one("QCD_STUCK_LIST", &stuck)) {
        starpu_codelet_init(&stuck_codelet);
        stuck_codelet.cpu_funcs[0] = stuck_list;
        task->cl = &stuck_codelet;
    }
    return next(task);
}
