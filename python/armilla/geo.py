"""Files of geodesy, geomagnetism and weather, and deflections of the vertical from such files.

Readers name the line of a text file that is wrong. Writers write all digits, under a temporary name
that is changed when the file is whole; an existing file is refused without overwrite=True.
"""
from __future__ import annotations

from typing import List

from ._bshc import read_bshc, write_bshc
from ._disturbing import GRS80, WGS84, DisturbingField, Ellipsoid, disturbing_field
from ._geomagnetic import MagneticModel, read_geomagnetic
from ._gfc import GravityModel, read_gfc, write_gfc
from ._grace import GraceModel, read_grace, read_grace_series
from ._grib import GribField, read_grib, write_grib
from ._shtools_text import ShtoolsFile, read_shtools, write_shtools

__all__ = ["DisturbingField", "Ellipsoid", "GRS80", "GraceModel", "GravityModel", "GribField",
           "MagneticModel", "ShtoolsFile", "WGS84", "disturbing_field", "read_bshc",
           "read_geomagnetic", "read_gfc", "read_grace", "read_grace_series", "read_grib",
           "read_shtools", "write_bshc", "write_gfc", "write_grib", "write_shtools"]


def __dir__() -> List[str]:
    return __all__
