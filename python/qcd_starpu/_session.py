"""Sessions, and what is solved in them."""

import os
import shlex
import weakref
from ctypes import byref

import numpy

from ._dirac import real
from ._errors import BadInput, Error, error_of
from ._fields import COMPLEX, GAUGE_OPTIONS, c_spinor, rotated, shape_of, spin_rotation
from ._library import BAD_INPUT, DONE, FOLDER, MISSING_DEVICE, CError, CReport, CSpinor, c_extents
from ._library import call, library, opened
from ._options import Options, documented, rows_of
from ._results import SOURCES, Propagator, Report, Solution, parts_of
from ._sources import PropagatorSource, Sources
from ._thread import SessionThread

SESSION_OPTIONS = Options(rows_of("session"))
SOLVE_OPTIONS = Options(rows_of("solve"))
APPLY_OPTIONS = Options([row for row in rows_of("solve") if row["name"] in ("--precision", "--links", "--tiles")])


def _tolerance(values):
    """Taken out of the keywords; 0: none is said."""
    if "tol" not in values:
        return 0.0
    tolerance = real(values.pop("tol"), "tol")
    if not 0 < tolerance < 1:
        raise BadInput(f"--tol: '{tolerance!r}' is not a number between 0 and 1")
    return tolerance


class _Solver:
    """One of the library's. Who tells it to stop, from another thread, has it meanwhile, so that it is not closed."""

    def __init__(self, thread, key, handle):
        self.thread, self.key, self.handle = thread, key, handle

    def __del__(self, close=library.qcd_solver_close):
        handle = self.handle
        self.thread.post(lambda: close(handle))


class _Handles:
    """What a session has of the library. Its thread alone changes them."""

    session = solver = None

    def stop(self):
        """From any thread: the solve that runs."""
        solver = self.solver
        if solver is not None:
            library.qcd_solver_stop(solver.handle)

    def close(self):
        self.solver = None
        session, self.session = self.session, None
        if session:
            library.qcd_session_close(session)


def _close(pid, thread, handles):
    """Of a session: by close(), when nobody has it any more, or at the end of the process."""
    if os.getpid() != pid:  # a child by fork() has none of the threads
        return
    thread.run(handles.close, handles.stop)
    thread.end()


class _Place:
    """Environment of a session that opens: plugins of the hwloc that the wheel has."""

    def __enter__(self):
        self.folder = os.path.join(FOLDER, "lib", "hwloc")
        self.set = os.path.isdir(self.folder) and "HWLOC_PLUGINS_PATH" not in os.environ
        if self.set:
            os.environ["HWLOC_PLUGINS_PATH"] = self.folder

    def __exit__(self, *_):
        if self.set:
            os.environ.pop("HWLOC_PLUGINS_PATH", None)


