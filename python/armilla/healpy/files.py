"""Files of maps, coefficients and spectra under healpy's names.

What is written goes to a temporary name first and is renamed when it is whole; names that end in
.gz are packed by gzip; files that gzip or bzip2 packed are read. What is read is taken as it stands
in the file, as healpy does: NaN stays, U of POLCCONV = IAU keeps its sign, columns of D_l are not
converted; armilla.io interprets these.
Arrays have the types of the file, but the machine's order of bytes. Instead of a path the functions
that read take HDUs and lists of HDUs of astropy.
"""
from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from .._arrays import reals
from .. import io as _io
from .._errors import FormatError, shown as _shown
from ._inputs import UNSEEN, Error, Failure, Invalid, band_of, is_sequence, read_alms
from .maps import mask_bad, reorder
from .sizes import check_nside, get_nside, isnpixok, npix2nside

Path = Union[str, "os.PathLike[str]"]


@contextlib.contextmanager
def _source(filename: Any) -> Iterator[Tuple[Path, Optional[int]]]:
    """Path of a file; and the number of the HDU where the caller gave one HDU of astropy."""
    if isinstance(filename, (str, os.PathLike)):
        os.stat(filename)  # FileNotFoundError where there is none
        yield filename, None
    elif hasattr(filename, "writeto"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "given.fits")
            filename.writeto(path)
            yield path, None if isinstance(filename, list) else 1
    else:
        raise Error(f"filename: must be a path, or HDUs, not {type(filename).__name__}")


def _table(filename: Any, hdu: Any) -> _io.Table:
    with _source(filename) as (path, number):
        return _io.read_table(path, hdu if number is None else number)


def _target(filename: Any) -> Path:
    if not isinstance(filename, (str, os.PathLike)):
        raise Error(f"filename: must be a path, not {type(filename).__name__}")
    return filename


# --- Maps -----------------------------------------------------------------------------------------


def _is_partial(table: _io.Table, partial: bool) -> bool:
    """Whether pixels are listed: what the header says, else what the caller says."""
    told = str(table.said("OBJECT", "")).strip()
    scheme = str(table.said("INDXSCHM", "")).strip()
    by_object = {"PARTIAL": True, "FULLSKY": False}.get(told)
    by_scheme = {"EXPLICIT": True, "IMPLICIT": False}.get(scheme)
    if by_object is not None and by_scheme is not None and by_object != by_scheme:
        raise Error(f"INDXSCHM = {_shown(scheme)}: contradicts OBJECT = {_shown(told)}")
    for told_by in (by_scheme, by_object):
        if told_by is not None:
            return told_by
    return bool(partial)


def _full_sky(values: np.ndarray, npix: int, pix: Optional[np.ndarray]) -> np.ndarray:
    """Values of the pixels pix, UNSEEN elsewhere."""
    if pix is None:
        return values
    if pix.size != values.size or np.any((pix < 0) | (pix >= npix)):
        raise Error(f"filename: a partial map lists pixels that nside = {npix2nside(npix)} has not")
    made = UNSEEN * np.ones(npix, values.dtype)  # integers become float64, as in healpy
    made[pix] = values
    return made


def _pixel_numbers(table: _io.Table) -> np.ndarray:
    """The first column of a partial map; reals must be whole numbers that their type holds
    exactly."""
    given = table.column(0)
    if given.dtype.kind not in "iuf":
        raise Error(f"filename: the pixel numbers of a partial map have the type {given.dtype}")
    if given.dtype.kind == "f":
        limit = 2.0 ** 24 if given.dtype.itemsize == 4 else 2.0 ** 53
        wrong = ~((np.abs(given) < limit) & (given == np.rint(given)))
        if wrong.any():
            row = int(np.argmax(wrong))
            raise Error(f"filename: row {row + 1}: pixel number {_shown(given[row])}: must be a "
                        "whole number, one that its type holds exactly")
    return given.astype(np.int64)


def _listed(table: _io.Table, npix: int, partial: bool, count: int) -> Optional[np.ndarray]:
    """Pixels that the file has, count in a column; None: all, in order."""
    if partial:
        return _pixel_numbers(table)
    first, last = table.said("FIRSTPIX", 0), table.said("LASTPIX", npix - 1)
    is_other = str(table.said("OBJECT", "")).strip() == "FULLSKY" or (
        first == 0 and isnpixok(count))  # all pixels of another nside
    if count != npix and last - first + 1 == count and 0 <= first <= last < npix and not is_other:
        return np.arange(first, last + 1)
    return None


