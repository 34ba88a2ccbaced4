"""Transforms as layers of networks have them, whatever the framework: rows of latitude, columns of
longitude, coefficients in an array [l, m].

The arguments, defaults and numbers are those of torch-harmonics 0.9. A plan reads and writes the
array [l, m] where it is, by its layout; what norms and signs ask for is one factor per l and m:

    scalars     map = sum of n_l s_m Y_lm a_lm
    vectors     (v_theta, v_phi) = grad S + curl T,  S_lm = E_lm / sqrt(l (l + 1)),
                T_lm = -B_lm / sqrt(l (l + 1)),  with E and B of a field of spin 1
    winds       E and B of (u, v), which is (v_theta, v_phi) turned by 90 degrees:
                vorticity = -sqrt(l (l + 1)) / R E_lm,  divergence = sqrt(l (l + 1)) / R B_lm

What a call does is written once, in `Layer`: a framework gives its functions of arrays, and a home
says what this process, or device, has of the coefficients and maps, and runs the transform.
"""
from __future__ import annotations

import difflib
import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import alm
from ._arrays import reals
from ._errors import real, shown, whole
from ._exactness import warn, warn_if_inexact
from ._layer_plans import LayerPlan
from ._types import Norm, Packed, Quadrature, VectorKind
from .alm import Layout
from .grid import Grid
from .wind import EARTH_RADIUS_ECMWF

_MIXING = ("CC", "F1", "MW", "MWSS", "MWFLIP")  # whose exact rule is no weight of each ring
_SQUARE = ("gauss_legendre", "F2", "DH", *_MIXING)  # whose maps have rows and columns
_NEAR = 0.05  # of the distance of neighbouring rows: how far a latitude may be from its ring


# --- Grids ----------------------------------------------------------------------------------------

def _lobatto(nlat: int, nlon: int) -> Grid:
    """Rings at both poles and at the zeros of P_n', n = nlat - 1: Newton's method for
    dP_n/dtheta = 0, with d2P_n/dtheta2 = -cot(theta) dP_n/dtheta - n (n + 1) P_n. Weights: 2 / (n
    (n + 1) P_n^2)."""
    if nlat < 2:
        raise ValueError(f"nlat = {nlat}: must be at least 2 on the grid 'lobatto'")
    n = nlat - 1
    theta = (np.arange(1, n) + 0.25) * np.pi / (n + 0.5)
    for _ in range(8):
        cosine, sine = np.cos(theta), np.sin(theta)
        before, value = np.ones_like(theta), cosine
        for k in range(2, n + 1):
            before, value = value, cosine * value + (k - 1) / k * (cosine * value - before)
        slope = n * (cosine * value - before) / sine
        theta = theta + slope / (n * (n + 1) * value + cosine / sine * slope)
    theta = (theta + np.pi - theta[::-1]) / 2
    values = np.concatenate([[1.0], np.abs(value + value[::-1] * (-1) ** n) / 2, [1.0]])
    weight = 2 / (n * (n + 1) * values ** 2)
    return Grid.custom(np.concatenate([[0.0], theta, [np.pi]]), nlon,
                       weight=weight * 2 * np.pi / nlon)


def _trapezoidal(nlat: int, nlon: int) -> Grid:
    raise ValueError("grid = 'equiangular-trapezoidal': is not built, its rule is exact for no "
                     "degree but 0; 'equiangular' has Clenshaw and Curtis' weights, and "
                     "armilla.Grid.custom takes any rings and weights")


def _equiangular(nlat: int, nlon: int) -> Grid:
    return Grid.equidistant("CC", nlat, nlon)


_FAMILIES: Dict[str, Callable[[int, int], Grid]] = {
    "equiangular": _equiangular, "legendre-gauss": Grid.gauss_legendre, "lobatto": _lobatto,
    "equiangular-trapezoidal": _trapezoidal}
_DEGREES: Dict[str, Callable[[int], int]] = {  # how many, of those that the rule integrates
    "equiangular": lambda nlat: (nlat + 1) // 2, "legendre-gauss": lambda nlat: nlat,
    "lobatto": lambda nlat: nlat - 1}


