"""armilla.Points: values at points against rings of one pixel each, and least squares from them."""
import pickle

import numpy as np
import pytest

import armilla
from armilla import _linear
from gradients import LAYOUT, LMAX, MMAX, gradient_by_differences, random_input, real_dot
from helpers import dot_alm, random_alm, relative, seconds_in_turns
from progress_judge import check_progress

KINDS = [(0, "standard"), (1, "standard"), (2, "standard"), (3, "standard"), (-2, "standard"),
         (2, "gradient_only"), (1, "derivatives"), (2, "derivatives")]


def locations(count=200, seed=1):
    """Uniform over the sphere, the poles among them; longitudes of some turns."""
    rng = np.random.default_rng(seed)
    loc = np.stack([np.arccos(rng.uniform(-1, 1, count)), rng.uniform(-9, 9, count)], axis=1)
    loc[:2, 0] = 0, np.pi
    return loc


def rings_of(loc):
    """The grid whose rings have one pixel each: the points."""
    count = len(loc)
    return armilla.Grid.custom(loc[:, 0], np.ones(count, int), loc[:, 1], np.arange(count), 1)


def inputs(plan, lmax, lead=(), spin=0, seed=2):
    """Coefficients and values of a plan."""
    shape = lead + plan.alm_shape[:-1]
    values = np.random.default_rng(seed).standard_normal(lead + plan.map_shape)
    return random_alm(lmax, plan.mmax, shape, spin, seed), values


@pytest.mark.parametrize("spin, mode", KINDS)
@pytest.mark.parametrize("epsilon", [1e-1, 1e-3, 1e-7, 1e-12])
def test_values_are_those_of_rings_of_one_pixel(spin, mode, epsilon):
    lmax, loc = 40, locations()
    points = armilla.Points(lmax, loc, spin, epsilon, 31, mode)
    sht = armilla.SHT(rings_of(loc), lmax, 31, spin=spin, mode=mode)
    assert (points.alm_shape, points.map_shape) == (sht.alm_shape, sht.map_shape)
    alm, values = inputs(points, lmax, (2,), spin)
    assert relative(points.synthesis(alm), sht.synthesis(alm)) < epsilon
    assert relative(points.adjoint_synthesis(values), sht.adjoint_synthesis(values)) < 2 * epsilon


@pytest.mark.parametrize("spin", [0, 2])
@pytest.mark.parametrize("epsilon", [1e-1, 1e-8])
def test_adjoint_to_rounding_whatever_epsilon_is(spin, epsilon):
    points = armilla.Points(60, locations(500), spin, epsilon)
    alm, values = inputs(points, 60, spin=spin)
    here = float((points.synthesis(alm) * values).sum())
    there = points.adjoint_synthesis(values)
    assert abs(here - dot_alm(alm, there, 60)) < 1e-12 * np.sqrt(dot_alm(alm, alm, 60)
                                                                * dot_alm(there, there, 60))


def test_single_precision():
    points = armilla.Points(40, locations(), 2, 1e-6)
    alm, values = inputs(points, 40, (3,), 2)
    made = points.synthesis(alm.astype("F"))
    back = points.adjoint_synthesis(values.astype("f"))
    assert made.dtype == np.float32 and back.dtype == np.complex64
    assert relative(made, points.synthesis(alm)) < 1e-6
    assert relative(back, points.adjoint_synthesis(values)) < 1e-6


