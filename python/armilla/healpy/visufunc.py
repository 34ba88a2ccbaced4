"""healpy.visufunc: pictures of maps on matplotlib."""
from __future__ import annotations

from . import _absent
from .overlays import delgraticules, graticule, projplot, projscatter, projtext
from .projector import dtor, pi
from .views import azeqview, cartview, gnomview, mollview, orthview

__getattr__ = _absent.explains(__name__)