def _named(name: str) -> Grid:
    """A grid by one of the library's names; an error with the nearest of those above."""
    near = difflib.get_close_matches(name.lower(), _FAMILIES, 1)
    if not near:
        return Grid.named(name)
    known = ", ".join(repr(one) for one in _FAMILIES)
    raise ValueError(f"grid = {shown(name)}: must be one of {known}, or an armilla.Grid; the "
                     f"nearest is {near[0]!r}")


def _grid_of(nlat: Optional[int], nlon: Optional[int], grid: Union[str, Grid]
             ) -> Tuple[Grid, Optional[int]]:
    """The grid, and how many degrees it has by default (None: it has no exact rule)."""
    if isinstance(grid, str) and grid in _FAMILIES:
        if nlat is None or nlon is None:
            raise ValueError(f"nlat, nlon: must be given with grid = {grid!r}")
        nlat, nlon = whole("nlat", nlat), whole("nlon", nlon)
        return _FAMILIES[grid](nlat, nlon), _DEGREES[grid](nlat)
    if not isinstance(grid, (str, Grid)):
        raise TypeError(f"grid: must be a word or an armilla.Grid, not {type(grid).__name__}")
    made = _named(grid) if isinstance(grid, str) else grid
    for name, value in (("nlat", nlat), ("nlon", nlon)):
        if value is not None:
            raise ValueError(f"{name} = {value}: must be left out, {made!r} has its own")
    if not made._dense and int(made.rings["nphi"].sum()) != made.npix:
        raise ValueError(f"grid: {made!r} has places without a pixel; networks take maps without")
    if made.kind in _MIXING:
        return made, (made.nrings + 1) // 2
    exact = made.exact_lmax
    return made, None if exact < 0 else exact + 1


def _pixel_axes(grid: Grid, given: Union[str, Grid]) -> Tuple[int, ...]:
    """Two for families whose rings are alike, else one."""
    if isinstance(given, str) and given in _FAMILIES:
        return grid.nrings, int(grid.rings["nphi"][0])
    square = grid.shape_2d if grid.kind in _SQUARE else None
    return (grid.npix,) if square is None else square


def _check_latitude(latitude: ArrayLike, grid: Grid) -> None:
    """latitude: of each row of a map in degrees, north is positive."""
    given, rings = reals(latitude, "latitude"), grid.rings
    if given.shape != rings.shape:
        raise ValueError(f"latitude: has shape {given.shape}, must have ({grid.nrings},)")
    row = 90 - np.degrees(rings["theta"][np.argsort(rings["offset"])])
    step = np.abs(np.diff(row)).min(initial=180.0)
    wrong = np.flatnonzero(~(np.abs(given - row) <= _NEAR * step))
    if not wrong.size:
        return
    if np.all(np.abs(given[::-1] - row) <= _NEAR * step):
        order = ("south", "north", "True") if given[0] < given[-1] else ("north", "south", "False")
        raise ValueError(f"latitude: begins in the {order[0]}, the grid in the {order[1]}: "
                         f"south_first={order[2]} makes one that fits")
    first = wrong[0]
    raise ValueError(f"latitude[{first}] = {given[first]:g}: row {first} of the grid is at "
                     f"{row[first]:g} degrees")


def _turned(grid: Grid, given: Union[str, Grid]) -> Grid:
    """With its first row in the south."""
    if isinstance(given, Grid):
        raise ValueError("south_first: an armilla.Grid says itself where its rows are: "
                         "grid.laid_out(south_first=True)")
    if grid.kind == "custom":  # rows of one length, from north to south
        rings = grid.rings.copy()
        rings["offset"] = rings["offset"][::-1]
        return Grid._from_rings(rings)
    return grid.laid_out(south_first=True)


def _half(grid: Grid) -> int:
    """The order whose waves have two pixels on each ring; -1: there is none for all rings."""
    nphi = grid.rings["nphi"]
    return int(nphi[0]) // 2 if np.ptp(nphi) == 0 and nphi[0] % 2 == 0 else -1


# --- Rules of quadrature --------------------------------------------------------------------------

