"""Grids, plans and coefficients of armilla.pyshtools."""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Optional, Tuple, Union

import numpy as np

from ._arrays import plain
from ._complex import ComplexSHT
from ._errors import degree, whole
from .conventions import convert
from .grid import Grid
from .transform import SHT

_NORMS = {1: "4pi", 2: "schmidt", 3: "unnorm", 4: "ortho"}


def convention(norm: int, csphase: int, is_complex: bool) -> str:
    """The name of SHTOOLS' convention."""
    if norm not in _NORMS:
        raise ValueError(f"norm = {norm}: must be 1 (4 pi), 2 (Schmidt), 3 (unnormalised) or 4 "
                         "(orthonormal)")
    if csphase not in (1, -1):
        raise ValueError(f"csphase = {csphase}: must be 1 or -1")
    words = ("shtools", _NORMS[norm], "nocs" if csphase == 1 else "cs",
             *(("complex", "complex-field") if is_complex else ()))
    return ":".join(words)


def finite(array: np.ndarray, name: str) -> np.ndarray:
    """The array; ValueError if a number is none."""
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        place = tuple(int(i) for i in bad[0])
        raise ValueError(f"{name}[{', '.join(map(str, place))}] = {array[place]}: must be finite")
    return array


def coefficients(cilm: Any, is_complex: bool) -> np.ndarray:
    """Checked coefficients (2, lmax + 1, lmax + 1)."""
    cilm = plain(cilm, "cilm")
    if cilm.ndim != 3 or cilm.shape[0] != 2 or cilm.shape[1] != cilm.shape[2] or not cilm.size:
        raise ValueError(f"cilm: has shape {cilm.shape}, must have (2, lmax + 1, lmax + 1)")
    if np.iscomplexobj(cilm) and not is_complex:
        raise TypeError("cilm: is complex; the functions whose names end with C take it")
    return finite(cilm.astype(np.complex128 if is_complex else np.float64, copy=False), "cilm")


def degrees(cilm: np.ndarray, lmax: Optional[int], lmax_calc: Optional[int]) -> Tuple[int, int]:
    """Degree of the grid, and of what is summed."""
    lmax = cilm.shape[1] - 1 if lmax is None else degree("lmax", lmax)
    calc = lmax if lmax_calc is None else whole("lmax_calc", lmax_calc)
    if not 0 <= calc <= lmax:
        raise ValueError(f"lmax_calc = {calc}: must be from 0 to lmax = {lmax}")
    return lmax, min(calc, cilm.shape[1] - 1)


def longitudes(sampling: int) -> int:
    """How often there are as many longitudes as latitudes."""
    if sampling not in (1, 2):
        raise ValueError(f"sampling = {sampling}: must be 1 or 2")
    return sampling


@lru_cache(maxsize=8)
def grid_of(kind: str, nrings: int, nphi: int) -> Grid:
    """A grid, kept for the next call."""
    if kind == "GL":
        return Grid.gauss_legendre(nrings, nphi)
    return Grid.equidistant(kind, nrings, nphi)  # type: ignore[arg-type]


@lru_cache(maxsize=8)
def plan_of(kind: str, nrings: int, nphi: int, lmax: int, field: str) -> Union[SHT, ComplexSHT]:
    """A plan, kept for the next call."""
    grid = grid_of(kind, nrings, nphi)
    if field == "complex":
        return ComplexSHT(grid, lmax)
    if field == "gradient":
        return SHT(grid, lmax, spin=1, mode="derivatives", two_dimensional=True)
    return SHT(grid, lmax, two_dimensional=True)


def dh_grid(lmax: int, sampling: int, extend: bool) -> Tuple[str, int, int]:
    """Kind, latitudes and longitudes; with the south pole for extended ones."""
    n = 2 * lmax + 2
    nphi = longitudes(sampling) * n
    return ("CC", n + 1, nphi) if extend else ("DH", n, nphi)


def closed(map: np.ndarray, extend: bool) -> np.ndarray:
    """A map with the column of 360 degrees, where it is asked for."""
    return np.concatenate([map, map[..., :1]], -1) if extend else map


def synthesized(cilm: Any, place: Tuple[str, int, int], calc: int, words: Tuple[int, int],
                is_complex: bool) -> np.ndarray:
    """The map of coefficients up to calc."""
    cut = np.ascontiguousarray(cilm[:, :calc + 1, :calc + 1])
    name = convention(*words, is_complex)
    if is_complex:
        alm = convert(cut, name, "ssht:complex-field")
        made = plan_of(*place, calc, "complex").synthesis(alm)
        return made.reshape(place[1:])
    return plan_of(*place, calc, "real").synthesis(convert(cut, name, "healpy"))


def analysed(map: np.ndarray, place: Tuple[str, int, int], calc: int, words: Tuple[int, int],
             is_complex: bool) -> np.ndarray:
    """The coefficients of a map up to calc."""
    name = convention(*words, is_complex)
    plan = plan_of(*place, calc, "complex" if is_complex else "real")
    if is_complex:
        alm = plan.analysis(map.reshape(-1), missing="propagate")
        return convert(alm, "ssht:complex-field", name)
    return convert(plan.analysis(map, missing="propagate"), "healpy", name)


def map_of(map: Any, name: str, is_complex: bool) -> np.ndarray:
    """A checked map with two axes."""
    map = plain(map, name)
    if map.ndim != 2:
        raise ValueError(f"{name}: has shape {map.shape}, must have two axes")
    if np.iscomplexobj(map) and not is_complex:
        raise TypeError(f"{name}: is complex; the functions whose names end with C take it")
    return finite(np.ascontiguousarray(map, np.complex128 if is_complex else np.float64), name)
