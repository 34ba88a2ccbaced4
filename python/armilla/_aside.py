"""Long calls of the library that hear of no progress function: one runs in another thread while the
main thread waits for it in Python, where Ctrl-C reaches it."""
from __future__ import annotations

from _thread import start_new_thread
from threading import Lock, get_ident, main_thread
from typing import Any, Callable, List

from ._errors import check
from ._native import ffi

MANY = 200_000  # points, pixels or coefficients; with fewer a call is over in some 30 ms


def aside(call: Callable[[], int], size: int, *kept: Any) -> None:
    """check(call()). Interrupted, it goes on by itself until it ends, with its arrays, and nobody
    hears of it.

    size: how much there is to do, see MANY; kept: what the library reads and call does not hold.
    """
    if size < MANY or get_ident() != main_thread().ident:
        check(call())
        return
    failures: List[BaseException] = []
    running = Lock()

    def run(*_: Any) -> None:
        try:
            check(call())
        except BaseException as failure:  # a handler's among them, which belongs to the caller
            failures.append(failure)
        finally:
            running.release()

    running.acquire()
    start_new_thread(run, kept)  # a Thread that is interrupted in its start() may never begin
    running.acquire()
    if failures:
        raise failures[0]


def plan_aside(kind: str, free: Callable[[Any], None], call: Callable[[Any], int], size: int,
               *kept: Any) -> Any:
    """A plan, an armilla_<kind> *, as call(armilla_<kind> **) makes it and free frees it; freed as
    well where nobody waits for it any more."""
    made = ffi.gc(ffi.new(f"armilla_{kind} **"), lambda place: free(place[0]))
    aside(lambda: call(made), size, *kept)
    plan, made[0] = made[0], ffi.NULL
    return ffi.gc(plan, free)
