"""The classes and functions of ducc0.healpix under their names; `armilla.healpix` has more.

Arrays of angles are (..., 2), colatitude and longitude in radians; arrays of vectors are (..., 3).
"""
from __future__ import annotations

import math
from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import healpix
from ._arrays import angle
from ._ducc import Error, array, count, is_writeable, one_of, translated
from .grid import Grid

Array = Optional[np.ndarray]


def _given(name: str, values: Any, kinds: str, last: int = 0) -> np.ndarray:
    """An array of some types, the last axis so long if last is not 0."""
    if not isinstance(values, np.ndarray):
        raise TypeError(f"{name}: must be a numpy array, not {type(values).__name__}")
    if kinds == "f":
        values = array(name, values, "fd").astype(np.float64, copy=False)
    elif values.dtype not in (np.int32, np.int64):
        raise Error(f"{name}: has type {values.dtype}, must have int64 or int32",
                    "type matching failed")
    if last and (values.ndim == 0 or values.shape[-1] != last):
        raise Error(f"{name}: has shape {values.shape}, must have (..., {last})",
                    "input dimension mismatch")
    return values


def _returned(values: Any, out: Array) -> np.ndarray:
    made = np.asarray(values)
    if out is None:
        return made
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out: must be a numpy array, not {type(out).__name__}")
    if out.dtype != made.dtype:
        raise Error(f"out: has type {out.dtype}, must have {made.dtype}", "incorrect data type")
    is_writeable("out", out)
    if out.shape != made.shape:
        raise Error(f"out: has shape {out.shape}, must have {made.shape}", "dimension mismatch")
    out[...] = made
    return out


