"""Which public functions of armilla.healpy the tests call.

watch() puts a counter around each of them in the package and its submodules, where tests find
them; calls inside the package go other ways and do not count.
"""
import functools
import importlib
import inspect

import armilla.healpy

CALLED = set()  # functions, as the package defines them
SUBMODULES = ("cookbook", "fitsfunc", "newvisufunc", "pixelfunc", "projaxes", "projector",
              "rotator", "sphtfunc", "utils.deprecation", "version", "visufunc", "zoomtool")


def modules():
    """The package and those of its submodules that healpy has, too."""
    return [armilla.healpy] + [importlib.import_module("armilla.healpy." + name)
                               for name in SUBMODULES]


def original(function):
    return getattr(function, "__watched__", function)


def public_functions():
    """{function: names} of all that a program may call; methods of classes included."""
    found = {}

    def add(owner, prefix):
        for name, value in list(vars(owner).items()):
            value = value.__func__ if isinstance(value, staticmethod) else value
            home = getattr(value, "__module__", "")
            if name.startswith("_") or not home.startswith("armilla.healpy"):
                continue
            if inspect.isfunction(value):
                found.setdefault(original(value), []).append((owner, name, prefix + name))
            elif inspect.isclass(value) and inspect.ismodule(owner):
                add(value, f"{prefix}{name}.")

    for module in modules():
        add(module, module.__name__ + ".")
    return found


def _watched(function):
    @functools.wraps(function)
    def counted(*args, **more):
        CALLED.add(function)
        return function(*args, **more)

    counted.__watched__ = function
    return counted


def watch():
    """Begins to count."""
    for function, places in public_functions().items():
        counted = _watched(function)
        for owner, name, _ in places:
            is_static = isinstance(vars(owner)[name], staticmethod)
            setattr(owner, name, staticmethod(counted) if is_static else counted)


def never_called():
    return sorted(places[0][2] for function, places in public_functions().items()
                  if function not in CALLED)
