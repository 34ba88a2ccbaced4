"""Smoothing of HEALPix maps that are spread over ranks: by rings, or by ranges of pixels that go
to the rings' ranks and back."""
from __future__ import annotations

import zlib
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._errors import shown, whole
from ._mpi_arguments import must_be_alike
from ._mpi_sht import SHT
from ._mpi_signals import INTERRUPTS
from ._mpi_transport import Transport, check_communicator, together
from .grid import Grid
from .healpy import _inputs
from .healpy.windows import beams
from .io import UNSEEN


# --- Ranges ---------------------------------------------------------------------------------------


def _check_ranges(ranges: np.ndarray, npix: int) -> None:
    """ranges: (nranks, 2); must cut 0 .. npix - 1, in any sequence of ranks."""
    done = last = 0  # pixels so far, and the rank that had them
    for rank in np.lexsort((ranges[:, 1], ranges[:, 0])):
        begin, end = ranges[rank]
        if not 0 <= begin <= end <= npix:
            raise ValueError(f"pixels: rank {rank} gives ({begin}, {end}): must be 0 <= begin <= "
                             f"end <= {npix}")
        if begin == end:
            continue
        if begin > done:
            raise ValueError(f"pixels: no rank has {done} .. {begin - 1}")
        if begin < done:
            raise ValueError(f"pixels: ranks {last} and {rank} both have {begin}")
        done, last = end, rank
    if done < npix:
        raise ValueError(f"pixels: no rank has {done} .. {npix - 1}")


class Ranges:
    """Takes maps from ranges of pixels to the ranks that have their rings, and back.

    A rank's pixels of another rank's range are neighbours in its rings' map, so that they come to
    their places; those that it sends are sorted by their rank.
    """

    def __init__(self, sht: SHT, pixels: Tuple[int, int]) -> None:
        self._comm = comm = sht._transport.comm
        ranges: np.ndarray = np.empty((comm.size, 2), np.int64)
        begin, end = pixels
        self.size = end - begin
        comm.Allgather(np.array([begin, end], np.int64), ranges)
        _check_ranges(ranges, sht.grid.npix)
        rings = sht.grid.rings
        rank_of_ring = np.empty(len(rings), np.int64)
        for rank in range(comm.size):
            rank_of_ring[sht._distribution.rings(rank)] = rank
        ends = rings["offset"] + rings["nphi"]
        first, last = np.searchsorted(ends, [begin, end - 1], "right") if end > begin else (0, -1)
        some = slice(first, last + 1)
        overlap = np.minimum(ends[some], end) - np.maximum(rings["offset"][some], begin)
        ranks = np.repeat(rank_of_ring[some], overlap)
        self._order = np.argsort(ranks, kind="stable")
        self._sent = np.bincount(ranks, minlength=comm.size)
        self._places = np.searchsorted(sht.pixels, ranges[:, 0])
        self._received = np.searchsorted(sht.pixels, ranges[:, 1]) - self._places

    def to_rings(self, row: np.ndarray) -> np.ndarray:
        """(end - begin,) -> (npix,) of the rank's rings."""
        made = np.empty(self._received.sum(), row.dtype)
        self._comm.Alltoallv([row[self._order], self._sent],
                             [made, (self._received, self._places)])
        return made

    def from_rings(self, row: np.ndarray) -> np.ndarray:
        """The way back."""
        sorted_ = np.empty(len(self._order), row.dtype)
        self._comm.Alltoallv([np.ascontiguousarray(row), (self._received, self._places)],
                             [sorted_, self._sent])
        made = np.empty_like(sorted_)
        made[self._order] = sorted_
        return made


# --- Smoothing ------------------------------------------------------------------------------------


class _Wish(NamedTuple):
    """What a rank asks for: what all must give alike, and its own part."""

    common: Dict[str, Any]
    windows: Optional[Tuple[np.ndarray, np.ndarray]]
    rings: Optional[ArrayLike]
    pixels: Optional[Tuple[int, int]]


def _pair(pixels: Any) -> Tuple[int, int]:
    try:
        begin, end = pixels
    except (TypeError, ValueError):
        raise TypeError(f"pixels = {shown(pixels)}: must be (begin, end)") from None
    return whole("pixels", begin), whole("pixels", end)


def _read(map_part: Any, npix: int) -> Tuple[np.ndarray, List[Optional[np.ndarray]]]:
    """Maps (n, npix), and where their pixels are missing."""
    given = list(map_part) if _inputs.is_sequence(map_part) else [map_part]
    found = [_inputs.one_map(row) for row in given]
    if any(values.shape != (npix,) for values, _ in found):
        raise _inputs.Error(f"map_part: has shape {np.shape(map_part)}, must have ({npix},) or "
                            f"(n, {npix})")
    return np.stack([values for values, _ in found]), [missing for _, missing in found]


def _multiply(alm: np.ndarray, window: np.ndarray, l: np.ndarray) -> np.ndarray:
    """alm (..., size) of degrees l times a window, which may be complex and end early."""
    padded = np.zeros(max(int(l.max(initial=0)) + 1, len(window)), window.dtype)
    padded[:len(window)] = window
    if window.dtype.kind == "c":
        return _multiply(alm, window.real, l) + _multiply(alm * 1j, window.imag, l)
    made = np.empty_like(alm)
    made.real, made.imag = alm.real * padded[l], alm.imag * padded[l]
    return made


