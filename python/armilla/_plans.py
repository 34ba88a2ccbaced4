"""Plans of the last distinct calls: for interfaces that have none of their own."""
from __future__ import annotations

import threading
from typing import Any, Callable, Generic, List, NamedTuple, Tuple, TypeVar, Union

from ._lensing import Lensing
from .points import Points
from .transform import Plan

Value = TypeVar("Value")


class Kept(NamedTuple):
    """What is kept for repeated calls.

    Attributes
    ----------
    plans : int
        Number of plans.
    bytes : int
        Memory of the plans and of their workspaces.
    """

    plans: int
    bytes: int


class _Entry(NamedTuple):
    key: Tuple[Any, ...]
    value: Any
    bytes: int


class PlanCache(Generic[Value]):
    """Values with a plan, at most so many and so many bytes; the least recently used goes first.

    A value that alone is larger than the limit is made for its call and not kept. Keys are compared
    one by one, not hashed: there are few, and they hold whole arrays. Any thread may use it; two
    threads that miss the same key at once both make it, and one of the two is kept.
    """

    def __init__(self, plan_of: Callable[[Value], Union[Plan, Points, Lensing]], plans: int = 16,
                 nbytes: int = 2 << 30) -> None:
        self._plan_of = plan_of
        self._limit = Kept(plans, nbytes)
        self._entries: List[_Entry] = []  # the one used last stands first
        self._lock = threading.Lock()

    def get(self, key: Tuple[Any, ...], make: Callable[[], Value]) -> Value:
        """The value of this key, made if it is not there."""
        with self._lock:
            for place, entry in enumerate(self._entries):
                if entry.key == key:
                    if place:
                        self._entries.insert(0, self._entries.pop(place))
                    return entry.value
        value = make()
        told = self._plan_of(value).describe()
        entry = _Entry(key, value, told.plan_bytes + told.workspace_bytes + told.device_plan_bytes)
        with self._lock:
            if entry.bytes <= self._limit.bytes and all(x.key != key for x in self._entries):
                self._entries.insert(0, entry)
                self._shrink()
        return value

    def limit(self, plans: int, nbytes: int) -> None:
        """Sets both limits, 0 or more; what is too much goes now."""
        if plans < 0 or nbytes < 0:
            raise ValueError(f"plans = {plans}, nbytes = {nbytes}: must not be negative")
        with self._lock:
            self._limit = Kept(plans, nbytes)
            self._shrink()

    def _shrink(self) -> None:
        total = sum(entry.bytes for entry in self._entries)
        while len(self._entries) > self._limit.plans or total > self._limit.bytes:
            total -= self._entries.pop().bytes

    def kept(self) -> Kept:
        """What is held now."""
        with self._lock:
            return Kept(len(self._entries), sum(entry.bytes for entry in self._entries))

    def clear(self) -> None:
        """Forgets all plans; calls that run keep theirs."""
        with self._lock:
            self._entries.clear()
