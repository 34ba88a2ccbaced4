"""Lets armilla.torch be imported without PyTorch, so that its functions can be documented.

PyTorch is a large package that nothing else of the site needs.
"""
import importlib.util
import sys
import types
from unittest.mock import MagicMock


def import_with_stand_in():
    """Imports armilla.torch with a module that only looks like torch, and takes that one away."""
    if importlib.util.find_spec("torch"):
        return
    stand_in = MagicMock()
    stand_in.library = object()  # no programs of torch.compile
    stand_in.autograd = types.SimpleNamespace(
        Function=type("Function", (), {"apply": None}), function=MagicMock())
    stand_in.nn = types.SimpleNamespace(Module=type("Module", (), {}))
    for name in ("complex64", "complex128", "float32", "float64"):
        setattr(stand_in, name, name)
    sys.modules["torch"] = stand_in
    try:
        import armilla.torch  # noqa: F401
    finally:
        del sys.modules["torch"]
