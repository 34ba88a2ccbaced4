"""Directions and vectors, systems of coordinates, rotation matrices: functions of healpy.rotator.

Matrices take a direction v to matrix @ v. Angles of matrices: three, radians, about the axes that
the convention names, each after the other has been turned; the matrix is that of the inverse of
these turns.
"""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from .._errors import shown as _shown
from ..rotation import Rotation
from .._arrays import angles, reals
from .._projections import axis_turn as turn
from ._inputs import Error, in_radians

coordname = {"G": "Galactic", "E": "Ecliptic", "C": "Equatorial"}
e2g = Rotation.from_coordinates("E", "G").matrix  # ecliptic to galactic, (3, 3)
e2q = Rotation.from_coordinates("E", "C").matrix  # ecliptic to equatorial


class ConsistencyWarning(Warning):
    """The warning of healpy of rotators that do not fit together; never given here.

    `Rotator.consistent` tells whether they do.
    """


# --- Directions and vectors -----------------------------------------------------------------------


def vec2dir(vec: Any, vy: Any = None, vz: Any = None, lonlat: bool = False) -> np.ndarray:
    """Return the directions of vectors.

    Parameters
    ----------
    vec : array_like, shape (3,) or (3, n)
        Vectors; or first components, with `vy` and `vz`.
    %(vy)s
    %(vz)s
    %(lonlat.result)s

    Returns
    -------
    ndarray, shape (2, ...)
        The directions. As in healpy, axes of length 1 are dropped.
    """
    x, y, z = (reals(c, "vec") for c in (vec if vy is None else (vec, vy, vz)))
    theta, phi = np.arctan2(np.hypot(x, y), z), np.arctan2(y, x)
    made = np.array([np.degrees(phi), 90 - np.degrees(theta)] if lonlat else [theta, phi])
    return made.squeeze()


def dir2vec(theta: Any, phi: Any = None, lonlat: bool = False) -> np.ndarray:
    """Return the unit vectors of directions.

    Parameters
    ----------
    %(theta.alone)s
    %(phi.lonlat_optional)s
    %(lonlat)s

    Returns
    -------
    ndarray, shape (3, ...)
        Unit vectors. As in healpy, axes of length 1 are dropped.
    """
    if phi is None:
        theta, phi = theta
    theta, phi = in_radians(theta, phi, lonlat)
    sine = np.sin(theta)
    made = np.array([sine * np.cos(phi), sine * np.sin(phi), np.cos(theta) + 0 * phi])
    return made.squeeze()


def normalize_vec(vec: Any) -> np.ndarray:
    """Scale vectors to the length 1.

    Parameters
    ----------
    vec : array_like, shape (d, ...)
        Vectors.

    Returns
    -------
    ndarray, shape (d, ...)
        Unit vectors, a new array.
    """
    vec = reals(vec, "vec")
    return vec / np.sqrt((vec ** 2).sum(axis=0))


def _unit(direction: Any, lonlat: bool) -> np.ndarray:
    """Unit vectors (3, n) of angles (2,), (2, n), or of vectors (3,), (3, n)."""
    if np.shape(direction)[:1] == (2,):
        direction = angles(direction, "direction", "deg" if lonlat else "rad")
    given = reals(direction, "direction")
    if given.ndim not in (1, 2) or given.shape[0] not in (2, 3):
        raise Error(f"direction: has shape {given.shape}, must have 2 or 3 rows")
    if given.shape[0] == 2:
        vectors = dir2vec(given, lonlat=lonlat)
    else:
        vectors = normalize_vec(given)
    return vectors.reshape(3, -1)


def angdist(dir1: Any, dir2: Any, lonlat: Any = False) -> np.ndarray:
    """Return the angles between directions.

    Parameters
    ----------
    dir1 : array_like, shape (2,), (2, n), (3,) or (3, n)
        Directions: two angles, or vectors.
    dir2 : array_like, shape (2,), (2, n), (3,) or (3, n)
        Directions: two angles, or vectors.
    lonlat : bool or tuple of bool, optional
        Whether angles are longitude and latitude in degrees; two values for `dir1` and `dir2`.

    Returns
    -------
    ndarray, shape (n,)
        Angles in radians.

    %(Raises.shape)s
    """
    first, second = lonlat if np.ndim(lonlat) else (lonlat, lonlat)
    one, other = _unit(dir1, bool(first)), _unit(dir2, bool(second))
    across = np.cross(one.T, other.T)
    return np.arctan2(np.sqrt((across ** 2).sum(axis=1)), (one * other).sum(axis=0))


