"""armilla.healpy beside healpy: what the tests of both share."""
import importlib
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import armilla.healpy as ours
from helpers import relative

hp = pytest.importorskip("healpy", reason="healpy is not installed: nothing to compare with")
BOUND = 1e-11
many = settings(max_examples=int(os.environ.get("ARMILLA_TEST_EXAMPLES", "40")), deadline=None,
                derandomize="ARMILLA_TEST_EXAMPLES" not in os.environ,
                suppress_health_check=list(HealthCheck))


def agree(name, *args, bound=BOUND, **more):
    """Both give the same, inputs are left alone. Returned: ours."""
    before = [np.array(a, copy=True) if isinstance(a, np.ndarray) else a for a in args]
    mine, judge = getattr(ours, name)(*args, **more), getattr(hp, name)(*args, **more)
    for a, b in zip(args, before):
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)
    assert type(mine) is type(judge), (type(mine), type(judge))
    assert np.asarray(mine).dtype == np.asarray(judge).dtype
    assert relative(np.asarray(mine), np.asarray(judge)) <= bound
    return mine


def _outcome(root, name, args, more):
    """(result, None) or (None, error) of a call; name: "sub.module:function", or "function"."""
    where, _, path = name.rpartition(":")
    found = importlib.import_module(f"{root}.{where}" if where else root)
    for part in path.split("."):
        found = getattr(found, part)
    try:
        return found(*args, **more), None
    except Exception as error:  # noqa: BLE001  any: its type is compared
        return None, error


def _compare(mine, judge, atol, path):
    if isinstance(judge, (tuple, list)):
        assert isinstance(mine, (tuple, list)) and len(mine) == len(judge), (path, mine, judge)
        for i, (a, b) in enumerate(zip(mine, judge)):
            _compare(a, b, atol, f"{path}[{i}]")
        return
    if judge is None or isinstance(judge, (str, bool)):
        assert mine == judge and np.ndim(mine) == 0, (path, mine, judge)
        return
    assert np.ma.isMA(mine) == np.ma.isMA(judge), (path, type(mine), type(judge))
    assert np.shape(mine) == np.shape(judge), (path, np.shape(mine), np.shape(judge))
    kinds = np.asarray(mine).dtype.kind, np.asarray(judge).dtype.kind
    assert kinds[0] == kinds[1] or set(kinds) == {"i", "u"}, (path, kinds)
    if np.ma.isMA(judge):
        np.testing.assert_array_equal(np.ma.getmaskarray(mine), np.ma.getmaskarray(judge))
        mine, judge = np.ma.filled(mine, 0), np.ma.filled(judge, 0)
    if kinds[1] in "fc":
        np.testing.assert_allclose(mine, judge, rtol=1e-12, atol=atol, err_msg=path)
    else:
        np.testing.assert_array_equal(mine, judge, err_msg=path)


def alike(name, *args, atol=1e-12, **more):
    """Both give results of one structure, shape, kind and value, or errors of one type. Returned:
    ours, or the error."""
    mine, my_error = _outcome("armilla.healpy", name, args, more)
    judge, error = _outcome("healpy", name, args, more)
    shown = f"{name}{args}{more}"
    if error is not None:
        assert my_error is not None, f"{shown}: healpy raises {error!r}, here: {mine!r}"
        assert isinstance(my_error, type(error)), f"{shown}: {my_error!r}, healpy: {error!r}"
        return my_error
    assert my_error is None, f"{shown}: {my_error!r}, healpy: {judge!r}"
    _compare(mine, judge, atol, shown[:300])
    return mine
