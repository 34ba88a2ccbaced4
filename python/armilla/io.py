"""Files: maps, coefficients and spectra in FITS, spectra as text, and pictures.

Files are those of healpy and HEALPix; maps on other grids have the grid in their cards, or are
images in plate carree. Every file is written under a temporary name and renamed
when it is whole; an existing file is refused without overwrite=True. A name that ends in .gz makes
a file packed by gzip; such files, and those of bzip2, are read like others. Maps are in RING order
in memory, and missing pixels are `UNSEEN`.
"""
from __future__ import annotations

import os
import warnings
from typing import (TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Sequence,
                    Tuple, Union)

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _cards, _map_grids, _tables
from ._arrays import plain, pointer, real_array, reals
from ._cards import Card
from ._errors import check, shown
from ._healsparse import UNSEEN, SparseMap, read_healsparse, write_healsparse
from ._hints import absent
from ._native import ffi, lib
from ._tables import Hdu, Table, hdu_number
from ._types import Coordinates, Flip, Projection
from .alm import band
from .grid import Grid, GridLike, as_grid

__all__ = ["UNSEEN", "AlmFile", "Card", "ClFile", "MapFile", "SparseMap", "Table", "describe",
           "read_alm", "read_cl", "read_header", "read_healsparse", "read_map", "read_table",
           "verify", "write_alm", "write_cl", "write_healsparse", "write_map", "write_picture"]
Path = Union[str, "os.PathLike[str]"]
_TYPES: Dict[np.dtype, int] = {
    np.dtype(np.float64): lib.ARMILLA_IO_DOUBLE, np.dtype(np.float32): lib.ARMILLA_IO_FLOAT,
    np.dtype(np.int16): lib.ARMILLA_IO_INT16, np.dtype(np.int32): lib.ARMILLA_IO_INT32,
    np.dtype(np.int64): lib.ARMILLA_IO_INT64, np.dtype(np.uint8): lib.ARMILLA_IO_UINT8,
    np.dtype(np.bool_): lib.ARMILLA_IO_BOOL}
_DTYPES: Dict[int, np.dtype] = {number: dtype for dtype, number in _TYPES.items()}


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


class MapFile(NamedTuple):
    """A map that was read: the full sky in RING order, ring after ring on any grid.

    Attributes
    ----------
    values : ndarray, shape (nfields, npix)
        The fields, float64; missing pixels are UNSEEN.
    nside : int
        Resolution of HEALPix; 0 on other grids.
    names : tuple of str
        Names of the columns, such as "TEMPERATURE"; "" where there is none.
    units : tuple of str
        Units of the columns, such as "uK"; "" where there is none.
    coordsys : {"G", "E", "C"} or None
        Coordinates: galactic, ecliptic, equatorial, or unknown.
    nested : bool
        Whether the file is in NESTED order.
    partial : bool
        Whether the file holds only the observed pixels.
    dtypes : tuple of dtype
        Types of the columns in the file.
    grid : Grid
        The grid of the values.
    """

    values: np.ndarray  # (nfields, npix), float64
    nside: int
    names: Tuple[str, ...]  # such as "TEMPERATURE"; "" when unknown
    units: Tuple[str, ...]  # such as "uK"; "" when unknown
    coordsys: Optional[str]  # "G", "E", "C", or None when unknown
    nested: bool  # order in the file
    partial: bool  # the file holds only the observed pixels
    dtypes: Tuple[np.dtype, ...]  # types in the file
    grid: Grid  # of values


class AlmFile(NamedTuple):
    """Coefficients that were read: of T, or of T, E and B.

    Attributes
    ----------
    alm : ndarray, shape (ncomp, size)
        Coefficients in the order of healpy, complex128.
    %(lmax)s
    %(mmax.given)s
    coordsys : {"G", "E", "C"} or None
        Coordinates: galactic, ecliptic, equatorial, or unknown.
    """

    alm: np.ndarray  # (ncomp, size), complex128, healpy's order
    lmax: int
    mmax: int
    coordsys: Optional[str]


