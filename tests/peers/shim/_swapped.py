"""Modules under a peer's name with our functions in them, and the peer's own behind them.

A name that we have is ours. Another one is taken from the real module, unless PEERS_STRICT is set:
then it is an AttributeError, as for a user who changes an import. PEERS_LOG names a file to which
the names that came from the real module are appended, one on a line.
"""
import atexit
import importlib
import os
import sys
import types

SHIM = os.path.dirname(os.path.abspath(__file__))
USED = set()


@atexit.register
def _tell():
    log = os.environ.get("PEERS_LOG")
    if log and USED:
        with open(log, "a", encoding="utf-8") as file:
            file.writelines(f"{name}\n" for name in sorted(USED))


def real_module(name):
    """The real top module of a name that the shim hides, and its submodules, out of sys.modules."""
    def of_peer(key):
        return key == name or key.startswith(name + ".")

    hidden = {key: sys.modules.pop(key) for key in list(sys.modules) if of_peer(key)}
    path = sys.path[:]
    sys.path[:] = [folder for folder in path if os.path.abspath(folder or ".") != SHIM]
    try:
        module = importlib.import_module(name)
    finally:
        sys.path[:] = path
        for key in [key for key in sys.modules if of_peer(key)]:
            del sys.modules[key]
        sys.modules.update(hidden)
    return module


class Swapped(types.ModuleType):
    """A module of a peer's name."""

    def __init__(self, name, ours, real):
        """ours: modules whose names stand here, the first one that has it; real: a function that
        gives the real module."""
        super().__init__(name, f"{name}, swapped for Armilla")
        self.__path__ = []  # so that `import ducc0.sht.experimental` works
        self.__dict__["_real"] = real
        self.__dict__["_ours"] = ours
        for module in reversed(ours):
            self.__dict__.update({key: value for key, value in vars(module).items()
                                  if not key.startswith("__")})

    def __getattr__(self, key):
        for module in self._ours:  # names that a module makes when they are asked for
            if not key.startswith("__") and hasattr(module, key):
                return getattr(module, key)
        if key.startswith("__") or os.environ.get("PEERS_STRICT"):
            raise AttributeError(f"{self.__name__} has no {key} in Armilla")
        try:
            value = getattr(self._real(), key)
        except AttributeError:
            raise AttributeError(f"neither Armilla nor {self.__name__} has {key}") from None
        USED.add(f"{self.__name__}.{key}")
        return value


def enter(name, ours, real):
    """Puts a module into sys.modules, and into its parent."""
    module = Swapped(name, ours, real)
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)
    return module