@pytest.mark.parametrize("spin", [0, 2])
@pytest.mark.parametrize("layout", [None, LAYOUT])
def test_leading_axes_strides_and_out(spin, layout):
    """Any number of transforms at once, from and into arrays of any strides, gives what one alone
    gives; inputs stay as they are, and so do gaps of a layout."""
    points = armilla.Points(LMAX, locations(50), spin, 1e-9, MMAX, layout=layout)
    for name in ("synthesis", "adjoint_synthesis"):
        call, given = getattr(points, name), random_input(points, name, (2, 3))
        before = given.copy()
        one = np.stack([[call(x) for x in row] for row in given])
        np.testing.assert_array_equal(call(given), one)
        np.testing.assert_array_equal(given, before)
        wide = np.zeros(given.shape[:-1] + (2 * given.shape[-1],), given.dtype)
        wide[..., ::2] = given
        np.testing.assert_array_equal(call(wide[..., ::2]), one)
        rows = np.zeros(given.shape[:-1] + (given.shape[-1] + 5,), given.dtype)
        rows[..., :-5] = given
        np.testing.assert_array_equal(call(rows[..., :-5]), one)
        out = np.full(one.shape[:-1] + (one.shape[-1] + 7,), 7, one.dtype)
        assert np.shares_memory(call(given, out=out[..., 7:]), out)
        used = one != 0
        np.testing.assert_array_equal(out[..., 7:][used], one[used])
        assert (out[..., :7] == 7).all()
        if layout is not None and name == "adjoint_synthesis":
            gaps = np.ones(layout.size, bool)
            gaps[[layout.index(l, m) for m in range(MMAX + 1) for l in range(m, LMAX + 1)]] = False
            assert gaps.any() and (out[..., 7:][..., gaps] == 7).all()
    with pytest.raises(ValueError, match="out: has shape"):
        points.synthesis(random_input(points, "synthesis"), out=np.zeros(3))


def test_threads_give_the_same_bits():
    points = armilla.Points(300, locations(20000), 2, 1e-5)
    alm, values = inputs(points, 300, spin=2)
    np.testing.assert_array_equal(*[points.synthesis(alm, nthreads=n) for n in (1, 3)])
    np.testing.assert_array_equal(*[points.adjoint_synthesis(values, nthreads=n) for n in (1, 3)])


@pytest.mark.parametrize("name", ["synthesis", "adjoint_synthesis"])
def test_progress(name):
    points = armilla.Points(200, locations(20000), epsilon=1e-7)
    given = np.ones(points.alm_shape if name == "synthesis" else points.map_shape)
    check_progress(lambda count, progress: getattr(points, name)(
        np.broadcast_to(given, (count,) + given.shape), progress=progress))


def test_plans_for_other_points_and_from_files():
    loc, other = locations(), locations(70, 3)
    first = armilla.Points(30, loc, 1, 1e-8, 20, layout=None)
    second = first.with_points(other)
    alm, _ = inputs(first, 30, spin=1)
    judge = armilla.Points(30, other, 1, 1e-8, 20).synthesis(alm)
    del first
    assert second.map_shape == (2, 70) and (second.lmax, second.mmax) == (30, 20)
    assert relative(second.synthesis(alm), judge) < 2e-8
    again = pickle.loads(pickle.dumps(second))
    assert relative(again.synthesis(alm), judge) < 2e-8
    assert repr(again) == repr(second) == ("<armilla.Points lmax 30, mmax 20, spin 1, standard, "
                                           "epsilon 1e-08, 70 points>")


@pytest.mark.parametrize("keywords", [
    {"spin": 1, "mode": "derivatives", "spin_method": "recurrence", "isa": "scalar"},
    {"layout": LAYOUT}, {"upsampling": 1.75, "taps": 9}])
def test_pickling_keeps_every_option(keywords):
    points = armilla.Points(LMAX, locations(9), epsilon=1e-4, **keywords)
    again = pickle.loads(pickle.dumps(points))
    assert again._options == points._options and again.describe(1) == points.describe(1)
    np.testing.assert_array_equal(again.loc, points.loc)
    assert again.alm_shape == points.alm_shape
    assert points.describe(1).isa == keywords.get("isa", points.describe(1).isa)


@pytest.mark.parametrize("upsampling, taps", [(1.25, 6), (1.5, 9), (2, 5), (2, 12), (2.5, 14),
                                              (1.25, 0), (0, 10)])
def test_upsampling_and_taps_can_be_chosen(upsampling, taps):
    lmax, loc, epsilon = 40, locations(), 0.03
    points = armilla.Points(lmax, loc, epsilon=epsilon, upsampling=upsampling, taps=taps)
    told = points.describe(1)
    alm, values = inputs(points, lmax)
    assert relative(points.synthesis(alm), armilla.evaluate(alm, lmax, loc)) < told.epsilon
    assert points.epsilon == epsilon and told.nphi >= 2 * upsampling * told.highest_order
    if taps:
        assert told.taps == taps
    if upsampling:
        assert told.epsilon in [pytest.approx(4 / share * np.exp(
            -np.pi * np.sqrt(1 - 1 / upsampling) * (told.taps - 0.5))) for share in (0.4, 1.5)]


