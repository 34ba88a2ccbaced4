"""The two stages of a transform of which a process has some orders and some rows of the maps:
coefficients [l, m] of its orders to all rows, and all orders to the pixels of its rows. Between
them lies an exchange, which is the framework's.

    alm (n, ncomp, lmax, own orders)  <->  leg (n, ncomp, all rows, own orders)
    leg (n, ncomp, own rows, mmax)    <->  maps (n, ncomp, pixels of own rows)
"""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._arrays import COMPLEX_OF, REAL_OF, pointer
from ._errors import check
from ._native import ffi, lib
from ._networks import Frame
from .grid import _RING

OPERATORS = {name: number for number, name in enumerate(("to_leg", "to_alm", "to_map", "from_map"))}
ADJOINT = {"to_leg": "to_alm", "to_alm": "to_leg", "to_map": "from_map", "from_map": "to_map"}
_FUNCTIONS = {("to_leg", False): lib.armilla_leg_plan_from_alm,
              ("to_leg", True): lib.armilla_leg_plan_from_alm_float,
              ("to_alm", False): lib.armilla_leg_plan_to_alm,
              ("to_alm", True): lib.armilla_leg_plan_to_alm_float,
              ("to_map", False): lib.armilla_leg_plan_to_map,
              ("to_map", True): lib.armilla_leg_plan_to_map_float,
              ("from_map", False): lib.armilla_leg_plan_from_map,
              ("from_map", True): lib.armilla_leg_plan_from_map_float}


def rows_of(frame: Frame) -> np.ndarray:
    """The rings in the order of their pixels in a map, which must follow one another, with the
    weights of the transform; ValueError for what transforms in stages do not have."""
    if frame.is_packed:
        raise ValueError("layout = 'ectrans': layers over processes or devices share out the "
                         "orders of coefficients [l, m]")
    if frame.quadrature == "exact":
        raise ValueError("quadrature = 'exact': layers over processes or devices have the rule of "
                         "the weights")
    rings = frame.ruled.rings
    rings = rings[np.argsort(rings["offset"], kind="stable")]
    ends = np.cumsum(rings["nphi"])
    if np.any(rings["stride"] != 1) or np.any(rings["offset"] != ends - rings["nphi"]):
        raise ValueError(f"grid: the rows of {frame.grid!r} do not lie one after the other; a "
                         "distributed transform needs that")
    if frame.to_map:
        rings["weight"] = 1
    return rings


def shared_out(number: int, shares: int) -> List[range]:
    """So many neighbours for each of the shares, the first of which have one more."""
    each, more = divmod(number, shares)
    starts = [i * each + min(i, more) for i in range(shares + 1)]
    return [range(*pair) for pair in zip(starts[:-1], starts[1:])]


def order_weights(frame: Frame) -> np.ndarray:
    """c_m: an order m > 0 counts twice in the pixels."""
    return np.where(np.arange(frame.mmax) == 0, 1.0, 2.0)


def made_type(name: str, dtype: np.dtype) -> np.dtype:
    """Type of what a stage makes of this one."""
    made: np.dtype = REAL_OF[dtype] if name == "to_map" else COMPLEX_OF.get(dtype, dtype)
    return made


class LegPlan:
    """An armilla_leg_plan of one stage."""

    __slots__ = ("_plan",)

    def __init__(self, problem: Any, rings: Any) -> None:
        plan = ffi.new("armilla_leg_plan **")
        check(lib.armilla_leg_plan_new(problem, rings, plan))
        self._plan = ffi.gc(plan[0], lib.armilla_leg_plan_free)


class Legs:
    """The stages of one process."""

    def __init__(self, frame: Frame, rings: np.ndarray, orders: np.ndarray, rows: np.ndarray,
                 nthreads: int) -> None:
        """rings: all, in the order of their pixels; rows: of which some are the process'. Their
        weights are factors of the pixels."""
        self.given = (frame, rings, orders, rows, nthreads)
        self.ncomp = 2 if frame.is_vector else 1
        self.lmax, self.mmax, self.norders = frame.lmax, frame.mmax, len(orders)
        self.nrings, self.nrows, self.npix = len(rings), len(rows), int(rows["nphi"].sum())
        self._kept = (np.ascontiguousarray(rings["theta"]), np.array(orders, np.int64),
                      np.arange(self.norders), np.array(rows, _RING))
        own = self._kept[3]
        own["offset"] = np.cumsum(own["nphi"]) - own["nphi"]
        self.legendre = LegPlan(self._problem(nthreads), ffi.NULL) if self.norders else None
        self.pixels = LegPlan(ffi.NULL, self._rows(nthreads)) if self.nrows else None

    def __reduce__(self) -> Tuple[Any, ...]:
        return Legs, self.given

    def _problem(self, nthreads: int) -> Any:
        theta, orders, mstart, _ = self._kept
        problem = ffi.new("armilla_leg_problem *")
        lib.armilla_leg_problem_init(problem)
        problem.lmax, problem.spin, problem.nthreads = self.lmax - 1, self.ncomp - 1, nthreads
        problem.nrings, problem.theta = self.nrings, pointer(theta)
        problem.norders, problem.orders = self.norders, ffi.from_buffer("int64_t[]", orders)
        problem.mstart, problem.stride = ffi.from_buffer("int64_t[]", mstart), self.norders
        problem.alm_distance = self.lmax * self.norders
        return problem

    def _rows(self, nthreads: int) -> Any:
        rings = ffi.new("armilla_leg_rings *")
        lib.armilla_leg_rings_init(rings)
        rings.ncomp, rings.nrings, rings.mmax = self.ncomp, self.nrows, self.mmax - 1
        rings.rings = ffi.from_buffer("armilla_ring[]", self._kept[3])
        rings.map_distance, rings.nthreads = self.npix, nthreads
        return rings

    def shapes(self, name: str) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """Of what a stage takes and makes of one field."""
        made: Dict[str, Tuple[int, ...]] = {
            "alm": (self.lmax, self.norders), "leg": (self.nrings, self.norders),
            "own": (self.nrows, self.mmax), "map": (self.npix,)}
        sides = {"to_leg": ("alm", "leg"), "to_map": ("own", "map")}
        given, target = sides[name] if name in sides else sides[ADJOINT[name]][::-1]
        return (self.ncomp, *made[given]), (self.ncomp, *made[target])

    def plan(self, name: str) -> Optional[LegPlan]:
        """The plan of a stage; None: there is nothing to do."""
        return self.legendre if name in ("to_leg", "to_alm") else self.pixels

    def run(self, name: str, values: np.ndarray) -> np.ndarray:
        """A stage of (n, ncomp, ...)."""
        given, target = self.shapes(name)
        if values.shape[1:] != given:
            raise ValueError(f"{name}: has shape {values.shape}, must have (n, "
                             f"{', '.join(map(str, given))})")
        dtype = made_type(name, values.dtype)
        made = np.zeros((len(values), *target), dtype)
        plan = self.plan(name)
        if plan is None or not len(values):
            return made
        single = dtype in (np.float32, np.complex64)
        function = _FUNCTIONS[name, single]
        values = np.ascontiguousarray(values)
        check(function(plan._plan, len(values), pointer(values), pointer(made)))
        return made
