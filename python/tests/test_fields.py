"""armilla.fields: arrays with any axes, missing values, batches; against single transforms."""
import itertools
import tracemalloc
import warnings

import numpy as np
import pytest

import armilla
from armilla import fields
from helpers import random_alm, relative

LMAX = 12
GRID = armilla.Grid.gauss_legendre(LMAX + 1, 2 * LMAX + 2)
PLAN = armilla.SHT(GRID, LMAX)


def forecast(lead, kind=np.float64, seed=0):
    """Coefficients and fields (*lead, nrings, nphi)."""
    alm = np.stack([random_alm(LMAX, seed=seed + i) for i in range(int(np.prod(lead)))])
    maps = GRID.to_2d(PLAN.synthesis(alm)).reshape(*lead, *GRID.shape_2d)
    return alm.reshape(*lead, -1), maps.astype(kind)


@pytest.mark.parametrize("axes", list(itertools.permutations(range(4))))
def test_any_sequence_of_axes(axes):
    alm, maps = forecast((5, 3))
    turned = maps.transpose(axes)
    place = (axes.index(2), axes.index(3))
    if place[0] > place[1]:  # the caller names rings first, whatever the memory's order
        assert turned.shape[place[1]] == GRID.shape_2d[1]
    got = fields.analysis(turned, GRID, LMAX, axis=place)
    want = alm if axes.index(0) < axes.index(1) else alm.transpose(1, 0, 2)
    assert got.shape == want.shape and relative(got, want) < 1e-13
    copied = fields.analysis(np.ascontiguousarray(turned), GRID, LMAX, axis=place)
    assert relative(copied, want) < 1e-13
    back = fields.synthesis(got, GRID, LMAX, axis=place)
    assert back.shape == turned.shape and relative(back, turned) < 1e-13


@pytest.mark.parametrize("kind", ["f4", ">f4", "f2", "i2", ">f8", "f8"])
def test_types(kind):
    _, maps = forecast((4,))
    maps = (100 * maps).astype(kind)
    got = fields.analysis(maps, GRID, LMAX, axis=(1, 2))
    want = PLAN.analysis(maps.astype(float).reshape(4, -1))
    single = np.dtype(kind).newbyteorder("=") == np.float32
    assert got.dtype == (np.complex64 if single else np.complex128)
    assert relative(got, want) < (2e-6 if single else 1e-13)


def test_fields_of_one_call_have_the_bits_of_their_own():
    _, maps = forecast((40,), np.float32)
    together = fields.analysis(maps, GRID, LMAX, axis=(1, 2))
    for i in (0, 15, 16, 39):
        np.testing.assert_array_equal(together[i], fields.analysis(maps[i], GRID, LMAX,
                                                                   axis=(0, 1)))


def test_flat_axis_anywhere_and_reduced_grids():
    grid = armilla.Grid.reduced_gauss_legendre(LMAX + 1, LMAX)
    alm = np.stack([random_alm(LMAX, seed=i) for i in range(6)])
    maps = armilla.SHT(grid, LMAX).synthesis(alm)
    got = fields.analysis(maps.T, grid, LMAX, axis=0)
    assert relative(got, alm) < 1e-13
    assert relative(fields.synthesis(alm, grid, LMAX, axis=0), maps.T) < 1e-13


def test_spin_is_a_pair_of_arrays_each_with_its_own_strides():
    eb = np.stack([[random_alm(LMAX, seed=2 * i), random_alm(LMAX, seed=2 * i + 1)]
                   for i in range(5)])
    eb[..., 0] = 0
    a, b = fields.synthesis(eb, GRID, LMAX, axis=(0, 2), spin=1)
    assert a.shape == (LMAX + 1, 5, 2 * LMAX + 2)
    got = fields.analysis((a, np.asfortranarray(b)), GRID, LMAX, axis=(0, 2), spin=1)
    assert relative(got, eb) < 1e-13
    cl = fields.spectrum((a, b), GRID, LMAX, axis=(0, 2), spin=1)
    assert cl.shape == (5, 2, LMAX + 1)
    assert np.allclose(cl[3, 1], armilla.spectrum.compute(eb[3, 1]))