def test_points_are_copied_and_described():
    loc = locations()
    points = armilla.Points(30, loc, epsilon=1e-6)
    alm, _ = inputs(points, 30)
    before = points.synthesis(alm)
    loc[:] = 1
    np.testing.assert_array_equal(points.synthesis(alm), before)
    np.testing.assert_array_equal(points.loc, locations())
    assert not points.loc.flags.writeable
    told = points.describe(1)
    assert (told.lmax, told.mmax, told.npoints, told.ncomp, told.epsilon) == (30, 30, 200, 1, 1e-6)
    assert told.nrings > 30 and told.nphi > 60 and told.taps > 2
    assert points.describe(4).workspace_bytes >= told.workspace_bytes > 0
    assert told.plan_bytes > points.loc.nbytes + 200 * 20  # sorted points
    assert (told.north, told.south, told.highest_order) == (0, np.pi, 30)


def test_patches_are_described():
    rng = np.random.default_rng(11)

    def of(north, south):
        loc = np.stack([rng.uniform(north, south, 500), rng.uniform(0, 1, 500)], 1)
        return armilla.Points(400, np.vstack([loc, [[north, 0], [south, 1]]]), 2, 1e-6).describe()

    whole, cap, belt = of(0, np.pi), of(0, 0.3), of(2.3, 2.6)
    assert (whole.north, whole.south, whole.highest_order) == (0, np.pi, 400)
    assert 401 <= whole.near_rings < whole.nrings
    assert cap.north == 0 and 0.3 < cap.south < 0.6
    assert 118 <= cap.highest_order < 200 and cap.near_rings < whole.near_rings / 3
    assert 2 < belt.north < 2.3 and 2.6 < belt.south < 2.9
    assert 298 <= belt.highest_order < 400 and belt.near_rings < whole.near_rings / 2


def test_no_points():
    points = armilla.Points(5, np.zeros((0, 2)), 2)
    assert points.synthesis(np.ones((3, 2, 21))).shape == (3, 2, 0)
    assert not points.adjoint_synthesis(np.ones((3, 2, 0))).any()


@pytest.mark.parametrize("changes, error, text", [
    ({"loc": [[1, 1], [4, 0]]}, ValueError, "loc: theta of point 1 = 4: must be 0 to pi"),
    ({"loc": [[1, np.nan]]}, ValueError, "loc: phi of point 0 = nan: must be finite"),
    ({"loc": [1, 2]}, ValueError, r"loc: has shape \(2,\), must have \(npoints, 2\)"),
    ({"loc": [[1j, 2]]}, TypeError, "loc: must be real"),
    ({"loc": "ab"}, TypeError, "loc: must hold numbers"),
    ({"epsilon": 1e-14}, ValueError, "^epsilon = 1e-14: must be 1e-13 to 0.1"),
    ({"upsampling": 1.0}, ValueError, r"^upsampling = 1: must be 0 \(chosen\) or 1.1 to 3"),
    ({"upsampling": "x"}, TypeError, "^upsampling = 'x': must be a real number"),
    ({"taps": 17}, ValueError, r"^taps = 17: must be 0 \(chosen\) or 2 to 16"),
    ({"taps": 2.5}, TypeError, "^taps = 2.5"),
    ({"upsampling": 2, "taps": 4}, ValueError, "4 taps with an upsampling of 2 reach 0.0042"),
    ({"epsilon": "x"}, TypeError, "^epsilon = 'x': must be a real number"),
    ({"lmax": -1}, ValueError, "^lmax = -1"), ({"mmax": 5}, ValueError, "mmax = 5"),
    ({"spin": 5}, ValueError, "^spin = 5"), ({"mode": "x"}, ValueError, "^mode = 'x'"),
    ({"mode": "derivatives"}, ValueError, "spin = 0"), ({"isa": "mmx"}, NotImplementedError, "mmx"),
    ({"layout": armilla.Layout(9), "mmax": 4}, ValueError, "lmax = 4: differs from")])
def test_wrong_plans(changes, error, text):
    with pytest.raises(error, match=text):
        armilla.Points(**{"lmax": 4, "loc": locations(5), **changes})


