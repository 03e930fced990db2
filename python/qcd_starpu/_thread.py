"""The thread from which a session's calls come, while the caller's waits and can be interrupted.

An exception of a handler of signals, such as KeyboardInterrupt, may be raised between any two lines of the thread that
waits. So nothing here is a Condition or an Event, which are written in Python, and would stay locked then.
"""

import _thread
import queue


class _Job:
    def __init__(self, function):
        self.function = function
        self.taken = _thread.allocate_lock()  # by the thread that runs it, or by the caller who gives it up
        self.ended = False
        self.end = _thread.allocate_lock()  # free once it has ended: to wait for, while `ended` says whether it has
        self.end.acquire()
        self.result = self.problem = None

    def run(self):
        if not self.taken.acquire(blocking=False):
            return
        try:
            self.result = self.function()
        except BaseException as problem:  # it is the caller's
            self.problem = problem
        self.function = None
        self.ended = True
        self.end.release()


class SessionThread:
    """Runs functions one after the other, until end(), or as long as the process lives."""

    # A signal that another thread was given is looked at so often, in seconds.
    LOOK = 0.1

    def __init__(self):
        self._jobs = queue.SimpleQueue()  # whose put() destructors may call
        self._identity = None
        self._over = False
        _thread.start_new_thread(self._work, ())

    def _work(self):
        self._identity = _thread.get_ident()
        while (job := self._jobs.get()) is not None:
            job.run()
            del job

    def _is_here(self):
        return _thread.get_ident() == self._identity

    def run(self, function, stop=None):
        """What the function returns or raises.

        What a handler of signals raises here meanwhile is raised when the function has ended, which stop() is to bring
        about; it is called again and again.
        """
        if self._is_here():  # a destructor, which the garbage collector runs there
            return function()
        job, raised = _Job(function), None
        while True:
            try:
                if raised is None:
                    self._jobs.put(job)
                elif job.taken.acquire(blocking=False):
                    break  # it had not begun, and will not
                while not job.ended:
                    if raised is not None and stop:
                        stop()
                    job.end.acquire(timeout=self.LOOK)
                    if self._over:
                        job.run()  # it came after the last one
                break
            except BaseException as problem:
                raised = raised or problem
        problem = raised or job.problem
        if problem is None:
            return job.result
        try:
            raise problem
        finally:
            del problem, raised, job  # which would keep each other, and the arrays, alive

    def post(self, function):
        """Runs it some time, for a destructor."""
        if self._is_here():
            function()
            return
        job = _Job(function)
        self._jobs.put(job)
        if self._over:
            job.run()

    def end(self):
        """After what was posted before. What comes later is run by who asks for it."""
        if not self._over:
            self._jobs.put(_Job(self._be_over))
            self._jobs.put(None)

    def _be_over(self):
        self._over = True
