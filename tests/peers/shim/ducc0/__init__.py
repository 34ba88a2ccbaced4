"""ducc0 with the names of armilla.sht, misc, healpix and totalconvolve in place of its own."""
import functools
import sys

import armilla._healpix_base
import armilla.misc
import armilla.sht
import armilla.totalconvolve

from _swapped import enter, real_module

_PARTS = {"sht": [armilla.sht], "sht.experimental": [armilla.sht.experimental],
          "misc": [armilla.misc], "healpix": [armilla._healpix_base],
          "totalconvolve": [armilla.totalconvolve], "fft": [], "nufft": [],
          "pointingprovider": [], "wgridder": []}
_real = functools.lru_cache(None)(lambda: real_module("ducc0"))


def _part(path):
    return functools.reduce(getattr, path.split("."), _real())


enter("ducc0", [], _real).__version__ = _real().__version__
for _path, _ours in _PARTS.items():
    enter(f"ducc0.{_path}", _ours, functools.partial(_part, _path))
sys.modules["ducc0"].__wrapper__ = _real().__wrapper__
