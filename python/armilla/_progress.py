"""Progress callbacks: from the C library into Python."""
from __future__ import annotations

from typing import Callable, Optional, Union

from ._native import ffi, lib

Progress = Union[None, bool, Callable[[float], object]]


@ffi.def_extern(error=1)
def armilla_python_progress(data, fraction: float) -> int:
    """Called by the library; 1 asks it to stop."""
    return ffi.from_handle(data)._report(fraction)


class Watcher:
    """Calls a Python function with the fraction that is done, and keeps what it raises.

    At most ten times a second while the library works, then with 1.0 when it has succeeded. A true
    result, or an exception, stops the transform (after the end only the exception counts).
    """

    def __init__(self, function: Callable[[float], object], close: Optional[Callable] = None):
        self._function = function
        self._close = close
        self._handle = ffi.new_handle(self)
        self.exception: Optional[BaseException] = None

    def attach(self, exec_) -> None:
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


def watcher(progress: Progress) -> Optional[Watcher]:
    """None and False: nothing. True: a bar of tqdm. Else a function of the fraction done."""
    if progress is None or progress is False:
        return None
    if progress is not True:
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