def test_wrong_calls():
    points = armilla.Points(4, locations(5))
    with pytest.raises(ValueError, match=r"alm: has shape \(14,\), must have \(..., 15\)"):
        points.synthesis(np.ones(14))
    with pytest.raises(ValueError, match=r"values: has shape \(6,\), must have \(..., 5\)"):
        points.adjoint_synthesis(np.ones(6))
    with pytest.raises(TypeError, match="values: must be real"):
        points.adjoint_synthesis(np.ones(5) * 1j)
    with pytest.raises(ValueError, match="nthreads = -1"):
        points.synthesis(np.ones(15), nthreads=-1)


# --- Least squares --------------------------------------------------------------------------------


@pytest.mark.parametrize("spin, mode", [(0, "standard"), (2, "standard"), (1, "derivatives")])
def test_least_squares_find_the_coefficients(spin, mode):
    points = armilla.Points(8, locations(700), spin, 1e-12, mode=mode)
    alm, _ = inputs(points, 8, (2,), spin)
    made, report = points.pseudo_analysis(points.synthesis(alm), tolerance=1e-11)
    assert relative(made, alm) < 1e-9
    assert set(report.stop) <= {"residual", "gradient"} and report.stop.shape == (2,)
    assert (report.iterations > 3).all() and (report.residual < 1e-9).all()


def normal_equations(points, values, weights):
    """The same by a matrix: rows of Y from single coefficients, in the real packing."""
    lmax = points.lmax
    units = np.eye(armilla.alm.real_size(lmax))
    matrix = points.synthesis(armilla.alm.from_real(units, lmax=lmax)).T
    root = np.sqrt(weights)
    best = np.linalg.lstsq(matrix * root[:, None], values * root, rcond=None)[0]
    return armilla.alm.from_real(best, lmax=lmax)


def test_least_squares_with_weights_and_noise():
    """The minimum of the weighted sum, not just something near to it; what has no weight may be
    NaN."""
    rng = np.random.default_rng(7)
    points = armilla.Points(6, locations(150), 0, 1e-12)
    values, weights = rng.standard_normal(150), rng.uniform(0.1, 5, 150)
    weights[:9] = 0
    judge = normal_equations(points, values, weights)
    values[:9] = np.nan
    made, report = points.pseudo_analysis(values, weights=weights, tolerance=1e-12)
    assert relative(made, judge) < 1e-9
    assert report.stop == "gradient" and 0.5 < report.residual < 1
    plain, _ = points.pseudo_analysis(np.nan_to_num(values), tolerance=1e-12)
    assert relative(plain, judge) > 0.1


def test_least_squares_from_a_guess():
    points = armilla.Points(10, locations(900), 0, 1e-12)
    alm, _ = inputs(points, 10)
    values = points.synthesis(alm)
    _, far = points.pseudo_analysis(values, tolerance=1e-10)
    near = alm + 1e-6 * random_alm(10, seed=9)
    made, report = points.pseudo_analysis(np.stack([values, 2 * values]), guess=near,
                                          tolerance=1e-10)
    assert relative(made, np.stack([alm, 2 * alm])) < 1e-8
    assert report.iterations[0] < far.iterations
    _, report = points.pseudo_analysis(values, guess=alm)
    assert report.iterations == 0 and report.stop == "residual"
    with pytest.raises(ValueError, match=r"guess: has shape \(3,\)"):
        points.pseudo_analysis(values, guess=np.ones(3))


def test_least_squares_in_a_layout_with_gaps():
    plain = armilla.Points(LMAX, locations(400), 0, 1e-12, MMAX)
    spread = armilla.Points(LMAX, locations(400), 0, 1e-12, layout=LAYOUT)
    values = np.random.default_rng(2).standard_normal(400)
    out = np.full(LAYOUT.size, 7 + 0j)
    judge, _ = plain.pseudo_analysis(values, tolerance=1e-12)
    made, _ = spread.pseudo_analysis(values, tolerance=1e-12, guess=np.zeros(1), out=out)
    assert made is out
    assert relative(LAYOUT.convert(made, armilla.Layout(LMAX, MMAX)), judge) < 1e-10
    assert (out == 7).sum() == LAYOUT.size - armilla.alm.size(LMAX, MMAX)