def _number(table: _io.Table, field: Any, partial: bool) -> int:
    """The column of a field: the first one of a partial map does not count."""
    skips = partial and not isinstance(field, str) and field >= 0
    return table.index(field + 1 if skips else field)


def _field(table: _io.Table, number: int, dtype: Any) -> np.ndarray:
    """Values of a column; those that the file marks as missing are UNSEEN where the type can be
    floating."""
    values, missing = table.column(number), table.missing(number)
    if missing is not None and (dtype is None or np.dtype(dtype).kind in "fc"):
        values = np.where(missing, UNSEEN, values.astype(np.float64))
    return values if dtype is None else values.astype(dtype)


def _types(dtype: Any, count: int) -> List[Any]:
    given = list(dtype) if isinstance(dtype, (list, tuple)) else [dtype] * count
    if len(given) != count:
        raise Invalid(f"dtype: has {len(given)} entries, must have {count}")
    return given


def read_map(filename: Any, field: Any = 0, dtype: Any = None, nest: Optional[bool] = False,
             partial: bool = False, hdu: int = 1, h: bool = False, verbose: bool = True,
             memmap: bool = False) -> Any:
    """Read a HEALPix map from a FITS file.

    Parameters
    ----------
    %(filename)s
    field : int, str or sequence, optional
        Column, by number from 0 or by name, or several. None means all. The default is the first
        one.
    dtype : dtype or sequence of dtype, optional
        Type of the result, or one for each column. By default it is that of the file.
    nest : bool or None, optional
        Order of the result: False, the default, means RING, True means NESTED, and None that of
        the file. A file that does not tell its order is taken to be in the order that is asked
        for.
    partial : bool, optional
        What a file is taken for that does not tell whether it is partial.
    hdu : int, str or tuple, optional
        Number of the HDU; 1 is the first extension. As in astropy also its name, or its name and
        version.
    h : bool, optional
        Whether the header is returned, too.
    %(verbose)s
    memmap : bool, optional
        Has no effect.

    Returns
    -------
    map : ndarray, shape (npix,) or (n, npix)
        The map; a list of maps if their types differ. Missing pixels are UNSEEN.
    header : list of tuple
        The header as (name, value), with `h`.

    Raises
    ------
    %(FileNotFoundError)s
    ValueError
        If the file holds no HEALPix map.
    IndexError, KeyError
        If there is no such column.

    See Also
    --------
    write_map : Writes a map.
    armilla.io.read_map : A map with its units and coordinates.

    Notes
    -----
    Columns of integers and truth values in which pixels are marked as missing become float64 with
    UNSEEN there, unless `dtype` says otherwise; in healpy the mark remains a number.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> hp.write_map("three.fits", np.ones((3, 48)))
    >>> hp.read_map("three.fits", field=(0, 1, 2)).shape
    (3, 48)
    """
    table = _table(filename, hdu)
    if str(table.said("PIXTYPE", "")).strip().upper() == "RING GRID":
        raise Error("filename: holds a map on another grid than HEALPix, which "
                    "armilla.io.read_map reads")
    is_partial = _is_partial(table, partial)
    fields = range(len(table.names) - is_partial) if field is None else (
        field if np.ndim(field) else [field])
    numbers = [_number(table, one, is_partial) for one in fields]
    if not numbers:
        raise Error("filename: the table has no fields")
    count = table.column(numbers[0]).size
    nside = table.said("NSIDE")
    nside = npix2nside(count) if nside is None else int(nside)
    check_nside(nside)
    npix = 12 * nside * nside
    is_nested = nest is not None and _is_nested(table.said("ORDERING", "NEST" if nest else "RING"))
    listed = _listed(table, npix, is_partial, count)
    types = _types(dtype, len(numbers))
    maps: List[np.ndarray] = []
    for number, kind in zip(numbers, types):
        values = _full_sky(_field(table, number, kind), npix, listed)
        if values.size != npix or not isnpixok(values.size):
            raise Error(f"filename: nside = {nside} has {npix} pixels, the file {values.size}")
        if nest is not None and bool(nest) != is_nested:
            values = reorder(values, r2n=bool(nest), n2r=not nest)
        if values.dtype.kind == "f":
            values[mask_bad(values)] = UNSEEN
        maps.append(values)
    made: Any = maps[0] if len(maps) == 1 else (
        np.array(maps) if all(kind == types[0] for kind in types) else maps)
    return (made, [(card.name, card.value) for card in table.header]) if h else made