def test_spectra_auto_and_cross():
    alm, maps = forecast((2, 20))
    other = np.asfortranarray(forecast((2, 20), seed=100)[1])
    cl = fields.spectrum(maps, GRID, LMAX, axis=(2, 3))
    cross = fields.spectrum(maps, GRID, LMAX, axis=(2, 3), other=other)
    second = fields.analysis(other, GRID, LMAX, axis=(2, 3))
    assert np.allclose(cl[1, 17], armilla.spectrum.compute(alm[1, 17]), rtol=1e-12)
    assert np.allclose(cross[1, 17], armilla.spectrum.compute(alm[1, 17], second[1, 17]))


def test_steps_of_both_arrays_are_warned_of():
    calm, wild = np.zeros(192), np.random.default_rng(0).normal(size=192)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fields.spectrum(calm, "H4", 14, other=calm)
    for one, other in ((calm, wild), (wild, calm)):
        with pytest.warns(RuntimeWarning, match="ended early"):
            fields.spectrum(one, "H4", 14, other=other)


# --- Missing values -------------------------------------------------------------------------------


def with_holes():
    alm, maps = forecast((3, 20), np.float32)
    maps = maps.transpose(2, 0, 3, 1).copy()  # the memory's sequence is not the caller's
    maps[4, 2, 7, 18] = np.nan
    return alm, maps


def test_missing_values_without_a_rule_name_the_field():
    _, maps = with_holes()
    with pytest.raises(ValueError, match=r"field \(2, 18\) has 1 missing.*'propagate'"):
        fields.analysis(maps, GRID, LMAX, axis=(0, 2))
    with pytest.raises(ValueError, match="must be one of error, propagate, zero, fit"):
        fields.analysis(maps, GRID, LMAX, axis=(0, 2), missing="skip")


@pytest.mark.parametrize("hole", [np.nan, np.inf, armilla.io.UNSEEN, "masked"])
def test_propagate_spoils_its_own_field_alone(hole):
    alm, maps = with_holes()
    if hole == "masked":
        maps = np.ma.masked_invalid(maps)
    else:
        maps[4, 2, 7, 18] = hole
    got = fields.analysis(maps, GRID, LMAX, axis=(0, 2), missing="propagate")
    spoilt = np.isnan(got).any(axis=-1)
    assert spoilt[2, 18] and spoilt.sum() == 1 and np.isnan(got[2, 18]).all()
    assert relative(got[~spoilt], alm[~spoilt]) < 1e-6
    cl = fields.spectrum(maps, GRID, LMAX, axis=(0, 2), missing="propagate")
    assert np.isnan(cl[2, 18]).all() and np.isfinite(cl).sum() == cl.size - LMAX - 1


def test_zero_and_fit():
    alm, maps = with_holes()
    filled = np.nan_to_num(maps)
    np.testing.assert_array_equal(
        fields.analysis(maps, GRID, LMAX, axis=(0, 2), missing="zero"),
        fields.analysis(filled, GRID, LMAX, axis=(0, 2)))
    assert relative(fields.analysis(filled, GRID, LMAX, axis=(0, 2)), alm) > 1e-4
    assert relative(fields.analysis(maps, GRID, LMAX, axis=(0, 2), missing="fit"), alm) < 1e-6
    maps[:9, 1, :, 3] = np.nan
    with pytest.raises(ValueError, match="has 104 values, fewer than the 169 coefficients"):
        fields.analysis(maps, GRID, LMAX, axis=(0, 2), missing="fit")


def test_a_fit_that_does_not_converge_is_an_error():
    fine = armilla.Grid.gauss_legendre(65, 130)
    maps = fine.to_2d(armilla.SHT(fine, 64).synthesis(random_alm(64)))
    maps[:20] = np.nan  # a cap, far wider than the waves
    with pytest.raises(ValueError, match="have not converged after 100 iterations"):
        fields.analysis(maps, fine, 64, axis=(0, 1), missing="fit")


