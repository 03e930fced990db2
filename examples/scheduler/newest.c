/* A scheduling policy: one stack of ready tasks for all workers. Who is free takes the task that
 * became ready last among those that it can execute, whose data are likely still in a cache. */
#include <starpu.h>
#include <starpu_scheduler.h>
#include <string.h>

static starpu_pthread_mutex_t mutex; /* of `ready` */
static struct starpu_task_list ready;

static void begin(unsigned context)
{
    (void)context;
    starpu_pthread_mutex_init(&mutex, NULL);
    starpu_task_list_init(&ready);
}

static void end(unsigned context)
{
    (void)context;
    starpu_pthread_mutex_destroy(&mutex);
}

/* All that the task waits for is done. */
static int push(struct starpu_task* task)
{
    starpu_worker_relax_on(); /* whoever waits for a mutex says so */
    starpu_pthread_mutex_lock(&mutex);
    starpu_worker_relax_off();
    starpu_task_list_push_front(&ready, task);
    starpu_push_task_end(task);
    starpu_pthread_mutex_unlock(&mutex); /* from now on somebody may have executed and freed it */
    for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker)
        starpu_wake_worker_relax_light((int)worker); /* it may sleep */
    return 0;
}

/* The calling worker has nothing to do. */
static struct starpu_task* pop(unsigned context)
{
    const unsigned worker = starpu_worker_get_id_check();
    (void)context;
    starpu_worker_relax_on();
    starpu_pthread_mutex_lock(&mutex);
    starpu_worker_relax_off();
    struct starpu_task* task = starpu_task_list_begin(&ready);
    while (task && !starpu_worker_can_execute_task_first_impl(worker, task, NULL))
        task = starpu_task_list_next(task);
    if (task) starpu_task_list_erase(&ready, task);
    starpu_pthread_mutex_unlock(&mutex);
    return task;
}

static struct starpu_sched_policy newest = {.init_sched = begin,
                                            .deinit_sched = end,
                                            .push_task = push,
                                            .pop_task = pop,
                                            .policy_name = "newest",
                                            .policy_description = "the newest ready task first"};

/* What StarPU asks the library for. */
struct starpu_sched_policy** starpu_get_sched_lib_policies(void)
{
    static struct starpu_sched_policy* all[] = {&newest, NULL};
    return all;
}

struct starpu_sched_policy* starpu_get_sched_lib_policy(const char* name)
{
    return strcmp(name, newest.policy_name) == 0 ? &newest : NULL;
}