def test_least_squares_report_progress():
    points = armilla.Points(150, locations(20000), epsilon=1e-9)
    values = np.random.default_rng(3).standard_normal(20000)
    check_progress(lambda count, progress: points.pseudo_analysis(
        values, tolerance=0, max_iterations=count, progress=progress))


def test_least_squares_limits_and_errors():
    points = armilla.Points(6, locations(60))
    values = np.ones((2, 60))
    values[1] = 0
    alm, report = points.pseudo_analysis(values.astype("f"), max_iterations=1)
    assert list(report.stop) == ["iterations", "zero"] and list(report.iterations) == [1, 0]
    assert alm.dtype == np.complex64 and not alm[1].any()
    for bad, text in (({"weights": np.ones(3)}, "weights: has shape"),
                      ({"weights": -np.ones(60)}, r"weights\[0\] = -1"),
                      ({"weights": np.zeros(60)}, "weights: all are 0"),
                      ({"tolerance": -1}, "tolerance = -1"),
                      ({"max_iterations": -1}, "max_iterations = -1")):
        with pytest.raises(ValueError, match=text):
            points.pseudo_analysis(values, **bad)
    values[1, 5] = np.inf
    with pytest.raises(ValueError, match=r"values\[65\] = inf: must be finite \(point 5 of "):
        points.pseudo_analysis(values)


# --- A few points, without a plan -----------------------------------------------------------------


@pytest.mark.parametrize("spin, mode", KINDS)
@pytest.mark.parametrize("layout", [None, LAYOUT])
def test_a_few_points(spin, mode, layout):
    """Values to rounding, and their adjoint; several transforms, single precision, out."""
    loc = locations(60)
    sht = armilla.SHT(rings_of(loc), LMAX, MMAX, spin=spin, mode=mode, layout=layout)
    keywords = {"spin": spin, "mode": mode, "layout": layout, "mmax": MMAX}
    alm, values = random_input(sht, "synthesis", (3,)), random_input(sht, "adjoint_synthesis", (3,))
    made = armilla.evaluate(alm, LMAX, loc, **keywords)
    back = armilla.adjoint_evaluate(values, LMAX, loc, **keywords)
    assert made.shape == (3,) + sht.map_shape and back.shape == (3,) + sht.alm_shape
    assert relative(made, sht.synthesis(alm)) < 1e-14
    assert relative(back, sht.adjoint_synthesis(values)) < 1e-14
    out = np.full(made.shape, np.nan)
    assert armilla.evaluate(alm, LMAX, loc, out=out, nthreads=2, **keywords) is out
    np.testing.assert_array_equal(out, made)
    single = armilla.evaluate(alm.astype("F"), LMAX, loc, **keywords)
    assert single.dtype == np.float32 and relative(single, made) < 1e-6


def test_derivatives_at_a_few_points():
    loc = locations(50)
    alm = random_alm(20)
    first = armilla.SHT(rings_of(loc), 20, spin=1, mode="derivatives").synthesis(alm)
    second = armilla.SHT(rings_of(loc), 20, spin=2, mode="derivatives").synthesis(alm)
    made = armilla.evaluate(alm, 20, loc, derivatives=2)
    assert made.shape == (6, 50)
    assert relative(made[:3], armilla.evaluate(alm, 20, loc, derivatives=1)) < 1e-14
    assert relative(made[0], armilla.evaluate(alm, 20, loc)) < 1e-14
    assert relative(made[1:3], first) < 1e-13
    assert relative(np.stack([made[3] - made[5], 2 * made[4]]), second) < 1e-13
    l = np.concatenate([np.arange(m, 21) for m in range(21)])
    laplacian = armilla.evaluate(-l * (l + 1) * alm, 20, loc)
    assert relative(made[3] + made[5], laplacian) < 1e-13
    field = random_alm(20, 20, (2,), 2)
    made = armilla.evaluate(field, 20, loc, 2, derivatives=1)
    values = np.random.default_rng(1).standard_normal(made.shape)
    back = armilla.adjoint_evaluate(values, 20, loc, 2, derivatives=1)
    assert made.shape == (6, 50)
    assert abs((made * values).sum() / dot_alm(field, back, 20) - 1) < 1e-11


def real_harmonics(lmax):
    """Coefficients of all real harmonics up to lmax, one after the other."""
    size = armilla.alm.size(lmax)
    eye = np.eye(size, dtype=complex)
    return np.concatenate([eye, 1j * eye[lmax + 1:]])


