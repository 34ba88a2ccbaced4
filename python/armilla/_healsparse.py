"""Maps of healsparse: HEALPix in NESTED order, of which blocks with observed pixels are stored.

A file has an image COV and an image or a table SPARSE (healsparse's file specification 1.1.2). With
n = (nside / nside_coverage)^2 pixels in a coverage pixel, pixel p of the map is element

    COV[p // n] + p

of SPARSE, whose first n elements are the sentinel: unobserved coverage pixels point there.
"""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import plain
from ._errors import FormatError, shown, whole
from ._geo_text import Path, whole_file
from ._native import lib
from .healpix import nest_to_ring, ring_to_nest

UNSEEN: float = lib.ARMILLA_UNSEEN
_COVERAGE = 32  # nside of coverage maps, as surveys have it
_RESERVED = ("EXTNAME", "PIXTYPE", "NSIDE", "SENTINEL", "PRIMARY", "WIDEMASK", "WWIDTH", "BITPACK",
             "RESHAPED", "SIMPLE", "XTENSION", "BITPIX", "EXTEND", "PCOUNT", "GCOUNT", "TFIELDS",
             "ZIMAGE", "CHECKSUM", "DATASUM", "BSCALE", "BZERO", "COMMENT", "HISTORY", "")
_NUMBERED = ("NAXIS", "TTYPE", "TFORM", "TZERO", "TSCAL", "TUNIT", "TNULL", "ZTILE", "ZNAXIS",
             "ZNAME", "ZVAL", "ZBITPIX", "ZCMPTYPE", "ZQUANTIZ", "ZTENSION", "ZPCOUNT", "ZGCOUNT")


