"""HEALPix pixels: numbers, directions, neighbours, interpolation, maps in another order or at
another nside, pixels in discs, polygons and strips.

Pixel numbers are RING, for any nside, or NESTED, for powers of two. Angles are in radians, theta is
colatitude. Arrays may have any shape; those of one call are broadcast. nthreads: threads of a call,
0 all that the process has; some 10^4 pixels are done by the calling thread alone.
ValueError: a pixel, a direction or nside is out of range; TypeError: numbers are no integers.
"""
from __future__ import annotations

from typing import Any, List, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angle, angles, plain, pointer
from ._errors import check, real, whole
from ._native import ffi, lib

_INTEGERS = ffi.typeof("int64_t[]")
_DOUBLES = ffi.typeof("double[]")
_BYTES = ffi.typeof("char[]")
_PIXEL = ffi.typeof("int64_t *")
_RANGES = ffi.typeof("armilla_healpix_ranges **")
_MAP = ffi.typeof("armilla_healpix_map *")
_INT64, _FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)
_Whole = Union[int, np.integer]
_PLAIN = (float, np.ndarray, np.float64, int, list)  # classes that hide neither values nor a unit

__all__ = ["Healpix_Base", "ang2vec", "ang_to_pixel", "boundaries", "change_nside", "face_to_pixel",
           "interpolate", "interpolation_weights", "neighbours", "nest_to_ring", "pixel_to_ang",
           "pixel_to_face", "pixel_to_vec", "query_disc", "query_polygon", "query_strip", "reorder",
           "ring_to_nest", "v_angle", "vec2ang", "vec_to_pixel"]


def __dir__() -> List[str]:
    return __all__


def _numbers(pixels: ArrayLike, name: str = "pixels") -> np.ndarray:
    """Contiguous int64; TypeError for what is no integer."""
    given = np.asarray(pixels)
    if given.dtype is _INT64 and given.flags.c_contiguous:
        return given
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"{name}: must be integers, not {given.dtype}")
    return np.asarray(given, dtype=np.int64, order="C")


def _reals(values: ArrayLike, name: str) -> np.ndarray:
    if values.__class__ not in _PLAIN:
        values = plain(values, name)
    return np.asarray(values, dtype=_FLOAT64, order="C")


def _pair(theta: ArrayLike, phi: ArrayLike) -> Tuple[np.ndarray, np.ndarray]:
    """Contiguous float64 of one shape, radians."""
    if theta.__class__ not in _PLAIN:
        theta = angles(theta, "theta")
    if phi.__class__ not in _PLAIN:
        phi = angles(phi, "phi")
    a, b = _reals(theta, "theta"), _reals(phi, "phi")
    if a.shape != b.shape:
        a, b = (np.array(c, order="C") for c in np.broadcast_arrays(a, b))
    return a, b


def _integers(array: np.ndarray) -> Any:
    return ffi.from_buffer(_INTEGERS, array)


def _doubles(array: np.ndarray) -> Any:
    return ffi.from_buffer(_DOUBLES, array)


def _nside(nside: Any) -> int:
    return nside if nside.__class__ is int and 0 < nside < 2 ** 31 else whole("nside", nside)


# --- Directions -----------------------------------------------------------------------------------


@overload
def ang_to_pixel(nside: int, theta: float, phi: float, *,
                 nested: bool = ..., nthreads: int = ...) -> np.int64: ...


@overload
def ang_to_pixel(nside: int, theta: ArrayLike, phi: ArrayLike, *,
                 nested: bool = ..., nthreads: int = ...) -> np.ndarray: ...


def ang_to_pixel(nside: int, theta: ArrayLike, phi: ArrayLike, *, nested: bool = False,
                 nthreads: int = 0) -> Any:
    """The pixels that hold directions (...): int64."""
    theta, phi = _pair(theta, phi)
    made = np.empty(theta.shape, _INT64)
    check(lib.armilla_healpix_ang_to_pixels(_nside(nside), bool(nested), theta.size,
                                            _doubles(theta), _doubles(phi), _integers(made),
                                            nthreads))
    return made[()]


@overload
def pixel_to_ang(nside: int, pixels: _Whole, *,
                 nested: bool = ..., nthreads: int = ...) -> Tuple[np.float64, np.float64]: ...


@overload
def pixel_to_ang(nside: int, pixels: ArrayLike, *,
                 nested: bool = ..., nthreads: int = ...) -> Tuple[np.ndarray, np.ndarray]: ...


