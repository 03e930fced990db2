"""The thread from which a session's calls come, while the caller's waits and can be interrupted."""

import queue
import threading


class _Job:
    def __init__(self, function):
        self.function = function
        self.taken = threading.Lock()  # by the thread that runs it, or by the caller who gives it up
        self.done = threading.Event()
        self.result = self.problem = None

    def run(self):
        if not self.taken.acquire(blocking=False):
            return
        try:
            self.result = self.function()
        except BaseException as problem:  # it is the caller's
            self.problem = problem
        self.function = None
        self.done.set()


class SessionThread:
    """Runs functions one after the other. It ends with the process, or by end()."""

    # A signal that another thread was given is looked at so often, in seconds.
    LOOK = 0.1

    def __init__(self):
        self._jobs = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="qcd_starpu", daemon=True)
        self._thread.start()

    def _work(self):
        while (job := self._jobs.get()) is not None:
            job.run()
            del job

    def run(self, function, stop=None):
        """What the function returns or raises.

        What a handler of signals raises here meanwhile, such as KeyboardInterrupt, is raised when the function has
        ended, which stop() is to bring about; it is called again and again.
        """
        if threading.current_thread() is self._thread:  # a finalizer that the garbage collector runs there
            return function()
        job = _Job(function)
        raised = None
        while True:
            try:
                if raised is None and not job.done.is_set():
                    self._jobs.put(job)
                    while not job.done.wait(self.LOOK):
                        pass
                elif raised is not None:
                    while not job.done.wait(self.LOOK):
                        if stop:
                            stop()
                break
            except BaseException as problem:
                if raised is None:
                    raised = problem
                    if job.taken.acquire(blocking=False):
                        break  # it had not begun, and will not
                    if stop:
                        stop()
        problem = raised or job.problem
        if problem is None:
            return job.result
        try:
            raise problem
        finally:
            del problem, raised, job  # which would keep each other, and the arrays, alive

    def end(self):
        self._jobs.put(None)