class ClFile(NamedTuple):
    """Power spectra that were read.

    Attributes
    ----------
    cl : ndarray, shape (nspectra, lmax + 1)
        The spectra, float64.
    names : tuple of str
        Their names.
    unit : str
        Their unit.
    """

    cl: np.ndarray  # (nspectra, lmax + 1), float64
    names: Tuple[str, ...]
    unit: str


def _path(path: Path) -> bytes:
    name = os.fsencode(path)
    if b"\0" in name:  # where a string of C ends
        raise ValueError(f"path = {shown(path)}: must have no character 0")
    return name


def _text(field: Any) -> str:
    return ffi.string(field).decode("latin-1")


def _put(target: Any, text: str, name: str) -> None:
    raw = text.encode("ascii", "replace")
    if len(raw) >= lib.ARMILLA_IO_NAME_SIZE:
        raise ValueError(f"{name} = {shown(text)}: must be shorter than {lib.ARMILLA_IO_NAME_SIZE}")
    ffi.buffer(target)[: len(raw) + 1] = raw + b"\0"


def _letter(raw: bytes) -> Optional[str]:
    return None if raw == b"\0" else raw.decode("latin-1")


def _coordsys(letter: Optional[str]) -> bytes:
    if letter is not None and letter not in ("G", "E", "C"):
        raise ValueError(f"coordsys = {shown(letter)}: must be G, E, C or None")
    return b"\0" if letter is None else letter.encode()


def _type(dtype: DTypeLike) -> int:
    number = _TYPES.get(np.dtype(dtype).newbyteorder("="))  # files are big-endian whatever it says
    if number is None:
        raise ValueError(f"dtype = {np.dtype(dtype)}: must be one of {', '.join(map(str, _TYPES))}")
    return number


def _copied(address: Any, count: int, dtype: DTypeLike = np.float64) -> np.ndarray:
    raw = ffi.buffer(address, count * np.dtype(dtype).itemsize)
    return np.frombuffer(raw, dtype).copy()


def _two_dimensional(name: str, values: ArrayLike, dtype: DTypeLike) -> np.ndarray:
    values = plain(values, name)
    if np.dtype(dtype).kind == "f":
        values = real_array(values, name)
    values = np.atleast_2d(np.ascontiguousarray(values, dtype=dtype))
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"{name}: has shape {values.shape}, must have one or two dimensions")
    return values


def _filled(values: Any) -> Any:
    """What a masked array hides becomes UNSEEN."""
    if isinstance(values, np.ma.MaskedArray):
        real_array(np.ma.getdata(values), "map")
        return np.ma.filled(values.astype(np.float64), UNSEEN)
    return values


def _labels(name: str, given: Union[None, str, Sequence[str]], count: int) -> Optional[list]:
    if given is None:
        return None
    given = [given] * count if isinstance(given, str) else list(given)
    if len(given) != count:
        raise ValueError(f"{name}: has {len(given)} entries, must have {count}")
    return given


def _options(overwrite: bool, keywords: Iterable[Any], keep_nan: bool = False,
             row_pixels: int = 0) -> Tuple[Any, Any]:
    """Options of writing, and what must be kept alive as long."""
    options = ffi.new("armilla_write_options *")
    lib.armilla_write_options_init(options)
    options.overwrite, options.keep_nan, options.row_pixels = overwrite, keep_nan, row_pixels
    records = list(keywords)
    options.nkeywords = len(records)
    kept = _cards.keywords(records)
    options.keywords = kept[0]
    return options, kept


# --- Maps -----------------------------------------------------------------------------------------


def _map_hdu(path: bytes, hdu: Hdu) -> int:
    """The number of an HDU with a table or an image."""
    number = hdu_number(path, hdu, needs_table=False)
    if number == 0 and hdu != 0:  # the primary HDU, not the first one with a map
        axes = next(card.value for card in _tables.header_of(path, 0) if card.name == "NAXIS")
        return int(lib.ARMILLA_IO_PRIMARY) if axes else hdu_number(path, hdu)
    return number


