"""armilla.healpy has healpy's names, in the same modules, with the same parameters."""
import importlib
import inspect
import pkgutil
import types

import pytest

import armilla.healpy as ours
import called_names
from armilla.healpy._absent import ABSENT

hp = pytest.importorskip("healpy", reason="healpy is not installed: nothing to compare with")
NOT_PUBLIC = ("conftest", "test_pixelfunc_extra")
FREE = ("__call__", "I", "angle_ref")  # of Rotator: *args and **kwds, here with their names


def healpy_modules():
    """Short names of healpy's public modules; "" for healpy itself."""
    import healpy.utils
    names = [found.name for found in pkgutil.iter_modules(hp.__path__)]
    names += ["utils." + found.name for found in pkgutil.iter_modules(healpy.utils.__path__)]
    return [""] + [name for name in names
                   if not name.startswith("_") and name not in NOT_PUBLIC]


def module(root, name):
    return importlib.import_module(f"{root}.{name}" if name else root)


def public(name):
    """Names of a module of healpy, without modules that it imports."""
    judge = module("healpy", name)
    return [n for n in dir(judge) if not n.startswith("_")
            and not isinstance(getattr(judge, n), types.ModuleType)]


@pytest.mark.parametrize("name", healpy_modules())
def test_names_are_had_or_explained(name):
    mine = module("armilla.healpy", name)
    missing = [n for n in public(name) if not hasattr(mine, n)]
    assert sorted(missing) == sorted(ABSENT.get(name, {})), "not had, or explained though had"
    for n in missing:
        with pytest.raises(AttributeError, match="has no " + n + ": .*"):
            getattr(mine, n)
    with pytest.raises(AttributeError):
        mine.no_such_name  # noqa: B018


def test_submodules_are_attributes():
    for name in healpy_modules()[1:]:
        if "." not in name and name != "version":
            assert getattr(ours, name) is module("armilla.healpy", name)
    assert ours.rotator.coordsys2euler_zyz and ours.pixelfunc.ang2pix is ours.ang2pix
    from armilla.healpy.sphtfunc import Alm
    assert Alm is ours.Alm and ours.__version__ == hp.__version__


def signatures():
    """(module, name of a function or a method)"""
    for name in healpy_modules():
        for n in public(name):
            judge, mine = (getattr(module(root, name), n, None) for root in ("healpy",
                                                                          "armilla.healpy"))
            if mine is None or not callable(judge) or inspect.isclass(judge) and issubclass(
                    judge, Warning):
                continue
            yield name, n
            if inspect.isclass(judge):
                yield from ((name, f"{n}.{method}") for method in vars(judge)
                            if not method.startswith("_") and callable(getattr(judge, method)))


def parameters(root, name, path):
    found = module(root, name)
    for part in path.split("."):
        found = getattr(found, part)
    return inspect.signature(found).parameters


@pytest.mark.parametrize("name, path", sorted(
    (name, path) for name, path in set(signatures()) if path.split(".")[-1] not in FREE))
def test_same_parameters_and_defaults(name, path):
    try:
        judge = parameters("healpy", name, path)
    except ValueError:
        pytest.skip("healpy tells no signature")
    mine = parameters("armilla.healpy", name, path)
    assert list(mine) == list(judge)
    for key in judge:
        assert mine[key].default == judge[key].default, key
        assert mine[key].kind == judge[key].kind, key


def test_every_public_name_is_called():
    """Runs after all other tests of armilla.healpy (conftest.py), or not at all."""
    never = called_names.never_called()
    assert not never, "\n".join(never)
