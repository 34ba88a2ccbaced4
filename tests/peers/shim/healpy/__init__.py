"""healpy with the functions of armilla.healpy in the place of its own."""
import functools
import importlib
import pkgutil
import sys

import armilla.healpy

from _swapped import enter, real_module

# Modules of healpy that have no module of their name here, and where their functions stand.
_ELSEWHERE = {"_query_disc": ["pixelfunc"], "_pixelfunc": ["pixelfunc"],
              "_healpy_pixel_lib": ["pixelfunc"],
              "_sphtools": ["sphtfunc"], "_pixwin": ["sphtfunc"]}
_real = functools.lru_cache(None)(lambda: real_module("healpy"))


def _part(name):
    _real()
    return getattr(_real(), name)


def _module(name):
    return importlib.import_module(f"armilla.healpy.{name}")


enter("healpy", [armilla.healpy], _real)
for _info in pkgutil.iter_modules(armilla.healpy.__path__):
    enter(f"healpy.{_info.name}", [_module(_info.name)], functools.partial(_part, _info.name))
for _name, _ours in _ELSEWHERE.items():
    enter(f"healpy.{_name}", [_module(_each) for _each in _ours] + [armilla.healpy],
          functools.partial(_part, _name))
for _name, _value in vars(armilla.healpy).items():  # functions that have a module's name
    if not _name.startswith("__") and callable(_value):
        setattr(sys.modules["healpy"], _name, _value)