def rotateVector(rotmat: Any, vec: Any, vy: Any = None, vz: Any = None, do_rot: bool = True) -> Any:
    """Multiply vectors by a matrix.

    Parameters
    ----------
    rotmat : array_like, shape (3, 3)
        The matrix.
    vec : array_like, shape (3, ...)
        Vectors; or first components, with `vy` and `vz`.
    %(vy)s
    %(vz)s
    do_rot : bool, optional
        With False the vectors are returned as they are.

    Returns
    -------
    ndarray, shape (3, ...)
        The vectors.

    Raises
    ------
    ValueError
        If only one of `vy` and `vz` is given.
    """
    if (vy is None) != (vz is None):
        raise Error("vy, vz: must both be given")
    if not do_rot:
        return vec if vy is None else (vec, vy, vz)
    return np.tensordot(rotmat, vec if vy is None else np.array([vec, vy, vz]), axes=(1, 0))


def rotateDirection(rotmat: Any, theta: Any, phi: Any = None, do_rot: bool = True,
                    lonlat: bool = False) -> np.ndarray:
    """Multiply directions by a matrix.

    Parameters
    ----------
    rotmat : array_like, shape (3, 3)
        The matrix.
    %(theta.alone)s
    %(phi.lonlat_optional)s
    do_rot : bool, optional
        With False the directions are returned as they are.
    %(lonlat)s

    Returns
    -------
    ndarray, shape (2, ...)
        The directions, in the unit of the input.
    """
    return vec2dir(rotateVector(rotmat, dir2vec(theta, phi, lonlat=lonlat), do_rot=do_rot),
                   lonlat=lonlat)


# --- Systems of coordinates -----------------------------------------------------------------------


def check_coord(c: Optional[str]) -> Optional[str]:
    """Return the letter of a coordinate system.

    Parameters
    ----------
    c : str or None
        Name of the system.

    Returns
    -------
    {"G", "E", "C"} or None
        Its first letter; "C" for "Equatorial".

    Raises
    ------
    ValueError
        If the system is unknown.
    """
    if c is None:
        return None
    letter = "C" if c == "Equatorial" else str(c)[:1].upper()
    if not isinstance(c, str) or letter not in coordname:
        raise Error(f"coord = {_shown(c)}: must be G, E, C, or Equatorial")
    return letter


def normalise_coord(coord: Any) -> Tuple[Optional[str], Optional[str]]:
    """Return the letters of one or two coordinate systems.

    Parameters
    ----------
    coord : str, sequence of str or None
        One or two names.

    Returns
    -------
    source : {"G", "E", "C"} or None
        The first system.
    target : {"G", "E", "C"} or None
        The last system.

    %(Raises.system)s
    """
    parts = (None,) if coord is None else tuple(coord)
    if not 1 <= len(parts) <= 2:
        raise Error(f"coord = {_shown(coord)}: must be one or two of G, E, C")
    return check_coord(parts[0]), check_coord(parts[-1])


def get_coordconv_matrix(coord: Any) -> Tuple[np.ndarray, bool, Tuple[Any, Any]]:
    """Return the matrix from one coordinate system to another.

    Parameters
    ----------
    coord : str or sequence of str
        Two names, source and target.

    Returns
    -------
    matrix : ndarray, shape (3, 3)
        The matrix.
    turns : bool
        Whether it turns at all.
    pair : tuple
        Letters of the source and of the target.

    %(Raises.system)s
    """
    pair = normalise_coord(coord)
    if pair[0] == pair[1]:
        return np.identity(3), False, pair
    if None in pair:
        raise Error(f"coord = {_shown(coord)}: both systems must be known")
    return Rotation.from_coordinates(*pair).matrix, True, pair  # type: ignore[arg-type]


def coordsys2euler_zyz(coord: Any) -> Tuple[Any, Any, Any]:
    """Return the angles with which rotate_alm changes from one coordinate system to another.

    Parameters
    ----------
    coord : str or sequence of str
        Two names, source and target.

    Returns
    -------
    psi : float
        First angle in radians.
    theta : float
        Second angle in radians.
    phi : float
        Third angle in radians.

    %(Raises.system)s
    """
    matrix, turns, _ = get_coordconv_matrix(coord)
    if not turns:
        return np.float64(0), np.float64(0), np.float64(0)
    return (np.arctan2(matrix[2, 1], -matrix[2, 0]),
            np.arctan2(np.hypot(matrix[0, 2], matrix[1, 2]), matrix[2, 2]),
            np.arctan2(matrix[1, 2], matrix[0, 2]))


# B1950: right ascension and galactic longitude of the node of the galactic equator, and its
# inclination (IAU 1958: Blaauw et al. 1960, MNRAS 121, 123); obliquity of the ecliptic (Newcomb).
_NODE, _NODE_LONGITUDE, _INCLINATION, _OBLIQUITY = np.radians([282.25, 33.0, 62.6, 23.4457872])
_SELECTED = ("CG", "GC", "CE", "EC", "EG", "GE")