class SparseMap(NamedTuple):
    """Pixels of a HEALPix map that were observed.

    Attributes
    ----------
    pixels : ndarray of int64, shape (n,)
        Their numbers in NESTED order, rising.
    values : ndarray, shape (n,)
        Their values, in the type of the file.
    nside : int
        Resolution of the map.
    nside_coverage : int
        Resolution of the coverage map: all pixels in one of its pixels are stored together.
    field : str or None
        The column of a map with several; None of others.
    metadata : dict
        The cards that are not the format's own.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> part = armilla.io.SparseMap(np.array([0, 1, 5]), np.array([1.0, 3.0, 8.0]), 64, 8)
    >>> part.degraded(32).values, part.degraded(32).pixels
    (array([2., 8.]), array([0, 1]))
    >>> sky = part.full()                                   # in RING order
    >>> int((sky != armilla.io.UNSEEN).sum())
    3
    """

    pixels: np.ndarray
    values: np.ndarray
    nside: int
    nside_coverage: int
    field: Optional[str] = None
    metadata: Dict[str, Any] = {}

    def full(self, *, nested: bool = False) -> np.ndarray:
        """Return the map with all pixels of the sphere.

        Parameters
        ----------
        nested : bool, optional
            Whether it is in NESTED order. By default it is in RING order.

        Returns
        -------
        ndarray, shape (12 nside^2,)
            The values, float32 for float32, else float64; pixels that were not observed are UNSEEN.
        """
        kind = np.float32 if self.values.dtype == np.float32 else np.float64
        made = np.full(12 * self.nside ** 2, UNSEEN, kind)
        place = self.pixels if nested else nest_to_ring(self.nside, self.pixels)
        made[place] = self.values
        return made

    def degraded(self, nside: int) -> SparseMap:
        """Return the map at a lower resolution: means of the observed pixels.

        Parameters
        ----------
        nside : int
            The new resolution, a power of 2, at most that of the map.

        Returns
        -------
        SparseMap
            The map, whose values are float64 unless they are float32.

        Raises
        ------
        ValueError
            If `nside` is no such number.
        """
        nside = _power("nside", nside, self.nside)
        kind = np.float32 if self.values.dtype == np.float32 else np.float64
        shift = 2 * (self.nside // nside).bit_length() - 2
        order = np.argsort(self.pixels, kind="stable")
        pixels, first = np.unique(self.pixels[order] >> shift, return_index=True)
        ends = np.append(first, self.pixels.size)
        sums = (np.add.reduceat(self.values[order].astype(np.float64), first) if pixels.size
                else np.empty(0))
        return self._replace(pixels=pixels, values=(sums / np.diff(ends)).astype(kind), nside=nside,
                             nside_coverage=min(nside, self.nside_coverage))


def _power(name: str, value: Any, most: int = 1 << 29) -> int:
    number = whole(name, value)
    if not 1 <= number <= most or number & (number - 1):
        raise ValueError(f"{name} = {number}: must be a power of 2, at most {most}")
    return number


def _fits() -> Any:
    try:
        from astropy.io import fits
    except ImportError as error:
        raise ImportError("files of healsparse need astropy: pip install astropy") from error
    return fits


# --- Reading --------------------------------------------------------------------------------------


def _is_card(name: str) -> bool:
    return name not in _RESERVED and name.rstrip("0123456789") not in _NUMBERED


def _resolution(path: Path, header: Any) -> int:
    found = header.get("NSIDE")
    try:
        return _power("NSIDE", found)
    except (TypeError, ValueError):
        raise FormatError(f"{path}: {header.get('EXTNAME')} has NSIDE = {shown(found)}, must be a "
                          "power of 2") from None


def _hdus(path: Path, file: Any) -> Tuple[Any, Any]:
    """The coverage map and the sparse map."""
    named = {str(one.header.get("EXTNAME", "")).strip(): one for one in file}
    for name in ("COV", "SPARSE"):
        if name not in named or named[name].header.get("PIXTYPE") != "HEALSPARSE":
            raise FormatError(f"{path}: is no map of healsparse: it has no HDU {name} with PIXTYPE "
                              "= 'HEALSPARSE'")
    return named["COV"], named["SPARSE"]


def _blocks(path: Path, cover: np.ndarray, count: int, stored: int
            ) -> Tuple[np.ndarray, np.ndarray]:
    """Coverage pixels that have a block, and its number. count: pixels of a block; stored: blocks
    of the file."""
    offset = cover.astype(np.int64) + count * np.arange(cover.size)
    if (offset % count).any() or offset.min() < 0 or offset.max() >= stored * count:
        bad = int(np.argmax((offset % count != 0) | (offset < 0) | (offset >= stored * count)))
        raise FormatError(f"{path}: COV has {cover[bad]} for coverage pixel {bad}, which is no "
                          f"block of {count} pixels of SPARSE")
    covered = np.flatnonzero(offset)
    block = offset[covered] // count
    if np.unique(block).size != block.size:
        raise FormatError(f"{path}: COV has one block of SPARSE for two coverage pixels")
    return covered, block


def _observed(values: np.ndarray, sentinel: Any) -> np.ndarray:
    """Where there are values."""
    if values.dtype.kind != "f":
        return values != sentinel
    with np.errstate(invalid="ignore"):
        missing = np.isnan(values) | (values == np.asarray(sentinel, values.dtype))
        return ~(missing | (np.abs(values - UNSEEN) < -1e-5 * UNSEEN))


def _field(path: Path, header: Any, names: Sequence[str], field: Optional[str]
           ) -> Tuple[Optional[str], Optional[str]]:
    """The column that is asked for, and that which tells what was observed."""
    if not names:
        if field is not None:
            raise ValueError(f"field = {shown(field)}: {path} has one map without a name")
        return None, None
    primary = str(header.get("PRIMARY", names[0])).strip()
    chosen = primary if field is None else field
    for one in (chosen, primary):
        if one not in names:
            raise ValueError(f"field = {shown(one)}: {path} has {', '.join(names)}")
    return chosen, primary


def _unpacked(values: np.ndarray, header: Any) -> np.ndarray:
    """Truth values are stored as numbers, or eight in a byte."""
    if header.get("BITPACK"):
        return np.unpackbits(values.view(np.uint8), bitorder="little").astype(bool)
    if isinstance(header.get("SENTINEL"), (bool, np.bool_)):
        return values.astype(bool)
    return values


def _values_of(path: Path, hdu: Any, column: Optional[str]) -> np.ndarray:
    raw = np.asarray(hdu.data if column is None else hdu.data[column]).ravel()
    if raw.dtype.kind not in "iufb":
        raise FormatError(f"{path}: SPARSE holds {raw.dtype}, no numbers")
    return _unpacked(raw.astype(raw.dtype.newbyteorder("="), copy=False), hdu.header)


def _read(path: Path, file: Any, field: Optional[str]) -> SparseMap:
    cov, sparse = _hdus(path, file)
    header = sparse.header
    if header.get("WIDEMASK"):
        raise FormatError(f"{path}: is a wide mask of {header.get('WWIDTH')} bytes a pixel, no map "
                          "of numbers; healsparse's check_bits_pos looks into it")
    if "SENTINEL" not in header:
        raise FormatError(f"{path}: SPARSE has no SENTINEL")
    coverage, nside = _resolution(path, cov.header), _resolution(path, header)
    cover = np.asarray(cov.data).ravel()
    if nside < coverage or cover.size != 12 * coverage ** 2:
        raise FormatError(f"{path}: COV has {cover.size} pixels and NSIDE = {coverage}, SPARSE has "
                          f"NSIDE = {nside}")
    column, primary = _field(path, header, getattr(sparse.data, "names", None) or (), field)
    values = _values_of(path, sparse, column)
    told = values if primary == column else _values_of(path, sparse, primary)
    count = (nside // coverage) ** 2
    if values.size % count or not values.size:
        raise FormatError(f"{path}: SPARSE has {values.size} pixels, no whole blocks of {count}")
    covered, block = _blocks(path, cover, count, values.size // count)
    pixels = covered[:, np.newaxis] * count + np.arange(count)
    seen = _observed(told.reshape(-1, count)[block], header["SENTINEL"])
    cards = {name: value for name, value in header.items() if _is_card(name)}
    return SparseMap(pixels[seen], values.reshape(-1, count)[block][seen], nside, coverage, column,
                     cards)


def read_healsparse(path: Path, *, field: Optional[str] = None) -> SparseMap:
    """Read the observed pixels of a map of healsparse.

    Needs astropy, which reads compressed images (``pip install astropy``).

    Parameters
    ----------
    path : str or path-like
        Name of the file, in FITS.
    field : str, optional
        The column of a map with several. By default it is the primary one, which tells what was
        observed.

    Returns
    -------
    SparseMap
        Pixels and values: of numbers of any type, or truth values.

    Raises
    ------
    FormatError
        If the file is no map of healsparse or is damaged, or is a mask of many bits.
    ValueError
        If there is no such column; the text lists those of the file.
    %(FileNotFoundError)s
    ImportError
        If astropy is not installed.

    See Also
    --------
    read_map : Reads maps of HEALPix' own formats, which may be partial.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> armilla.io.write_healsparse("part.hsp", [7, 9], np.array([1.5, 2.5]), 64)
    >>> part = armilla.io.read_healsparse("part.hsp")
    >>> part.pixels, part.values, part.nside, part.nside_coverage
    (array([7, 9]), array([1.5, 2.5]), 64, 32)
    """
    fits = _fits()
    with open(path, "rb") as stream:
        if stream.read(9) != b"SIMPLE  =":
            raise FormatError(f"{path}: is no FITS file")
    try:
        with fits.open(path, memmap=False) as file:
            return _read(path, file, field)
    except (OSError, TypeError, KeyError, IndexError, fits.VerifyError) as error:
        raise FormatError(f"{path}: {error}") from error


# --- Writing --------------------------------------------------------------------------------------


def _sentinel(kind: np.dtype, given: Any) -> Any:
    """The value of pixels that were not observed, of Python's types."""
    if kind.kind == "f":
        return float(kind.type(UNSEEN if given is None else given))
    least = 0 if kind.kind == "u" else int(np.iinfo(kind).min)
    number = least if given is None else whole("sentinel", given)
    if not np.iinfo(kind).min <= number <= np.iinfo(kind).max:
        raise ValueError(f"sentinel = {number}: {kind} does not hold it")
    return number


def _checked_values(values: ArrayLike, npixels: int) -> np.ndarray:
    array = np.asarray(plain(values, "values"))
    kinds = ([array.dtype[name] for name in array.dtype.names] if array.dtype.names
             else [array.dtype])
    bad = [one for one in kinds if one.kind not in "iuf" or one.itemsize > 8 or one == np.float16
           or one.shape or one == np.uint64]
    if bad:
        raise TypeError(f"values: must hold float32, float64 or integers, not {bad[0]}")
    if array.shape != (npixels,):
        raise ValueError(f"values: has shape {array.shape}, must have ({npixels},), a value for "
                         "each pixel")
    return array


def _checked_pixels(pixels: ArrayLike, nside: int, nested: bool) -> np.ndarray:
    array = np.asarray(plain(pixels, "pixels"))
    if array.size == 0:
        array = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"pixels: must be whole numbers in one axis, not {array.dtype} of shape "
                        f"{array.shape}")
    wrong = (array < 0) | (array >= 12 * nside ** 2)
    if wrong.any():
        raise ValueError(f"pixels: {array[np.argmax(wrong)]} is none of nside {nside}, which has "
                         f"{12 * nside ** 2}")
    array = array.astype(np.int64)
    array = array if nested else ring_to_nest(nside, array)
    if np.unique(array).size != array.size:
        raise ValueError("pixels: one is there twice")
    return array


def _check_seen(values: np.ndarray, sentinel: Any, name: str) -> None:
    """ValueError for values that readers would take for pixels that were not observed."""
    bad = ~_observed(values, sentinel)
    if bad.any():
        raise ValueError(f"values: {name} is {values[np.argmax(bad)]} at place "
                         f"{int(np.argmax(bad))}, which marks what was not observed; leave such "
                         "pixels out, or choose another sentinel=")


def _stored(pixels: np.ndarray, values: np.ndarray, count: int, size: int, fill: Any
            ) -> Tuple[np.ndarray, np.ndarray]:
    """COV and SPARSE."""
    covered, block = np.unique(pixels // count, return_inverse=True)
    offset = np.zeros(size, np.int64)
    offset[covered] = count * np.arange(1, covered.size + 1)
    sparse = np.empty((covered.size + 1) * count, values.dtype)
    sparse[:] = fill
    sparse[count * (block + 1) + pixels % count] = values
    return offset - count * np.arange(size), sparse


def _hdu_of(fits: Any, sparse: np.ndarray, count: int) -> Any:
    """A table of several fields, else an image in blocks that are packed without loss."""
    if sparse.dtype.names:
        return fits.BinTableHDU(sparse)
    if count < 64:  # blocks so small are larger when packed
        return fits.ImageHDU(sparse)
    return fits.CompImageHDU(sparse, compression_type="GZIP_2", tile_shape=(count,),
                             quantize_level=0.0)


def write_healsparse(path: Path, pixels: ArrayLike, values: ArrayLike, nside: int, *,
                     nside_coverage: Optional[int] = None, nested: bool = True,
                     sentinel: Union[None, int, float] = None, primary: Optional[str] = None,
                     metadata: Optional[Mapping[str, Any]] = None, overwrite: bool = False) -> None:
    """Write observed pixels into a file of healsparse.

    Needs astropy (``pip install astropy``).

    Parameters
    ----------
    %(path)s
    pixels : array_like of int, shape (n,)
        Numbers of the pixels, in any sequence, none of them twice.
    values : array_like, shape (n,)
        Their values: float32, float64, integers of up to 64 bits, or a structured array of these.
    nside : int
        Resolution, a power of 2.
    nside_coverage : int, optional
        Resolution of the coverage map, at most `nside`: 32 by default, or `nside`, if that is less.
    nested : bool, optional
        Whether `pixels` are in NESTED order, as in the file; else they are in RING order.
    sentinel : int or float, optional
        What marks pixels that were not observed. By default it is UNSEEN, the least number of a
        signed integer, and 0 of others.
    primary : str, optional
        Of a structured array the field that tells what was observed. By default it is the first.
    metadata : mapping of str to int, float, str or bool, optional
        More cards.
    %(overwrite.short)s

    Raises
    ------
    %(FileExistsError)s
    ValueError
        If a pixel is none of `nside` or is there twice, a value is NaN or the sentinel, or a number
        is no power of 2.
    TypeError
        If types are others.
    ImportError
        If astropy is not installed.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> armilla.io.write_healsparse("counts.hsp", [3, 4], np.array([10, 20]), 128,
    ...                             metadata={"SURVEY": "mine"})
    >>> armilla.io.read_healsparse("counts.hsp").metadata
    {'SURVEY': 'mine'}
    """
    fits, nside = _fits(), _power("nside", nside)
    coverage = _power("nside_coverage", min(nside, _COVERAGE) if nside_coverage is None
                      else nside_coverage, nside)
    pixels = _checked_pixels(pixels, nside, nested)
    array = _checked_values(values, pixels.size)
    fill, mark, name = _fill(array, sentinel, primary)
    count = (nside // coverage) ** 2
    cover, sparse = _stored(pixels, array, count, 12 * coverage ** 2, fill)
    hdus = [fits.PrimaryHDU(cover), _hdu_of(fits, sparse, count)]
    cards: List[Dict[str, Any]] = [
        {"EXTNAME": "COV", "PIXTYPE": "HEALSPARSE", "NSIDE": coverage},
        {"EXTNAME": "SPARSE", "PIXTYPE": "HEALSPARSE", "NSIDE": nside, "SENTINEL": mark,
         **({} if name is None else {"PRIMARY": name})}]
    for key in metadata or ():
        if not _is_card(str(key).upper()):
            raise ValueError(f"metadata: {key} is a card of the format")
    cards[1].update(metadata or {})
    for hdu, given in zip(hdus, cards):
        for key, value in given.items():
            hdu.header[key] = value
    with whole_file(path, overwrite) as temporary:
        fits.HDUList(hdus).writeto(temporary, overwrite=True)


def _fill(array: np.ndarray, sentinel: Any, primary: Optional[str]) -> Tuple[Any, Any, Any]:
    """What fills SPARSE, the sentinel, and the name of the primary field."""
    names = array.dtype.names
    if not names:
        if primary is not None:
            raise ValueError(f"primary = {shown(primary)}: is for structured arrays")
        mark = _sentinel(array.dtype, sentinel)
        _check_seen(array, mark, "the value")
        return mark, mark, None
    name = names[0] if primary is None else primary
    if name not in names:
        raise ValueError(f"primary = {shown(name)}: values have {', '.join(names)}")
    mark = _sentinel(array.dtype[name], sentinel)
    _check_seen(array[name], mark, name)
    return tuple(mark if one == name else _sentinel(array.dtype[one], None)
                 for one in names), mark, name