def read_map(path: Path, *, fields: Union[None, int, Sequence[int]] = None,
             hdu: Hdu = 0) -> MapFile:
    """Read a map from a FITS file.

    It may be a map of HEALPix, a map on another grid that `write_map` wrote, or an image of the
    whole sky in plate carree (CAR, with its reference point on the equator) of any program.

    Parameters
    ----------
    %(path)s
    fields : int or sequence of int, optional
        Numbers of the columns, or of the planes of an image, from 0. By default all are read.
    hdu : int, str or tuple, optional
        The HDU, as astropy has it: its number, where 1 is the first extension and -1 the last; its
        name, "MASK"; or its name and version, ("MASK", 2). "PRIMARY" is the image in the primary
        HDU. 0, the default, takes the first one with a map.

    Returns
    -------
    MapFile
        The map, the full sky in the order of its `grid`, and what the file says of it. The rows
        of an image become rings from north to south, and its columns pixels eastward from the
        smallest longitude.

    Raises
    ------
    %(FileNotFoundError)s
    FormatError
        If the file holds no map, or is damaged, or its cards contradict each other; or an integer
        beyond 2^53 that no double is, which `read_table` gives as it is.
    ValueError
        If there is no such column, or no such HDU; the text lists those of the file.

    See Also
    --------
    armilla.healpy.read_map : The function of healpy.
    write_map : Writes a map.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> armilla.io.write_map("read_me.fits", np.arange(48.0), units="uK", coordsys="G")
    >>> told = armilla.io.read_map("read_me.fits")
    >>> told.values.shape, told.nside, told.units, told.coordsys
    ((1, 48), 2, ('uK',), 'G')
    >>> armilla.io.write_map("wide.fits", np.arange(65160.0), grid="cc:181x360")
    >>> armilla.io.read_map("wide.fits").grid
    <armilla.Grid cc:181x360: CC, 181 rings of 360, 65160 pixels>
    """
    numbers, count = ffi.NULL, 0
    if fields is not None:
        numbers = ffi.new("int64_t[]", [fields] if isinstance(fields, int) else list(fields))
        count = len(numbers)
    found, name = ffi.new("armilla_map **"), _path(path)
    check(lib.armilla_map_read(name, _map_hdu(name, hdu), count, numbers, found))
    told = ffi.gc(found[0], lib.armilla_map_free)
    columns = [told.fields[i] for i in range(told.nfields)]
    return MapFile(np.stack([_copied(c.values, told.npix) for c in columns]), told.nside,
                   tuple(_text(c.name) for c in columns), tuple(_text(c.unit) for c in columns),
                   _letter(told.coordsys), told.order == lib.ARMILLA_IO_NESTED,
                   bool(told.partial), tuple(_DTYPES[c.type] for c in columns),
                   _map_grids.grid_of(told))


def _beyond_doubles(fields: Any) -> List[Optional[np.ndarray]]:
    """Of each field: itself as int64, if some of its whole numbers are none of a double's, and
    files hold all of them (-2^63 marks missing pixels); others the C library refuses as doubles."""
    found: List[Optional[np.ndarray]] = []
    for row in fields:
        row = np.ma.filled(row, 0)  # what is missing the values tell
        is_whole = row.dtype.kind in "iu" and row.size
        low, high = (int(row.min()), int(row.max())) if is_whole else (0, 0)
        is_large = (low < -2 ** 53 or high > 2 ** 53) and -2 ** 63 < low and high < 2 ** 63
        found.append(np.ascontiguousarray(row, dtype=np.int64) if is_large else None)
    return found