def pixel_to_ang(nside: int, pixels: ArrayLike, *, nested: bool = False, nthreads: int = 0
                 ) -> Tuple[Any, Any]:
    """(theta, phi) of the centres of pixels (...)."""
    given = _numbers(pixels)
    theta, phi = np.empty(given.shape), np.empty(given.shape)
    check(lib.armilla_healpix_pixels_to_ang(_nside(nside), bool(nested), given.size,
                                            _integers(given), _doubles(theta), _doubles(phi),
                                            nthreads))
    return theta[()], phi[()]


def vec_to_pixel(nside: int, vectors: ArrayLike, *, nested: bool = False, axis: int = -1,
                 nthreads: int = 0) -> Any:
    """The pixels that hold the directions of vectors, of any length but 0: int64.

    vectors: x, y, z along the last axis, or with axis = 0 along the first.
    """
    given = _reals(vectors, "vectors")
    if given.ndim == 0 or axis not in (0, -1) or given.shape[axis] != 3:
        raise ValueError(f"vectors: have shape {given.shape}, must have 3 along axis {axis}")
    made = np.empty(given.shape[1:] if axis == 0 else given.shape[:-1], _INT64)
    check(lib.armilla_healpix_vec_to_pixels(_nside(nside), bool(nested), made.size,
                                            _doubles(given), axis == 0, _integers(made), nthreads))
    return made[()]


def _vec_to_one_pixel(nside: int, vector: List[float], nested: bool) -> np.int64:
    """The same for one vector, without arrays."""
    made = ffi.new(_PIXEL)
    check(lib.armilla_healpix_vec_to_pixels(nside, nested, 1, vector, 1, made, 1))
    return np.int64(made[0])


def pixel_to_vec(nside: int, pixels: ArrayLike, *, nested: bool = False, axis: int = -1,
                 nthreads: int = 0) -> np.ndarray:
    """Unit vectors (..., 3), or with axis = 0 (3, ...), of the centres of pixels (...)."""
    given = _numbers(pixels)
    if axis not in (0, -1):
        raise ValueError(f"axis = {axis}: must be 0 or -1")
    made = np.empty((3,) + given.shape if axis == 0 else given.shape + (3,))
    check(lib.armilla_healpix_pixels_to_vec(_nside(nside), bool(nested), given.size,
                                            _integers(given), axis == 0, _doubles(made), nthreads))
    return made


# --- Numbers --------------------------------------------------------------------------------------


def _renumbered(nside: int, pixels: ArrayLike, to_nested: bool, nthreads: int) -> Any:
    given = _numbers(pixels)
    made = np.empty(given.shape, _INT64)
    check(lib.armilla_healpix_renumber(_nside(nside), to_nested, given.size, _integers(given),
                                       _integers(made), nthreads))
    return made[()]


@overload
def nest_to_ring(nside: int, pixels: _Whole, *,
                 nthreads: int = ...) -> np.int64: ...


@overload
def nest_to_ring(nside: int, pixels: ArrayLike, *, nthreads: int = ...) -> np.ndarray: ...


def nest_to_ring(nside: int, pixels: ArrayLike, *, nthreads: int = 0) -> Any:
    """RING numbers of NESTED pixels (...)."""
    return _renumbered(nside, pixels, False, nthreads)


@overload
def ring_to_nest(nside: int, pixels: _Whole, *,
                 nthreads: int = ...) -> np.int64: ...


@overload
def ring_to_nest(nside: int, pixels: ArrayLike, *, nthreads: int = ...) -> np.ndarray: ...


def ring_to_nest(nside: int, pixels: ArrayLike, *, nthreads: int = 0) -> Any:
    """NESTED numbers of RING pixels (...)."""
    return _renumbered(nside, pixels, True, nthreads)


@overload
def pixel_to_face(nside: int, pixels: _Whole, *,
                  nested: bool = ...,
                  nthreads: int = ...) -> Tuple[np.int64, np.int64, np.int64]: ...


@overload
def pixel_to_face(nside: int, pixels: ArrayLike, *,
                  nested: bool = ...,
                  nthreads: int = ...) -> Tuple[np.ndarray, np.ndarray, np.ndarray]: ...


