"""Rotations of directions, maps and coefficients: healpy's Rotator.

A Rotator takes a direction v to mat @ v. Angles rot = (lon, lat, psi) bring the point (lon, lat) to
the front, on the x axis, and then turn by psi about it:

    "ZYX": Rx(-psi) Ry(lat) Rz(-lon)
    "X":   Rz(-psi) Rx(lat) Rz(-lon)
    "Y":   Rz(-psi) Ry(lat) Rz(-lon)
"""
from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np

from .. import _arrays
from .._arrays import angles
from .._errors import shown as _shown
from ..rotation import Rotation
from . import _absent
from ._inputs import Error, band_of, read_alms, read_maps
from .alms import rotate_alm
from .frames import (ConsistencyWarning, angdist, check_coord, coordname, coordsys2euler_zyz,
                     dir2vec, e2g, e2q, euler, euler_matrix_new, get_coordconv_matrix,
                     get_rotation_matrix, normalise_coord, normalise_rot, normalize_vec,
                     rotateDirection, rotateVector, turn, vec2dir)

_LETTERS = {"G": "G", "GALACTIC": "G", "E": "E", "ECLIPTIC": "E", "C": "C", "CELESTIAL": "C",
            "Q": "C", "EQUATORIAL": "C"}


def _angles(rot: Any, deg: bool) -> np.ndarray:
    """(lon, lat, psi), radians, of one, two or three numbers."""
    given = np.zeros(3)
    if rot is not None:
        unit = "deg" if deg else "rad"
        rot = angles(rot, "rot", unit)
        if isinstance(rot, (list, tuple)):
            rot = [angles(one, "rot", unit) for one in rot]
        numbers = np.atleast_1d(_arrays.reals(rot, "rot"))
        if numbers.ndim != 1 or numbers.size > 3:
            raise Error(f"rot = {_shown(rot)}: must be up to three numbers")
        given[: numbers.size] = numbers
    return np.radians(given) if deg else given


def _letters(coord: Any) -> Tuple[Optional[str], Optional[str]]:
    """(from, to) of "G", "GE", ["G", "E"], ..."""
    if coord is None:
        return (None, None)
    parts = [coord] if isinstance(coord, str) and coord.upper() in _LETTERS else list(coord)
    if not 1 <= len(parts) <= 2:
        raise Error(f"coord = {_shown(coord)}: must be one or two of G, E, C")
    letters: List[Optional[str]] = []
    for part in parts:
        letter = None if part is None else _LETTERS.get(str(part).upper())
        if part is not None and letter is None:
            raise Error(f"coord = {_shown(coord)}: must be one or two of G, E, C")
        letters.append(letter)
    return (letters[0], letters[-1])


def _is_list(given: Any) -> bool:
    return isinstance(given, (list, tuple)) and len(given) > 0 and isinstance(
        given[0], (list, tuple, np.ndarray))


def _chains(rot: Any, coord: Any, inv: Any) -> List[List[Any]]:
    """Lists of equal lengths: what is given has as many entries as the others, or there is one."""
    kinds = (("rot", rot, _is_list(rot)), ("coord", coord, _is_list(coord)),
             ("inv", inv, isinstance(inv, (list, tuple))))
    counts = {len(given) for _, given, is_list in kinds if is_list}
    count = max(counts, default=1)
    for name, given, is_list in kinds:
        if counts and given is not None and (len(given) if is_list else -1) != count:
            raise Error(f"{name}: must be a list of {count}, as the others")
    return [list(given) if is_list else [given] * count for _, given, is_list in kinds]


