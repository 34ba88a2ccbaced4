"""How a call runs: threads, transforms, its progress from the C library into Python, and signals
(Ctrl-C) while the library works."""
from __future__ import annotations

from threading import get_ident, main_thread
from types import TracebackType
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple, Type, Union

from ._errors import check, threads, whole
from ._native import ffi, lib

_EXEC = ffi.typeof("armilla_exec *")
Progress = Union[None, bool, Callable[[float], object]]


# What was raised while the library called Python, by thread, until the call of that thread ends.
_raised: Dict[int, BaseException] = {}


def keep_raised(kind: Type[BaseException], exception: BaseException,
                traceback: Optional[TracebackType]) -> None:
    """Takes what a callback raises, in the place of cffi's report on stderr; the library is told to
    stop (error=1)."""
    _raised[get_ident()] = exception


@ffi.def_extern(error=1, onerror=keep_raised)
def armilla_python_progress(data: Any, fraction: float) -> int:
    """Called by the library; 1 asks it to stop."""
    return 1 if ffi.from_handle(data)(fraction) else 0


@ffi.def_extern(error=1, onerror=keep_raised)
def armilla_python_signals(data: Any, fraction: float) -> int:
    """Called by the library every now and then in calls of the main thread. Python runs the
    handlers of signals that have come as it enters this function; one that raises, as that of
    Ctrl-C does, ends the call."""
    return 0


def _forget() -> None:
    """A second Ctrl-C may have come between the end of a call and ended(): its exception is not
    that of the next call."""
    if _raised:
        _raised.pop(get_ident(), None)


def heed_signals(struct: Any) -> None:
    """Enters armilla_python_signals as the progress function of a call, where it can matter: only
    the main thread runs handlers, and others should not wait for the interpreter's lock."""
    if _raised:
        _forget()
    if get_ident() == main_thread().ident:
        struct.progress = lib.armilla_python_signals


def raise_kept() -> None:
    """After a call: raises what a callback or a signal's handler raised."""
    if _raised:
        exception = _raised.pop(get_ident(), None)
        if exception is not None:
            raise exception


def ended(status: int) -> None:
    """After a call: raises what was raised meanwhile, else what status says."""
    if _raised:
        raise_kept()
    if status:
        check(status)


class Watcher:
    """Calls a Python function with the fraction that is done.

    Some twenty times a second while the library works, then with 1.0 when it has succeeded. A true
    result, or an exception, stops the transform (after the end only the exception counts).
    """

    def __init__(self, function: Callable[[float], object],
                 close: Optional[Callable[[], None]] = None) -> None:
        self._function = function
        self._close = close
        self._handle = ffi.new_handle(function)

    def attach(self, exec_: Any) -> None:
        """Enters the callback into an armilla_exec; the watcher must outlive the call."""
        _forget()
        exec_.progress = lib.armilla_python_progress
        exec_.progress_data = self._handle

    def finish(self, status: int) -> None:
        """After the call: reports the end if all is done, closes the bar, raises what the function
        raised, else what status says."""
        try:
            ended(status)
            self._function(1.0)
        finally:
            if self._close:
                self._close()


def bar() -> Tuple[Callable[[float], object], Callable[[], None]]:
    """A bar of tqdm: what shows a fraction, and what closes it."""
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True draws with tqdm, which is not installed: "
                          "pip install tqdm, or give a function of the fraction done") from error
    made = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}<{remaining}")

    def show(fraction: float) -> None:
        made.update(round(100 * fraction) - made.n)

    return show, made.close


def check_progress(progress: Any) -> None:
    """Raises what a call with this progress would raise, before ranks wait for one another."""
    if progress is True:
        bar()[1]()
    elif progress is not None and progress is not False and not callable(progress):
        raise TypeError(f"progress: must be a bool or a function, not {type(progress).__name__}")


def _watcher(progress: Union[bool, Callable[[float], object]]) -> Watcher:
    """True: a bar of tqdm. Else a function of the fraction done."""
    return Watcher(*bar()) if isinstance(progress, bool) else Watcher(progress)


class Place(NamedTuple):
    """Where the arrays of a call are, an armilla_memory, CUDA's stream for it, 0: default, and
    whether a GPU works, which would have to wait for its parts if it were to heed signals."""

    memory: int
    stream: int
    on_gpu: bool


HOST_OF = {device: Place(lib.ARMILLA_MEMORY_HOST, 0, device != "cpu")
           for device in ("cpu", "cuda")}  # of a plan for this device


def execute(function: Any, arguments: Tuple[Any, ...], ntrans: int, nthreads: int,
            progress: Progress, alm_distance: int = 0, map_distance: int = 0,
            place: Place = HOST_OF["cpu"], missing: int = 0) -> None:
    """Calls function(*arguments, exec); raises what its status, or the progress function, says."""
    exec_ = ffi.new(_EXEC)
    lib.armilla_exec_init(exec_)
    exec_.nthreads = nthreads if nthreads.__class__ is int and 0 <= nthreads < 4096 else (
        threads(nthreads))
    exec_.ntrans = ntrans
    exec_.alm_distance = alm_distance
    exec_.map_distance = map_distance
    exec_.memory = place.memory
    exec_.missing = missing
    if place.stream:
        exec_.stream = ffi.cast("void *", place.stream)
    if progress is None or progress is False:
        if not place.on_gpu:
            heed_signals(exec_)
        ended(function(*arguments, exec_))
        return
    watch = _watcher(progress)
    watch.attach(exec_)
    watch.finish(function(*arguments, exec_))