def pixel_to_face(nside: int, pixels: ArrayLike, *, nested: bool = False, nthreads: int = 0
                  ) -> Tuple[Any, Any, Any]:
    """(x, y, face) of pixels (...): x to the north-east, y to the north-west, faces 0 to 11."""
    given = _numbers(pixels)
    x, y, face = (np.empty(given.shape, _INT64) for _ in range(3))
    check(lib.armilla_healpix_pixels_to_faces(_nside(nside), bool(nested), given.size,
                                              _integers(given), _integers(x), _integers(y),
                                              _integers(face), nthreads))
    return x[()], y[()], face[()]


@overload
def face_to_pixel(nside: int, x: _Whole, y: _Whole, face: _Whole, *,
                  nested: bool = ..., nthreads: int = ...) -> np.int64: ...


@overload
def face_to_pixel(nside: int, x: ArrayLike, y: ArrayLike, face: ArrayLike, *,
                  nested: bool = ..., nthreads: int = ...) -> np.ndarray: ...


def face_to_pixel(nside: int, x: ArrayLike, y: ArrayLike, face: ArrayLike, *,
                  nested: bool = False, nthreads: int = 0) -> Any:
    """The inverse of pixel_to_face."""
    given = [_numbers(a, name) for a, name in ((x, "x"), (y, "y"), (face, "face"))]
    if not given[0].shape == given[1].shape == given[2].shape:
        given = [np.array(a, order="C") for a in np.broadcast_arrays(*given)]
    made = np.empty(given[0].shape, _INT64)
    check(lib.armilla_healpix_faces_to_pixels(_nside(nside), bool(nested), made.size,
                                              *(_integers(a) for a in given), _integers(made),
                                              nthreads))
    return made[()]


# --- Around pixels --------------------------------------------------------------------------------


def neighbours(nside: int, pixels: ArrayLike, *, nested: bool = False, axis: int = -1,
               nthreads: int = 0) -> np.ndarray:
    """The pixels that share an edge or a corner with each of pixels (...).

    Result: (..., 8), with axis = 0 (8, ...), int64, numbers in the same order: to the SW, W, NW, N,
    NE, E, SE, S; -1 where there is none (24 pixels of a map lack one; at nside 1 each lacks two).
    """
    given = _numbers(pixels)
    if axis not in (0, -1):
        raise ValueError(f"axis = {axis}: must be 0 or -1")
    found = np.empty((8,) + given.shape if axis == 0 else given.shape + (8,), _INT64)
    check(lib.armilla_healpix_neighbours_with(_nside(nside), bool(nested), given.size,
                                              _integers(given), axis == 0, _integers(found),
                                              nthreads))
    return found


def boundaries(nside: int, pixels: ArrayLike, step: int = 1, *,
               nested: bool = False) -> np.ndarray:
    """Points on the boundaries of pixels (...), step on each side, 1 to 2^24.

    Result: (..., 4 step, 3), unit vectors, from the north corner to the west, south and east one.
    """
    given, step = _numbers(pixels), whole("step", step)
    points = np.empty(given.shape + (4 * max(step, 0), 3))
    check(lib.armilla_healpix_boundaries(_nside(nside), bool(nested), given.size,
                                         _integers(given), step, pointer(points)))
    return points


def _one_boundary(nside: int, pixel: int, step: int, nested: bool) -> np.ndarray:
    """The same for one pixel: (4 step, 3)."""
    points = np.empty((4 * step, 3))
    check(lib.armilla_healpix_boundaries(nside, nested, 1, [pixel], step, _doubles(points)))
    return points


# --- Maps -----------------------------------------------------------------------------------------


def _map_struct(values: np.ndarray, nested: bool) -> Any:
    """What the C functions take of a map (npix,), contiguous float32 or float64."""
    made = ffi.new(_MAP)
    made.nside = lib.armilla_healpix_nside(values.size)
    if values.ndim != 1 or made.nside < 0:
        raise ValueError(f"map: has shape {values.shape}, must be (12 nside^2,)")
    made.nested, made.is_float = bool(nested), values.dtype == np.float32
    made.values = pointer(values)
    return made


def _floating(values: ArrayLike) -> np.ndarray:
    given = plain(values, "map")
    if given.dtype.kind not in "biuf":
        raise TypeError(f"map: must be real, not {given.dtype}")
    kind = np.float32 if given.dtype.newbyteorder("=") == np.float32 else np.float64
    return np.asarray(given, dtype=kind, order="C")


