"""A warning where the analysis of a plan for ring grids does not invert its synthesis."""
from __future__ import annotations

import sys
import warnings
from typing import Optional

from ._errors import ExactnessWarning
from ._native import lib
from .grid import Grid, kind_name


def level_of_caller() -> int:
    """Frames from the caller of this function up to the first one that is not of this package."""
    level, frame = 0, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("armilla."):
        level, frame = level + 1, frame.f_back
    return level + 1


def warn(text: str) -> None:
    """Warns the caller of the package."""
    warnings.warn(text, ExactnessWarning, stacklevel=level_of_caller())


def _beyond(grid: Grid, lmax: int, mmax: int) -> str:
    """grid has an exact rule, but not for these."""
    both = grid.exact_lmax
    text = (f"lmax = {lmax}, mmax = {mmax}: analysis does not invert synthesis on {grid!r}, which "
            f"allows lmax = mmax = {both}")
    if both >= 0 and grid.exact_lmax_for(both) > both:
        text += f", or mmax = {both} with lmax up to {grid.exact_lmax_for(both)}"
    return text + "; pseudo_analysis fits coefficients by least squares"


def _lost(grid: Grid, kind: str) -> str:
    """grid is custom, with the rings of a family that has an exact rule."""
    nphi = int(grid.rings["nphi"][0])
    name = (f"gauss_legendre({grid.nrings}, {nphi})" if kind == "gauss_legendre"
            else f"equidistant({kind!r}, {grid.nrings}, {nphi})")
    return (f"grid: is custom, with the rings of Grid.{name}, but not its rule: analysis with its "
            f"own weights does not invert synthesis; Grid.{name}.laid_out(...) puts pixels "
            "elsewhere, and keeps the rule")


def warn_of_sector(grid: Grid, lmax: int, mmax: int, mres: int) -> None:
    """Warns the caller of the package that a plan of every mres-th order is not exact, though the
    grid has a rule."""
    text = (f"lmax = {lmax}, mmax = {mmax}, mres = {mres}: analysis does not invert synthesis on "
            f"{grid!r}, which allows lmax = {grid._rings_lmax} where rings have more than 2 mmax "
            "pixels; pseudo_analysis fits coefficients by least squares")
    warnings.warn(text, ExactnessWarning, stacklevel=level_of_caller())


def _beyond_healpix(grid: Grid, lmax: int) -> Optional[str]:
    """HEALPix has no exact rule, but its 4 nside - 1 rings and 12 nside^2 pixels hold little beyond
    the degree that healpy's analysis ends at, 3 nside - 1, where errors are a tenth of the
    coefficients. From 4 nside on they are as large, and iterations add to them."""
    nside = round((grid.npix / 12) ** 0.5)
    if lmax < 3 * nside:
        return None
    return (f"lmax = {lmax}: analysis does not invert synthesis on {grid!r}, whose pixels hold "
            f"little beyond 3 nside - 1 = {3 * nside - 1}")


def warn_if_inexact(grid: Grid, lmax: int, mmax: int) -> None:
    """Warns the caller of the package where a quadrature would be exact, were it not for lmax and
    mmax, or for rings given one by one; on HEALPix, which has none, where it is far from it."""
    text = None
    if grid.kind == "healpix":
        text = _beyond_healpix(grid, lmax)
    elif grid._rings_lmax >= 0 and lmax > grid.exact_lmax_for(mmax):
        text = _beyond(grid, lmax, mmax)
    elif grid.kind == "custom":
        kind = kind_name(lib.armilla_grid_lost_rule(grid._grid, lmax, mmax))
        text = None if kind == "custom" else _lost(grid, kind)
    if text is not None:
        warn(text)