def test_fit_of_a_pair_leaves_out_what_either_lacks():
    eb = np.stack([random_alm(LMAX, seed=1), random_alm(LMAX, seed=2)])
    eb[:, 0] = 0
    a, b = fields.synthesis(eb, GRID, LMAX, spin=1)
    a[7], b[90] = np.nan, 1e38
    b[90] = np.inf
    assert relative(fields.analysis((a, b), GRID, LMAX, spin=1, missing="fit"), eb) < 1e-7


# --- How ------------------------------------------------------------------------------------------


def test_iterations():
    grid, lmax = armilla.Grid.healpix(16), 32
    alm = random_alm(lmax, seed=3)
    plan = armilla.SHT(grid, lmax)
    sky = plan.synthesis(alm)
    errors = [relative(fields.analysis(sky, grid, lmax, iterations=n), alm)
              for n in (0, 1, 3, "auto")]
    assert errors[0] > 10 * errors[1] > 100 * errors[2] / 3 and errors[3] < 1e-14
    with pytest.raises(ValueError, match="iterations = 'many'"):
        fields.analysis(sky, grid, lmax, iterations="many")


def test_auto_is_that_of_a_plan_and_tells_what_it_did():
    grid, lmax = armilla.Grid.healpix(16), 32
    plan = armilla.SHT(grid, lmax)
    skies = plan.synthesis(np.stack([random_alm(lmax, seed=i) for i in range(40)]))
    skies[21] = 0
    alm, report = fields.analysis(skies.reshape(2, 20, -1).astype("f4"), grid, lmax, report=True)
    want, told = plan.analysis(skies[39].astype("f4"), iterations="auto")
    np.testing.assert_array_equal(alm[1, 19], want)
    assert [field[1, 19] for field in report] == list(told) and told.stop == "change"
    assert report.stop.shape == (2, 20) and report.stop[1, 1] == "zero"
    exact = fields.analysis(forecast((2,))[1], GRID, LMAX, axis=(1, 2), report=True)[1]
    assert list(exact.stop) == ["exact"] * 2 and (exact.iterations == 0).all()
    one = fields.analysis(skies[0], grid, lmax, iterations=2, report=True)[1]
    assert (one.stop, one.iterations) == ("iterations", 2)


def test_reports_of_spoilt_and_of_fitted_fields():
    _, maps = with_holes()
    given = dict(axis=(0, 2), report=True)
    spoilt = fields.analysis(maps, GRID, LMAX, missing="propagate", **given)[1]
    assert spoilt.stop[2, 18] == "missing" and (spoilt.stop == "exact").sum() == 59
    fitted = fields.analysis(maps, GRID, LMAX, missing="fit", **given)[1]
    assert fitted.iterations[2, 18] > 1 and (fitted.iterations > 0).sum() == 1


def test_steps_that_lead_nowhere_are_told():
    sky = np.random.default_rng(0).standard_normal((3, 768))
    with pytest.warns(RuntimeWarning, match="ended early, after"):
        report = fields.analysis(sky, "H8", 40, report=True)[1]
    assert "condition" in report.stop


# --- Plans of the caller --------------------------------------------------------------------------


@pytest.mark.parametrize("radial", [False, True])
def test_plans_for_vectors_take_many_fields(radial):
    plan = armilla.VectorSHT(GRID, LMAX, radius=3.0, radial=radial, two_dimensional=True,
                             form="spheroidal_toroidal" if radial else "vorticity_divergence")
    ncomp = 3 if radial else 2
    alm = np.stack([random_alm(LMAX, seed=i) for i in range(40 * ncomp)]).reshape(40, ncomp, -1)
    alm[:, -2:, 0] = 0
    parts = fields.synthesis(alm, plan, axis=(0, 2))
    assert len(parts) == ncomp and parts[0].shape == (LMAX + 1, 40, 2 * LMAX + 2)
    np.testing.assert_array_equal(np.stack(parts)[:, :, 33], plan.synthesis(alm[33]))
    back, report = fields.analysis(parts, plan, axis=(0, 2), report=True)
    assert relative(back, alm) < 1e-13 and (report.stop == "exact").all()
    assert report.stop.shape == ((40, 2) if radial else (40,))
    single = fields.analysis([one.astype("f4") for one in parts], plan, axis=(0, 2))
    assert single.dtype == np.complex64 and relative(single, alm) < 1e-6
    cl = fields.spectrum(parts, plan, axis=(0, 2))
    assert np.allclose(cl[33, 1], armilla.spectrum.compute(alm[33, 1]), rtol=1e-11)