def reorder(map: ArrayLike, *, to_nested: bool, nthreads: int = 0) -> np.ndarray:
    """A map (..., npix) of any type in the other order: to NESTED from RING, or back.

    nside must be a power of two.
    """
    given = plain(map, "map")
    if given.ndim == 0:
        raise ValueError("map: must be (..., npix)")
    nside = lib.armilla_healpix_nside(given.shape[-1])
    if nside < 0:
        raise ValueError(f"map: {given.shape[-1]} pixels: no HEALPix map has so many")
    if given.dtype.hasobject or given.itemsize not in (1, 2, 4, 8, 16):
        places = _renumbered(nside, np.arange(given.shape[-1]), not to_nested, nthreads)
        return given[..., places]
    rows = np.asarray(given, order="C").reshape(-1, given.shape[-1])
    made = np.empty_like(rows)
    for row, turned in zip(rows.view("u1"), made.view("u1")):
        check(lib.armilla_healpix_reorder(nside, bool(to_nested), given.itemsize,
                                          ffi.from_buffer(_BYTES, row),
                                          ffi.from_buffer(_BYTES, turned), nthreads))
    return made.reshape(given.shape)


def change_nside(map: ArrayLike, nside: int, *, nested: bool = False, to_nested: bool = False,
                 pessimistic: bool = False, power: float = 0.0, nthreads: int = 0) -> np.ndarray:
    """A map (npix,) at another nside: means of the pixels that make up coarser ones, or values
    repeated, times (nside / that of the map)^power. Powers of two only.

    nested, to_nested: orders of the map and of the result. pessimistic: a mean is missing
    (armilla.io.UNSEEN) where one of its pixels is, else where all are. float32 stays, all others
    become float64.
    """
    given = _floating(map)
    nside = whole("nside", nside)
    npix = lib.armilla_healpix_npix(nside)
    if npix < 0:
        raise ValueError(f"nside = {nside}: must be a power of two up to 2^29")
    made = np.empty(npix, given.dtype)
    check(lib.armilla_healpix_change_nside(_map_struct(given, nested),
                                           _map_struct(made, to_nested), bool(pessimistic),
                                           real("power", power), nthreads))
    return made


def interpolation_weights(nside: int, theta: ArrayLike, phi: ArrayLike, *, nested: bool = False,
                          nthreads: int = 0) -> Tuple[np.ndarray, np.ndarray]:
    """The four pixels next to directions (...), and their weights: (4, ...) each.

    Linear in phi on the rings to the north and to the south, then linear in theta.
    """
    theta, phi = _pair(theta, phi)
    pixels, weights = np.empty((4,) + theta.shape, _INT64), np.empty((4,) + theta.shape)
    check(lib.armilla_healpix_interpolation_weights(_nside(nside), bool(nested), theta.size,
                                                    _doubles(theta), _doubles(phi),
                                                    _integers(pixels), _doubles(weights),
                                                    nthreads))
    return pixels, weights


@overload
def interpolate(map: ArrayLike, theta: float, phi: float, *,
                nested: bool = ..., nthreads: int = ...) -> np.float64: ...


@overload
def interpolate(map: ArrayLike, theta: ArrayLike, phi: ArrayLike, *, nested: bool = ...,
                nthreads: int = ...) -> np.ndarray: ...


def interpolate(map: ArrayLike, theta: ArrayLike, phi: ArrayLike, *, nested: bool = False,
                nthreads: int = 0) -> Any:
    """Values of a map (npix,) at directions (...): sums of interpolation_weights times pixels.

    Missing pixels are numbers like all others.
    """
    given = _floating(map)
    theta, phi = _pair(theta, phi)
    made = np.empty(theta.shape)
    check(lib.armilla_healpix_interpolate(_map_struct(given, nested), theta.size, _doubles(theta),
                                          _doubles(phi), _doubles(made), nthreads))
    return made[()]


# --- Regions --------------------------------------------------------------------------------------


_new, _count, _npixels = (ffi.new, lib.armilla_healpix_ranges_count,
                          lib.armilla_healpix_ranges_npixels)
_get, _pixels, _free = (lib.armilla_healpix_ranges_get, lib.armilla_healpix_ranges_pixels,
                        lib.armilla_healpix_ranges_free)
