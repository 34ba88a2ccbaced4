"""What this build is and what it finds on this machine."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, List, NamedTuple, Tuple

from ._errors import message
from ._native import ffi, lib
from ._structs import optional_text

_LICENSES = Path(__file__).parent / "licenses"


class Info(NamedTuple):
    """What a build is, and what it finds on its machine; str() gives text for people.

    Attributes
    ----------
    version : str
        Version of the library.
    isa : str
        Instruction set that the kernels use.
    isa_available : tuple of str
        All instruction sets that the machine can run, the plainest first.
    threads : int
        What nthreads=0 means.
    licence : str
        Licence of the library.
    gpu : str
        The current GPU, or "none" and why.
    device_shapes : tuple of str
        Shapes of a GPU's kernels, as ``SHT(device_shape=)`` takes them.
    """

    version: str
    isa: str  # instruction set that the kernels use
    isa_available: Tuple[str, ...]  # all that this machine can run, plainest first
    threads: int  # what nthreads=0 means
    licence: str
    gpu: str  # the current one, or "none" and why
    device_shapes: Tuple[str, ...]  # of a GPU's kernels, as SHT(device_shape=) takes them

    def __str__(self) -> str:
        return (f"Armilla {self.version}\n"
                f"instruction set: {self.isa} (of {', '.join(self.isa_available)})\n"
                f"threads: {self.threads}\n"
                f"GPU: {self.gpu}\n"
                f"licence: {self.licence}")

    def __repr__(self) -> str:
        return str(self)


def version() -> str:
    """Return the version of the library that runs.

    Returns
    -------
    str
        The version, such as "0.2.0".
    """
    return ffi.string(lib.armilla_version()).decode()


def _licence() -> str:
    text = ffi.string(lib.armilla_licence()).decode()
    if _LICENSES.is_dir():
        return f"{text}; this binary has parts under other licences: see {_LICENSES}"
    return text


def _version_of_cuda(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _gpu() -> str:
    told = ffi.new("armilla_device_description *")
    told.size = ffi.sizeof("armilla_device_description")
    if lib.armilla_device_describe(lib.ARMILLA_CUDA, told):
        return f"none ({message()})"
    capability = divmod(told.compute_capability, 10)
    return (f"{ffi.string(told.name).decode()}, {told.memory_bytes / 1e9:.1f} GB "
            f"({told.free_bytes / 1e9:.1f} GB free), compute capability "
            f"{capability[0]}.{capability[1]}, CUDA {_version_of_cuda(told.runtime_version)}, "
            f"driver {_version_of_cuda(told.driver_version)}")


def _names(numbered: Callable[[int], Any]) -> Tuple[str, ...]:
    """What a function of the library says for 0, 1, ... until it says NULL."""
    found: List[str] = []
    while (name := optional_text(numbered(len(found)))) is not None:
        found.append(name)
    return tuple(found)


def info() -> Info:
    """Tell what this build is, and what it finds on this machine.

    Returns
    -------
    Info
        Version, instruction sets, threads, licence and GPU; print it.

    Examples
    --------
    >>> import armilla
    >>> told = armilla.info()
    >>> told.isa in told.isa_available, told.version == armilla.__version__
    (True, True)
    """
    return Info(version(), ffi.string(lib.armilla_isa_name()).decode(),
                _names(lib.armilla_isa_available), lib.armilla_thread_count(), _licence(), _gpu(),
                _names(lib.armilla_device_shape_name))
