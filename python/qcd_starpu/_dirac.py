"""The operator, as a value."""

from ctypes import c_char_p

import numpy

from ._errors import BadInput
from ._fields import GaugeField
from ._library import CProblem
from ._options import Options, documented, rows_of

OPERATOR_OPTIONS = Options(rows_of("operator"))


def real(value, who):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise BadInput(f"{who}: {value!r} is no number") from None


class Dirac:
    """D = 1 - kappa H + i kappa csw sum_{mu<nu} sigma_munu F_munu + i mubar gamma5 on a gauge field.

    A value: it needs no session, and what it is made of does not change. Signs and gamma matrices are those of
    docs/conventions.md.
    """

    @documented(OPERATOR_OPTIONS)
    def __init__(self, gauge, **options):
        """On a GaugeField, or on an array of links, of which a copy is kept. kappa or mass must be given."""
        self._gauge = gauge if isinstance(gauge, GaugeField) else GaugeField(gauge)
        values = OPERATOR_OPTIONS.named(options, "Dirac")
        if ("kappa" in values) == ("mass" in values):
            raise TypeError("Dirac(): one of kappa and mass is needed")
        self._kappa = (
            real(values["kappa"], "kappa") if "kappa" in values else
            numpy.divide(1.0, 2 * (real(values["mass"], "mass") + 4)).item())
        self._mubar = real(values.get("mubar", 0), "mubar")
        self._values = {k: v for k, v in values.items() if k not in ("kappa", "mass", "mubar")}
        self._text = OPERATOR_OPTIONS.text(self._values)

    gauge = property(lambda self: self._gauge)
    kappa = property(lambda self: self._kappa)
    mass = property(lambda self: 1 / (2 * self._kappa) - 4)
    mubar = property(lambda self: self._mubar)
    lattice = property(lambda self: self._gauge.lattice)

    def c_problem(self, options="", tolerance=0.0):
        """The C structure; what it points to lives as long as this and the structure."""
        p = CProblem()
        p.extents[:] = self.lattice
        p.kappa, p.mubar, p.tolerance = self.kappa, self.mubar, tolerance
        p.links = self.gauge.c_links()
        p.options = c_char_p(f"{self._text} {options}".encode())
        return p

    def theta(self):
        """Its angles in units of pi, as numbers; None: there are none."""
        theta = self._values.get("theta")
        if theta is None:
            return None
        return [float(t) for t in (theta.split(",") if isinstance(theta, str) else theta)]

    def __repr__(self):
        more = "".join(f", {k}={v!r}" for k, v in self._values.items())
        return f"Dirac({self.gauge!r}, kappa={self.kappa!r}{f', mubar={self.mubar!r}' if self.mubar else ''}{more})"
