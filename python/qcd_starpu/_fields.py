"""Fields in arrays: gauge fields, spinors, their bases, smearing, correlators."""

from ctypes import byref, c_double

import numpy

from ._errors import BadInput
from ._library import CLinks, CSpinor, as_path, c_extents, call, library
from ._options import Options, documented, rows_of

COMPLEX = numpy.dtype(numpy.complex128)
GAUGE_OPTIONS = Options(rows_of("gauge"))
SOURCE_OPTIONS = Options(rows_of("source"))


def lattice_of(value, who="lattice"):
    """(LX, LY, LZ, LT) of four numbers, or of "8x8x8x16"."""
    try:
        numbers = value.replace(".", "x").split("x") if isinstance(value, str) else list(value)
        if any(isinstance(n, float) for n in numbers):
            raise ValueError
        lattice = tuple(int(n) for n in numbers)
    except (TypeError, ValueError):
        lattice = ()
    if len(lattice) != 4 or not all(0 < n <= 4096 for n in lattice):
        raise BadInput(f"{who}: {value!r} is not four extents X, Y, Z, T, such as (16, 16, 16, 32)")
    return lattice


def shape_of(lattice):
    """Of the sites in an array: (T, Z, Y, X)."""
    return tuple(reversed(lattice))


def numbers(array, who, shape=None):
    """An array of numbers, in this shape, that NumPy can convert to complex128; no copy."""
    found = numpy.asarray(array)
    if found.dtype.kind not in "iufc":
        raise BadInput(f"{who}: an array of {found.dtype}, not of numbers")
    if shape is not None and found.shape != tuple(shape):
        raise BadInput(f"{who}: its shape is {found.shape}, not {tuple(shape)}")
    return found


def _site_stride(strides, sites):
    """Bytes from one site to the next where that is one number; else None."""
    site = strides[-1]
    for stride, below in zip(reversed(strides[:-1]), numpy.cumprod(sites[:0:-1])):
        if stride != site * below:
            return None
    return site