def _b1950(pair: str) -> np.ndarray:
    to_galactic = (turn(2, _NODE_LONGITUDE) @ turn(0, -_INCLINATION) @ turn(2, -_NODE))
    from_equator = {"C": np.identity(3), "G": to_galactic, "E": turn(0, -_OBLIQUITY)}
    return from_equator[pair[1]] @ from_equator[pair[0]].T


def euler(ai: Any, bi: Any, select: int, FK4: int = 0) -> Tuple[Any, Any]:
    """Change longitude and latitude to another coordinate system.

    Parameters
    ----------
    ai : array_like
        Longitudes in degrees.
    bi : array_like
        Latitudes in degrees.
    select : {1, 2, 3, 4, 5, 6}
        1 goes from equatorial to galactic coordinates, 3 from equatorial to ecliptic, 5 from
        ecliptic to galactic; 2, 4 and 6 go back.
    FK4 : int, optional
        1 selects the systems of B1950, 0 the systems of J2000.

    Returns
    -------
    lon : ndarray
        Longitudes in degrees, 0 to 360.
    lat : ndarray
        Latitudes in degrees.

    Raises
    ------
    ValueError
        If `select` is out of range.

    Notes
    -----
    For J2000 the matrices are those of `Rotator`. The numbers of healpy are rounded, by 2.5e-7
    rad.
    """
    if select not in range(1, 7):
        raise Error(f"select = {_shown(select)}: must be 1 to 6")
    pair: Any = _SELECTED[select - 1]
    matrix = _b1950(pair) if FK4 == 1 else Rotation.from_coordinates(pair[0], pair[1]).matrix
    x, y, z = np.tensordot(matrix, dir2vec(ai, bi, lonlat=True), axes=1)
    return np.mod(np.degrees(np.arctan2(y, x)), 360), np.degrees(np.arctan2(z, np.hypot(x, y)))


# --- Matrices -------------------------------------------------------------------------------------


def euler_matrix_new(a1: float, a2: float, a3: float, X: bool = True, Y: bool = False,
                     ZYX: bool = False, deg: bool = False) -> np.ndarray:
    """Return the matrix of three Euler angles.

    Parameters
    ----------
    a1 : float
        First angle.
    a2 : float
        Second angle.
    a3 : float
        Third angle.
    X : bool, optional
        Whether the axes are z, x and z, which is the default.
    Y : bool, optional
        Whether the axes are z, y and z.
    ZYX : bool, optional
        Whether the axes are z, y and x.
    deg : bool, optional
        Whether the angles are in degrees. By default they are in radians.

    Returns
    -------
    ndarray, shape (3, 3)
        The matrix: that of the inverse of the turns about these axes.

    Raises
    ------
    ValueError
        If `Y` and `ZYX` are both True.
    """
    if Y and ZYX:
        raise Error("Y, ZYX: must not both be True")
    second, third = (1, 0) if ZYX else (1, 2) if Y else (0, 2)
    angles = np.radians([a1, a2, a3]) if deg else (a1, a2, a3)
    return (turn(2, angles[0]) @ turn(second, angles[1]) @ turn(third, angles[2])).T


def normalise_rot(rot: Any, deg: bool = False) -> np.ndarray:
    """Return the three angles of a rotation in radians.

    Parameters
    ----------
    rot : float, sequence of float or None
        Up to three numbers: longitude, latitude and angle.
    deg : bool, optional
        Whether they are in degrees.

    Returns
    -------
    ndarray, shape (3,)
        The angles; 0 for those that are not given.
    """
    given = np.zeros(3)
    numbers = reals([] if rot is None else rot, "rot").ravel()[:3]
    given[: numbers.size] = np.radians(numbers) if deg else numbers
    return given


def get_rotation_matrix(rot: Any, deg: bool = False, eulertype: str = "ZYX"
                        ) -> Tuple[np.ndarray, bool, np.ndarray]:
    """Return the matrix of a rotation.

    Parameters
    ----------
    rot : float, sequence of float or None
        Longitude, latitude and angle: see `Rotator`.
    deg : bool, optional
        Whether they are in degrees.
    eulertype : {"ZYX", "X", "Y"}, optional
        Which axes they turn about.

    Returns
    -------
    matrix : ndarray, shape (3, 3)
        The matrix.
    turns : bool
        Whether it turns at all.
    rot : ndarray, shape (3,)
        The angles in radians.
    """
    angles = normalise_rot(rot, deg)
    matrix = euler_matrix_new(angles[0], -angles[1], angles[2], X=eulertype == "X",
                              Y=eulertype == "Y", ZYX=eulertype not in ("X", "Y"))
    return matrix, bool(np.any(np.abs(angles) > 1e-15)), angles