def _columns(m: Any) -> List[np.ndarray]:
    rows = [m] if not is_sequence(m) else list(m)
    return [np.ma.filled(row, UNSEEN) if isinstance(row, np.ma.MaskedArray) else np.asarray(row)
            for row in rows]


_NAMES = {1: "TEMPERATURE", 2: ["Q_POLARISATION", "U_POLARISATION"],
          3: ["TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"],
          6: ["II", "IQ", "IU", "QQ", "QU", "UU"]}


def _labels(name: str, given: Any, count: int) -> List[Any]:
    if given is not None and not hasattr(given, "__len__"):
        raise Error(f"{name} = {_shown(given)}: must be a text, or a sequence of texts")
    made = [given] * count if given is None or isinstance(given, str) else list(given)
    if len(made) != count:
        raise Invalid(f"{name}: has {len(made)} entries, must have {count}")
    return made


def _units(units: List[Any]) -> List[Tuple[str, str]]:
    """Keywords of the units of columns 1, 2, ..."""
    if any(unit is not None and not isinstance(unit, str) for unit in units):
        raise Error(f"column_units = {_shown(units)}: must be texts or None")
    return [(f"TUNIT{i + 1}", unit) for i, unit in enumerate(units) if unit]


def _stored(kinds: Sequence[Any]) -> List[np.dtype]:
    """Types of columns; an error for one that files cannot hold."""
    from .fitsfunc import getformat
    made = []
    for kind in kinds:
        try:
            made.append(np.dtype(kind).newbyteorder("="))  # files have their own order of bytes
        except TypeError as error:
            raise Error(f"{_shown(kind)}: files have no such type") from error
        getformat(made[-1])
    return made


def _is_nested(told: Any) -> bool:
    """The order that ORDERING tells: RING, NESTED or NEST, in letters of any size."""
    word = str(told).strip().upper()
    if word in ("NUNIQ", "UNIQ"):
        raise Error(f"filename: ORDERING = {_shown(told)}: a multi-order table, whose pixels have "
                    "several sizes: make a map of one nside of it first, with "
                    "ligo-skymap-flatten of ligo.skymap, or with mhealpy")
    if word not in ("RING", "NESTED", "NEST"):
        raise Error(f"filename: ORDERING = {_shown(told)}: must be RING or NESTED")
    return word != "RING"


def _cast(row: np.ndarray, kind: np.dtype) -> np.ndarray:
    """Values as healpy casts them: integers lose what is behind the point, bools are 0 or not."""
    if row.dtype.kind in "iu" and kind == np.int64:
        return row  # as it is: doubles end at 2^53
    values = reals(row, "m")
    if kind.kind == "b":
        return np.where(mask_bad(values), values, values != 0)
    return np.trunc(values) if kind.kind in "iu" else values