def _c_field(array, kind, sites):
    """The C structure of complex numbers that lie as it can say; else None."""
    if array.dtype != COMPLEX or not array.flags.aligned:
        return None
    rest = array.ndim - 4
    site = _site_stride(array.strides[:4], array.shape[:4]) if sites is None else sites
    strides = (site, *array.strides[4:]) if rest == 2 else None
    if site is None or any(s == 0 or s % 8 for s in strides):
        return None
    return kind(array.ctypes.data, *(s // 8 for s in strides))


def c_spinor(array):
    """Of complex128 in the shape (T, Z, Y, X, 4, 3), at most strided; None: it lies otherwise."""
    return _c_field(array, CSpinor, None)


def spin_rotation(basis):
    """U with psi in DeGrand-Rossi = U psi in this basis: "degrand-rossi", "dirac" or "chiral".

    U is real and orthogonal. A propagator in the basis is U^T S U.
    """
    u = (c_double * 16)()
    call(library.qcd_spin_rotation, str(basis).encode(), u)
    return numpy.array(u).reshape(4, 4)


def rotated(u, psi):
    """U psi for spinors of any number of sites before (4, 3)."""
    return numpy.einsum("st,...tc->...sc", u, psi)


class GaugeField:
    """SU(3) links U_mu(x), mu = x, y, z, t.

    `links` is an array of complex128 that cannot be written to, in the shape (4, T, Z, Y, X, 3, 3):
    direction, site, row, column.
    """

    def __init__(self, links):
        """From an array of that shape, of which a copy is kept; its numbers are looked at when a D is made of it."""
        given = numbers(links, "links")
        if given.ndim != 7 or given.shape[0] != 4 or given.shape[5:] != (3, 3):
            raise BadInput(f"links: their shape is {given.shape}, not (4, T, Z, Y, X, 3, 3)")
        sites = numpy.empty((*given.shape[1:5], 4, 3, 3), COMPLEX)
        sites[...] = numpy.moveaxis(given, 0, 4)
        self._keep(sites, None, {})

    @classmethod
    def _of(cls, sites, spec, options):
        field = cls.__new__(cls)
        field._keep(sites, spec, options)
        return field

    def _keep(self, sites, spec, options):
        sites.flags.writeable = False
        self._sites = sites  # (T, Z, Y, X, 4, 3, 3), as C has it
        self._spec = spec  # file or generator; None: an array
        self._options = options

    @classmethod
    def _read(cls, field, lattice, options, who):
        values = GAUGE_OPTIONS.named(options, who)
        text = GAUGE_OPTIONS.text(values).encode()
        extents = c_extents(lattice_of(lattice) if lattice is not None else (0, 0, 0, 0))
        call(library.qcd_read_gauge_with, as_path(field), text, extents, CLinks())
        sites = numpy.empty((*shape_of(extents), 4, 3, 3), COMPLEX)
        call(library.qcd_read_gauge_with, as_path(field), text, extents, CLinks(sites.ctypes.data))
        return cls._of(sites, field, values)

    @classmethod
    @documented(GAUGE_OPTIONS)
    def read(cls, file, lattice=None, **options):
        """Of a file of any format that the program reads (docs/gauge-files.md), whose content tells which.

        A file that is called like a generated field is ./NAME. lattice: (X, Y, Z, T) that it must have.
        """
        return cls._read(file, lattice, options, "GaugeField.read")

    @classmethod
    def generate(cls, spec, lattice):
        """One that the program generates (--gauge): unit, random:SEED, weak:EPS[,SEED], gen:SEED,W, ..."""
        return cls._read(spec, lattice, {}, "GaugeField.generate")

    @property
    def links(self):
        return numpy.moveaxis(self._sites, 4, 0)

    @property
    def lattice(self):
        """(X, Y, Z, T)"""
        return tuple(reversed(self._sites.shape[:4]))

    @property
    def source(self):
        """The file or the generator that it is from; None: an array."""
        return self._spec

    @property
    def reading(self):
        """The keywords with which it was read."""
        return dict(self._options)

    def c_links(self):
        return CLinks(self._sites.ctypes.data)

    def _measured(self):
        plaquette, trace = c_double(), c_double()
        call(library.qcd_plaquette, c_extents(self.lattice), self.c_links(), byref(plaquette), byref(trace))
        return plaquette.value, trace.value

    def plaquette(self):
        """The average of (1/3) Re tr over all plaquettes."""
        return self._measured()[0]

    def link_trace(self):
        """The average of (1/3) Re tr over all links."""
        return self._measured()[1]

    def save(self, file, bits=64):
        """Into a file whose ending tells the format (docs/gauge-files.md): .lime, .nersc, .milc, ..."""
        call(library.qcd_write_gauge, as_path(file), c_extents(self.lattice), self.c_links(), bits)

    def __repr__(self):
        return f"GaugeField({self._spec or 'array'!r}, lattice={'x'.join(map(str, self.lattice))})"


@documented(SOURCE_OPTIONS)
def read_source(source, on, **options):
    """A generated source (--source: random:SEED, point:x,y,z,t,spin,colour, ...) or a spinor of a file.

    on: the lattice (X, Y, Z, T), a GaugeField, or a Dirac, whose boundary phases files then get that have them
    spread over all links. Returns complex128 in the shape (T, Z, Y, X, 4, 3), in DeGrand-Rossi.
    """
    problem = on.c_problem() if hasattr(on, "c_problem") else None
    lattice = on.lattice if hasattr(on, "lattice") else lattice_of(on, "on")
    b = numpy.empty((*shape_of(lattice), 4, 3), COMPLEX)
    text = SOURCE_OPTIONS.text(SOURCE_OPTIONS.named(options, "read_source"))
    call(library.qcd_read_source_with, byref(problem) if problem is not None else None, c_extents(lattice),
         as_path(source), text.encode(), c_spinor(b))
    return b


def smear(psi, gauge, width, steps, theta=None):
    """Gauge-covariant Gaussian smearing in space, on each time slice and for each spin (docs/propagator.md).

    `steps` times psi + sigma (H_s - 6) psi with sigma = width^2/(4 steps). Returns a new array.
    """
    out = numpy.array(numbers(psi, "psi", (*shape_of(gauge.lattice), 4, 3)), COMPLEX, order="C")
    phases = (c_double * 4)(*theta) if theta is not None else None
    call(library.qcd_smear, c_extents(gauge.lattice), gauge.c_links(), phases, float(width), int(steps),
         c_spinor(out))
    return out


def effective_mass(correlator):
    """m with cosh m = (C(d-1) + C(d+1)) / (2 C(d)), in units of 1/a; NaN where there is none, and at d = 0."""
    c = numpy.ascontiguousarray(numbers(correlator, "correlator"), numpy.float64)
    if c.ndim != 1 or c.size == 0:
        raise BadInput(f"correlator: its shape is {c.shape}, not (L,)")
    masses = numpy.empty_like(c)
    call(library.qcd_effective_masses, c.size, c.ctypes.data, masses.ctypes.data)
    return masses