def write_map(path: Path, values: ArrayLike, *, names: Union[None, str, Sequence[str]] = None,
              units: Union[None, str, Sequence[str]] = None, coordsys: Optional[Coordinates] = None,
              nested: bool = False, partial: bool = False,
              dtype: Union[DTypeLike, Sequence[DTypeLike]] = np.float32, overwrite: bool = False,
              keywords: Iterable[Any] = (), keep_nan: bool = False, row_pixels: int = 0,
              grid: Optional[GridLike] = None, image: bool = False) -> None:
    """Write a map into a FITS file.

    Parameters
    ----------
    %(path)s
    values : array_like, shape (npix,) or (nfields, npix)
        Maps in RING order, or as `grid` has them; there also with two dimensions for each field,
        if the grid has such maps. What a masked array hides is missing.
    names : str or sequence of str, optional
        Names of the columns. By default they are those of HEALPix for 1, 2, 3 or 6 columns.
    units : str or sequence of str, optional
        Units of the columns.
    coordsys : {"G", "E", "C"}, optional
        Coordinates: galactic, ecliptic or equatorial.
    nested : bool, optional
        Whether the file is in NESTED order. By default it is in RING order.
    partial : bool, optional
        Whether only the observed pixels are written.
    dtype : dtype or sequence of dtype, optional
        Type in the file, or one for each field: float32 by default, float64, integers of 16 to 64
        bits, uint8 or bool.
    %(overwrite)s
    %(keywords)s
    keep_nan : bool, optional
        Whether NaN is written as it is. By default it becomes UNSEEN.
    row_pixels : int, optional
        Pixels per row of the table. By default up to 1024.
    grid : Grid or str, optional
        The grid, or its name. By default it is the HEALPix grid with so many pixels. Values on a
        grid that is laid out (`Grid.laid_out`) are written ring after ring, from north to south.
    image : bool, optional
        Whether the file is an image in plate carree with the cards of WCS, which needs equidistant
        rings ("cc:181x360", "f1:180x360", ...), `coordsys`, and one floating type and unit. By
        default it is a table.

    Raises
    ------
    %(FileExistsError.overwrite)s
    ValueError
        If the grid has not so many pixels, or an option is wrong.

    Notes
    -----
    Columns of int64 hold integers beyond 2^53 exactly if `values`, or the field of a sequence, are
    of that type. Values that the type cannot hold are refused.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> iqu = np.random.default_rng(1).standard_normal((3, 48))
    >>> armilla.io.write_map("iqu.fits", iqu, units="uK", dtype=np.float64)
    >>> armilla.io.read_map("iqu.fits").names
    ('TEMPERATURE', 'Q_POLARISATION', 'U_POLARISATION')

    An image of the sky, which other programs show:

    >>> grid = armilla.Grid.named("f1:180x360")
    >>> sky = armilla.SHT(grid, lmax=10).synthesis(armilla.alm.random(10, np.ones(11), seed=1))
    >>> armilla.io.write_map("sky.fits", sky, grid=grid, coordsys="G", image=True)
    >>> armilla.io.read_map("sky.fits").grid.name
    'f1:180x360'
    """
    place = _map_grids.Place(grid)
    values = place.lines(values)
    fields = list(values) if isinstance(values, (list, tuple)) else np.atleast_2d(values)
    exact = _beyond_doubles(fields)
    if isinstance(values, (list, tuple)):
        values = [_filled(row) for row in fields]
    values = place.ordered(_two_dimensional("values", _filled(values), np.float64))
    exact = [None if row is None else place.ordered(row) for row in exact]
    nfields, npix = values.shape
    told = place.new_map(nfields, npix)
    if nested and not told.nside:
        raise ValueError("nested = True: maps on other grids than HEALPix have no NESTED order")
    if image and coordsys is None:
        raise ValueError("coordsys = None: an image says in which coordinates it is: must be G, E "
                         "or C")
    names, units = _labels("names", names, nfields), _labels("units", units, nfields)
    given: Any = dtype if isinstance(dtype, (list, tuple)) else [dtype] * nfields
    types = [_type(one) for one in given]
    if len(types) != nfields:
        raise ValueError(f"dtype: has {len(types)} entries, must have {nfields}")
    for i in range(nfields):
        column = told.fields[i]
        column.type = types[i]
        ffi.memmove(column.values, ffi.from_buffer(values[i]), values[i].nbytes)
        if names:
            _put(column.name, names[i], "names")
        if units:
            _put(column.unit, units[i], "units")
    told.coordsys = _coordsys(coordsys)
    told.order = lib.ARMILLA_IO_NESTED if nested else lib.ARMILLA_IO_RING
    told.partial = partial
    options, _kept = _options(overwrite, keywords, keep_nan, row_pixels)
    options.image = bool(image)
    if any(row is not None for row in exact):
        pointers = [ffi.NULL if row is None else ffi.from_buffer("int64_t[]", row)
                    for row in exact]
        options.integers = integers = ffi.new("int64_t *[]", pointers)
        _kept = _kept, integers, pointers
    check(lib.armilla_map_write_with(_path(path), told, options))


