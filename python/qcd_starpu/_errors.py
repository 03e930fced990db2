"""What is wrong, as exceptions: each has the program's sentence, and the program's exit status."""


class Error(RuntimeError):
    """What the library or the program says in one line; `status` is the program's exit status."""

    status = 2

    def __init__(self, line, status=None, result=None):
        super().__init__(line)
        if status is not None:
            self.status = status
        #: What there is although it failed: of NotConverged and VerifyFailed the last solution.
        self.result = result


class BadInput(Error, ValueError):
    """An argument, an option or a file (exit status 2)."""

    status = 2


class NotConverged(Error):
    """The tolerance was not reached (exit status 1). `result` has the last x."""

    status = 1


class VerifyFailed(Error):
    """|b - D x| recomputed contradicts the method's residual (exit status 3)."""

    status = 3


class MissingDevice(Error):
    """Workers, features of StarPU or memory are not there, or failed (exit status 4)."""

    status = 4


_BY_STATUS = {kind.status: kind for kind in (NotConverged, BadInput, VerifyFailed, MissingDevice)}


def error_of(status, line, result=None):
    """The exception of an exit status."""
    return _BY_STATUS.get(status, Error)(line, status, result)
