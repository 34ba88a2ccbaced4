"""Files of maps, coefficients and spectra under healpy's names.

What is written goes to a temporary name first and is renamed when it is whole.
"""
from __future__ import annotations

import os
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from .. import io as _io
from ._inputs import UNSEEN, Error, band_of, is_sequence, read_alms
from .maps import reorder
from .sizes import get_nside

Path = Union[str, "os.PathLike[str]"]


def _path(filename: Any) -> Path:
    if not isinstance(filename, (str, os.PathLike)):
        raise Error(f"filename: must be a path, not {type(filename).__name__}")
    return filename


def _refuse(name: str, value: Any, default: Any, instead: str) -> None:
    if value != default:
        raise NotImplementedError(f"{name} = {value!r}: {instead}")


def read_map(filename: Path, field: Any = 0, dtype: Any = None, nest: Optional[bool] = False,
             partial: bool = False, hdu: int = 1, h: bool = False, verbose: bool = True,
             memmap: bool = False) -> np.ndarray:
    """Map (npix,) of column `field`, or (n, npix) of a sequence or (None) of all columns.

    nest: False RING, True NESTED, None as in the file. dtype: default that of the file; a list has
    one for each column. partial files are recognised. h, memmap: refused. verbose: no effect.
    """
    _refuse("h", bool(h), False, "headers are not read; see armilla.io.describe")
    _refuse("memmap", bool(memmap), False, "maps are read whole")
    fields = None if field is None else [field] if np.ndim(field) == 0 else list(field)
    told = _io.read_map(_path(filename), fields=fields, hdu=hdu)
    types: Sequence[Any] = told.dtypes if dtype is None else (
        dtype if isinstance(dtype, (list, tuple)) else [dtype] * len(told.values))
    if len(types) != len(told.values):
        raise Error(f"dtype: has {len(types)} entries, must have {len(told.values)}")
    maps: Any = told.values
    if nest or (nest is None and told.nested):
        maps = reorder(maps, r2n=True)
    if len(set(map(np.dtype, types))) == 1:
        maps = maps.astype(types[0])
    else:
        maps = [row.astype(kind) for row, kind in zip(maps, types)]
    single = np.ndim(field) == 0 and field is not None or len(maps) == 1
    return maps[0] if single else maps


def _columns(m: Any) -> List[np.ndarray]:
    rows = [m] if not is_sequence(m) else list(m)
    return [np.ma.filled(row, UNSEEN) if isinstance(row, np.ma.MaskedArray) else np.asarray(row)
            for row in rows]


_NAMES = {2: ["Q_POLARISATION", "U_POLARISATION"]}


def write_map(filename: Path, m: Any, nest: bool = False, dtype: Any = None, fits_IDL: bool = True,
              coord: Optional[str] = None, partial: bool = False, column_names: Any = None,
              column_units: Any = None, extra_header: Any = (), overwrite: bool = False) -> None:
    """Writes a map (npix,), or (n, npix).

    nest: the order of m and of the file. dtype: default that of m, one for all columns. coord: G,
    E or C. partial: only the observed pixels are written. fits_IDL: rows of 1024 or of 1, readers
    see no difference: no effect. extra_header: refused.
    """
    _refuse("extra_header", list(extra_header), [], "records of one's own are not written")
    rows = _columns(m)
    kinds = {np.dtype(kind) for kind in (
        [row.dtype for row in rows] if dtype is None else np.atleast_1d(np.array(dtype, object)))}
    if len(kinds) != 1:
        raise NotImplementedError(f"dtype: {sorted(map(str, kinds))}: must be one for all columns")
    values = np.stack(rows).astype(float)
    get_nside(values)
    if nest:
        values = reorder(values, n2r=True)
    if column_names is None:
        column_names = _NAMES.get(len(rows)) or (
            None if len(rows) in (1, 3, 6) else [f"COLUMN_{i + 1}" for i in range(len(rows))])
    _io.write_map(_path(filename), values, names=column_names, units=column_units, coordsys=coord,
                  nested=bool(nest), partial=bool(partial), dtype=kinds.pop(),
                  overwrite=bool(overwrite))


def read_alm(filename: Path, hdu: Any = 1, return_mmax: bool = False) -> Any:
    """Coefficients (size,) of extension hdu, or (n, size) of several; return_mmax: and mmax."""
    several = np.ndim(hdu) > 0
    told = [_io.read_alm(_path(filename), hdu=int(one)) for one in (hdu if several else [hdu])]
    if len({(one.lmax, one.mmax) for one in told}) != 1:
        raise Error("hdu: the extensions differ in lmax or mmax")
    alm = np.concatenate([one.alm for one in told]) if several else told[0].alm[0]
    return (alm, told[0].mmax) if return_mmax else alm


def write_alm(filename: Path, alms: Any, out_dtype: Any = None, lmax: int = -1, mmax: int = -1,
              mmax_in: int = -1, overwrite: bool = False) -> None:
    """Writes coefficients (size,), or (n, size).

    lmax, mmax: degrees and orders beyond are left out; mmax_in: that of alms, default lmax.
    out_dtype: float32 or float64, default the precision of alms.
    """
    from .alms import resize_alm
    values, _ = read_alms(alms)
    first = np.asarray(alms[0] if is_sequence(alms) else alms)
    kind = first.real.dtype if out_dtype is None else np.dtype(out_dtype)
    lmax_in, mmax_in = band_of(values.shape[1], None, mmax_in)
    lmax = lmax_in if lmax < 0 else min(lmax, lmax_in)
    mmax = min(lmax, mmax_in if mmax < 0 else min(mmax, mmax_in))
    kept = np.array(resize_alm(values, lmax_in, mmax_in, lmax, mmax))
    _io.write_alm(_path(filename), kept, lmax=lmax, mmax=mmax, dtype=kind,
                  overwrite=bool(overwrite))


def read_cl(filename: Path) -> np.ndarray:
    """Spectrum (lmax + 1,), or (n, lmax + 1) where the file has several."""
    cl = _io.read_cl(_path(filename)).cl
    return cl[0] if len(cl) == 1 else cl


def _one_unit(units: Any) -> str:
    given: Tuple[Any, ...] = (units,) if units is None or isinstance(units, str) else tuple(units)
    if len(set(given)) != 1:
        raise NotImplementedError(f"column_units = {units!r}: must be one for all columns")
    return given[0] or ""


def write_cl(filename: Path, cl: Any, dtype: Any = None, overwrite: bool = False,
             column_names: Any = None, column_units: Any = None, extra_header: Any = ()) -> None:
    """Writes a spectrum (lmax + 1,), or (n, lmax + 1). dtype: default that of cl."""
    _refuse("extra_header", list(extra_header), [], "records of one's own are not written")
    values = np.asarray(cl)
    kind = values.dtype if dtype is None else np.dtype(dtype)
    names = column_names
    if names is None:
        usual = ["TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-T", "C-G"]
        count = 1 if values.ndim == 1 else len(values)
        names = (usual + [f"COLUMN_{i + 1}" for i in range(6, count)])[:count]
    _io.write_cl(_path(filename), values, names=names, unit=_one_unit(column_units),
                 dtype=kind if kind.kind == "f" else np.float64, overwrite=bool(overwrite))
