"""The library's projections of the sphere, and what pictures in Python share: armilla.plot and the
views of armilla.healpy."""
from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np

from ._arrays import pointer, reals
from ._errors import check
from ._native import ffi, lib

NUMBERS: Dict[str, int] = {
    "mollweide": lib.ARMILLA_PROJECTION_MOLLWEIDE,
    "orthographic": lib.ARMILLA_PROJECTION_ORTHOGRAPHIC,
    "gnomonic": lib.ARMILLA_PROJECTION_GNOMONIC,
    "equirectangular": lib.ARMILLA_PROJECTION_EQUIRECTANGULAR,
    "lambert": lib.ARMILLA_PROJECTION_LAMBERT,
    "equidistant": lib.ARMILLA_PROJECTION_EQUIDISTANT,
    "stereographic": lib.ARMILLA_PROJECTION_STEREOGRAPHIC}
COLOURS: Dict[str, int] = {
    "diverging": lib.ARMILLA_COLORS_DIVERGING, "planck": lib.ARMILLA_COLORS_PLANCK,
    "viridis": lib.ARMILLA_COLORS_VIRIDIS, "magma": lib.ARMILLA_COLORS_MAGMA,
    "grey": lib.ARMILLA_COLORS_GREY}


def forward(name: str, vectors: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """x to the east and y to the north, each (...), of unit vectors (3, ...); NaN where there is no
    place for them."""
    given = reals(vectors, "vectors")
    shape = given.shape[1:]
    x, y = np.empty(shape), np.empty(shape)
    check(lib.armilla_projection_forward(NUMBERS[name], x.size, pointer(given), pointer(x),
                                         pointer(y)))
    return x, y


def inverse(name: str, x: Any, y: Any) -> np.ndarray:
    """Unit vectors (3, ...) of points of the plane; NaN outside of the projection."""
    x, y = (np.array(reals(c, "x, y")) for c in np.broadcast_arrays(x, y))  # also of shape ()
    made = np.empty((3,) + x.shape)
    check(lib.armilla_projection_inverse(NUMBERS[name], x.size, pointer(x), pointer(y),
                                         pointer(made)))
    return made


def colours(name: str, count: int = 256) -> np.ndarray:
    """A colour map, (count, 3) bytes."""
    made = np.empty((count, 3), np.uint8)
    check(lib.armilla_picture_colors(COLOURS[name], count,
                                     ffi.cast("unsigned char *", made.ctypes.data)))
    return made


def axis_turn(axis: int, angle: float) -> np.ndarray:
    """Rotation about an axis, right-handed, (3, 3)."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i] = np.sin(angle)
    matrix[i, j] = -matrix[j, i]
    return matrix


def turn(longitude: float, latitude: float, angle: float = 0.0) -> np.ndarray:
    """Matrix (3, 3) that brings a direction to the middle of the plane and turns the picture there;
    radians."""
    return axis_turn(0, -angle) @ axis_turn(1, latitude) @ axis_turn(2, -longitude)
