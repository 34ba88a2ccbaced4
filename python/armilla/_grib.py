"""Spectral fields in GRIB files, editions 1 and 2, by ecCodes (an optional dependency).

GRIB holds c_lm of functions whose mean square is 1, without the Condon-Shortley sign, order after
order, as pairs: the convention "ifs" of armilla.conventions. Only triangular truncation, J = K = M,
is read. Coefficients about a rotated pole are turned to the geographic one; those of a stretched
sphere are refused.
"""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional

import numpy as np

from ._errors import FormatError, shown
from ._geo_text import Path, whole_file
from ._rotated import GRIB_KEYS, angles_of_pole
from .alm import band
from .alm import size
from .conventions import convert
from .rotation import Rotation

# What is told of a message; those from the third one on can be set, in this sequence.
_KEYS = ("name", "units", "centre", "dataDate", "dataTime", "stepRange", "typeOfLevel", "level",
         "paramId")
_UNPACKED = 20  # degrees below are written as floats, as ECMWF does


class GribField(NamedTuple):
    """A spectral field of a GRIB file.

    Attributes
    ----------
    coefficients : ndarray, shape (size,)
        c_lm in the convention "ifs", complex128: c_00 is the mean of the field.
    keys : dict of str to int, float or str
        Keys of ecCodes, such as "paramId", "typeOfLevel" and "level".

    Examples
    --------
    >>> import armilla, numpy as np
    >>> alm = armilla.alm.random(42, np.ones(43), seed=1)
    >>> c = armilla.conventions.convert(alm, "healpy", "ifs")
    >>> field = armilla.geo.GribField(c, {"paramId": 138, "level": 500})
    >>> field.lmax, bool(np.allclose(field.alm, alm))
    (42, True)
    """

    coefficients: np.ndarray
    keys: Dict[str, Any] = {}

    @property
    def lmax(self) -> int:
        """Largest degree: the T of a truncation such as T42."""
        return band(self.coefficients, None, None, "coefficients")[0]

    @property
    def alm(self) -> np.ndarray:
        """Coefficients in the library's convention, in the order of healpy."""
        return convert(self.coefficients, "ifs", "healpy")


def _eccodes() -> Any:
    try:
        import eccodes
    except ImportError as error:
        raise ImportError("GRIB files need ecCodes: pip install eccodes") from error
    return eccodes


def _told(eccodes: Any, message: Any, key: str) -> Any:
    return eccodes.codes_get(message, key) if eccodes.codes_is_defined(message, key) else None


def _matches(eccodes: Any, message: Any, where: Mapping[str, Any]) -> bool:
    for key, wanted in where.items():
        if not eccodes.codes_is_defined(message, key):
            return False
        if eccodes.codes_get(message, key, type(wanted)) != wanted:
            return False
    return True


def _field(eccodes: Any, message: Any, place: str) -> GribField:
    bands = [eccodes.codes_get_long(message, key) for key in "JKM"]
    if len(set(bands)) > 1:
        raise FormatError(f"{place}: has truncation J, K, M = {bands}: must be triangular")
    values = np.asarray(eccodes.codes_get_double_array(message, "values"))
    if values.size != 2 * size(bands[0]):
        raise FormatError(f"{place}: has {values.size} numbers, T{bands[0]} needs "
                          f"{2 * size(bands[0])}")
    if not np.isfinite(values).all():
        raise FormatError(f"{place}: has numbers that are not finite")
    keys = {key: _told(eccodes, message, key) for key in ("edition", "shortName", *_KEYS)}
    return GribField(_geographic(eccodes, message, values.view(np.complex128).copy()), keys)


def _geographic(eccodes: Any, message: Any, coefficients: np.ndarray) -> np.ndarray:
    """Coefficients about the geographic pole of those about the message's."""
    if _told(eccodes, message, "gridType") != "rotated_sh":
        return coefficients
    south, east, psi = (np.radians(eccodes.codes_get_double(message, key))
                        for key in GRIB_KEYS[:3])
    turned = Rotation(*angles_of_pole(south, east, psi)).rotate_alm(
        convert(coefficients, "ifs", "healpy"))
    return convert(turned, "healpy", "ifs")


def _is_spectral(eccodes: Any, message: Any, place: str) -> bool:
    told = str(_told(eccodes, message, "gridType"))
    if told.startswith("stretched") and told.endswith("_sh"):
        raise FormatError(f"{place}: holds coefficients of a stretched sphere (gridType = "
                          f"{shown(told)}, as of ARPEGE), which are not those of a field on this "
                          "one")
    return told in ("sh", "rotated_sh")