# --- Coefficients ---------------------------------------------------------------------------------


def read_alm(path: Path, *, hdu: Hdu = 0) -> AlmFile:
    """Read coefficients from a FITS file.

    Parameters
    ----------
    %(path)s
    hdu : int, str or tuple, optional
        The HDU, as `read_map` takes it. 0, the default, reads all tables of coefficients.

    Returns
    -------
    AlmFile
        The coefficients, and what the file says of them.

    Raises
    ------
    %(FileNotFoundError)s
    FormatError
        If the file holds no coefficients, or is damaged.
    %(ValueError.hdu)s
    """
    found, name = ffi.new("armilla_alm_file **"), _path(path)
    check(lib.armilla_alm_read(name, hdu_number(name, hdu), found))
    told = ffi.gc(found[0], lib.armilla_alm_file_free)
    size = lib.armilla_alm_size(told.lmax, told.mmax)
    alm = _copied(told.alm, told.ncomp * size, np.complex128).reshape(told.ncomp, size)
    return AlmFile(alm, told.lmax, told.mmax, _letter(told.coordsys))


def write_alm(path: Path, alm: ArrayLike, *, lmax: Optional[int] = None,
              mmax: Optional[int] = None, coordsys: Optional[Coordinates] = None,
              dtype: DTypeLike = np.float64, overwrite: bool = False,
              keywords: Iterable[Any] = ()) -> None:
    """Write coefficients into a FITS file.

    Parameters
    ----------
    %(path)s
    alm : array_like, shape (size,) or (ncomp, size)
        Coefficients in the order of healpy.
    %(arguments.lmax_mmax)s
    coordsys : {"G", "E", "C"}, optional
        Coordinates: galactic, ecliptic or equatorial.
    %(dtype)s
    %(overwrite)s
    %(keywords)s

    Raises
    ------
    %(FileExistsError.overwrite)s
    ValueError
        If the number of coefficients does not fit `lmax` and `mmax`.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = armilla.alm.random(32, np.ones(33), seed=1)
    >>> armilla.io.write_alm("alm.fits", alm)
    >>> told = armilla.io.read_alm("alm.fits")
    >>> told.lmax, bool(np.array_equal(told.alm[0], alm))
    (32, True)
    """
    alm = _two_dimensional("alm", alm, np.complex128)
    lmax, mmax = band(alm, lmax, mmax)
    made = ffi.new("armilla_alm_file **")
    check(lib.armilla_alm_file_new(lmax, mmax, alm.shape[0], made))
    told = ffi.gc(made[0], lib.armilla_alm_file_free)
    told.type = _type(dtype)
    told.coordsys = _coordsys(coordsys)
    ffi.memmove(told.alm, ffi.from_buffer(alm), alm.nbytes)
    options, _kept = _options(overwrite, keywords)
    check(lib.armilla_alm_write_with(_path(path), told, options))


# --- Spectra --------------------------------------------------------------------------------------


def read_cl(path: Path, *, hdu: Hdu = 0) -> ClFile:
    """Read power spectra from a FITS table, or from a text table with the columns l, TT, ...

    Parameters
    ----------
    %(path)s
    hdu : int, str or tuple, optional
        The HDU of a FITS file, as `read_map` takes it. 0, the default, takes the first one with
        spectra.

    Returns
    -------
    ClFile
        The spectra, and what the file says of them.

    Raises
    ------
    %(FileNotFoundError)s
    FormatError
        If the file holds no spectra, or is damaged.
    %(ValueError.hdu)s
    """
    found, name = ffi.new("armilla_cl_file **"), _path(path)
    check(lib.armilla_cl_read_hdu(name, hdu_number(name, hdu), found))
    told = ffi.gc(found[0], lib.armilla_cl_file_free)
    cl = _copied(told.cl, told.nspectra * (told.lmax + 1)).reshape(told.nspectra, -1)
    return ClFile(cl, tuple(_text(told.names[i]) for i in range(told.nspectra)), _text(told.unit))