def ang2vec(ang: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
    """Return the unit vectors of directions.

    Parameters
    ----------
    ang : ndarray, shape (..., 2)
        Colatitude and longitude in radians.
    %(arguments.nthreads_out)s

    Returns
    -------
    ndarray, shape (..., 3)
        Unit vectors.

    %(Raises.healpix_base)s
    """
    ang = _given("ang", ang, "f", 2)
    sine = np.sin(ang[..., 0])
    return _returned(np.stack([sine * np.cos(ang[..., 1]), sine * np.sin(ang[..., 1]),
                               np.cos(ang[..., 0])], axis=-1), out)


def vec2ang(vec: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
    """Return the directions of vectors.

    Parameters
    ----------
    vec : ndarray, shape (..., 3)
        Vectors of any length.
    %(arguments.nthreads_out)s

    Returns
    -------
    ndarray, shape (..., 2)
        Colatitude, and longitude from 0 to 2 pi, in radians.

    %(Raises.healpix_base)s
    """
    vec = _given("vec", vec, "f", 3)
    phi = np.arctan2(vec[..., 1], vec[..., 0])
    phi = np.where(phi < 0, phi + 2 * np.pi, phi)
    return _returned(np.stack([np.arctan2(np.hypot(vec[..., 0], vec[..., 1]), vec[..., 2]), phi],
                              axis=-1), out)


def v_angle(v1: np.ndarray, v2: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
    """Return the angles between vectors, accurate also near 0 and pi.

    Parameters
    ----------
    v1 : ndarray, shape (..., 3)
        Vectors of any length.
    v2 : ndarray, shape (..., 3)
        Vectors of any length.
    %(arguments.nthreads_out)s

    Returns
    -------
    ndarray, shape (...)
        Angles in radians, 0 to pi.

    %(Raises.healpix_base)s
    """
    v1, v2 = _given("v1", v1, "f", 3), _given("v2", v2, "f", 3)
    if v1.shape != v2.shape:
        raise Error(f"v2: has shape {v2.shape}, v1 {v1.shape}", "dimension mismatch")
    across = np.linalg.norm(np.cross(v1, v2), axis=-1)
    return _returned(np.arctan2(across, (v1 * v2).sum(-1)), out)


class Healpix_Base:
    """The pixels of one nside in one order: the class of ducc0.healpix.

    Parameters
    ----------
    nside : int
        Resolution, 1 to 2^29.
    scheme : {"RING", "NEST", "NESTED"}
        Order of the pixel numbers; NESTED needs a power of two as `nside`.

    %(Raises.healpix_base)s

    See Also
    --------
    armilla.healpix : Functions with the same results, which take pixels of any nside.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> base = armilla.healpix.Healpix_Base(16, "RING")
    >>> base.npix(), base.order()
    (3072, 4)
    >>> base.ang2pix(np.array([[0.1, 0.2], [1.0, 2.0]]))
    array([  4, 692])
    """

    __slots__ = ("_nested", "_nside")

    def __init__(self, nside: int, scheme: str) -> None:
        scheme = one_of("scheme", scheme, ("RING", "NEST", "NESTED"), "unknown ordering scheme")
        self._nside, self._nested = count("nside", nside), scheme != "RING"
        if not 1 <= self._nside <= 1 << 29:
            raise Error(f"nside = {nside}: must be 1 to 2^29", "invalid value for Nside")
        if self._nested and self._nside & (self._nside - 1):
            raise Error(f"nside = {nside}: must be a power of two",
                        "SetNside: nside must be power of 2 for nested maps")

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self._nside, self.scheme())

    def __repr__(self) -> str:
        return f"<Healpix Base: Nside={self._nside}, Scheme={self.scheme()}.>"

    def nside(self) -> int:
        """Return nside.

        %(Returns.nside)s
        """
        return self._nside

    def npix(self) -> int:
        """Return the number of pixels of a map.

        Returns
        -------
        int
            12 nside^2.
        """
        return 12 * self._nside**2

    def order(self) -> int:
        """Return the order of nside as a power of two.

        Returns
        -------
        int
            The exponent, or -1 if nside is not a power of two.
        """
        return -1 if self._nside & (self._nside - 1) else self._nside.bit_length() - 1

    def scheme(self) -> str:
        """Return the order of the pixel numbers.

        Returns
        -------
        str
            "RING" or "NEST".
        """
        return "NEST" if self._nested else "RING"

    def pix_area(self) -> float:
        """Return the area of a pixel.

        Returns
        -------
        float
            Steradians.
        """
        return 4 * math.pi / self.npix()

    def max_pixrad(self) -> float:
        """Return the largest distance from the centre of a pixel to a corner.

        Returns
        -------
        float
            Radians. It is that of the pixels which touch the equatorial zone at the end of a cap.
        """
        z, phi = np.array([2 / 3, 1 - (1 - 1 / self._nside) ** 2 / 3]), math.pi / (4 * self._nside)
        centre, corner = np.sqrt((1 - z) * (1 + z))
        return float(v_angle(np.array([centre * math.cos(phi), centre * math.sin(phi), z[0]]),
                             np.array([corner, 0.0, z[1]])))

    def sht_info(self) -> Dict[str, np.ndarray]:
        """Return the rings of the map, as armilla.sht.synthesis takes them.

        Returns
        -------
        dict
            The arrays "theta", "phi0", "nphi" and "ringstart".

        Raises
        ------
        Error
            If the order is NESTED.
        """
        if self._nested:
            raise Error("scheme = 'NEST': must be 'RING'", "RING scheme required for SHTs")
        rings = Grid.healpix(self._nside).rings
        return {"theta": rings["theta"].copy(), "phi0": rings["phi0"].copy(),
                "nphi": rings["nphi"].astype(np.uint64),
                "ringstart": rings["offset"].astype(np.uint64)}

    def _more(self, nthreads: int) -> Dict[str, Any]:
        return {"nested": self._nested, "nthreads": count("nthreads", nthreads)}

    def pix2ang(self, pix: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
        """Return the directions of the centres of pixels.

        Parameters
        ----------
        %(pix)s
        %(arguments.nthreads_out)s

        Returns
        -------
        ndarray, shape (..., 2)
            Colatitude and longitude in radians.

        %(Raises.healpix_base)s
        """
        with translated():
            ang = healpix.pixel_to_ang(self._nside, _given("pix", pix, "i"), **self._more(nthreads))
        return _returned(np.stack(ang, axis=-1), out)

    def ang2pix(self, ang: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
        """Return the pixels that hold directions.

        Parameters
        ----------
        ang : ndarray, shape (..., 2)
            Colatitude and longitude in radians.
        %(arguments.nthreads_out)s

        %(Returns.pixels)s

        %(Raises.healpix_base)s
        """
        ang = _given("ang", ang, "f", 2)
        with translated():
            return _returned(healpix.ang_to_pixel(self._nside, ang[..., 0], ang[..., 1],
                                                  **self._more(nthreads)), out)

    def pix2vec(self, pix: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
        """Return the unit vectors of the centres of pixels.

        Parameters
        ----------
        %(pix)s
        %(arguments.nthreads_out)s

        Returns
        -------
        ndarray, shape (..., 3)
            Unit vectors.

        %(Raises.healpix_base)s
        """
        with translated():
            return _returned(healpix.pixel_to_vec(self._nside, _given("pix", pix, "i"),
                                                  **self._more(nthreads)), out)

    def vec2pix(self, vec: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
        """Return the pixels that hold the directions of vectors.

        Parameters
        ----------
        vec : ndarray, shape (..., 3)
            Vectors of any length but 0.
        %(arguments.nthreads_out)s

        %(Returns.pixels)s

        %(Raises.healpix_base)s
        """
        with translated():
            return _returned(healpix.vec_to_pixel(self._nside, _given("vec", vec, "f", 3),
                                                  **self._more(nthreads)), out)

    def pix2xyf(self, pix: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
        """Return the places of pixels in the twelve faces.

        Parameters
        ----------
        %(pix)s
        %(arguments.nthreads_out)s

        Returns
        -------
        ndarray of int64, shape (..., 3)
            x, to the north-east; y, to the north-west; number of the face.

        %(Raises.healpix_base)s
        """
        with translated():
            xyf = healpix.pixel_to_face(self._nside, _given("pix", pix, "i"),
                                        **self._more(nthreads))
        return _returned(np.stack(xyf, axis=-1), out)

    def xyf2pix(self, xyf: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
        """Return the pixels at places in the twelve faces.

        Parameters
        ----------
        xyf : ndarray of int, shape (..., 3)
            x, y and number of the face.
        %(arguments.nthreads_out)s

        %(Returns.pixels)s

        %(Raises.healpix_base)s
        """
        xyf = _given("xyf", xyf, "i", 3)
        with translated():
            return _returned(healpix.face_to_pixel(
                self._nside, xyf[..., 0], xyf[..., 1], xyf[..., 2], **self._more(nthreads)), out)

    def neighbors(self, pix: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
        """Return the eight neighbours of pixels.

        Parameters
        ----------
        %(pix)s
        %(arguments.nthreads_out)s

        Returns
        -------
        ndarray of int64, shape (..., 8)
            The neighbours to the SW, W, NW, N, NE, E, SE and S; -1 where there is none.

        %(Raises.healpix_base)s
        """
        with translated():
            return _returned(healpix.neighbours(self._nside, _given("pix", pix, "i"),
                                                **self._more(nthreads)), out)

    def nest2ring(self, nest: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
        """Return the RING numbers of NESTED pixels; nside must be a power of two.

        Parameters
        ----------
        nest : ndarray of int
            NESTED numbers.
        %(arguments.nthreads_out)s

        Returns
        -------
        ndarray of int64
            RING numbers.

        %(Raises.healpix_base)s
        """
        return self._renumbered("nest", healpix.nest_to_ring, nest, nthreads, out)

    def ring2nest(self, ring: np.ndarray, nthreads: int = 1, out: Array = None) -> np.ndarray:
        """Return the NESTED numbers of RING pixels; nside must be a power of two.

        Parameters
        ----------
        ring : ndarray of int
            RING numbers.
        %(arguments.nthreads_out)s

        Returns
        -------
        ndarray of int64
            NESTED numbers.

        %(Raises.healpix_base)s
        """
        return self._renumbered("ring", healpix.ring_to_nest, ring, nthreads, out)

    def _renumbered(self, name: str, function: Any, pix: Any, nthreads: Any, out: Array
                    ) -> np.ndarray:
        pix = _given(name, pix, "i")
        if self.order() < 0:
            raise Error(f"nside = {self._nside}: must be a power of two",
                        "hierarchical map required")
        with translated():
            return _returned(function(self._nside, pix, nthreads=count("nthreads", nthreads)), out)

    def query_disc(self, ptg: np.ndarray, radius: float) -> np.ndarray:
        """Find the pixels whose centres lie in a disc.

        Parameters
        ----------
        ptg : ndarray, shape (2,)
            Colatitude and longitude of the centre in radians.
        %(radius)s

        Returns
        -------
        ndarray of int64, shape (n, 2)
            The first pixel of each run, and the one after its last.

        %(Raises.healpix_base)s
        """
        ptg, radius = _given("ptg", ptg, "f", 2), angle("radius", radius)
        if radius < 0:
            return np.zeros((0, 2), np.int64)
        with translated():
            return healpix.query_disc(self._nside, ang2vec(ptg).reshape(3), min(radius, math.pi),
                                      nested=self._nested, ranges=True)