def test_winds_with_missing_values():
    plan = armilla.VectorSHT("O8", 7, radius=2.0)  # flat: rings differ in length
    alm = np.stack([random_alm(7, seed=i) for i in range(8)]).reshape(4, 2, -1)
    alm[..., 0] = 0
    u, v = fields.synthesis(alm, plan, axis=0)
    u[3, 1], v[50, 1] = np.nan, np.inf
    with pytest.raises(ValueError, match=r"field \(1,\) has 2 missing"):
        fields.analysis((u, v), plan, axis=0)
    got = fields.analysis((u, v), plan, axis=0, missing="propagate")
    assert np.isnan(got[1]).all() and relative(got[[0, 2, 3]], alm[[0, 2, 3]]) < 1e-12
    got = fields.analysis((u, v), plan, axis=0, missing="fit")
    assert relative(got, alm) < 1e-8


@pytest.mark.parametrize("options, given, message", [
    ({}, dict(lmax=5), "lmax = 5: is the plan's"),
    ({}, dict(spin=1), "spin = 1: is the plan's"),
    ({}, dict(mmax=3), "mmax = 3: is the plan's"),
    ({}, dict(axis=0), "names 1 axis, but the plan has two_dimensional = True"),
    (dict(mres=2), {}, "mres = 2"),
    (dict(form="real"), {}, "form = 'real'"),
    (dict(layout=armilla.alm.Layout(LMAX)), {}, "layout"),
])
def test_plans_that_do_not_fit_are_named(options, given, message):
    plan = armilla.SHT(GRID, LMAX, two_dimensional=True, **options)
    given = {"axis": (0, 1), **given}
    for call, values in ((fields.analysis, np.ones(GRID.shape_2d)),
                         (fields.synthesis, np.ones(91, complex))):
        with pytest.raises(ValueError, match=message):
            call(values, plan, **given)


def test_what_is_no_plan_for_fields_is_named():
    with pytest.raises(TypeError, match="not IQU"):
        fields.analysis(np.ones(GRID.npix), armilla.IQU(GRID, LMAX))
    with pytest.raises(TypeError, match="lmax: is missing"):
        fields.analysis(np.ones(GRID.npix), GRID)
    with pytest.raises(TypeError, match="a triple of arrays, since grid is <armilla.VectorSHT"):
        fields.analysis(np.ones(GRID.npix), armilla.VectorSHT(GRID, LMAX, radial=True))


