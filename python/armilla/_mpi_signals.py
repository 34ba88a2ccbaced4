"""Ctrl-C in calls that ranks make together: it ends the call where all of them can stop, and not
one rank in the midst of a message, for which the others would wait for ever."""
from __future__ import annotations

import signal
from threading import get_ident, main_thread
from types import FrameType, TracebackType
from typing import Any, Callable, Optional, Type

from ._progress import Progress


class Interrupts:
    """A block in which the handler of Ctrl-C, of which there is one a process, only remembers it;
    blocks may be nested. A second Ctrl-C is not held back."""

    def __init__(self) -> None:
        self._depth = 0
        self._is_pending = False
        self._usual: Optional[Callable[[int, Optional[FrameType]], Any]] = None

    def __enter__(self) -> None:
        if get_ident() != main_thread().ident:  # others run no handlers
            return
        self._depth += 1
        usual = signal.getsignal(signal.SIGINT)
        if self._depth == 1 and callable(usual):
            self._usual, self._is_pending = usual, False
            signal.signal(signal.SIGINT, self._remember)

    def _remember(self, number: int, frame: Optional[FrameType]) -> None:
        if self._is_pending and self._usual is not None:
            self._usual(number, frame)
        self._is_pending = True

    def heed(self) -> None:
        """Runs the usual handler now if Ctrl-C has come."""
        if self._is_pending and self._usual is not None:
            self._is_pending = False
            self._usual(signal.SIGINT, None)

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        if get_ident() != main_thread().ident:
            return
        self._depth -= 1
        if self._depth == 0 and self._usual is not None:
            signal.signal(signal.SIGINT, self._usual)
            try:
                self.heed()
            finally:
                self._usual = None


INTERRUPTS = Interrupts()


def heeding(progress: Progress) -> Progress:
    """A progress function that heeds Ctrl-C before it calls the given one: the library then stops
    on all ranks."""
    if progress is True or get_ident() != main_thread().ident:
        return progress

    def look(fraction: float) -> object:
        INTERRUPTS.heed()
        return progress(fraction) if progress and not isinstance(progress, bool) else False

    return look
