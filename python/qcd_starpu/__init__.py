"""D x = b for the Wilson-Dirac matrix of lattice QCD, as a graph of tasks on all cores and GPUs.

    from qcd_starpu import Dirac, GaugeField, Session

    with Session(cpus=2) as session:
        U = GaugeField.generate("weak:0.2", lattice=(8, 8, 8, 16))
        D = Dirac(U, kappa=0.125)
        S = session.propagator(D, point=(0, 0, 0, 0), smeared=(2, 10))
        print(S.effective_mass())

Arrays are NumPy's: links (4, T, Z, Y, X, 3, 3), spinors (T, Z, Y, X, 4, 3), propagators
(T, Z, Y, X, 4, 4, 3, 3). docs/python.md says all of it.
"""

from ._dirac import Dirac
from ._errors import BadInput, Error, MissingDevice, NotConverged, VerifyFailed
from ._fields import GaugeField, effective_mass, read_source, smear, spin_rotation
from ._library import version
from ._program import Comparison, Run, Trace, compare, program_command, run, trace
from ._results import Propagator, Solution
from ._session import Session

__version__ = version()
__all__ = [
    "BadInput",
    "Comparison",
    "Dirac",
    "Error",
    "GaugeField",
    "MissingDevice",
    "NotConverged",
    "Propagator",
    "Run",
    "Session",
    "Solution",
    "Trace",
    "VerifyFailed",
    "compare",
    "effective_mass",
    "program_command",
    "read_source",
    "run",
    "smear",
    "spin_rotation",
    "trace",
    "version",
]
