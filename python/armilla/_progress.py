"""How a call runs: threads, transforms, and its progress, from the C library into Python."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Tuple, Union

from ._errors import check, whole
from ._native import ffi, lib

_EXEC = ffi.typeof("armilla_exec *")
Progress = Union[None, bool, Callable[[float], object]]


@ffi.def_extern(error=1)
def armilla_python_progress(data: Any, fraction: float) -> int:
    """Called by the library; 1 asks it to stop."""
    return ffi.from_handle(data)._report(fraction)


class Watcher:
    """Calls a Python function with the fraction that is done, and keeps what it raises.

    At most ten times a second while the library works, then with 1.0 when it has succeeded. A true
    result, or an exception, stops the transform (after the end only the exception counts).
    """

    def __init__(self, function: Callable[[float], object],
                 close: Optional[Callable[[], None]] = None) -> None:
        self._function = function
        self._close = close
        self._handle = ffi.new_handle(self)
        self.exception: Optional[BaseException] = None

    def attach(self, exec_: Any) -> None:
        """Enters the callback into an armilla_exec; the watcher must outlive the call."""
        exec_.progress = lib.armilla_python_progress
        exec_.progress_data = self._handle

    def _report(self, fraction: float) -> int:
        try:
            return 1 if self._function(fraction) else 0
        except BaseException as exception:  # raised again by finish()
            self.exception = exception
            return 1

    def finish(self, done: bool) -> None:
        """After the call: reports the end if all is done, closes the bar, raises what the function
        raised."""
        if done and self.exception is None:
            self._report(1.0)
        if self._close:
            self._close()
        if self.exception is not None:
            raise self.exception


def _watcher(progress: Union[bool, Callable[[float], object]]) -> Watcher:
    """True: a bar of tqdm. Else a function of the fraction done."""
    if not isinstance(progress, bool):
        return Watcher(progress)
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True draws with tqdm, which is not installed: "
                          "pip install tqdm, or give a function of the fraction done") from error
    bar = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}<{remaining}")

    def show(fraction: float) -> None:
        bar.update(round(100 * fraction) - bar.n)

    return Watcher(show, bar.close)


class Place(NamedTuple):
    """Where the arrays of a call are, an armilla_memory, and CUDA's stream for it, 0: default."""

    memory: int
    stream: int


_HOST = Place(lib.ARMILLA_MEMORY_HOST, 0)


def execute(function: Any, arguments: Tuple[Any, ...], ntrans: int, nthreads: int,
            progress: Progress, alm_distance: int = 0, map_distance: int = 0, place: Place = _HOST,
            missing: int = 0) -> None:
    """Calls function(*arguments, exec); raises what its status, or the progress function, says."""
    exec_ = ffi.new(_EXEC)
    lib.armilla_exec_init(exec_)
    exec_.nthreads = nthreads if type(nthreads) is int else whole("nthreads", nthreads)
    exec_.ntrans = ntrans
    exec_.alm_distance = alm_distance
    exec_.map_distance = map_distance
    exec_.memory = place.memory
    exec_.missing = missing
    if place.stream:
        exec_.stream = ffi.cast("void *", place.stream)
    if progress is None or progress is False:
        check(function(*arguments, exec_))
        return
    watch = _watcher(progress)
    watch.attach(exec_)
    status = function(*arguments, exec_)
    watch.finish(status == lib.ARMILLA_OK)
    check(status)
