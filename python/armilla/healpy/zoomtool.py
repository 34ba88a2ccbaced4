"""healpy.zoomtool: has only constants; see _absent.py for what is not here, and why."""
from __future__ import annotations

from . import _absent
from ._inputs import UNSEEN
from .projector import dtor, pi

__getattr__ = _absent.explains(__name__)
