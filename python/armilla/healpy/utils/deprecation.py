"""healpy.utils.deprecation: the class of its warnings, which programs silence by name."""
from __future__ import annotations

from .. import _absent


class HealpyDeprecationWarning(Warning):
    """healpy's warning of deprecated arguments; never given here."""


__getattr__ = _absent.explains(__name__)