class Rotator:
    """A rotation of directions, or a chain of rotations.

    Parameters
    ----------
    rot : float, tuple or list of tuple, optional
        Longitude, latitude and angle (lon, lat, psi), or fewer. The point (lon, lat) is brought to
        the x axis, about which psi turns. A list has several rotations, of which the last is done
        first.
    coord : str, sequence of str or list, optional
        Two coordinate systems, from and to, of "G", "E" and "C"; or a list of pairs. Coordinates
        are changed before `rot` turns.
    inv : bool or list of bool, optional
        Whether the rotation is inverted.
    deg : bool, optional
        Whether `rot` is in degrees. True is the default.
    eulertype : {"ZYX", "X", "Y"}, optional
        Which axes the angles turn about.

    Raises
    ------
    ValueError
        If a system is unknown, or lists differ in length.

    See Also
    --------
    armilla.Rotation : Rotations by Euler angles and by matrices.

    Notes
    -----
    ``rotator(theta, phi)`` rotates directions, ``rotator(x, y, z)`` and ``rotator(vectors)``
    vectors; with lonlat=True angles are longitude and latitude in degrees. ``second * first`` is
    the rotation that does `first` and then `second`.

    Examples
    --------
    From galactic to equatorial coordinates:

    >>> import armilla.healpy as hp
    >>> rotator = hp.Rotator(coord=["G", "C"])
    >>> rotator(0.0, 0.0, lonlat=True).round(3)       # the centre of the Galaxy
    array([-93.595, -28.936])
    """

    ErrMessWrongPar = "must be two angles or a vector"

    def __init__(self, rot: Any = None, coord: Any = None, inv: Any = None, deg: bool = True,
                 eulertype: str = "ZYX") -> None:
        rots, coords, inverse = _chains(rot, coord, inv)
        count = len(rots)
        self._rots = [_angles(one, deg) for one in rots]
        self._coords = [_letters(one) for one in coords]
        self._invs = [bool(one) for one in inverse]
        if str(eulertype).upper() not in ("ZYX", "X", "Y"):
            raise Error(f"eulertype = {_shown(eulertype)}: must be ZYX, X or Y")
        self._eulertype = [str(eulertype).upper()] * count
        self._matrix = self._chain()

    def _chain(self) -> np.ndarray:
        matrix = np.eye(3)
        for link in zip(self._rots, self._coords, self._invs, self._eulertype):
            matrix = matrix @ self._link(*link)
        return matrix

    @staticmethod
    def _link(angles: np.ndarray, coord: tuple, inverse: bool, eulertype: str) -> np.ndarray:
        first, second = {"ZYX": (1, 0), "X": (0, 2), "Y": (1, 2)}[eulertype]
        matrix = (turn(second, -angles[2]) @ turn(first, angles[1]) @ turn(2, -angles[0]))
        if coord[0] != coord[1]:
            matrix = matrix @ Rotation.from_coordinates(*coord).matrix
        return matrix.T if inverse else matrix

    @property
    def mat(self) -> np.ndarray:
        """The matrix of the rotation, shape (3, 3)."""
        return self._matrix.copy()

    @property
    def rots(self) -> List[np.ndarray]:
        """Angles of the rotations in radians."""
        return [angles.copy() for angles in self._rots]

    @property
    def coords(self) -> List[tuple]:
        """Coordinate systems of the rotations: from and to."""
        return list(self._coords)

    def _ends(self) -> List[tuple]:
        return [pair[::-1] if inverse else pair for pair, inverse in zip(self._coords, self._invs)]

    @property
    def coordin(self) -> Optional[str]:
        """Letter of the coordinate system that is rotated from."""
        return self._ends()[-1][0]

    @property
    def coordout(self) -> Optional[str]:
        """Letter of the coordinate system that is rotated to."""
        return self._ends()[0][1]

    @property
    def coordinstr(self) -> str:
        """Name of the coordinate system that is rotated from."""
        return coordname.get(self.coordin or "", "")

    @property
    def coordoutstr(self) -> str:
        """Name of the coordinate system that is rotated to."""
        return coordname.get(self.coordout or "", "")

    @property
    def consistent(self) -> bool:
        """Whether each rotation begins in the coordinate system where the one before it ends."""
        ends = self._ends()
        return all(left[0] == right[1] for left, right in zip(ends, ends[1:]))

    def do_rot(self, i: int) -> bool:
        """Tell whether a rotation of the chain has angles.

        Parameters
        ----------
        i : int
            Number of the rotation.

        Returns
        -------
        bool
            Whether an angle is not 0.
        """
        return bool(np.any(np.abs(self._rots[i]) > 1e-12))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Rotator) and bool(np.allclose(self._matrix, other._matrix,
                                                               rtol=0, atol=1e-13)
                                                   and self._coords == other._coords)

    __hash__ = None  # type: ignore[assignment]

    def __mul__(self, first: "Rotator") -> "Rotator":
        """second * first: `first` is done first."""
        if not isinstance(first, Rotator):
            return NotImplemented
        made = Rotator()
        made._rots, made._coords = self._rots + first._rots, self._coords + first._coords
        made._invs = self._invs + first._invs
        made._eulertype = self._eulertype + first._eulertype
        made._matrix = made._chain()
        return made

    def get_inverse(self) -> "Rotator":
        """Return the inverse.

        Returns
        -------
        Rotator
            The inverse.
        """
        made = Rotator()
        made._rots, made._coords = self._rots[::-1], self._coords[::-1]
        made._invs = [not inverse for inverse in self._invs[::-1]]
        made._eulertype = self._eulertype[::-1]
        made._matrix = made._chain()
        return made

    def __call__(self, *args: Any, inv: bool = False, lonlat: bool = False) -> np.ndarray:
        """Rotate directions.

        Parameters
        ----------
        *args : array_like
            theta and phi in radians, or x, y and z; one by one, or as a sequence of 2 or 3;
            numbers or arrays of shape (n,).
        inv : bool, optional
            Whether to rotate the other way.
        %(lonlat)s

        Returns
        -------
        ndarray, shape (2,), (3,), (2, n) or (3, n)
            The directions, as they were given.
        """
        given = args[0] if len(args) == 1 else args
        if np.ndim(given) == 0 or len(given) not in (2, 3):
            raise Error(f"direction: {self.ErrMessWrongPar}")
        matrix = self._matrix.T if inv else self._matrix
        if len(given) == 3:
            return np.tensordot(matrix, _arrays.reals(given, "direction"), axes=1)
        vectors = dir2vec(given[0], given[1], lonlat=lonlat)
        return vec2dir(np.tensordot(matrix, vectors, axes=1), lonlat=lonlat)

    def I(self, *args: Any, lonlat: bool = False) -> np.ndarray:  # noqa: E743
        """Rotate directions the other way.

        Parameters
        ----------
        *args : array_like
            Directions: theta and phi in radians, or x, y and z.
        %(lonlat)s

        Returns
        -------
        ndarray, shape (2,), (3,), (2, n) or (3, n)
            The directions, as they were given.
        """
        return self(*args, inv=True, lonlat=lonlat)

    def angle_ref(self, *args: Any, inv: bool = False, lonlat: bool = False) -> Any:
        """Return the angle from the local meridian after the rotation to the rotated one.

        Parameters
        ----------
        *args : array_like
            Directions: theta and phi in radians, or x, y and z.
        inv : bool, optional
            Whether to rotate the other way.
        %(lonlat)s

        Returns
        -------
        float or ndarray
            The angle in radians: Q + iU of the rotated field is exp(2 i angle) (Q + iU).
        """
        given = args[0] if len(args) == 1 else args
        direction = given if len(given) == 2 else vec2dir(given)
        at = dir2vec(direction[0], direction[1], lonlat=lonlat and len(given) == 2)
        matrix = self._matrix.T if inv else self._matrix
        south = np.tensordot(matrix, _south(at), axes=1)
        after = np.tensordot(matrix, at, axes=1)
        there = _south(after)
        east = np.cross(after, there, axis=0)
        return np.arctan2((south * east).sum(axis=0), (south * there).sum(axis=0))

    def rotate_alm(self, alm: Any, lmax: Optional[int] = None, mmax: Optional[int] = None,
                   inplace: bool = False) -> Optional[np.ndarray]:
        """Rotate fields given by their coefficients.

        Parameters
        ----------
        alm : array_like, shape (size,) or (n, size)
            Coefficients with mmax = lmax.
        %(lmax.of_size)s
        mmax : int, optional
            Largest order, which must be `lmax`.
        inplace : bool, optional
            Whether `alm` is changed.

        Returns
        -------
        ndarray, shape (size,) or (n, size), or None
            The coefficients; None with `inplace`.

        %(Raises.size)s
        """
        rotation = Rotation.from_matrix(self._matrix)
        if inplace:
            rotate_alm(alm, matrix=self._matrix, lmax=lmax, mmax=mmax)
            return None
        values, single = read_alms(alm, "alm")
        lmax, mmax = band_of(values.shape[1], lmax, mmax, "alm")
        if lmax != mmax:
            raise Error(f"mmax = {mmax}: must be lmax = {lmax}: a rotation makes all orders")
        made = rotation.rotate_alm(values, lmax=lmax)
        return made[0] if single else made

    def rotate_map_alms(self, m: Any, use_pixel_weights: bool = True, lmax: Optional[int] = None,
                        mmax: Optional[int] = None, datapath: Optional[str] = None,
                        verbose: Optional[bool] = None) -> np.ndarray:
        """Rotate a map, or T, Q and U, by way of its coefficients.

        Parameters
        ----------
        m : array_like, shape (npix,) or (3, npix)
            One map, or T, Q and U, in RING order.
        use_pixel_weights : bool, optional
            As in `map2alm`; True is the default.
        %(lmax.3nside)s
        %(mmax.lmax)s
        datapath : str, optional
            Folder with files of pixel weights: see `map2alm`.
        %(verbose)s

        Returns
        -------
        ndarray, shape (npix,) or (3, npix)
            The rotated map.

        %(Raises.npix)s
        """
        from .transforms import alm2map, map2alm
        nside = read_maps(m).nside
        lmax = 3 * nside - 1 if lmax is None else lmax
        alm = map2alm(m, lmax, mmax, use_pixel_weights=use_pixel_weights, datapath=datapath)
        return alm2map(self.rotate_alm(alm, lmax, mmax), nside, lmax, mmax)

    def rotate_map_pixel(self, m: Any) -> Any:
        """Rotate maps by interpolation between their pixels.

        Parameters
        ----------
        m : array_like, shape (npix,) or (n, npix)
            One map, or several, in RING order. Two maps are Q and U, and three are T, Q and U.

        Returns
        -------
        ndarray, shape (npix,), or list of ndarray
            The rotated maps. They are UNSEEN where a pixel is missing that is needed.

        %(Raises.npix)s
        """
        from .interpolation import interpolate
        from .pixels import pix2ang
        given = read_maps(m)
        nside = given.nside
        theta, phi = self.I(*pix2ang(nside, np.arange(12 * nside * nside)))
        made = interpolate(given, theta, phi)
        if len(made) in (2, 3):
            made[-2:] = _turned(made[-2], made[-1], self.angle_ref(theta, phi))
        return made[0] if given.single else list(made)

    def __repr__(self) -> str:
        return f"[ {self._coords}, {self._rots}, {self._invs} ]"


def _turned(q: np.ndarray, u: np.ndarray, angle: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    from ._inputs import UNSEEN
    turned = (q + 1j * u) * np.exp(2j * angle)
    missing = (q == UNSEEN) | (u == UNSEEN)
    return np.where(missing, UNSEEN, turned.real), np.where(missing, UNSEEN, turned.imag)


def _south(at: np.ndarray) -> np.ndarray:
    """Unit vectors of growing theta, (3, ...)."""
    theta, phi = vec2dir(at)
    return np.array([np.cos(theta) * np.cos(phi), np.cos(theta) * np.sin(phi), -np.sin(theta)])


__getattr__ = _absent.explains(__name__)