def write_cl(path: Path, cl: ArrayLike, *, names: Union[None, str, Sequence[str]] = None,
             unit: str = "", dtype: DTypeLike = np.float64, overwrite: bool = False,
             keywords: Iterable[Any] = ()) -> None:
    """Write power spectra into a FITS table.

    Parameters
    ----------
    %(path)s
    cl : array_like, shape (lmax + 1,) or (nspectra, lmax + 1)
        The spectra.
    names : str or sequence of str, optional
        Their names.
    unit : str, optional
        Their unit.
    %(dtype)s
    %(overwrite)s
    %(keywords)s

    Raises
    ------
    %(FileExistsError.overwrite)s
    %(ValueError.shape)s

    Examples
    --------
    >>> import armilla, numpy as np
    >>> armilla.io.write_cl("cl.fits", np.ones((2, 33)), names=["TT", "EE"], unit="uK^2")
    >>> told = armilla.io.read_cl("cl.fits")
    >>> told.names, told.unit
    (('TT', 'EE'), 'uK^2')
    """
    cl = _two_dimensional("cl", cl, np.float64)
    made = ffi.new("armilla_cl_file **")
    check(lib.armilla_cl_file_new(cl.shape[1] - 1, cl.shape[0], made))
    told = ffi.gc(made[0], lib.armilla_cl_file_free)
    for i, name in enumerate(_labels("names", names, cl.shape[0]) or []):
        _put(told.names[i], name, "names")
    _put(told.unit, unit, "unit")
    told.type = _type(dtype)
    ffi.memmove(told.cl, ffi.from_buffer(cl), cl.nbytes)
    options, _kept = _options(overwrite, keywords)
    check(lib.armilla_cl_write_with(_path(path), told, options))


# --- As it stands in the file ---------------------------------------------------------------------


def read_header(path: Path, hdu: Hdu = 1) -> List[Card]:
    """Read the header of an HDU.

    Parameters
    ----------
    %(path)s
    hdu : int, str or tuple, optional
        The HDU, as `read_map` takes it; 0 is the primary one.

    Returns
    -------
    list of Card
        The keywords as (name, value, comment).

    %(Raises.file+hdu)s
    """
    return _tables.header_of(_path(path), hdu)


def read_table(path: Path, hdu: Hdu = 1) -> Table:
    """Read a binary table of a FITS file, with nothing interpreted.

    Parameters
    ----------
    %(path)s
    hdu : int, str or tuple, optional
        The HDU, as `read_map` takes it; 1 is the first extension.

    Returns
    -------
    Table
        The header, the names of the columns, and the columns of any type.

    %(Raises.file+hdu)s
    """
    return _tables.read(_path(path), hdu)


# --- For people -----------------------------------------------------------------------------------


def describe(path: Path) -> str:
    """Describe what a FITS file holds, table after table.

    Parameters
    ----------
    %(path)s

    Returns
    -------
    str
        The description, for people.

    Raises
    ------
    %(FileNotFoundError)s
    FormatError
        If the file is damaged.
    """
    text = ffi.new("char **")
    check(lib.armilla_io_describe(_path(path), text))
    told = ffi.gc(text[0], lib.armilla_io_text_free)
    return ffi.string(told).decode("utf-8", "replace")


def verify(path: Path) -> None:
    """Check that a FITS file is whole.

    The header and the data of each HDU must lie in the file, and its tables must be readable.

    Parameters
    ----------
    %(path)s

    Raises
    ------
    %(FileNotFoundError)s
    FormatError
        If the file is not whole.
    """
    check(lib.armilla_io_verify(_path(path)))


_SCALES = {"linear": lib.ARMILLA_SCALE_LINEAR, "log": lib.ARMILLA_SCALE_LOG,
           "symlog": lib.ARMILLA_SCALE_SYMLOG, "hist": lib.ARMILLA_SCALE_EQUALISED}


def _choice(name: str, value: str, choices: Dict[str, int]) -> int:
    if value not in choices:
        raise ValueError(f"{name} = {shown(value)}: must be one of {', '.join(choices)}")
    return choices[value]


