"""What solves give."""

import numpy

from ._errors import BadInput
from ._fields import COMPLEX, c_spinor, effective_mass
from ._library import CSpinor, as_path, c_extents, call, library

SOURCES = 12  # of a propagator, number 3 spin + colour


def parts_of(S):
    """The twelve spinors of S."""
    return [S[..., :, n // 3, :, n % 3] for n in range(SOURCES)]


class Report:
    """Of one right-hand side: iterations; |b - D x|/|b|, recomputed from x in double (residual); |x|^2 (norm2);
    the digest of x, as the program prints it; seconds of the solve, of all that were solved together; tasks of
    StarPU, likewise."""

    __slots__ = ("iterations", "residual", "norm2", "digest", "seconds", "tasks")

    def __init__(self, c):
        self.iterations, self.residual, self.norm2 = c.iterations, c.residual, c.norm2
        self.digest, self.seconds, self.tasks = f"{c.digest:016x}", c.seconds, c.tasks

    def as_dict(self):
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self):
        return f"Report({', '.join(f'{k}={v!r}' for k, v in self.as_dict().items())})"


class _Solved:
    """What solutions and propagators have alike."""

    def __init__(self, reports, seconds, plan, command):
        self.reports, self.seconds, self.plan, self.command = reports, seconds, plan, command

    def table(self):
        """A dict for each right-hand side: pandas.DataFrame(solution.table())."""
        return [report.as_dict() for report in self.reports]


class Solution(_Solved):
    """x with D x = b, and what is known of it.

    x: in the shape and the precision of b. residual, iterations, digest, norm2: of the one right-hand side, or a
    list for N. reports: of each. seconds: of the solves, without copies and verification. plan: how they were
    executed. command: what to type for the same with the program; FIELD and SOURCE stand there for arrays, which
    `GaugeField.save` brings into a file.
    """

    def __init__(self, x, one, *facts):
        super().__init__(*facts)
        self.x = x
        self._one = one

    def _each(self, name):
        values = [getattr(report, name) for report in self.reports]
        return values[0] if self._one else values

    iterations = property(lambda self: self._each("iterations"))
    residual = property(lambda self: self._each("residual"))
    norm2 = property(lambda self: self._each("norm2"))
    digest = property(lambda self: self._each("digest"))

    def __array__(self, dtype=None, copy=None):
        x = numpy.asarray(self.x, dtype)
        return x.copy() if copy else x

    def __repr__(self):
        return f"Solution(x{self.x.shape}, {self.reports!r})"


class Propagator(_Solved):
    """S with D S = 1 on a source, twelve solves.

    S: (T, Z, Y, X, 4, 4, 3, 3), spin, spin of the source, colour, colour of the source; in memory each of the twelve
    spinors is in one piece, so that numpy.ascontiguousarray makes the array that other libraries may want. reports: of the sources,
    number 3 spin + colour. origin: (x, y, z, t), from which distances count.
    """

    def __init__(self, S, origin, along, degrand_rossi, *facts):
        super().__init__(*facts)
        self.S, self.origin = S, origin
        self._along, self._degrand_rossi = along, degrand_rossi

    @property
    def lattice(self):
        return tuple(reversed(self.S.shape[:4]))

    def pion(self, along="t"):
        """C(d) = sum of |S|^2 over the sites at distance d from the source, along "t" or "z"."""
        if along not in self._along:
            raise BadInput(f"pion: along {along!r} is neither 't' nor 'z'")
        return self._along[along].copy()

    def effective_mass(self, along="t"):
        """The pion's, in units of 1/a; NaN where there is none."""
        return effective_mass(self.pion(along))

    def save(self, file):
        """Into a file of spinors (docs/spinor-files.md), in its precision; must be in DeGrand-Rossi."""
        if not self._degrand_rossi:
            raise BadInput("save: a propagator is written in the basis degrand-rossi only")
        bits = 64 if self.S.dtype == COMPLEX else 32
        parts = [numpy.ascontiguousarray(part, COMPLEX) for part in parts_of(self.S)]
        spinors = (CSpinor * SOURCES)(*map(c_spinor, parts))
        call(library.qcd_write_spinors, as_path(file), c_extents(self.lattice), SOURCES, 1, spinors, bits,
             b"S of D S = 1")

    def __repr__(self):
        return f"Propagator(S{self.S.shape}, origin={self.origin})"
