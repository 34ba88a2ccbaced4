"""healpy.zoomtool: a picture of the sky beside a detail of it."""
from __future__ import annotations

from . import _absent
from ._inputs import UNSEEN
from .projector import dtor, pi
from .zoom import mollzoom, set_g_clim

__getattr__ = _absent.explains(__name__)