def _picture_grid(grid: Any, values: np.ndarray) -> Any:
    nside = lib.armilla_healpix_nside(values.size) if values.ndim == 1 else -1
    if grid is None and nside < 0:
        raise ValueError(f"values: shape {values.shape}: no HEALPix map has it")
    grid = Grid.healpix(nside) if grid is None else as_grid(grid)
    if values.shape != (grid.npix,):
        raise ValueError(f"values: shape {values.shape}: must be ({grid.npix},)")
    return grid


def write_picture(path: Path, values: ArrayLike, *, grid: Any = None,
                  projection: Projection = "mollweide", rot: Optional[Sequence[float]] = None,
                  coord: Optional[Sequence[str]] = None, fov: Optional[float] = None,
                  half_sky: bool = False, flip: Flip = "astro", graticule: bool = False,
                  cmap: str = "diverging", norm: str = "linear", width: int = 1600,
                  minimum: Optional[float] = None, maximum: Optional[float] = None,
                  title: Optional[str] = None, unit: Optional[str] = None, nthreads: int = 0,
                  overwrite: bool = False) -> None:
    """Draw a map into a file: PNG, or SVG where its name ends in .svg. It needs no matplotlib.

    Parameters
    ----------
    %(path)s
    values : array_like, shape (npix,)
        Map, in RING order unless `grid` is given.
    grid : Grid or str, optional
        Grid of the map. By default it is the HEALPix grid with so many pixels.
    projection, rot, coord, fov, half_sky, flip : optional
        What is shown, and how; see `armilla.plot.map`.
    graticule : bool, optional
        Whether parallels and meridians are drawn, with their degrees.
    cmap : {"diverging", "planck", "viridis", "magma", "grey"}, optional
        Colours.
    norm : {"linear", "log", "symlog", "hist"}, optional
        Scale of the colours; "hist" gives each colour as many pixels.
    width : int, optional
        Width of the picture in pixels.
    minimum : float, optional
        Value of the lowest colour. By default it follows from the data.
    maximum : float, optional
        Value of the highest colour. By default it follows from the data.
    title : str, optional
        Text above the picture: Latin and Greek letters, digits above and below the line, signs of
        units and of mathematics. Other characters become "?", with a warning.
    %(unit)s
    %(nthreads.short)s
    %(overwrite)s

    Raises
    ------
    %(FileExistsError.overwrite)s
    ValueError
        If the map does not fit the grid, or an argument has no such value.

    Examples
    --------
    >>> import armilla, numpy as np
    >>> sky = np.random.default_rng(1).standard_normal(12 * 16**2)
    >>> armilla.io.write_picture("sky.png", sky, width=400, cmap="planck", title="White noise")
    """
    from . import _projections, plot
    values = reals(_filled(values), "values")
    grid = _picture_grid(grid, values)
    view = plot.checked_view(projection, rot, coord, fov, half_sky, flip)
    options = ffi.new("armilla_picture_options *")
    lib.armilla_picture_options_init(options)
    options.width, options.nthreads = width, nthreads
    options.projection = _projections.NUMBERS[view.plane]
    options.two_sides, options.east_right = view.two_sides, view.east > 0
    options.longitude, options.latitude, options.angle = np.radians(plot.angles_of(projection, rot))
    options.graticule = bool(graticule)
    options.colors = _choice("cmap", cmap, _projections.COLOURS)
    options.scale = _choice("norm", norm, _SCALES)
    if coord is not None:
        setattr(options, "from", coord[0].encode())
        options.to = coord[1].encode()
    for name, number in (("minimum", minimum), ("maximum", maximum),
                         ("fov", None if fov is None else np.radians(fov))):
        if number is not None:
            setattr(options, name, number)
    kept = {name: ffi.new("char[]", text.encode()) for name, text in
            (("title", title), ("unit", unit)) if text is not None}
    for name, text in kept.items():
        setattr(options, name, text)
        unknown = lib.armilla_picture_unknown(text)
        if unknown:
            letter = ffi.string(unknown).decode("utf-8", "replace")[0]
            warnings.warn(f"{name}: the picture has a ? in place of {letter!r}", stacklevel=2)
    check(lib.armilla_picture_write_map(_path(path), grid._grid, pointer(values), options,
                                        overwrite))
