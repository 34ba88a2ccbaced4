"""Plans of the layers of networks: one for the processor, and one beside it on each GPU from which
a layer is given an array.

A layer gives its plan to an operator of armilla.torch or armilla.jax like any other; the operator
asks for the one where the array is. Both have the same shapes, so that checks need the first alone.
"""
from __future__ import annotations

import threading
from typing import Any, Dict

from .transform import SHT, _rebuild


class LayerPlan(SHT):
    """A plan for the processor, and those on GPUs, which are made when they are first asked for and
    live as long as it does. Copies and pickles of it make their own."""

    __slots__ = ("_there", "_making")
    _there: Dict[int, SHT]
    _making: threading.Lock

    def __new__(cls, *given: Any, **named: Any) -> "LayerPlan":
        plan = super().__new__(cls)
        plan._there, plan._making = {}, threading.Lock()
        return plan

    def there(self, number: int) -> SHT:
        """The plan on the GPU of this number. NotImplementedError: there can be none."""
        with self._making:
            if number not in self._there:
                self._there[number] = self._on_gpu(number)
            return self._there[number]

    def _on_gpu(self, number: int) -> SHT:
        options = self._options._replace(device="cuda", devices=(number,))
        made = _rebuild(SHT, self.grid, self.layout, options)
        made._has_warned = self._has_warned
        assert isinstance(made, SHT)
        return made
