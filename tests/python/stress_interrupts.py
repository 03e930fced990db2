"""Interrupts at any moment, for so many seconds: what comes after them is right, and nothing hangs or crashes.

An exception of a handler of signals may be raised between any two lines, also of Python's own library, so that a lock of
that may stay locked; of the package's none does. stress_interrupts.py SECONDS
"""

import faulthandler
import gc
import random
import signal
import sys
import time

from qcd_starpu import Dirac, Error, GaugeField, Session, read_source


def strike(*_):
    raise KeyboardInterrupt


def main(seconds):
    seed = random.randrange(2**32)
    print("seed", seed, flush=True)
    random.seed(seed)
    faulthandler.dump_traceback_later(seconds + 60, exit=True)  # it hangs
    gc.set_threshold(50)
    U = GaugeField.generate("weak:0.2", (4, 4, 4, 8))
    operators = [Dirac(U, kappa=kappa) for kappa in (0.12, 0.13)]
    b = read_source("random:3", U)
    digests = {}
    session, solved, interrupted = None, 0, 0
    signal.signal(signal.SIGALRM, strike)
    sys.unraisablehook = lambda _: None  # interrupts in destructors
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0005, 0.06))
            if session is None:
                session = Session(cpus=random.choice([1, 2]))
            which, method = random.randrange(2), random.choice(["cg", "bicgstab"])
            digest = session.solve(operators[which], b, method=method).digest
            signal.setitimer(signal.ITIMER_REAL, 0)
            solved += 1
            if digests.setdefault((which, method), digest) != digest:
                sys.exit(f"{which} {method}: {digest}, before {digests[which, method]}")
            if random.random() < 0.05:
                signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0005, 0.06))
                session.close()
                session = None
        except KeyboardInterrupt:
            interrupted += 1
        except Error as error:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if "closed" not in str(error) and "close the session" not in str(error):
                raise
            session = None
            gc.collect()
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(f"{solved} solves, {interrupted} interrupts")
    if not solved or not interrupted:
        sys.exit("nothing was tried")


main(float(sys.argv[1]))