class Session:
    """StarPU with its workers, from here until close(), or the end of a `with`. One at a time in a process.

    Several threads may share it: their solves are done one after the other. Ctrl-C, or any exception that a handler
    of signals raises, ends a solve, and the session goes on.
    """

    @documented(SESSION_OPTIONS)
    def __init__(self, **options):
        """Starts StarPU. What is not said is chosen for the lattice, plan, tiles and precision that stand here."""
        text = SESSION_OPTIONS.text(SESSION_OPTIONS.named(options, "Session"))
        self._thread = SessionThread()
        self._handles = handles = _Handles()
        self._pid = os.getpid()

        def start():
            with _Place():
                handles.session = opened(library.qcd_session_open, text.encode())

        self._finalizer = weakref.finalize(self, _close, self._pid, self._thread, handles)
        try:
            self._thread.run(start)
        except BaseException:
            self.close()
            raise

    def close(self):
        """Ends StarPU. Solutions stay; a second time nothing is done."""
        _close(self._pid, self._thread, self._handles)
        self._finalizer.detach()

    def __enter__(self):
        self._handle()
        return self

    def __exit__(self, *_):
        self.close()

    def _handle(self):
        if os.getpid() != self._pid:
            raise Error("session: it was opened in another process, of which this is a fork")
        session = self._handles.session
        if not session:
            raise Error("session: it is closed")
        return session

    # ---- all that follows with an underscore runs in the session's thread

    def _solver(self, D, text, tolerance, twelve=False):
        """The solver of this problem, which is kept until another one is asked for."""
        session = self._handle()
        key = (D, text, tolerance, twelve)
        there = self._handles.solver
        if there is None or there.key != key:
            del there
            self._handles.solver = None  # its memory is free before that of another one is taken
            problem = D.c_problem(text, tolerance)
            make = library.qcd_solver_open_propagator if twelve else library.qcd_solver_open
            self._handles.solver = _Solver(self._thread, key, opened(make, session, byref(problem)))
        return self._handles.solver.handle

    def _solve(self, D, solver, b, x, guess, count):
        """So many sources in a group; reports, status and line of what is wrong."""
        rhs = library.qcd_solver_rhs(solver)
        if rhs > count:  # 0 for those that there are not
            zeros = numpy.zeros((*shape_of(D.lattice), 4, 3), COMPLEX)
            rest = c_spinor(zeros)
            b, x = [*b, *[rest] * (rhs - count)], [*x, *[rest] * (rhs - count)]
        reports, error = (CReport * rhs)(), CError()
        status = library.qcd_solver_solve_all(solver, rhs, (CSpinor * rhs)(*b), (CSpinor * rhs)(*x), guess, reports,
                                              byref(error))
        if status in (BAD_INPUT, MISSING_DEVICE):
            raise error_of(status, error.line)
        facts = library.qcd_solver_plan(solver).decode(), library.qcd_solver_command(solver).decode()
        return ([Report(r) for r in reports[:count]], status, error.line), facts

    def _run(self, function):
        self._handle()
        return self._thread.run(function, self._handles.stop)

    # ---- what is asked of it

    @documented(SOLVE_OPTIONS)
    def solve(self, D, b, *, guess=None, basis="degrand-rossi", **options):
        """x with D x = b.

        b: an array (T, Z, Y, X, 4, 3), or (N, T, Z, Y, X, 4, 3) for N right-hand sides, of which `rhs` are solved
        together (12, or N); complex128, or complex64, which x then is, too, whatever the precision of the solve.
        Or a source by name ("random:1"), or a list of names. guess: what x begins with, as b. basis: of the spins
        of arrays: degrand-rossi, dirac, chiral.

        Raises NotConverged where the tolerance is not reached; its `result` is the Solution so far.
        """
        values = SOLVE_OPTIONS.named(options, "solve")
        sources = Sources(b, D, basis)
        guesses = None if guess is None else Sources(guess, D, basis, "guess")
        if guesses is not None and guesses.count != sources.count:
            raise BadInput(f"guess: there are {guesses.count}, and {sources.count} right-hand sides")
        group = values.pop("rhs", min(sources.count, 12))
        tolerance = _tolerance(values)
        text = SOLVE_OPTIONS.text({**values, "rhs": group} if group != 1 else values)
        if not isinstance(group, (int, numpy.integer)) or not 1 <= group <= 64:
            raise BadInput(f"--rhs: {group!r} is no whole number from 1 to 64")

        x = numpy.empty((sources.count, *shape_of(D.lattice), 4, 3), sources.dtype)
        reports, worst, line, seconds, facts = [], DONE, "", 0.0, None
        for first in range(0, sources.count, group):
            count = min(group, sources.count - first)

            def solve_group(first=first, count=count):
                solver = self._solver(D, text, tolerance)
                direct = x.dtype == COMPLEX
                # b stands where x will, but for a guess, which does already.
                work = x[first:first + count] if direct else numpy.empty((count, *x.shape[1:]), COMPLEX)
                rhs = work if guesses is None else numpy.empty_like(work)
                for i in range(count):
                    sources.put(first + i, rhs[i])
                    if guesses is not None:
                        guesses.put(first + i, work[i])
                found = self._solve(D, solver, [c_spinor(s) for s in rhs], [c_spinor(s) for s in work],
                                    int(guesses is not None), count)
                if sources.rotation is not None:
                    for i in range(count):
                        work[i] = rotated(sources.rotation.T, work[i])
                if not direct:
                    x[first:first + count] = work
                return found

            (some, status, said), facts = self._run(solve_group)
            reports += some
            seconds += some[0].seconds
            if status > worst:
                worst, line = status, said
        plan, command = facts
        solution = Solution(x if sources.several else x[0], not sources.several, reports, seconds, plan,
                            _command(command, D, sources.name))
        if worst != DONE:
            raise error_of(worst, line, solution)
        return solution

    @documented(SOLVE_OPTIONS)
    def propagator(self, D, *, point=None, wall=None, smeared=None, basis="degrand-rossi", dtype=numpy.complex128,
                   **options):
        """S with D S = 1, for the twelve spins and colours of a source; the pion's correlator.

        point: (x, y, z, t), where the source is 1 (0, 0, 0, 0). wall: the time slice on all sites of which it is.
        smeared: (W, N), the point smeared in space with width W by N steps. dtype: complex128 or complex64, of S.
        Where neither solver nor sloppy nor precision is said, the method is that of the program's propagator; rhs
        of the sources are solved together, as many as memory holds.
        """
        values = SOLVE_OPTIONS.named(options, "propagator")
        kind = numpy.dtype(dtype)
        if kind not in (COMPLEX, numpy.dtype(numpy.complex64)):
            raise BadInput(f"dtype: {kind} is neither complex128 nor complex64")
        source = PropagatorSource(D, point, wall, smeared)
        tolerance = _tolerance(values)
        text = SOLVE_OPTIONS.text(values)
        rotation = None if basis == "degrand-rossi" else spin_rotation(basis)
        # Spin and colour of the source, then those of a field: what is solved for is in one piece.
        S = numpy.zeros((4, 3, *shape_of(D.lattice), 4, 3), kind).transpose(2, 3, 4, 5, 6, 0, 7, 1)
        along = {"t": numpy.zeros(D.lattice[3]), "z": numpy.zeros(D.lattice[2])}
        reports, seconds, facts, worst, line = [], 0.0, None, DONE, ""

        def solve_group(first):
            solver = self._solver(D, text, tolerance, twelve=True)
            count = min(library.qcd_solver_rhs(solver), SOURCES - first)
            places = parts_of(S)[first:first + count]
            work = places if kind == COMPLEX else [numpy.zeros(place.shape, COMPLEX) for place in places]
            for i, place in enumerate(work):
                source.put(first + i, place)
            there = [c_spinor(w) for w in work]
            found = self._solve(D, solver, there, there, 0, count)
            if kind != COMPLEX:
                self._add_pion(D, source.origin, there, along)
                for place, w in zip(places, work):
                    place[...] = w
            return found

        while len(reports) < SOURCES:
            (some, status, said), facts = self._run(lambda: solve_group(len(reports)))
            reports += some
            seconds += some[0].seconds
            if status > worst:
                worst, line = status, said
        if kind == COMPLEX:
            self._add_pion(D, source.origin, [c_spinor(part) for part in parts_of(S)], along)
        if rotation is not None:
            for t in range(S.shape[0]):  # a slice at a time, for memory's sake
                S[t] = numpy.einsum("as,zyxabcd,bq->zyxsqcd", rotation, S[t], rotation)
        plan, command = facts
        result = Propagator(S, source.origin, along, rotation is None, reports, seconds, plan,
                            _command(command, D, None).replace(" --source SOURCE", "").replace(
                                "qcd_starpu", f"qcd_starpu propagator {source.words}", 1))
        if worst != DONE:
            raise error_of(worst, line, result)
        return result

    @documented(APPLY_OPTIONS)
    def apply(self, D, psi, *, basis="degrand-rossi", **options):
        """D psi, of an array (T, Z, Y, X, 4, 3), in double unless `precision` says otherwise."""
        text = APPLY_OPTIONS.text(APPLY_OPTIONS.named(options, "apply"))
        source = Sources(psi, D, basis, "psi")
        if source.several:
            raise BadInput("psi: one field")
        out = numpy.empty((*shape_of(D.lattice), 4, 3), COMPLEX)

        def apply():
            solver = self._solver(D, text, 0.0)
            source.put(0, out)
            call(library.qcd_solver_apply, solver, c_spinor(out), c_spinor(out))

        self._run(apply)
        if source.rotation is not None:
            out = rotated(source.rotation.T, out)
        return out.astype(source.dtype, copy=False)

    @staticmethod
    def _add_pion(D, origin, spinors, along):
        call(library.qcd_pion, c_extents(D.lattice), c_extents(origin), len(spinors),
             (CSpinor * len(spinors))(*spinors), along["t"].ctypes.data, along["z"].ctypes.data)

    def __repr__(self):
        return f"Session({'open' if self._handles.session else 'closed'})"


def _command(command, D, source):
    """With the names of field and source where they have some."""
    if D.gauge.source is not None:
        words = [f"--gauge {shlex.quote(os.fspath(D.gauge.source))}"]
        words += [shlex.quote(w) for w in GAUGE_OPTIONS.words(D.gauge.reading)]
        command = command.replace("--gauge FIELD", " ".join(words), 1)
    if source is not None:
        command = command.replace("--source SOURCE", f"--source {shlex.quote(source)}", 1)
    return command