def test_no_whole_copy_is_made():
    maps = np.ones((*GRID.shape_2d, 4000), np.float32)
    tracemalloc.start()
    cl = fields.spectrum(maps, GRID, LMAX, axis=(0, 1), nthreads=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert cl.shape == (4000, LMAX + 1) and peak < cl.nbytes + maps.nbytes / 8


def test_progress_tells_all_fields_and_stops():
    _, maps = forecast((100,))
    seen = []
    fields.spectrum(maps, GRID, LMAX, axis=(1, 2), progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1 and len(seen) > 3
    for made in (fields.spectrum, fields.analysis):  # short calls, which end before they ask
        with pytest.raises(armilla.Cancelled):
            made(maps, GRID, LMAX, axis=(1, 2), progress=lambda done: True)
    with pytest.raises(armilla.Cancelled):
        fields.analysis(np.ones((64, 513, 1024)), armilla.Grid.equidistant("CC", 513, 1024), 500,
                        axis=(1, 2), progress=lambda done: True)


@pytest.mark.parametrize("given, error, message", [
    (dict(axis=(1, 1)), ValueError, "names one axis twice"),
    (dict(axis=3), ValueError, "axis = 3: the array has 3 axes"),
    (dict(axis=(2, 1)), ValueError, r"with \(26, 13\) along axis \(2, 1\)"),
    (dict(axis=0), ValueError, r"with \(2,\) along axis 0"),
    (dict(axis=(0, 1, 2)), ValueError, "one axis of pixels, or two"),
    (dict(axis=(1, 2), spin=1), TypeError, "a pair of arrays"),
    (dict(axis=(1, 2), iterations=-1), ValueError, "iterations = -1"),
])
def test_wrong_arguments_are_named(given, error, message):
    _, maps = forecast((2,))
    with pytest.raises(error, match=message):
        fields.analysis(maps, GRID, LMAX, **given)


def test_axes_follow_from_lengths():
    alm, maps = forecast((2, 3))
    want = fields.spectrum(maps, GRID, LMAX, axis=(2, 3))
    lines = maps.reshape(2, 3, -1)
    for given in (maps, np.moveaxis(maps, 3, 0), np.moveaxis(maps, 2, 0), lines,
                  np.moveaxis(lines, 2, 0)):
        np.testing.assert_allclose(fields.spectrum(given, GRID, LMAX), want, rtol=1e-9)
    plan = armilla.SHT(GRID, LMAX, two_dimensional=True)
    np.testing.assert_array_equal(fields.spectrum(maps, plan), want)
    np.testing.assert_array_equal(fields.spectrum(maps, GRID, LMAX, other=maps), want)
    pair = fields.analysis((maps, maps), GRID, LMAX, spin=1)
    np.testing.assert_array_equal(pair, fields.analysis((maps, maps), GRID, LMAX, axis=(2, 3),
                                                        spin=1))
    assert fields.synthesis(alm, plan).shape == maps.shape
    assert fields.synthesis(alm, GRID, LMAX).shape == lines.shape


@pytest.mark.parametrize("shape, places", [((2, 13, 25), "no"), ((13, 26, 13), "2"),
                                           ((13, 5, 26, 26), "2")])
def test_axes_that_do_not_follow_are_asked_for(shape, places):
    with pytest.raises(ValueError, match=f"where {places} places .*axis= says which"):
        fields.spectrum(np.ones(shape), GRID, LMAX)


def test_grids_may_be_names():
    alm, maps = forecast((2,))
    name = GRID.name
    for made in (fields.analysis, fields.spectrum):
        np.testing.assert_array_equal(made(maps, name, LMAX, axis=(1, 2)),
                                      made(maps, GRID, LMAX, axis=(1, 2)))
    np.testing.assert_array_equal(fields.synthesis(alm, name, LMAX, axis=(1, 2)),
                                  fields.synthesis(alm, GRID, LMAX, axis=(1, 2)))
    with pytest.raises(ValueError, match="the nearest is O1280"):
        fields.analysis(maps, "O1280x", LMAX)


def test_wrong_arrays_are_named():
    _, maps = forecast((2,))
    with pytest.raises(TypeError, match="must hold real numbers, not complex128"):
        fields.analysis(maps + 0j, GRID, LMAX, axis=(1, 2))
    with pytest.raises(ValueError, match="they must be equal"):
        fields.analysis((maps, maps[0]), GRID, LMAX, axis=(-2, -1), spin=1)
    with pytest.raises(ValueError, match="other: has the leading axes"):
        fields.spectrum(maps, GRID, LMAX, axis=(-2, -1), other=maps[0])
    with pytest.raises(ValueError, match="alm: has shape"):
        fields.synthesis(np.ones(5, complex), GRID, LMAX)
    assert fields.analysis(maps[:0], GRID, LMAX, axis=(1, 2)).shape == (0, 91)
