/* A scheduling policy: one stack of ready tasks for all workers. Who is free takes the task that
 * became ready last among those that it can execute, whose data are likely still in a cache. */
#include <starpu.h>
#include <starpu_scheduler.h>
#include <string.h>

static starpu_pthread_mutex_t mutex = STARPU_PTHREAD_MUTEX_INITIALIZER; /* of `ready` */
static struct starpu_task_list ready;

static void lock(void)
{
    starpu_worker_relax_on(); /* whoever waits for a mutex says so */
    starpu_pthread_mutex_lock(&mutex);
    starpu_worker_relax_off();
}

static void begin(unsigned context) { starpu_task_list_init(&ready); }

static int push(struct starpu_task* task) /* all that it waits for is done */
{
    lock();
    starpu_task_list_push_front(&ready, task);
    starpu_push_task_end(task);
    starpu_pthread_mutex_unlock(&mutex); /* from now on somebody may have executed and freed it */
    for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker)
        starpu_wake_worker_relax_light(worker); /* it may sleep */
    return 0;
}

static struct starpu_task* pop(unsigned context) /* for the calling worker, which is free */
{
    lock();
    struct starpu_task* task = starpu_task_list_begin(&ready);
    while (task && !starpu_worker_can_execute_task_first_impl(starpu_worker_get_id(), task, NULL))
        task = starpu_task_list_next(task);
    if (task) starpu_task_list_erase(&ready, task);
    starpu_pthread_mutex_unlock(&mutex);
    return task;
}

static struct starpu_sched_policy newest = {.init_sched = begin,
                                            .push_task = push,
                                            .pop_task = pop,
                                            .policy_name = "newest",
                                            .policy_description = "the newest ready task first"};

struct starpu_sched_policy* starpu_get_sched_lib_policy(const char* name) /* StarPU asks for it */
{
    return strcmp(name, newest.policy_name) == 0 ? &newest : NULL;
}

struct starpu_sched_policy** starpu_get_sched_lib_policies(void) /* a program lists them */
{
    static struct starpu_sched_policy* all[] = {&newest, NULL};
    return all;
}