def _smoothed(sht: SHT, values: np.ndarray, window: Optional[np.ndarray], iterations: int,
              nthreads: int) -> np.ndarray:
    """Maps of one spin: analysis with Jacobi's corrections as armilla.healpy makes them, a window,
    synthesis."""
    alm = sht.analysis(values, nthreads=nthreads, missing="propagate")
    first = alm.copy()
    for _ in range(iterations):
        image = sht.synthesis(alm, nthreads=nthreads)
        alm += first
        alm -= sht.analysis(image, nthreads=nthreads, missing="propagate")
    if window is not None:
        alm = _multiply(alm, window, sht._distribution.degrees()[0])
    return sht.synthesis(alm, nthreads=nthreads)


def _all_smoothed(sht: SHT, values: np.ndarray, wish: _Wish, nthreads: int) -> np.ndarray:
    """Maps (n, npix) of the rank's rings. Fields of spin 2 have no degrees below 2."""
    iterations, of = wish.common["iter"], wish.windows or (None, None)
    if len(values) == 1 or not wish.common["pol"]:
        return _smoothed(sht, values, of[0], iterations, nthreads)
    maps = np.zeros_like(values)
    maps[0] = _smoothed(sht, values[0], of[0], iterations, nthreads)
    if sht.lmax >= 2:
        maps[1:] = _smoothed(sht._with_spin(2), values[1:], of[1], iterations, nthreads)
    return maps


def _smooth_together(map_part: Any, comm: Any, nside: int, read: Callable[[], _Wish], nthreads: int
                     ) -> np.ndarray:
    """All that smoothing does after its arguments have been read, and that by all ranks."""
    transport = Transport.kept(comm)
    wish = together(transport.comm, read)
    must_be_alike(transport.comm.allgather(wish.common))
    sht = SHT._sharing(transport, Grid.healpix(nside), wish.common["lmax"], wish.common["mmax"],
                       None, wish.rings if wish.pixels is None else None, 0)
    ranges = None if wish.pixels is None else Ranges(sht, wish.pixels)
    npix = sht.npix if ranges is None else ranges.size
    values, missing = together(transport.comm, lambda: _read(map_part, npix))
    if ranges is not None:
        values = np.stack([ranges.to_rings(row) for row in values])
    maps = _all_smoothed(sht, values, wish, nthreads)
    if ranges is not None:
        maps = np.stack([ranges.from_rings(row) for row in maps])
    for row, lost in zip(maps, missing):
        if lost is not None:
            row[lost] = UNSEEN
    return maps if _inputs.is_sequence(map_part) else maps[0]


def smoothing(map_part: Any, fwhm: float = 0.0, *, comm: Any, nside: int,
              sigma: Optional[float] = None, beam_window: Optional[ArrayLike] = None,
              pol: bool = True, iter: int = 3, lmax: Optional[int] = None,
              mmax: Optional[int] = None, rings: Optional[ArrayLike] = None,
              pixels: Optional[Tuple[int, int]] = None, nthreads: int = 0) -> np.ndarray:
    """Smooth a HEALPix map that is spread over ranks with a beam, as armilla.healpy.smoothing does.

    This is collective: all ranks call it.

    Parameters
    ----------
    map_part : array_like, shape (npix,) or (n, npix)
        This rank's pixels of one map, or of several, in RING order. Missing pixels count as 0.
    %(fwhm.optional)s
    comm : mpi4py communicator
        The ranks.
    nside : int
        Resolution of the map.
    %(sigma)s
    %(beam_window)s
    %(pol)s
    %(iter)s
    %(lmax.3nside)s
    %(mmax.lmax)s
    rings : array_like of int, optional
        Rings of this rank, 0 to 4 nside - 2, with their mirror images; its pixels are theirs, one
        ring after the other, from north to south.
    pixels : tuple of int, optional
        (begin, end): this rank has the pixels begin to end - 1, which go to ranks that have rings,
        and back. Without `rings` and `pixels` the rings are those that `armilla.mpi.SHT` deals.
    nthreads : int, optional
        Number of threads of this rank; 0 means all.

    Returns
    -------
    ndarray, shape of `map_part`
        This rank's pixels of the smoothed maps, float64; missing pixels are UNSEEN. On any number
        of ranks the result is that of armilla.healpy.smoothing, bit for bit for one map, and for
        T, Q and U.

    %(Raises.ranks)s

    Examples
    --------
    >>> import armilla.mpi, numpy as np
    >>> from mpi4py import MPI
    >>> comm, npix = MPI.COMM_WORLD, 12 * 16**2
    >>> begin, end = npix * comm.rank // comm.size, npix * (comm.rank + 1) // comm.size
    >>> part = np.ones(end - begin)
    >>> smooth = armilla.mpi.smoothing(part, 0.1, comm=comm, nside=16, pixels=(begin, end))
    >>> bool(np.allclose(smooth, 1, atol=0.01))
    True
    """
    def read() -> _Wish:
        most = 3 * whole("nside", nside) - 1
        top, order = _inputs.band(lmax, mmax, most)
        n = len(map_part) if _inputs.is_sequence(map_part) else 1
        if pol and n not in (1, 3):
            raise _inputs.Error(f"map_part: {n} maps: with pol = True must be 1 or 3")
        windows = beams(top, fwhm, sigma, beam_window)
        common = {"nside": nside, "lmax": top, "mmax": order, "iter": _inputs.integer("iter", iter),
                  "pol": bool(pol), "maps": n, "pixels": "none" if pixels is None else "a range",
                  "window": 0 if windows is None else zlib.crc32(windows[0].tobytes())}
        return _Wish(common, windows, rings, None if pixels is None else _pair(pixels))

    check_communicator(comm)
    with INTERRUPTS:
        return _smooth_together(map_part, comm, nside, read, nthreads)