def write_map(filename: Path, m: Any, nest: bool = False, dtype: Any = None, fits_IDL: bool = True,
              coord: Any = None, partial: bool = False, column_names: Any = None,
              column_units: Any = None, extra_header: Any = (), overwrite: bool = False) -> None:
    """Write a HEALPix map into a FITS file.

    Parameters
    ----------
    filename : str, path-like or file
        Name of the file, or a file that is opened for writing.
    %(m.maps)s
    nest : bool, optional
        Whether the maps and the file are in NESTED order. By default they are in RING order.
    dtype : dtype or sequence of dtype, optional
        Type in the file, or one for each column. By default it is that of the maps. Integers lose
        what is behind the point, and must fit.
    fits_IDL : bool, optional
        Whether rows of the table have 1024 pixels, from nside 16 on. Otherwise they have one.
    coord : {"G", "E", "C"}, optional
        Coordinates: galactic, ecliptic or equatorial.
    partial : bool, optional
        Whether only pixels are written that are observed in one of the maps. healpy takes the
        pixels of the first map, and loses what the others have elsewhere.
    column_names : str or sequence of str, optional
        Names of the columns. By default they are those of HEALPix.
    column_units : str or sequence of str, optional
        Units of the columns.
    extra_header : iterable, optional
        Records for the header: (name, value) or (name, value, comment).
    %(overwrite)s

    Raises
    ------
    %(OSError.overwrite)s
    ValueError
        If no HEALPix map has this many pixels, or files have no such type.
    NotImplementedError
        If a map is complex.

    See Also
    --------
    read_map : Reads a map.

    Notes
    -----
    Columns of int64 are exact.

    Examples
    --------
    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> hp.write_map("sky.fits", np.arange(48.0), coord="G", column_units="K", overwrite=True)
    >>> hp.read_map("sky.fits")[:3]
    array([0., 1., 2.])
    """
    if not hasattr(m, "__len__"):
        raise Error("m: must be a map, or a sequence of maps")
    rows = _columns(m)
    nside = get_nside(rows)
    kinds = _stored([row.dtype for row in rows] if dtype is None else _types(dtype, len(rows)))
    if any(kind.kind == "c" for kind in kinds):
        raise NotImplementedError("dtype: complex maps: write their real and imaginary parts")
    values = [_cast(row, kind) for row, kind in zip(rows, kinds)]
    if partial and all(mask_bad(row).all() for row in values):
        raise Error("m: no pixel is observed: an empty partial map cannot be written")
    if nest:
        values = [reorder(row, n2r=True) for row in values]
    names = _labels("column_names", column_names, len(rows)) if column_names is not None else (
        _NAMES.get(len(rows)) or [f"COLUMN_{i + 1}" for i in range(len(rows))])
    units: List[Any] = [None] if partial else []
    units += _labels("column_units", column_units, len(rows))
    if coord and (len(str(coord)) != 1 or str(coord) not in "GEC"):
        extra_header = [("COORDSYS", coord, "Ecliptic, Galactic or Celestial (equatorial)"),
                        *extra_header]
        coord = None
    _io.write_map(_target(filename), values, names=names, coordsys=coord or None,
                  nested=bool(nest), partial=bool(partial), dtype=kinds, keep_nan=True,
                  row_pixels=1024 if fits_IDL and nside >= 16 and nside % 16 == 0 else 1,
                  keywords=[*_units(units), *extra_header], overwrite=bool(overwrite))


# --- Coefficients ---------------------------------------------------------------------------------


def _one_alm(table: _io.Table) -> Tuple[np.ndarray, int, int]:
    """Coefficients, lmax and mmax of rows l^2 + l + m + 1, Re, Im in any order."""
    index, real, imaginary = (table.column(i) for i in range(3))
    if index.dtype.kind not in "iu" or index.size == 0 or index.min() < 1:
        raise Error("filename: the first column must hold l^2 + l + m + 1")
    degree = np.sqrt(index - 1.0).astype(np.int64)  # exact below 2^52
    order = index.astype(np.int64) - degree ** 2 - degree - 1
    if np.any(order < 0):
        raise Error("filename: has coefficients of m < 0")
    lmax, mmax = int(degree.max()), int(order.max())
    alm = np.zeros(mmax * (2 * lmax + 1 - mmax) // 2 + lmax + 1,
                   np.complex64 if real.dtype == np.float32 else np.complex128)
    place = order * (2 * lmax + 1 - order) // 2 + degree
    alm.real[place], alm.imag[place] = real, imaginary
    return alm, lmax, mmax


def read_alm(filename: Any, hdu: Any = 1, return_mmax: bool = False) -> Any:
    """Read coefficients from a FITS file.

    Parameters
    ----------
    %(filename)s
    hdu : int, str or sequence, optional
        Number or name of the HDU, or several of them; 1 is the first extension.
    return_mmax : bool, optional
        Whether the largest order is returned, too.

    Returns
    -------
    alm : ndarray, shape (size,) or (n, size)
        Coefficients. Rows of the file may be in any order; those that are left out are 0.
    mmax : int
        Largest order, with `return_mmax`.

    Raises
    ------
    %(FileNotFoundError)s
    ValueError
        If the first column does not hold l^2 + l + m + 1, or the extensions differ in their
        degrees.
    IndexError
        If the table has fewer than three columns.
    """
    with _source(filename) as (path, number):
        asked = [hdu] if isinstance(hdu, str) else np.atleast_1d(hdu).tolist()
        told = [_one_alm(_io.read_table(path, one))
                for one in (asked if number is None else [number])]
    if len({(lmax, mmax) for _, lmax, mmax in told}) != 1:
        raise Failure(f"hdu = {_shown(hdu)}: the extensions differ in lmax or mmax")
    alm = told[0][0] if len(told) == 1 else np.array([one for one, _, _ in told])
    return (alm, told[0][2]) if return_mmax else alm


