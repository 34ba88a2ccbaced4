"""armilla.misc.experimental against ducc0's coupling matrices."""
import inspect

import numpy as np
import pytest

import armilla
from armilla.misc import experimental

NAMES = experimental.__all__
RNG = np.random.default_rng(3)


def spectra(nspec, lmax):
    return RNG.standard_normal((nspec, lmax + 1)) / (1 + np.arange(lmax + 1.0)) ** 1.5


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("lmax1, lmax2, lspec", [(60, 60, 120), (40, 75, 115), (75, 40, 30),
                                                 (1, 1, 2), (0, 3, 3)])
def test_matrices(name, lmax1, lmax2, lspec):
    peer = pytest.importorskip("ducc0", reason="ducc0 is not installed").misc.experimental
    types = (0, 1, 2, 3, 4)
    given = spectra(5, lspec)
    ours, judge = (np.full((6, lmax1 + 1, lmax2 + 1), 7.0) for _ in range(2))
    made = getattr(experimental, name)(given, types, ours, nthreads=2)
    getattr(peer, name)(given, types, judge)
    assert made is ours
    for one, other in zip(ours, judge):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13 * max(abs(other).max(), 1e-9))


@pytest.mark.parametrize("name", NAMES)
def test_same_arguments_in_the_same_order(name):
    peer = pytest.importorskip("ducc0", reason="ducc0 is not installed").misc.experimental
    line = getattr(peer, name).__doc__.strip().splitlines()[0]
    ours = list(inspect.signature(getattr(experimental, name)).parameters)
    assert line.count(": ") == len(ours)
    places = [line.index(f"{parameter}: ") for parameter in ours]
    assert places == sorted(places)


def test_floats_and_approximations():
    given = spectra(1, 20)
    whole = experimental.coupling_matrix_rect_new(given, [4], np.empty((2, 11, 11)))
    single = experimental.coupling_matrix_rect(given, [4], np.empty((2, 11, 11), np.float32), 1, 3,
                                               4, 5)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, whole, rtol=0, atol=1e-7 * abs(whole).max())
    l = 2 * np.arange(11) + 1
    of_plan = armilla.pseudo_cl.Coupling.from_masks(given[0], 10, 3, (2, 2)).full_matrix()
    np.testing.assert_allclose(whole * l, of_plan, rtol=1e-14)


@pytest.mark.parametrize("change, error, words", [
    ({"spec": np.ones(3)}, ValueError, r"spec: has shape \(3,\)"),
    ({"spec": np.ones((1, 3), np.float32)}, ValueError, "spec: has type"),
    ({"spec": [[1.0]]}, TypeError, "spec: must be a numpy array"),
    ({"optype": (5,)}, ValueError, "optype = 5: must be 0 .. 4"),
    ({"optype": (0, 1)}, ValueError, "optype: has 2 numbers, must have 1"),
    ({"res": np.ones((2, 3, 3))}, ValueError, r"res: has shape \(2, 3, 3\), must have \(1, "),
    ({"res": np.ones((1, 3, 3), int)}, ValueError, "res: has type"),
    ({"nthreads": -1}, TypeError, "nthreads = -1"),
    ({"spec": np.array([[1, np.nan]])}, ValueError, "at L = 1 is nan"),
])
def test_wrong_arguments(change, error, words):
    given = {"spec": np.ones((1, 3)), "optype": (0,), "res": np.ones((1, 3, 3)), **change}
    with pytest.raises(error, match=words):
        experimental.coupling_matrix_rect_new(**given)
