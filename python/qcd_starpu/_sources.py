"""Right-hand sides as they are given, and where they are brought to."""

import os

import numpy

from ._errors import BadInput
from ._fields import COMPLEX, numbers, read_source, rotated, shape_of, smear, spin_rotation


class Sources:
    """Right-hand sides, or guesses, as they were given; put() brings one into an array of ours."""

    def __init__(self, b, D, basis, who="b"):
        sites = (*shape_of(D.lattice), 4, 3)
        self.D, self.name = D, None
        self.rotation = None if basis == "degrand-rossi" else spin_rotation(basis)
        self.several = True
        names = [b] if isinstance(b, (str, os.PathLike)) else b
        if isinstance(names, (list, tuple)) and names and all(isinstance(n, (str, os.PathLike)) for n in names):
            self.several = names is b
            self.name = None if self.several else os.fspath(b)
            self.array, self.names, self.count = None, names, len(names)
            self.dtype = COMPLEX
            return
        self.array = numbers(b, who)
        if self.array.shape == sites:
            self.array, self.several = self.array[None], False
        elif self.array.shape[1:] != sites or self.array.shape[0] == 0:
            raise BadInput(f"{who}: its shape is {self.array.shape}, neither {sites} nor (N, "
                           f"{', '.join(map(str, sites))})")
        self.count = self.array.shape[0]
        single = self.array.dtype in (numpy.dtype(numpy.complex64), numpy.dtype(numpy.float32))
        self.dtype = numpy.dtype(numpy.complex64) if single else COMPLEX

    def put(self, number, place):
        if self.array is None:
            place[...] = read_source(self.names[number], self.D)
            return
        place[...] = self.array[number]
        if self.rotation is not None:
            place[...] = rotated(self.rotation, place)


class PropagatorSource:
    """The twelve sources of a propagator, number 3 spin + colour."""

    def __init__(self, D, point, wall, smeared):
        lattice = D.lattice
        if point is not None and wall is not None:
            raise BadInput("propagator: a point or a wall, not both")
        if smeared is not None and wall is not None:
            raise BadInput("propagator: a point is smeared, not a wall")
        try:
            site = [int(n) for n in (point.split(",") if isinstance(point, str) else point or (0, 0, 0, 0))]
            place = site if wall is None else [0, 0, 0, int(wall)]
        except (TypeError, ValueError, AttributeError):
            place = []
        if len(place) != 4 or not all(0 <= x < extent for x, extent in zip(place, lattice)):
            raise BadInput(f"propagator: {'wall' if wall is not None else 'point'} "
                           f"{wall if wall is not None else point!r} is not on the lattice {lattice}")
        self.origin = tuple(place)
        x, y, z, t = place
        self.words = f"--wall {t}" if wall is not None else f"--point {x},{y},{z},{t}"
        at = (slice(None),) * 3 if wall is not None else (z, y, x)
        self._t, self._at, self._smeared = t, at, None
        if smeared is None:
            return
        width, steps = _smearing(smeared)
        self.words += f" --smeared {width:g},{steps}"
        fields = []
        for colour in range(3):
            psi = numpy.zeros((*shape_of(lattice), 4, 3), COMPLEX)
            psi[t, z, y, x, 0, colour] = 1
            fields.append(smear(psi, D.gauge, width, steps, D.theta())[t, :, :, :, 0, :])
        self._smeared = fields

    def put(self, number, place):
        """Into a field that is 0."""
        spin, colour = divmod(number, 3)
        if self._smeared is None:
            place[(self._t, *self._at, spin, colour)] = 1
        else:
            place[self._t, :, :, :, spin, :] = self._smeared[colour]


def _smearing(smeared):
    try:
        width, steps = smeared.split(",") if isinstance(smeared, str) else smeared
        if float(steps) != int(steps):
            raise ValueError
        return float(width), int(steps)
    except (TypeError, ValueError):
        raise BadInput(f"smeared: {smeared!r} is not (W, N), a width and a number of steps") from None
