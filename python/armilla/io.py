"""Files: HEALPix maps, coefficients and spectra in FITS, spectra as text, pictures.

Files are those of healpy and HEALPix. Every write goes to a temporary name and is renamed when it
is whole; an existing file is refused without overwrite=True. Values are in RING order in memory;
missing pixels are UNSEEN.
"""
from __future__ import annotations

import os
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ._arrays import pointer
from ._errors import check
from ._native import ffi, lib
from .alm import band

UNSEEN: float = lib.ARMILLA_UNSEEN
Path = Union[str, "os.PathLike[str]"]
_TYPES: Dict[np.dtype, int] = {
    np.dtype(np.float64): lib.ARMILLA_IO_DOUBLE, np.dtype(np.float32): lib.ARMILLA_IO_FLOAT,
    np.dtype(np.int16): lib.ARMILLA_IO_INT16, np.dtype(np.int32): lib.ARMILLA_IO_INT32,
    np.dtype(np.int64): lib.ARMILLA_IO_INT64}
_DTYPES: Dict[int, np.dtype] = {number: dtype for dtype, number in _TYPES.items()}


class MapFile(NamedTuple):
    """A HEALPix map: full sky, RING order."""

    values: np.ndarray  # (nfields, npix), float64
    nside: int
    names: Tuple[str, ...]  # such as "TEMPERATURE"; "" when unknown
    units: Tuple[str, ...]  # such as "uK"; "" when unknown
    coordsys: Optional[str]  # "G", "E", "C", or None when unknown
    nested: bool  # order in the file
    partial: bool  # the file holds only the observed pixels
    dtypes: Tuple[np.dtype, ...]  # types in the file


class AlmFile(NamedTuple):
    """Coefficients of T, or of T, E, B."""

    alm: np.ndarray  # (ncomp, size), complex128, healpy's order
    lmax: int
    mmax: int
    coordsys: Optional[str]


class ClFile(NamedTuple):
    """Power spectra."""

    cl: np.ndarray  # (nspectra, lmax + 1), float64
    names: Tuple[str, ...]
    unit: str


def _path(path: Path) -> bytes:
    return os.fsencode(path)


def _text(field: Any) -> str:
    return ffi.string(field).decode("latin-1")


def _put(target: Any, text: str, name: str) -> None:
    raw = text.encode("ascii", "replace")
    if len(raw) >= lib.ARMILLA_IO_NAME_SIZE:
        raise ValueError(f"{name} = {text!r}: must be shorter than {lib.ARMILLA_IO_NAME_SIZE}")
    ffi.buffer(target)[: len(raw) + 1] = raw + b"\0"


def _letter(raw: bytes) -> Optional[str]:
    return None if raw == b"\0" else raw.decode("latin-1")


def _coordsys(letter: Optional[str]) -> bytes:
    if letter is not None and letter not in ("G", "E", "C"):
        raise ValueError(f"coordsys = {letter!r}: must be G, E, C or None")
    return b"\0" if letter is None else letter.encode()


def _type(dtype: DTypeLike) -> int:
    number = _TYPES.get(np.dtype(dtype))
    if number is None:
        raise ValueError(f"dtype = {np.dtype(dtype)}: must be one of {', '.join(map(str, _TYPES))}")
    return number


def _copied(address: Any, count: int, dtype: DTypeLike = np.float64) -> np.ndarray:
    raw = ffi.buffer(address, count * np.dtype(dtype).itemsize)
    return np.frombuffer(raw, dtype).copy()


def _two_dimensional(name: str, values: ArrayLike, dtype: DTypeLike) -> np.ndarray:
    values = np.atleast_2d(np.ascontiguousarray(values, dtype=dtype))
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"{name}: has shape {values.shape}, must have one or two dimensions")
    return values


def _labels(name: str, given: Union[None, str, Sequence[str]], count: int) -> Optional[list]:
    if given is None:
        return None
    given = [given] * count if isinstance(given, str) else list(given)
    if len(given) != count:
        raise ValueError(f"{name}: has {len(given)} entries, must have {count}")
    return given


# --- Maps -----------------------------------------------------------------------------------------


def read_map(path: Path, *, fields: Union[None, int, Sequence[int]] = None,
             hdu: int = 0) -> MapFile:
    """Reads a HEALPix map.

    fields: column numbers from 0, None: all. hdu: 1 is the first extension, 0 the first with a map.
    """
    numbers, count = ffi.NULL, 0
    if fields is not None:
        numbers = ffi.new("int64_t[]", [fields] if isinstance(fields, int) else list(fields))
        count = len(numbers)
    found = ffi.new("armilla_map **")
    check(lib.armilla_map_read(_path(path), hdu, count, numbers, found))
    told = ffi.gc(found[0], lib.armilla_map_free)
    columns = [told.fields[i] for i in range(told.nfields)]
    return MapFile(np.stack([_copied(c.values, told.npix) for c in columns]), told.nside,
                   tuple(_text(c.name) for c in columns), tuple(_text(c.unit) for c in columns),
                   _letter(told.coordsys), told.order == lib.ARMILLA_IO_NESTED,
                   bool(told.partial), tuple(_DTYPES[c.type] for c in columns))


