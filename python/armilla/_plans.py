"""Plans of the last distinct calls: for interfaces that have none of their own."""
from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Callable, Hashable

from .transform import SHT


class PlanCache:
    """At most `capacity` plans, the least recently used goes first. Any thread may use it.

    Two threads that miss the same plan at once both make it; one of the two is kept.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._plans: "OrderedDict[Hashable, SHT]" = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], SHT]) -> SHT:
        """The plan of this key, made if it is not there."""
        with self._lock:
            plan = self._plans.get(key)
            if plan is not None:
                self._plans.move_to_end(key)
                return plan
        plan = make()
        with self._lock:
            plan = self._plans.setdefault(key, plan)
            self._plans.move_to_end(key)
            while len(self._plans) > self._capacity:
                self._plans.popitem(last=False)
        return plan

    def clear(self) -> None:
        """Forgets all plans; calls that run keep theirs."""
        with self._lock:
            self._plans.clear()

    def __len__(self) -> int:
        return len(self._plans)