def read_grib(path: Path, *, where: Optional[Mapping[str, Any]] = None) -> List[GribField]:
    """Read the spectral fields of a GRIB file, of edition 1 or 2.

    Needs ecCodes (``pip install eccodes``).

    Parameters
    ----------
    path : str or path-like
        Name of the file. Messages that are on grids are left out.
    where : mapping of str to int, float or str, optional
        Keys of ecCodes and the values that a message must have, such as ``{"shortName": "t",
        "level": 500}``.

    Returns
    -------
    list of GribField
        The fields, in the sequence of the file, about the geographic pole: coefficients of rotated
        coordinates (gridType rotated_sh) are turned.

    Raises
    ------
    FormatError
        If a message is damaged, not triangular or of a stretched sphere, or no message is spectral
        and as `where` says.
    ImportError
        If ecCodes is not installed.
    """
    eccodes = _eccodes()
    found, number = [], 0
    with open(path, "rb") as file:
        while True:
            number += 1
            place = f"{path}, message {number}"
            try:
                message = eccodes.codes_grib_new_from_file(file)
                if message is None:
                    break
                try:
                    if _matches(eccodes, message, where or {}) and _is_spectral(
                            eccodes, message, place):
                        found.append(_field(eccodes, message, place))
                finally:
                    eccodes.codes_release(message)
            except eccodes.CodesInternalError as error:
                raise FormatError(f"{place}: {error}") from error
    if not found:
        asked = "" if not where else " with " + ", ".join(f"{k} = {v}" for k, v in where.items())
        raise FormatError(f"{path}: none of {number - 1} messages is a spectral field{asked}")
    return found


def _set_keys(eccodes: Any, message: Any, keys: Mapping[str, Any]) -> None:
    """Known keys in the sequence that ecCodes needs, then the others. "name" and "units" belong to
    the parameter."""
    given = {key: value for key, value in keys.items() if value is not None}
    for derived in ("name", "units", "edition"):
        given.pop(derived, None)
    if "paramId" in given:
        given.pop("shortName", None)
    ordered = [key for key in _KEYS if key in given]
    for key in ordered + [key for key in given if key not in ordered]:
        try:
            eccodes.codes_set(message, key, given[key])
        except eccodes.CodesInternalError as error:
            raise ValueError(f"keys: {key} = {shown(given[key])}: {error}") from error


def _fill(eccodes: Any, message: Any, field: GribField, bits: int, place: str) -> None:
    values = np.array(field.coefficients, np.complex128)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(f"{place}: coefficients must be finite, of shape (size,), not "
                         f"{values.shape}")
    top, _ = band(values, None, None, f"{place}: coefficients")
    values[:top + 1].imag = 0
    for key in "JKM":
        eccodes.codes_set(message, key, top)
    for key in ("JS", "KS", "MS"):
        eccodes.codes_set(message, key, min(_UNPACKED, top))
    eccodes.codes_set(message, "bitsPerValue", bits)
    _set_keys(eccodes, message, field.keys)
    eccodes.codes_set_double_array(message, "values", values.view(np.float64))


def write_grib(path: Path, fields: Iterable[GribField], *, edition: int = 2, bits: int = 24,
               overwrite: bool = False) -> None:
    """Write spectral fields to a GRIB file, by complex packing.

    Needs ecCodes (``pip install eccodes``). GRIB does not keep all digits: with 24 bits numbers are
    wrong by some 1e-7 of the largest of their degrees.

    Parameters
    ----------
    %(path)s
    fields : iterable of GribField
        Coefficients in the convention "ifs", and keys of ecCodes that are set: "paramId" or
        "shortName", "level", "dataDate", ... "name" and "units" follow from the parameter.
    edition : {2, 1}, optional
        Edition of GRIB.
    bits : int, optional
        Bits of a number, 8 to 32.
    %(overwrite.short)s

    Raises
    ------
    %(FileExistsError)s
    ValueError
        If coefficients are not finite, or ecCodes refuses a key.
    ImportError
        If ecCodes is not installed.
    """
    eccodes = _eccodes()
    if edition not in (1, 2):
        raise ValueError(f"edition = {edition}: must be 1 or 2")
    if not 8 <= bits <= 32:
        raise ValueError(f"bits = {bits}: must be from 8 to 32")
    with whole_file(path, overwrite) as temporary:
        with open(temporary, "wb") as file:
            for number, field in enumerate(fields):
                level = "ml" if field.keys.get("typeOfLevel") == "hybrid" else "pl"
                message = eccodes.codes_grib_new_from_samples(f"sh_{level}_grib{edition}")
                try:
                    _fill(eccodes, message, field, bits, f"fields[{number}]")
                    eccodes.codes_write(message, file)
                finally:
                    eccodes.codes_release(message)