@pytest.mark.alone
def test_a_matrix_of_harmonics_takes_no_longer_than_scipys():
    special = pytest.importorskip("scipy.special")
    if not hasattr(special, "sph_harm_y"):
        pytest.skip("SciPy's sph_harm_y came with 1.15")
    lmax, loc = 20, locations(500)
    alm = real_harmonics(lmax)
    degrees = np.concatenate([np.full(2 * l + 1, l) for l in range(lmax + 1)])[:, None]
    orders = np.concatenate([np.arange(-l, l + 1) for l in range(lmax + 1)])[:, None]

    def ours():
        return armilla.evaluate(alm, lmax, loc, nthreads=1)

    def scipys():
        return special.sph_harm_y(degrees, orders, loc[:, 0], loc[:, 1])

    harmonics, every = ours(), scipys()
    for l in range(lmax + 1):
        zonal = harmonics[armilla.alm.index(lmax, l, 0)]
        assert np.allclose(zonal, every[l * l + l].real, 0, 1e-13)
    times = seconds_in_turns([ours, scipys], lambda mine, other: mine <= 1.5 * other, 1)
    assert times[0] <= 1.5 * times[1]


@pytest.mark.alone
def test_one_point_costs_little():
    """Aimed at: 20 microseconds where 1000 numbers sort in 16, the machine of
    docs/results/points.md. Twice that is a fault, as in test_plans.py."""
    alm, loc = np.ones(armilla.alm.size(8), complex), [[0.7, 1.0]]

    def allowed(sorting):
        return 40e-6 * max(1, sorting / 16e-6)

    spent, sorting = seconds_in_turns(
        [lambda: armilla.evaluate(alm, 8, loc), lambda: sorted(range(1000))],
        lambda spent, sorting: spent < allowed(sorting), 200)
    print(f"{1e6 * spent:.1f} us of {1e6 * allowed(sorting):.1f}")
    assert spent < allowed(sorting)


def test_when_points_are_few():
    assert armilla.points_are_few(2000, locations(300))
    assert armilla.points_are_few(500, np.zeros((0, 2)), 2)
    assert not armilla.points_are_few(2000, locations(20000))


@pytest.mark.parametrize("changes, error, text", [
    ({"loc": [[1, 1], [4, 0]]}, ValueError, "loc: theta of point 1 = 4: must be 0 to pi"),
    ({"loc": [1, 2]}, ValueError, r"loc: has shape \(2,\)"),
    ({"derivatives": 3}, ValueError, "^derivatives = 3: must be 0, 1 or 2"),
    ({"derivatives": 2, "spin": 1}, ValueError, "^derivatives = 2: must be 0 or 1"),
    ({"derivatives": 1.5}, TypeError, "^derivatives = 1.5: must be an integer"),
    ({"lmax": -1}, ValueError, "^lmax = -1"), ({"mode": "x"}, ValueError, "^mode = 'x'"),
    ({"alm": np.ones(14)}, ValueError, r"alm: has shape \(14,\), must have \(..., 15\)"),
    ({"layout": armilla.Layout(9), "mmax": 4}, ValueError, "lmax = 4: differs from")])
def test_wrong_calls_without_a_plan(changes, error, text):
    with pytest.raises(error, match=text):
        armilla.evaluate(**{"alm": np.ones(15), "lmax": 4, "loc": locations(5), **changes})


# --- Gradients ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["synthesis", "adjoint_synthesis"])
@pytest.mark.parametrize("layout", [None, LAYOUT])
def test_rule_of_the_gradient(name, layout):
    """The formulas of armilla._linear with nothing but NumPy."""
    points = armilla.Points(LMAX, locations(30), 2, 1e-5, MMAX, layout=layout)
    other = {"synthesis": "adjoint_synthesis", "adjoint_synthesis": "synthesis"}[name]
    given, factor = random_input(points, name), random_input(points, other)
    judge = gradient_by_differences(lambda x: real_dot(getattr(points, name)(x), factor), given)
    weights, adjoint = _linear.alm_weights(points, "f8"), getattr(points, other)
    made = weights * adjoint(factor) if name == "synthesis" else adjoint(factor / weights)
    assert relative(made, judge) < 1e-13
