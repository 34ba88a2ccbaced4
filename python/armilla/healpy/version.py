"""healpy.version: the version of healpy whose names and arguments armilla.healpy has."""
from __future__ import annotations

from . import _absent

__version__ = version = "1.20.1"
__version_tuple__ = version_tuple = (1, 20, 1)

__getattr__ = _absent.explains(__name__)
