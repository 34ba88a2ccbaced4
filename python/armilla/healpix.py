"""HEALPix pixels: numbers, directions, neighbours, interpolation, orders, resolutions and regions.

Pixel numbers are RING, for any nside, or NESTED, for powers of two. Angles are in radians, and
theta is the colatitude. Arrays may have any shape; those of one call are broadcast.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import angle, angles, plain, pointer, reals
from ._errors import check, real, threads, whole
from ._hints import absent
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


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


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
    return reals(values, name)


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
    """Return the pixels that hold directions.

    Parameters
    ----------
    %(nside.to_2^29)s
    %(arguments.directions)s

    Returns
    -------
    int64 or ndarray of int64
        Pixel numbers, of the shape of the directions.

    %(Raises.number)s

    Examples
    --------
    >>> import armilla
    >>> armilla.healpix.ang_to_pixel(16, [0.0, 1.5], 0.3)
    array([   0, 1443])
    """
    theta, phi = _pair(theta, phi)
    made = np.empty(theta.shape, _INT64)
    check(lib.armilla_healpix_ang_to_pixels(_nside(nside), bool(nested), theta.size,
                                            _doubles(theta), _doubles(phi), _integers(made),
                                            threads(nthreads)))
    return made[()]


@overload
def pixel_to_ang(nside: int, pixels: _Whole, *,
                 nested: bool = ..., nthreads: int = ...) -> Tuple[np.float64, np.float64]: ...


@overload
def pixel_to_ang(nside: int, pixels: ArrayLike, *,
                 nested: bool = ..., nthreads: int = ...) -> Tuple[np.ndarray, np.ndarray]: ...


def pixel_to_ang(nside: int, pixels: ArrayLike, *, nested: bool = False, nthreads: int = 0
                 ) -> Tuple[Any, Any]:
    """Return the directions of the centres of pixels.

    Parameters
    ----------
    %(arguments.pixels)s
    %(nthreads.pixels)s

    Returns
    -------
    theta : float64 or ndarray
        Colatitudes in radians.
    phi : float64 or ndarray
        Longitudes in radians.

    %(Raises.number+pixels)s

    Examples
    --------
    >>> import armilla
    >>> theta, phi = armilla.healpix.pixel_to_ang(16, [0, 1443])
    >>> theta.round(4)
    array([0.051 , 1.5291])
    """
    given = _numbers(pixels)
    theta, phi = np.empty(given.shape), np.empty(given.shape)
    check(lib.armilla_healpix_pixels_to_ang(_nside(nside), bool(nested), given.size,
                                            _integers(given), _doubles(theta), _doubles(phi),
                                            threads(nthreads)))
    return theta[()], phi[()]


def vec_to_pixel(nside: int, vectors: ArrayLike, *, nested: bool = False, axis: int = -1,
                 nthreads: int = 0) -> Any:
    """Return the pixels that hold the directions of vectors.

    Parameters
    ----------
    %(nside.to_2^29)s
    vectors : array_like, shape (..., 3)
        Vectors x, y, z of any length but 0; with axis=0 of the shape (3, ...).
    %(nested)s
    axis : {-1, 0}, optional
        Axis of x, y, z.
    %(nthreads.pixels)s

    %(Returns.pixel)s

    Raises
    ------
    ValueError
        If a shape is wrong, or a vector is 0 or not finite.

    Examples
    --------
    >>> import armilla
    >>> int(armilla.healpix.vec_to_pixel(16, [0, 0, -1])) == 12 * 16**2 - 4
    True
    """
    given = _reals(vectors, "vectors")
    if given.ndim == 0 or axis not in (0, -1) or given.shape[axis] != 3:
        raise ValueError(f"vectors: have shape {given.shape}, must have 3 along axis {axis}")
    made = np.empty(given.shape[1:] if axis == 0 else given.shape[:-1], _INT64)
    check(lib.armilla_healpix_vec_to_pixels(_nside(nside), bool(nested), made.size,
                                            _doubles(given), axis == 0, _integers(made),
                                            threads(nthreads)))
    return made[()]


def _vec_to_one_pixel(nside: int, vector: List[float], nested: bool) -> np.int64:
    """The same for one vector, without arrays."""
    made = ffi.new(_PIXEL)
    check(lib.armilla_healpix_vec_to_pixels(nside, nested, 1, vector, 1, made, 1))
    return np.int64(made[0])


def pixel_to_vec(nside: int, pixels: ArrayLike, *, nested: bool = False, axis: int = -1,
                 nthreads: int = 0) -> np.ndarray:
    """Return the unit vectors of the centres of pixels.

    Parameters
    ----------
    %(arguments.pixels)s
    axis : {-1, 0}, optional
        Axis of x, y, z in the result.
    %(nthreads.pixels)s

    Returns
    -------
    ndarray, shape (..., 3) or (3, ...)
        Unit vectors.

    %(Raises.number+pixels)s
    """
    given = _numbers(pixels)
    if axis not in (0, -1):
        raise ValueError(f"axis = {axis}: must be 0 or -1")
    made = np.empty((3,) + given.shape if axis == 0 else given.shape + (3,))
    check(lib.armilla_healpix_pixels_to_vec(_nside(nside), bool(nested), given.size,
                                            _integers(given), axis == 0, _doubles(made),
                                            threads(nthreads)))
    return made


# --- Numbers --------------------------------------------------------------------------------------


def _renumbered(nside: int, pixels: ArrayLike, to_nested: bool, nthreads: int) -> Any:
    given = _numbers(pixels)
    made = np.empty(given.shape, _INT64)
    check(lib.armilla_healpix_renumber(_nside(nside), to_nested, given.size, _integers(given),
                                       _integers(made), threads(nthreads)))
    return made[()]


@overload
def nest_to_ring(nside: int, pixels: _Whole, *,
                 nthreads: int = ...) -> np.int64: ...


@overload
def nest_to_ring(nside: int, pixels: ArrayLike, *, nthreads: int = ...) -> np.ndarray: ...


def nest_to_ring(nside: int, pixels: ArrayLike, *, nthreads: int = 0) -> Any:
    """Return the RING numbers of NESTED pixels.

    Parameters
    ----------
    %(nside.power_of_two)s
    pixels : int or array_like of int
        NESTED numbers.
    %(nthreads.pixels)s

    Returns
    -------
    int64 or ndarray of int64
        RING numbers.

    %(Raises.number+pixels)s

    Examples
    --------
    >>> import armilla
    >>> armilla.healpix.nest_to_ring(2, [0, 1, 2, 3])
    array([13,  5,  4,  0])
    """
    return _renumbered(nside, pixels, False, nthreads)


@overload
def ring_to_nest(nside: int, pixels: _Whole, *,
                 nthreads: int = ...) -> np.int64: ...


@overload
def ring_to_nest(nside: int, pixels: ArrayLike, *, nthreads: int = ...) -> np.ndarray: ...


def ring_to_nest(nside: int, pixels: ArrayLike, *, nthreads: int = 0) -> Any:
    """Return the NESTED numbers of RING pixels.

    Parameters
    ----------
    %(nside.power_of_two)s
    pixels : int or array_like of int
        RING numbers.
    %(nthreads.pixels)s

    Returns
    -------
    int64 or ndarray of int64
        NESTED numbers.

    %(Raises.number+pixels)s
    """
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
    """Return the places of pixels in the twelve faces.

    Parameters
    ----------
    %(arguments.pixels)s
    %(nthreads.pixels)s

    Returns
    -------
    x : int64 or ndarray of int64
        Column in the face, to the north-east.
    y : int64 or ndarray of int64
        Row in the face, to the north-west.
    face : int64 or ndarray of int64
        Number of the face, 0 to 11.

    %(Raises.number+pixels)s
    """
    given = _numbers(pixels)
    x, y, face = (np.empty(given.shape, _INT64) for _ in range(3))
    check(lib.armilla_healpix_pixels_to_faces(_nside(nside), bool(nested), given.size,
                                              _integers(given), _integers(x), _integers(y),
                                              _integers(face), threads(nthreads)))
    return x[()], y[()], face[()]


@overload
def face_to_pixel(nside: int, x: _Whole, y: _Whole, face: _Whole, *,
                  nested: bool = ..., nthreads: int = ...) -> np.int64: ...


@overload
def face_to_pixel(nside: int, x: ArrayLike, y: ArrayLike, face: ArrayLike, *,
                  nested: bool = ..., nthreads: int = ...) -> np.ndarray: ...


def face_to_pixel(nside: int, x: ArrayLike, y: ArrayLike, face: ArrayLike, *,
                  nested: bool = False, nthreads: int = 0) -> Any:
    """Return the pixels at places in the twelve faces: the inverse of pixel_to_face.

    Parameters
    ----------
    %(nside.to_2^29)s
    x : int or array_like of int
        Columns in the faces, 0 to nside - 1, to the north-east.
    y : int or array_like of int
        Rows in the faces, 0 to nside - 1, to the north-west.
    face : int or array_like of int
        Numbers of the faces, 0 to 11.
    %(nested)s
    %(nthreads.pixels)s

    %(Returns.pixel)s

    Raises
    ------
    %(ValueError.number)s
    TypeError
        If a number is not an integer.
    """
    given = [_numbers(a, name) for a, name in ((x, "x"), (y, "y"), (face, "face"))]
    if not given[0].shape == given[1].shape == given[2].shape:
        given = [np.array(a, order="C") for a in np.broadcast_arrays(*given)]
    made = np.empty(given[0].shape, _INT64)
    check(lib.armilla_healpix_faces_to_pixels(_nside(nside), bool(nested), made.size,
                                              *(_integers(a) for a in given), _integers(made),
                                              threads(nthreads)))
    return made[()]


# --- Around pixels --------------------------------------------------------------------------------


def neighbours(nside: int, pixels: ArrayLike, *, nested: bool = False, axis: int = -1,
               nthreads: int = 0) -> np.ndarray:
    """Return the pixels that share an edge or a corner with each pixel.

    Parameters
    ----------
    %(arguments.pixels)s
    axis : {-1, 0}, optional
        Axis of the neighbours in the result.
    %(nthreads.pixels)s

    Returns
    -------
    ndarray of int64, shape (..., 8) or (8, ...)
        Numbers, in the same order as `pixels`, of the neighbours to the SW, W, NW, N, NE, E, SE
        and S; -1 where there is none. 24 pixels of a map lack one neighbour, and at nside 1 each
        lacks two.

    %(Raises.number+pixels)s

    Examples
    --------
    >>> import armilla
    >>> armilla.healpix.neighbours(4, 0)
    array([ 4, 11,  3,  2,  1,  6,  5, 13])
    """
    given = _numbers(pixels)
    if axis not in (0, -1):
        raise ValueError(f"axis = {axis}: must be 0 or -1")
    found = np.empty((8,) + given.shape if axis == 0 else given.shape + (8,), _INT64)
    check(lib.armilla_healpix_neighbours_with(_nside(nside), bool(nested), given.size,
                                              _integers(given), axis == 0, _integers(found),
                                              threads(nthreads)))
    return found


def boundaries(nside: int, pixels: ArrayLike, step: int = 1, *,
               nested: bool = False) -> np.ndarray:
    """Return points on the boundaries of pixels.

    Parameters
    ----------
    %(nside.to_2^29)s
    pixels : int or array_like of int
        Pixel numbers.
    step : int, optional
        Number of points on each side, 1 to 2^24.
    %(nested)s

    Returns
    -------
    ndarray, shape (..., 4 step, 3)
        Unit vectors, from the north corner to the west, south and east ones.

    %(Raises.number+pixels)s
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
    """Bring maps into the other order: from RING to NESTED, or back.

    Parameters
    ----------
    map : array_like, shape (..., npix)
        Maps of any type; nside must be a power of two.
    to_nested : bool
        Whether the result is in NESTED order; the maps are in the other one.
    %(nthreads.pixels)s

    Returns
    -------
    ndarray, shape (..., npix)
        The maps in the other order.

    Raises
    ------
    ValueError
        If no HEALPix map has this many pixels, or nside is not a power of two.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> armilla.healpix.reorder(np.arange(12 * 2**2), to_nested=True)[:4]
    array([13,  5,  4,  0])
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
                                          ffi.from_buffer(_BYTES, turned), threads(nthreads)))
    return made.reshape(given.shape)


def change_nside(map: ArrayLike, nside: int, *, nested: bool = False, to_nested: bool = False,
                 pessimistic: bool = False, power: float = 0.0, finite: bool = False,
                 nthreads: int = 0) -> np.ndarray:
    """Bring a map to another nside: means of pixels, or pixels repeated.

    Parameters
    ----------
    map : array_like, shape (npix,)
        A map; nside is a power of two.
    nside : int
        Resolution of the result, a power of two.
    nested : bool, optional
        Whether the map is in NESTED order.
    to_nested : bool, optional
        Whether the result is in NESTED order.
    pessimistic : bool, optional
        Whether a mean is missing where one of its pixels is. By default it is missing where all
        are.
    power : float, optional
        The result is multiplied by the ratio of its nside to that of the map, to this power.
    finite : bool, optional
        Whether NaN and infinities are missing pixels, so that means are those of the finite ones,
        or missing where there is none, as in ``armilla map --nside``. By default a mean with one
        of them is NaN, as in healpy.
    %(nthreads.pixels)s

    Returns
    -------
    ndarray
        The map: float32 for float32, else float64. Missing pixels are `armilla.io.UNSEEN`.

    Raises
    ------
    %(ValueError.number)s
    TypeError
        If the map is not real.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> armilla.healpix.change_nside(np.arange(48.0), 1, nested=True)[:3]
    array([1.5, 5.5, 9.5])
    """
    given = _floating(map)
    if finite:
        given = np.where(np.isfinite(given), given, given.dtype.type(lib.ARMILLA_UNSEEN))
    nside = whole("nside", nside)
    npix = lib.armilla_healpix_npix(nside)
    if npix < 0:
        raise ValueError(f"nside = {nside}: must be a power of two up to 2^29")
    made = np.empty(npix, given.dtype)
    check(lib.armilla_healpix_change_nside(_map_struct(given, nested),
                                           _map_struct(made, to_nested), bool(pessimistic),
                                           real("power", power), threads(nthreads)))
    return made


def interpolation_weights(nside: int, theta: ArrayLike, phi: ArrayLike, *, nested: bool = False,
                          nthreads: int = 0) -> Tuple[np.ndarray, np.ndarray]:
    """Return the four pixels next to directions, and their weights in an interpolation.

    Parameters
    ----------
    %(nside.to_2^29)s
    %(arguments.directions)s

    %(Returns.pixels+weights)s

    %(Raises.number)s

    Notes
    -----
    The interpolation is linear in phi on the rings to the north and to the south, and then linear
    in theta.
    """
    theta, phi = _pair(theta, phi)
    pixels, weights = np.empty((4,) + theta.shape, _INT64), np.empty((4,) + theta.shape)
    check(lib.armilla_healpix_interpolation_weights(_nside(nside), bool(nested), theta.size,
                                                    _doubles(theta), _doubles(phi),
                                                    _integers(pixels), _doubles(weights),
                                                    threads(nthreads)))
    return pixels, weights


@overload
def interpolate(map: ArrayLike, theta: float, phi: float, *,
                nested: bool = ..., nthreads: int = ...) -> np.float64: ...


@overload
def interpolate(map: ArrayLike, theta: ArrayLike, phi: ArrayLike, *, nested: bool = ...,
                nthreads: int = ...) -> np.ndarray: ...


def interpolate(map: ArrayLike, theta: ArrayLike, phi: ArrayLike, *, nested: bool = False,
                nthreads: int = 0) -> Any:
    """Interpolate a map linearly between its pixels.

    Parameters
    ----------
    map : array_like, shape (npix,)
        A map. Missing pixels are numbers like all others.
    %(arguments.directions)s

    Returns
    -------
    float64 or ndarray
        Values, of the shape of the directions: sums of `interpolation_weights` times pixels.

    %(Raises.npix_or_number)s

    See Also
    --------
    armilla.interpolate : Values of the band-limited field that a map samples.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> z = armilla.healpix.pixel_to_vec(64, np.arange(12 * 64**2))[:, 2]
    >>> bool(abs(armilla.healpix.interpolate(z, 1.0, 2.0) - np.cos(1.0)) < 1e-3)
    True
    """
    given = _floating(map)
    theta, phi = _pair(theta, phi)
    made = np.empty(theta.shape)
    check(lib.armilla_healpix_interpolate(_map_struct(given, nested), theta.size, _doubles(theta),
                                          _doubles(phi), _doubles(made), threads(nthreads)))
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
    """Find the pixels in a disc.

    Parameters
    ----------
    %(nside.to_2^29)s
    centre : array_like, shape (3,)
        Vector to the centre, of any length but 0.
    %(radius)s
    fact : int, optional
        With 0 pixels are found whose centres lie in the disc. With a number of 1 or more all
        pixels that overlap with the disc are found, and maybe a few more, judged by fact^2 parts
        of each pixel; with `nested` it must be a power of two.
    %(nested)s
    ranges : bool, optional
        Whether runs of pixels are returned, which for large discs at a large nside are as short as
        the edge.

    %(Returns.pixels_or_runs)s

    %(Raises.number)s

    Notes
    -----
    The time grows with the edge of the disc, not with the sphere.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> disc = armilla.healpix.query_disc(64, [0, 0, 1], np.radians(5))
    >>> disc.size, disc[:4]
    (84, array([0, 1, 2, 3]))
    """
    return _disc(_nside(nside), centre, angle("radius", radius), fact, bool(nested), ranges)


def query_polygon(nside: int, vertices: ArrayLike, *, fact: int = 0, nested: bool = False,
                  ranges: bool = False) -> np.ndarray:
    """Find the pixels in a convex polygon.

    Parameters
    ----------
    %(nside.to_2^29)s
    vertices : array_like, shape (n, 3)
        Vectors to the corners, three or more.
    fact : int, optional
        As in `query_disc`.
    %(nested)s
    ranges : bool, optional
        As in `query_disc`.

    %(Returns.pixels_or_runs)s

    Raises
    ------
    ValueError
        If a number is out of range, or the polygon is not convex.
    """
    corners = _reals(vertices, "vertices")
    if corners.ndim != 2 or corners.shape[1] != 3:
        raise ValueError(f"vertices: have shape {corners.shape}, must have (n, 3)")
    found = ffi.new(_RANGES)
    check(lib.armilla_healpix_query_polygon(_nside(nside), bool(nested), len(corners),
                                            _doubles(corners), fact, found))
    return _listed(found[0], ranges)


def query_strip(nside: int, theta1: float, theta2: float, *, inclusive: bool = False,
                nested: bool = False, ranges: bool = False) -> np.ndarray:
    """Find the pixels between two colatitudes.

    Parameters
    ----------
    %(nside.to_2^29)s
    theta1 : float
        First colatitude in radians.
    theta2 : float
        Second colatitude in radians. If it is smaller than the first, the pixels with theta <=
        theta2 or theta >= theta1 are found.
    inclusive : bool, optional
        Whether the next ring on each side is included.
    %(nested)s
    ranges : bool, optional
        As in `query_disc`.

    %(Returns.pixels_or_runs)s

    %(Raises.number)s
    """
    return _strip(_nside(nside), angle("theta1", theta1), angle("theta2", theta2), bool(inclusive),
                  bool(nested), ranges)


from ._healpix_base import Healpix_Base, ang2vec, v_angle, vec2ang  # noqa: E402, they use the above
