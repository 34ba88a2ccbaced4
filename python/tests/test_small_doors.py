"""Arguments of wrong types and sizes, and calls that users of other packages make."""
import numpy as np
import pytest

import armilla
import armilla.healpy as hp
import armilla.pyshtools as pysh
from armilla import alm, healpix

GRID = armilla.Grid.healpix(2)
SHT = armilla.SHT(GRID, 4)
ALM = alm.random(4, np.ones(5), seed=1)
LOC = np.ones((3, 2))
WRONG = ["many", None, 1.5, [1], 2 ** 40, 2 ** 70, -2 ** 40, b"2"]
THREADED = {
    "SHT": lambda n: SHT.synthesis(ALM, nthreads=n),
    "describe": lambda n: SHT.describe(n),
    "ComplexSHT": lambda n: armilla.ComplexSHT(GRID, 4).describe(n),
    "Points": lambda n: armilla.evaluate(ALM, 4, LOC, nthreads=n),
    "Rotation": lambda n: armilla.Rotation(1, 2, 3).rotate_alm(ALM, nthreads=n),
    "convolve": lambda n: armilla.convolve(np.ones(48), armilla.Kernel.gaussian(1.0), nthreads=n),
    "healpix": lambda n: healpix.ang_to_pixel(2, [0.1], [0.1], nthreads=n),
    "Coupling": lambda n: armilla.pseudo_cl.Coupling.from_masks([1.0], 9, 5, nthreads=n),
    "Field": lambda n: armilla.pseudo_cl.Field.from_map(np.ones(48), np.ones(48), nthreads=n),
    "reorder": lambda n: healpix.reorder(np.ones(48), to_nested=True, nthreads=n),
    "change_nside": lambda n: healpix.change_nside(np.ones(48), 1, nthreads=n),
    "interpolate": lambda n: healpix.interpolate(np.ones(48), [1.0], [1.0], nthreads=n),
}
LAYOUTS = {
    "SHT": lambda layout: armilla.SHT(GRID, 4, layout=layout),
    "IQU": lambda layout: armilla.IQU(GRID, 4, layout=layout),
    "Points": lambda layout: armilla.Points(4, LOC, layout=layout),
    "evaluate": lambda layout: armilla.evaluate(ALM, 4, LOC, layout=layout),
    "solid": lambda layout: armilla.evaluate_solid(ALM, 4, np.ones((2, 3)), layout=layout),
    "convert": lambda layout: alm.Layout(4).convert(ALM, layout),
}
PLACES = {
    "Layout": lambda x: alm.Layout(x),
    "Layout, mmax": lambda x: alm.Layout(4, x if x is not None else "4"),
    "Layout.custom": lambda x: alm.Layout.custom(x, [0, 1]),
    "Layout.custom, mstart": lambda x: alm.Layout.custom(4, x if x != [1] else [1.5]),
    "Layout.custom, stride": lambda x: alm.Layout.custom(4, [0, 1], x if x != 2 ** 40 else None),
    "Layout.index": lambda x: alm.Layout(4).index(x, 0),
    "index": lambda x: alm.index(4, x, 0) if x != [1] else alm.index(4, [1.5], 0),
    "size": lambda x: alm.size(x),
    "lmax": lambda x: alm.lmax(x),
    "spin": lambda x: armilla.SHT(GRID, 4, spin=x),
    "points, spin": lambda x: armilla.Points(4, LOC, spin=x),
    "mode": lambda x: armilla.SHT(GRID, 4, mode=x),
}


@pytest.mark.parametrize("number", WRONG, ids=str)
@pytest.mark.parametrize("name", THREADED)
def test_numbers_of_threads(name, number):
    with pytest.raises((TypeError, ValueError), match="nthreads"):
        THREADED[name](number)


@pytest.mark.parametrize("layout", ["healpy", 4, [0, 1], (4, 4)], ids=str)
@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_of_wrong_types(name, layout):
    with pytest.raises(TypeError, match="layout|target"):
        LAYOUTS[name](layout)