def write_alm(filename: Path, alms: Any, out_dtype: Any = None, lmax: int = -1, mmax: int = -1,
              mmax_in: int = -1, overwrite: bool = False) -> None:
    """Write coefficients into a FITS file.

    Parameters
    ----------
    filename : str, path-like or file
        Name of the file.
    alms : array_like, shape (size,) or (n, size)
        Coefficients.
    out_dtype : dtype, optional
        Type in the file: float32 or float64. By default it is the precision of `alms`.
    lmax : int, optional
        Degrees beyond are left out. By default none are.
    mmax : int, optional
        Orders beyond are left out. By default none are.
    mmax_in : int, optional
        Largest order of `alms`. By default it is the largest degree.
    %(overwrite)s

    Raises
    ------
    %(OSError.overwrite)s
    ValueError
        If the number of coefficients is wrong, or `lmax` is larger than theirs.
    """
    from .alms import resize_alm
    values, _ = read_alms(alms)
    first = np.asarray(alms[0] if is_sequence(alms) else alms)
    kind = first.real.dtype if out_dtype is None else np.dtype(out_dtype)
    lmax_in, mmax_in = band_of(values.shape[1], None, mmax_in)
    if lmax > lmax_in:
        raise Error(f"lmax = {lmax}: the coefficients end at {lmax_in}")
    lmax = lmax_in if lmax < 0 else lmax
    mmax = min(lmax, mmax_in if mmax < 0 else min(mmax, mmax_in))
    kept = np.array(resize_alm(values, lmax_in, mmax_in, lmax, mmax))
    _io.write_alm(_target(filename), kept, lmax=lmax, mmax=mmax, dtype=kind,
                  overwrite=bool(overwrite))


# --- Spectra --------------------------------------------------------------------------------------


def read_cl(filename: Any) -> np.ndarray:
    """Read power spectra from a FITS table or from a text table.

    Tables of text in FITS files, which HEALPix in Fortran writes, are read as well.

    Parameters
    ----------
    %(filename)s

    Returns
    -------
    ndarray, shape (lmax + 1,) or (n, lmax + 1)
        The spectrum, or the spectra.

    Raises
    ------
    %(FileNotFoundError)s
    ValueError
        If the file holds no spectra.
    """
    try:
        table = _table(filename, 1)
        cl = np.array([table.column(i) for i in range(len(table.names))])
    except (FormatError, NotImplementedError):
        if not isinstance(filename, (str, os.PathLike)):
            raise
        cl = _io.read_cl(filename).cl
    return cl[0] if len(cl) == 1 else cl


def write_cl(filename: Path, cl: Any, dtype: Any = None, overwrite: bool = False,
             column_names: Any = None, column_units: Any = None, extra_header: Any = ()) -> None:
    """Write power spectra into a FITS table.

    Parameters
    ----------
    filename : str, path-like or file
        Name of the file.
    cl : array_like, shape (lmax + 1,) or (n, lmax + 1)
        The spectra.
    dtype : dtype, optional
        Type in the file: float32 or float64. By default it is that of `cl`; integers are written
        as float64.
    %(overwrite)s
    column_names : str or sequence of str, optional
        Names of the spectra.
    column_units : str or sequence of str, optional
        Units of the spectra.
    extra_header : iterable, optional
        Records for the header: (name, value) or (name, value, comment).

    Raises
    ------
    %(OSError.overwrite)s
    %(ValueError.shape)s
    """
    values = np.asarray(cl)
    if values.ndim not in (1, 2) or values.dtype.kind not in "biuf":
        raise Failure(f"cl: has shape {values.shape}, must be (lmax + 1,) or (n, lmax + 1)")
    kind = _stored([values.dtype if dtype is None else dtype])[0]
    count = 1 if values.ndim == 1 else len(values)
    usual = ["TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-T", "C-G"]
    names = _labels("column_names", column_names, count) if column_names is not None else (
        usual + [f"COLUMN_{i + 1}" for i in range(6, count)])[:count]
    units = _units(_labels("column_units", column_units, count))
    _io.write_cl(_target(filename), values, names=names, keywords=[*units, *extra_header],
                 dtype=kind if kind.kind == "f" else np.float64, overwrite=bool(overwrite))
