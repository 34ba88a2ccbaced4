"""What this build is and what it finds on this machine."""
from __future__ import annotations

from pathlib import Path
from typing import List, NamedTuple, Tuple

from ._native import ffi, lib

_LICENSES = Path(__file__).parent / "licenses"


class Info(NamedTuple):
    """Version, instruction sets, threads and licence; str() gives text for people."""

    version: str
    isa: str  # instruction set that the kernels use
    isa_available: Tuple[str, ...]  # all that this machine can run, plainest first
    threads: int  # what nthreads=0 means
    licence: str

    def __str__(self) -> str:
        return (f"Armilla {self.version}\n"
                f"instruction set: {self.isa} (of {', '.join(self.isa_available)})\n"
                f"threads: {self.threads}\n"
                f"licence: {self.licence}")

    def __repr__(self) -> str:
        return str(self)


def version() -> str:
    """Version of the library that runs, such as "0.1.0"."""
    return ffi.string(lib.armilla_version()).decode()


def _licence() -> str:
    text = "BSD-3-Clause; uses FFTW, which is under the GPL (version 2 or later)"
    if _LICENSES.is_dir():
        return f"{text} and part of this binary: see {_LICENSES}"
    return text


def info() -> Info:
    """Version, instruction sets, threads and licence of this build on this machine."""
    available: List[str] = []
    while True:
        name = lib.armilla_isa_available(len(available))
        if name == ffi.NULL:
            break
        available.append(ffi.string(name).decode())
    return Info(version(), ffi.string(lib.armilla_isa_name()).decode(), tuple(available),
                lib.armilla_thread_count(), _licence())
