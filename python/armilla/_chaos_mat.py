"""CHAOS' .mat files: the core's field as polynomials from break to break, and that of the crust.

The structure pp is MATLAB's: breaks in days after 2000-01-01, and coefs with a row for each piece
and coefficient (the coefficient runs first), the highest power first, in nT and days. The vector g
has the static field, whose degrees begin where those of pp end. Files up to version 7 are read by
SciPy, those of version 7.3, which are HDF5, by h5py; both are optional dependencies.
"""
from __future__ import annotations

import math
import os
from typing import Any, Dict, List

import numpy as np

from ._arrays import reals
from ._errors import FormatError
from ._gauss import Key, Series, polynomials
from ._geo_text import Path

_DAYS = 365.25  # of a year


def is_mat(path: Path) -> bool:
    """Whether a file is one of MATLAB's."""
    with open(path, "rb") as file:
        return file.read(9) in (b"MATLAB 5.", b"MATLAB 7.")


def _by_scipy(path: Path) -> Dict[str, Any]:
    try:
        from scipy.io import loadmat
    except ImportError as error:
        raise ImportError("files .mat need SciPy: pip install scipy") from error
    found = loadmat(path, variable_names=["pp", "g"])
    pp = found["pp"]
    return {"g": found.get("g"), **{name: pp[name][0, 0] for name in pp.dtype.names}}


def _by_h5py(path: Path) -> Dict[str, Any]:
    try:
        import h5py
    except ImportError as error:
        raise ImportError("files .mat of version 7.3 need h5py: pip install h5py") from error
    with h5py.File(path, "r") as file:
        found = {name: np.asarray(file["pp"][name]).T for name in file["pp"] if name != "form"}
        return {"g": np.asarray(file["g"]) if "g" in file else None, **found}


def _keys(least: int, most: int) -> List[Key]:
    """The sequence of CHAOS: g of m = 0, then g and h of each order, degree after degree."""
    return [(kind, l, m) for l in range(least, most + 1) for m in range(l + 1)
            for kind in range(2 if m else 1)]


def _last_degree(count: int, name: str, what: str) -> int:
    most = math.isqrt(count + 1) - 1
    if most < 1 or most * (most + 2) != count:
        raise FormatError(f"{name}: {what} has {count} coefficients, must have L (L + 2), those of "
                          "degrees 1 to L")
    return most


def _table(found: Dict[str, Any], name: str) -> np.ndarray:
    """Coefficients of the polynomials, [power][piece][coefficient]."""
    order, pieces, dim = (int(np.asarray(found[one]).item()) for one in ("order", "pieces", "dim"))
    coefs = reals(found["coefs"], "coefs")
    if coefs.shape != (pieces * dim, order) or np.size(found["breaks"]) != pieces + 1:
        raise FormatError(f"{name}: pp has {np.size(found['breaks'])} breaks and coefs of shape "
                          f"{coefs.shape}, must have {pieces + 1} and ({pieces * dim}, {order})")
    return coefs.T.reshape(order, pieces, dim)


def _with_crust(keys: List[Key], table: np.ndarray, crust: np.ndarray, name: str, least: int
                ) -> np.ndarray:
    """The polynomials, and constants behind them; keys gets those of the latter."""
    known = len(keys)
    most = _last_degree(len(crust), name, "g")
    if most < least or np.any(crust[:known]):
        raise FormatError(f"{name}: g must have degrees above those of pp, and 0 up to {least - 1}")
    keys.extend(_keys(least, most))
    added = np.zeros(table.shape[:2] + (len(crust) - known,))
    added[-1] = crust[known:]
    return np.concatenate([table, added], axis=2)


def read_mat(path: Path) -> Series:
    """The fields of core and crust."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        is_hdf = file.read(9) == b"MATLAB 7."
    try:
        found = _by_h5py(path) if is_hdf else _by_scipy(path)
        table = _table(found, name)
    except FormatError:
        raise
    except (KeyError, TypeError, ValueError, OSError, AttributeError) as error:
        raise FormatError(f"{name}: has no model of the core as CHAOS has it, the structure pp: "
                          f"{error}") from error
    breaks = np.ravel(found["breaks"]) / _DAYS + 2000
    if not (np.isfinite(table).all() and np.isfinite(breaks).all() and (np.diff(breaks) > 0).all()):
        raise FormatError(f"{name}: pp must have finite numbers and rising breaks")
    most = _last_degree(table.shape[2], name, "pp")
    keys = _keys(1, most)
    table = table * _DAYS ** np.arange(len(table) - 1, -1, -1.0)[:, None, None]
    if found["g"] is not None:
        table = _with_crust(keys, table, np.ravel(found["g"]).astype(float), name, most + 1)
    return polynomials(keys, breaks, table)._replace(is_julian=True)