_query_disc, _from_buffer, _empty = lib.armilla_healpix_query_disc, ffi.from_buffer, np.empty
_query_few, _FEW = lib.armilla_healpix_query_disc_pixels, 4096
_FEW_RADII = 30  # nside times the radius, of discs of at most some 3000 pixels
_SPARE: List[Tuple[np.ndarray, Any, Any]] = []  # (pixels, the same for C, count), not in use


def _buffer() -> Tuple[np.ndarray, Any, Any]:
    """Room for few pixels: kept, for to make it takes longer than to fill it."""
    pixels = _empty(_FEW, _INT64)
    return pixels, _from_buffer(_INTEGERS, pixels), ffi.new(_PIXEL)


def _listed(found: Any, ranges: bool) -> np.ndarray:
    """Pixels of a set that C has made, (n,), or its runs, (n, 2)."""
    try:
        made = _empty((_count(found), 2) if ranges else _npixels(found), _INT64)
        check((_get if ranges else _pixels)(found, _from_buffer(_INTEGERS, made)))
        return made
    finally:
        _free(found)


def _vector(centre: Any) -> List[float]:
    vector = centre.tolist() if centre.__class__ is np.ndarray else list(centre)
    if len(vector) != 3:
        raise ValueError(f"centre: has length {len(vector)}, must be (3,)")
    return vector


def _small_disc(nside: int, centre: Any, radius: float) -> np.ndarray:
    """query_disc in RING order for some 3 (nside radius)^2 pixels, with the least around it."""
    vector = _vector(centre)
    try:
        room = _SPARE.pop()  # threads have each their own
    except IndexError:
        room = _buffer()
    pixels, target, count = room
    status = _query_few(nside, 0, vector, radius, 0, _FEW, count, target)
    if status:
        check(status)
    made = pixels[:count[0]].copy()
    _SPARE.append(room)
    return made


def _disc(nside: int, centre: Any, radius: float, fact: int, nested: bool, ranges: bool
          ) -> np.ndarray:
    """query_disc without a look at nside."""
    if nside * radius < _FEW_RADII and not (fact or nested or ranges):
        return _small_disc(nside, centre, radius)
    vector = _vector(centre)
    found = _new(_RANGES)
    check(_query_disc(nside, nested, vector, radius, fact, found))
    return _listed(found[0], ranges)


def _strip(nside: int, theta1: float, theta2: float, inclusive: bool, nested: bool, ranges: bool
           ) -> np.ndarray:
    found = _new(_RANGES)
    status = lib.armilla_healpix_query_strip(nside, nested, theta1, theta2, inclusive, found)
    if status:
        check(status)
    return _listed(found[0], ranges)


def query_disc(nside: int, centre: ArrayLike, radius: float, *, fact: int = 0,
               nested: bool = False, ranges: bool = False) -> np.ndarray:
    """Pixels in the disc of `radius` around the vector centre (3,), rising.

    fact 0: pixels that have their centre in it; else all that overlap, and maybe a few more, judged
    by fact^2 parts of a pixel. ranges: runs (n, 2), first and the one after the last, instead: as
    short for large discs at large nside as their edge. Cost follows the edge, not the sphere.
    """
    return _disc(_nside(nside), centre, angle("radius", radius), fact, bool(nested), ranges)


def query_polygon(nside: int, vertices: ArrayLike, *, fact: int = 0, nested: bool = False,
                  ranges: bool = False) -> np.ndarray:
    """Pixels in the convex polygon of vertices (n, 3), n >= 3; the rest as in query_disc."""
    corners = _reals(vertices, "vertices")
    if corners.ndim != 2 or corners.shape[1] != 3:
        raise ValueError(f"vertices: have shape {corners.shape}, must have (n, 3)")
    found = ffi.new(_RANGES)
    check(lib.armilla_healpix_query_polygon(_nside(nside), bool(nested), len(corners),
                                            _doubles(corners), fact, found))
    return _listed(found[0], ranges)


def query_strip(nside: int, theta1: float, theta2: float, *, inclusive: bool = False,
                nested: bool = False, ranges: bool = False) -> np.ndarray:
    """Pixels with theta1 <= theta <= theta2; for theta1 > theta2 those with theta <= theta2 or
    theta >= theta1. inclusive: and the next ring on each side. Rising; ranges as in query_disc."""
    return _strip(_nside(nside), angle("theta1", theta1), angle("theta2", theta2), bool(inclusive),
                  bool(nested), ranges)


from ._healpix_base import Healpix_Base, ang2vec, v_angle, vec2ang  # noqa: E402, they use the above
