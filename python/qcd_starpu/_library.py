"""The C functions of api/qcd_starpu.h, by ctypes, which lets go of the GIL in each call."""

import ctypes
import os
import warnings
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_long, c_ssize_t
from ctypes import c_uint64, c_void_p

from ._errors import error_of

FOLDER = os.path.dirname(os.path.abspath(__file__))

DONE, NOT_CONVERGED, BAD_INPUT, VERIFY_FAILED, MISSING_DEVICE = range(5)


class CError(Structure):
    _fields_ = [("status", c_int), ("message", c_char * 512)]

    @property
    def line(self):
        return self.message.decode("utf-8", "replace")


class CLinks(Structure):
    _fields_ = [("data", c_void_p), ("site", c_ssize_t), ("direction", c_ssize_t), ("row", c_ssize_t),
                ("column", c_ssize_t)]


class CSpinor(Structure):
    _fields_ = [("data", c_void_p), ("site", c_ssize_t), ("spin", c_ssize_t), ("colour", c_ssize_t)]


class CProblem(Structure):
    _fields_ = [("extents", c_int * 4), ("kappa", c_double), ("mubar", c_double), ("tolerance", c_double),
                ("links", CLinks), ("options", c_char_p)]


class CReport(Structure):
    _fields_ = [("iterations", c_int), ("residual", c_double), ("iterated", c_double), ("norm2", c_double),
                ("digest", c_uint64), ("seconds", c_double), ("tasks", c_long)]


def _found():
    named = os.environ.get("QCD_STARPU_LIBRARY")
    return named or os.path.join(FOLDER, "lib", "libqcd_starpu.so")


def _loaded():
    path = _found()
    try:
        return ctypes.CDLL(path)
    except OSError as problem:
        raise ImportError(
            f"qcd_starpu: the library is not there, or what it needs is not: {problem}. The wheel has it "
            "(./bootstrap wheel); beside a build, QCD_STARPU_LIBRARY names build/release/api/libqcd_starpu.so"
        ) from None


library = _loaded()

_EXTENTS = POINTER(c_int)
_FUNCTIONS = {
    "qcd_session_open": (c_void_p, c_char_p, POINTER(CError)),
    "qcd_session_close": (None, c_void_p),
    "qcd_solver_open": (c_void_p, c_void_p, POINTER(CProblem), POINTER(CError)),
    "qcd_solver_open_propagator": (c_void_p, c_void_p, POINTER(CProblem), POINTER(CError)),
    "qcd_solver_close": (None, c_void_p),
    "qcd_solver_plan": (c_char_p, c_void_p),
    "qcd_solver_command": (c_char_p, c_void_p),
    "qcd_solver_rhs": (c_int, c_void_p),
    "qcd_solver_stop": (None, c_void_p),
    "qcd_solver_solve_all": (c_int, c_void_p, c_int, POINTER(CSpinor), POINTER(CSpinor), c_int, POINTER(CReport),
                             POINTER(CError)),
    "qcd_solver_apply": (c_int, c_void_p, CSpinor, CSpinor, POINTER(CError)),
    "qcd_read_gauge_with": (c_int, c_char_p, c_char_p, _EXTENTS, CLinks, POINTER(CError)),
    "qcd_read_source_with": (c_int, POINTER(CProblem), _EXTENTS, c_char_p, c_char_p, CSpinor, POINTER(CError)),
    "qcd_write_gauge": (c_int, c_char_p, _EXTENTS, CLinks, c_int, POINTER(CError)),
    "qcd_write_spinors": (c_int, c_char_p, _EXTENTS, c_int, c_int, POINTER(CSpinor), c_int, c_char_p,
                          POINTER(CError)),
    "qcd_plaquette": (c_int, _EXTENTS, CLinks, POINTER(c_double), POINTER(c_double), POINTER(CError)),
    "qcd_smear": (c_int, _EXTENTS, CLinks, POINTER(c_double), c_double, c_int, CSpinor, POINTER(CError)),
    "qcd_pion": (c_int, _EXTENTS, _EXTENTS, c_int, POINTER(CSpinor), c_void_p, c_void_p, POINTER(CError)),
    "qcd_effective_masses": (c_int, c_int, c_void_p, c_void_p, POINTER(CError)),
    "qcd_spin_rotation": (c_int, c_char_p, POINTER(c_double), POINTER(CError)),
    "qcd_options": (c_char_p,),
    "qcd_version": (c_char_p,),
}
for _name, (_result, *_arguments) in _FUNCTIONS.items():
    _function = getattr(library, _name)
    _function.restype = _result
    _function.argtypes = _arguments


def version():
    """Of the library that is loaded: "1.2.3"."""
    return library.qcd_version().decode()


def call(function, *arguments):
    """A function that returns a status; raises what is wrong, and warns of notes."""
    error = CError()
    status = function(*arguments, byref(error))
    if status != DONE:
        raise error_of(status, error.line)
    if error.line:
        warnings.warn(error.line, stacklevel=4)


def opened(function, *arguments):
    """A function that returns a handle."""
    error = CError()
    handle = function(*arguments, byref(error))
    if not handle:
        raise error_of(error.status, error.line)
    return handle


def as_path(text):
    return os.fsencode(text)


def c_extents(lattice):
    return (c_int * 4)(*lattice)