def write_map(path: Path, values: ArrayLike, *, names: Union[None, str, Sequence[str]] = None,
              units: Union[None, str, Sequence[str]] = None, coordsys: Optional[str] = None,
              nested: bool = False, partial: bool = False, dtype: DTypeLike = np.float32,
              overwrite: bool = False) -> None:
    """Writes a HEALPix map; values (npix,) or (nfields, npix) in RING order.

    names: default those of HEALPix for 1, 2, 3 or 6 columns; nested: order in the file; partial:
    only the observed pixels; dtype: type in the file.
    """
    values = _two_dimensional("values", values, np.float64)
    nfields, npix = values.shape
    nside = lib.armilla_healpix_nside(npix)
    if nside < 0:
        raise ValueError(f"values: {npix} pixels: no HEALPix map has so many")
    made = ffi.new("armilla_map **")
    check(lib.armilla_map_new(nside, nfields, made))
    told = ffi.gc(made[0], lib.armilla_map_free)
    names, units = _labels("names", names, nfields), _labels("units", units, nfields)
    for i in range(nfields):
        column = told.fields[i]
        column.type = _type(dtype)
        ffi.memmove(column.values, ffi.from_buffer(values[i]), values[i].nbytes)
        if names:
            _put(column.name, names[i], "names")
        if units:
            _put(column.unit, units[i], "units")
    told.coordsys = _coordsys(coordsys)
    told.order = lib.ARMILLA_IO_NESTED if nested else lib.ARMILLA_IO_RING
    told.partial = partial
    check(lib.armilla_map_write(_path(path), told, overwrite))


# --- Coefficients ---------------------------------------------------------------------------------


def read_alm(path: Path, *, hdu: int = 0) -> AlmFile:
    """Reads coefficients. hdu: 1 is the first extension, 0 all tables of coefficients."""
    found = ffi.new("armilla_alm_file **")
    check(lib.armilla_alm_read(_path(path), hdu, found))
    told = ffi.gc(found[0], lib.armilla_alm_file_free)
    size = lib.armilla_alm_size(told.lmax, told.mmax)
    alm = _copied(told.alm, told.ncomp * size, np.complex128).reshape(told.ncomp, size)
    return AlmFile(alm, told.lmax, told.mmax, _letter(told.coordsys))


def write_alm(path: Path, alm: ArrayLike, *, lmax: Optional[int] = None,
              mmax: Optional[int] = None, coordsys: Optional[str] = None,
              dtype: DTypeLike = np.float64, overwrite: bool = False) -> None:
    """Writes coefficients (size,) or (ncomp, size); dtype: float64 or float32, in the file."""
    alm = _two_dimensional("alm", alm, np.complex128)
    lmax, mmax = band(alm, lmax, mmax)
    made = ffi.new("armilla_alm_file **")
    check(lib.armilla_alm_file_new(lmax, mmax, alm.shape[0], made))
    told = ffi.gc(made[0], lib.armilla_alm_file_free)
    told.type = _type(dtype)
    told.coordsys = _coordsys(coordsys)
    ffi.memmove(told.alm, ffi.from_buffer(alm), alm.nbytes)
    check(lib.armilla_alm_write(_path(path), told, overwrite))


# --- Spectra --------------------------------------------------------------------------------------


def read_cl(path: Path) -> ClFile:
    """Reads spectra from a FITS table or a text table (columns l, TT, ...)."""
    found = ffi.new("armilla_cl_file **")
    check(lib.armilla_cl_read(_path(path), found))
    told = ffi.gc(found[0], lib.armilla_cl_file_free)
    cl = _copied(told.cl, told.nspectra * (told.lmax + 1)).reshape(told.nspectra, -1)
    return ClFile(cl, tuple(_text(told.names[i]) for i in range(told.nspectra)), _text(told.unit))


def write_cl(path: Path, cl: ArrayLike, *, names: Union[None, str, Sequence[str]] = None,
             unit: str = "", dtype: DTypeLike = np.float64, overwrite: bool = False) -> None:
    """Writes spectra (lmax + 1,) or (nspectra, lmax + 1), as text if the name ends so."""
    cl = _two_dimensional("cl", cl, np.float64)
    made = ffi.new("armilla_cl_file **")
    check(lib.armilla_cl_file_new(cl.shape[1] - 1, cl.shape[0], made))
    told = ffi.gc(made[0], lib.armilla_cl_file_free)
    for i, name in enumerate(_labels("names", names, cl.shape[0]) or []):
        _put(told.names[i], name, "names")
    _put(told.unit, unit, "unit")
    told.type = _type(dtype)
    ffi.memmove(told.cl, ffi.from_buffer(cl), cl.nbytes)
    check(lib.armilla_cl_write(_path(path), told, overwrite))


# --- For people -----------------------------------------------------------------------------------


def describe(path: Path) -> str:
    """What a FITS file holds, table after table, as text."""
    text = ffi.new("char **")
    check(lib.armilla_io_describe(_path(path), text))
    told = ffi.gc(text[0], lib.armilla_io_text_free)
    return ffi.string(told).decode("utf-8", "replace")


def write_picture(path: Path, values: ArrayLike, *, width: int = 1600,
                  minimum: Optional[float] = None, maximum: Optional[float] = None,
                  title: Optional[str] = None, unit: Optional[str] = None, nthreads: int = 0,
                  overwrite: bool = False) -> None:
    """Mollweide picture (PNG) of a HEALPix map (npix,) in RING order; east is left.

    minimum, maximum: colour scale, default from the data.
    """
    values = np.ascontiguousarray(values, dtype=np.float64)
    nside = lib.armilla_healpix_nside(values.size) if values.ndim == 1 else -1
    if nside < 0:
        raise ValueError(f"values: shape {values.shape}: no HEALPix map has it")
    options = ffi.new("armilla_picture_options *")
    lib.armilla_picture_options_init(options)
    options.width, options.nthreads = width, nthreads
    for name, number in (("minimum", minimum), ("maximum", maximum)):
        if number is not None:
            setattr(options, name, number)
    kept = {name: ffi.new("char[]", text.encode()) for name, text in
            (("title", title), ("unit", unit)) if text is not None}
    for name, text in kept.items():
        setattr(options, name, text)
    check(lib.armilla_picture_write(_path(path), nside, pointer(values), options, overwrite))