@pytest.mark.parametrize("number", WRONG, ids=str)
@pytest.mark.parametrize("name", PLACES)
def test_places_of_wrong_types(name, number):
    with pytest.raises((TypeError, ValueError)):
        PLACES[name](number)


def test_long_arguments_are_shortened():
    long = "x" * 5000
    for call in (lambda: armilla.SHT(GRID, long), lambda: armilla.SHT(GRID, 4, mode=long),
                 lambda: armilla.SHT(long, 4), lambda: armilla.SHT(GRID, 4, isa=long),
                 lambda: armilla.SHT(GRID, 4, choices=long), lambda: armilla.io.read_map(long),
                 lambda: armilla.Kernel.gaussian(long),
                 lambda: armilla.SHT(GRID, list(range(5000))),
                 lambda: SHT.synthesis(ALM, nthreads=long),
                 lambda: SHT.analysis(np.ones(48), missing=long)):
        with pytest.raises((TypeError, ValueError, OSError, NotImplementedError)) as found:
            call()
        assert 10 < len(str(found.value)) < 700


# --- Calls of other packages ----------------------------------------------------------------------


def test_places_of_arrays():
    l, m = np.array([0, 2, 4]), np.array([0, 1, 4])
    places = alm.index(4, l, m)
    np.testing.assert_array_equal(places, [alm.index(4, int(a), int(b)) for a, b in zip(l, m)])
    assert alm.index(4, l[:, None], 0).shape == (3, 1) and isinstance(alm.index(4, 1, 1), int)
    with pytest.raises(ValueError, match="l = 2, m = 3"):
        alm.index(4, [2, 2], [1, 3])


def test_smoothing_in_place_keeps_the_unit():
    units = pytest.importorskip("astropy.units")
    want = hp.smoothalm(ALM.copy(), 0.3)
    for given in (ALM * units.K, np.stack([ALM] * 3) * units.K, [ALM * units.K] * 1):
        made = hp.smoothalm(given, 0.3, inplace=True)
        assert made is given
        first = given if np.ndim(given[0]) == 0 else given[0]
        assert first.unit == units.K
        np.testing.assert_array_equal(first.value, want)
    given = ALM * units.K
    assert hp.almxfl(given, [1.0, 0.5], inplace=True) is given
    np.testing.assert_array_equal(given.value, hp.almxfl(ALM, [1.0, 0.5]))


def test_smoothing_in_place_of_what_has_a_unit():
    class Quantity(np.ndarray):  # as astropy's, which is not in all environments
        unit = "K"

        def to_value(self, unit):
            raise ValueError(f"no {unit}")

        def __setitem__(self, place, value):
            raise TypeError("a number without a unit")

    given = ALM.copy().view(Quantity)
    assert hp.smoothalm(given, 0.3, inplace=True) is given
    np.testing.assert_array_equal(given.view(np.ndarray), hp.smoothalm(ALM.copy(), 0.3))


@pytest.mark.parametrize("fl", [[], [1.0, 2.0]])
@pytest.mark.parametrize("inplace", [False, True])
def test_no_coefficients_times_a_window(fl, inplace):
    given = np.ones(0, complex)
    made = hp.almxfl(given, fl, inplace=inplace)
    assert made.shape == (0,) and made.dtype == complex and (made is given) == inplace
    assert not hp.almxfl(ALM, []).any()


def test_gradient_without_a_radius():
    cilm = np.random.default_rng(1).standard_normal((2, 4, 4))
    unit = pysh.MakeGradientDH(cilm, radius=1)
    for one, other in zip(pysh.MakeGradientDH(cilm, radius=None), unit):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_means_of_what_is_finite(bad):
    sky = np.arange(48.0)
    sky[[0, 4, 5, 6, 7]] = bad
    assert np.isnan(healpix.change_nside(sky, 1, nested=True, to_nested=True)[0])
    assert np.isnan(hp.ud_grade(sky, 1, order_in="NEST")[0])  # as healpy has it
    made = healpix.change_nside(sky, 1, nested=True, to_nested=True, finite=True)
    np.testing.assert_allclose(made[:3], [2.0, armilla.io.UNSEEN, 9.5])
