"""Status codes of the library as Python exceptions."""
from __future__ import annotations

from ._native import ffi, lib


class Cancelled(RuntimeError):
    """A progress callback asked to stop; the output is undefined."""


class FormatError(ValueError):
    """A file is not what it should be: foreign, truncated, contradictory."""


_EXCEPTIONS = {
    lib.ARMILLA_ERROR_ARGUMENT: ValueError,
    lib.ARMILLA_ERROR_MEMORY: MemoryError,
    lib.ARMILLA_ERROR_IO: OSError,
    lib.ARMILLA_ERROR_FORMAT: FormatError,
    lib.ARMILLA_ERROR_UNSUPPORTED: NotImplementedError,
    lib.ARMILLA_ERROR_CANCELLED: Cancelled,
    lib.ARMILLA_ERROR_INTERNAL: RuntimeError,
}


def check(status: int) -> None:
    """Raises the exception that belongs to a status, with the library's message."""
    if status != lib.ARMILLA_OK:
        message = ffi.string(lib.armilla_status_message()).decode("utf-8", "replace")
        name = ffi.string(lib.armilla_status_name(status)).decode()
        raise _EXCEPTIONS.get(status, RuntimeError)(message or name)