def _exact(grid: Grid, usual: Optional[int], degrees: int, quadrature: Quadrature) -> int:
    """For how many degrees, with as many orders, analysis inverts synthesis."""
    if grid.kind == "custom":  # lobatto, or rings of the caller, of which nothing is known
        return 0 if usual is None else min(usual, (int(grid.rings["nphi"].min()) + 1) // 2)
    exact = grid.exact_lmax_for(degrees - 1) + 1
    if quadrature == "weights" and grid.kind in _MIXING:
        exact = min(exact, (grid.nrings + 1) // 2)
    return exact


def _ruled(grid: Grid, usual: Optional[int], degrees: int, quadrature: Quadrature) -> Grid:
    """The grid whose analysis has this rule; a warning, or an error, where it is not exact."""
    if quadrature not in ("weights", "exact"):
        raise ValueError(f"quadrature = {shown(quadrature)}: must be one of weights, exact")
    exact = _exact(grid, usual, degrees, quadrature)
    if quadrature == "exact" and degrees > exact:
        raise ValueError(f"quadrature = 'exact': {grid!r} has no exact rule for lmax = mmax = "
                         f"{degrees} (numbers of degrees and orders)")
    if degrees > exact and usual is not None:
        warn(f"lmax = mmax = {degrees} (numbers of degrees and orders): analysis by the weights of "
             f"{grid!r} does not invert synthesis"
             + ("; quadrature='exact' goes further" if grid.kind in _MIXING else ""))
    elif usual is None:
        warn_if_inexact(grid, degrees - 1, degrees - 1)
    if quadrature == "weights" and grid.kind in _MIXING:
        return Grid._from_rings(grid.rings.copy())  # these weights are its only rule
    return grid


# --- Truncation -----------------------------------------------------------------------------------

def _truncation(grid: Grid, usual: Optional[int], lmax: Optional[int], mmax: Optional[int]
                ) -> Tuple[int, int]:
    """Numbers of degrees and orders: as many orders as degrees, as torch-harmonics has it."""
    if lmax is None and usual is None:
        raise ValueError(f"lmax: must be given, {grid!r} has no exact rule")
    most = int(grid.rings["nphi"].max()) // 2 + 1
    degrees = whole("lmax", usual if lmax is None else lmax)
    orders = most if mmax is None else whole("mmax", mmax)
    for name, value in (("lmax", degrees), ("mmax", orders)):
        if value < 1:
            raise ValueError(f"{name} = {value}: must be at least 1 (the number of "
                             f"{'degrees' if name == 'lmax' else 'orders'})")
    if mmax is not None and orders > most:
        raise ValueError(f"mmax = {mmax}: must be at most {most}, the rings have "
                         f"{int(grid.rings['nphi'].max())} pixels")
    degrees = min(degrees, orders)
    return degrees, degrees


# --- Factors --------------------------------------------------------------------------------------

def _norm(norm: Norm, degrees: int) -> np.ndarray:
    """What coefficients of each degree are multiplied by after an analysis."""
    if norm == "ortho":
        return np.ones(degrees)
    if norm == "schmidt":
        return np.sqrt(4 * np.pi / (2 * np.arange(degrees) + 1))
    if norm in ("four-pi", "unnorm"):  # one factor in torch-harmonics, under two words
        return np.full(degrees, math.sqrt(4 * np.pi))
    if norm == "ectrans":  # number (0, 0) is the mean
        return np.full(degrees, math.sqrt(1 / (4 * np.pi)))
    raise ValueError(f"norm = {shown(norm)}: must be one of ortho, four-pi, schmidt, unnorm, "
                     "ectrans")


def _of_components(kind: VectorKind, degrees: int, radius: float) -> np.ndarray:
    """What E and B are multiplied by, (2, degrees); 1 where there is none."""
    l = np.arange(degrees)
    root = np.sqrt(np.maximum(l * (l + 1.0), 1))
    return np.stack([1 / root, -1 / root] if kind == "potentials" else
                    [-root / radius, root / radius])


class Arguments(NamedTuple):
    """What callers of layers give."""

    nlat: Optional[int]
    nlon: Optional[int]
    lmax: Optional[int]
    mmax: Optional[int]
    grid: Union[str, Grid]
    norm: Norm
    csphase: Optional[bool]
    south_first: bool
    latitude: Optional[ArrayLike]
    kind: VectorKind = "potentials"
    radius: Optional[float] = None
    layout: Packed = "matrix"
    channels_last: bool = False
    flat: bool = False


def _radius_of(given: Arguments) -> float:
    """Of winds; errors for a kind that there is not, and a radius that nothing needs."""
    if given.kind not in ("potentials", "wind"):
        raise ValueError(f"kind = {shown(given.kind)}: must be one of potentials, wind")
    if given.kind == "potentials":
        if given.radius is not None:
            raise ValueError("radius: is of winds alone, with kind='wind'")
        return 1.0
    radius = EARTH_RADIUS_ECMWF if given.radius is None else real("radius", given.radius)
    if not (math.isfinite(radius) and radius > 0):
        raise ValueError(f"radius = {radius:g}: must be finite and positive")
    return radius


class Frame:
    """What a layer has before it has a plan: a grid, the factor of its coefficients, and the shapes
    of both sides."""

    def __init__(self, given: Arguments, is_vector: bool, quadrature: Optional[Quadrature]) -> None:
        """quadrature: None in a synthesis."""
        made, usual = _grid_of(given.nlat, given.nlon, given.grid)
        if given.south_first:
            made = _turned(made, given.grid)
        if given.latitude is not None:
            _check_latitude(given.latitude, made)
        self.lmax, self.mmax = _truncation(made, usual, given.lmax, given.mmax)
        if is_vector and self.lmax < 2:
            raise ValueError(f"lmax = {self.lmax}: vectors need at least 2 degrees")
        if given.layout not in ("matrix", "ectrans"):
            raise ValueError(f"layout = {shown(given.layout)}: must be one of matrix, ectrans")
        ruled = made if quadrature is None else _ruled(made, usual, self.lmax, quadrature)
        self.is_vector, self.to_map, self.quadrature = is_vector, quadrature is None, quadrature
        self.grid, self.ruled = made, ruled  # as the caller has it; with the weights of analysis
        self.is_packed, self.channels_last = given.layout == "ectrans", bool(given.channels_last)
        self.components: Tuple[int, ...] = (2,) if is_vector else ()
        pixels = (made.npix,) if given.flat else _pixel_axes(made, given.grid)
        self.map_shape = self.components + pixels
        columns = (alm.size(self.lmax - 1),) if self.is_packed else (self.lmax, self.mmax)
        self.complex_shape = self.components + columns
        self.alm_shape = self.components + ((2 * columns[0],) if self.is_packed else columns)
        self.radius = _radius_of(given)
        self.csphase = given.norm != "ectrans" if given.csphase is None else bool(given.csphase)
        self.factor = self._factor(given.norm, given.kind)

    def _factor(self, norm: Norm, kind: VectorKind) -> Optional[np.ndarray]:
        """Of complex coefficients, after an analysis or before a synthesis; None: 1. The order that
        rings cannot tell from its negative counts once in a synthesis, as in torch-harmonics."""
        m = np.arange(self.mmax)
        by_degree, sign = _norm(norm, self.lmax), np.where(self.csphase, 1.0, (-1.0) ** m)
        if self.is_vector:
            by_degree = by_degree * _of_components(kind, self.lmax, self.radius)
        if self.to_map:
            by_degree, sign = 1 / by_degree, np.where(m == _half(self.grid), sign / 2, sign)
        made = by_degree[..., None] * sign
        if self.is_packed:
            made = made[..., alm.degrees(self.lmax - 1), alm.orders(self.lmax - 1)]
        return None if np.all(made == 1) else np.ascontiguousarray(made)

    def axes(self, of_alm: bool) -> str:
        """What the last axes of an array are, in words."""
        words = []
        if self.is_vector:
            words += ["components"]
        if of_alm:
            words += ["real and imaginary parts"] if self.is_packed else ["degrees", "orders"]
        elif len(self.map_shape) - len(self.components) == 1:
            words += ["pixels"]
        else:
            words += ["latitudes", "longitudes"]
        return ", ".join(words + ["channels"] * self.channels_last)

    def lead(self, shape: Tuple[int, ...], tail: Tuple[int, ...], of_alm: bool) -> Tuple[int, ...]:
        """The axes of fields: those before these last ones, and the channels; ValueError if the
        shape does not end so."""
        end = len(shape) - self.channels_last
        split = end - len(tail)
        if split < 0 or tuple(shape[split:end]) != tail:
            said = ", ".join(["...", *map(str, tail), *["channels"] * self.channels_last])
            raise ValueError(f"the input has shape {tuple(shape)}, must have ({said}): "
                             f"{self.axes(of_alm)}")
        return tuple(shape[:split]) + tuple(shape[end:])

    def words(self) -> str:
        """What it is, for people."""
        return (f"lmax={self.lmax}, mmax={self.mmax}, grid={self.grid!r}"
                f"{', vectors' if self.is_vector else ''}")


class Whole:
    """The home of a transform that one process or device does: a plan, with others on GPUs."""

    def __init__(self, frame: Frame, operator: Callable[..., Any], nthreads: int) -> None:
        """operator: the framework's apply_operator."""
        layout = None if frame.is_packed else Layout.custom(frame.lmax - 1, np.arange(frame.mmax),
                                                            frame.mmax)
        self.plan = LayerPlan(frame.ruled, frame.lmax - 1, spin=int(frame.is_vector), layout=layout)
        self.plan._has_warned = True  # the frame has told
        self.frame, self.operator, self.nthreads = frame, operator, nthreads
        self.rows, self.pixels = slice(0, frame.grid.nrings), slice(0, frame.grid.npix)
        self.orders: List[int] = list(range(frame.mmax))
        self.factor = frame.factor

    def tails(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """Shapes of one field here: coefficients and map."""
        return self.frame.alm_shape, self.frame.map_shape

    def run(self, x: Any, lead: Tuple[int, ...], made: Tuple[int, ...]) -> Any:
        """Complex coefficients to maps or back. made: the shape of one, of those of `tails`."""
        plan, frame = self.plan, self.frame
        name, given, made = (("synthesis", plan.alm_shape, made) if frame.to_map else
                             ("analysis", plan.map_shape, frame.complex_shape))
        return self.operator(plan, name, x.reshape(lead + given), self.nthreads).reshape(
            lead + made)

    def words(self) -> str:
        """What of the transform is here, for people."""
        return ""


class Layer:
    """What the layers of all frameworks share. A framework has `_arrays`: its functions `checked`
    (is it an array of a type that layers take?), `moved` (an axis), `widened` (half precision),
    `complexed` and `paired` (pairs of real numbers to complex ones, and back) and `scaled`."""

    _is_vector, _to_map = False, False
    _arrays: Any
    _frame: Frame
    _home: Any

    def _set(self, given: Dict[str, Any]) -> None:
        """given: what the constructor was called with, by name."""
        options = Arguments(**{name: given[name] for name in Arguments._fields if name in given})
        self._frame = frame = Frame(options, self._is_vector,
                                    None if self._to_map else given["quadrature"])
        self.nlat, self.nlon, self.grid = options.nlat, options.nlon, options.grid
        self.norm, self.csphase, self.layout = options.norm, frame.csphase, options.layout
        self.channels_last, self.nthreads = frame.channels_last, given["nthreads"]
        self.lmax, self.mmax = frame.lmax, frame.mmax
        if self._is_vector:
            self.kind, self.radius = options.kind, frame.radius

    def _words(self) -> str:
        return self._frame.words() + str(self._home.words())

    def _transformed(self, x: Any) -> Any:
        frame, home, arrays = self._frame, self._home, self._arrays
        given, made = home.tails() if frame.to_map else home.tails()[::-1]
        x = arrays.checked(x, frame.to_map and not frame.is_packed)
        lead = frame.lead(tuple(x.shape), given, frame.to_map)
        x = arrays.widened(x)
        if frame.channels_last:
            x = arrays.moved(x, -1, -1 - len(given))
        if frame.to_map:
            x = arrays.scaled(arrays.complexed(x) if frame.is_packed else x, home)
        x = home.run(x, lead, made)
        if not frame.to_map:
            x = arrays.scaled(x, home)
            x = arrays.paired(x) if frame.is_packed else x
        return arrays.moved(x, -1 - len(made), -1) if frame.channels_last else x
