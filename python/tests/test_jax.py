"""armilla.jax: gradients of the operators."""
import numpy as np
import pytest

import armilla
import positions
from couplings import COUPLINGS, random_spectra
from gradients import (CASES, CONVOLUTIONS, LAYOUT, OPERATORS, POINTS, RADIAL,
                       gradient_by_differences, plan, random_input, random_output, real_dot,
                       sight)
from helpers import relative

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy
check_grads = pytest.importorskip("jax.test_util").check_grads
from armilla import _sighted, jax as aj  # noqa: E402


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("spin, mode, grid", [(0, "standard", "healpix"), (2, "standard", "MW"),
                                              (1, "derivatives", "gauss")])
def test_check_grads(name, spin, mode, grid):
    sht = plan(spin, mode, grid)
    given = random_input(sht, name)
    check_grads(lambda x: getattr(aj, name)(sht, x), (given,), 1, eps=1)  # linear: any step will do
    if spin == 0:
        check_grads(lambda x: abs(getattr(aj, name)(sht, x)) ** 2, (given,), 2, rtol=1e-5)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("spin, mode", CASES)
def test_gradients(name, spin, mode):
    sht = plan(spin, mode)
    given, factor = random_input(sht, name), random_output(sht, name)
    judge = gradient_by_differences(lambda x: real_dot(getattr(sht, name)(x), factor), given)
    made, = jax.vjp(lambda x: getattr(aj, name)(sht, x), given)[1](factor.conj())
    assert relative(np.asarray(made), judge.conj()) < 1e-13


@pytest.mark.parametrize("name", ["synthesis", "adjoint_synthesis"])
@pytest.mark.parametrize("case", POINTS)
def test_arbitrary_points(name, case):
    points = POINTS[case]
    given, factor = random_input(points, name, (2,)), random_output(points, name, (2,))

    def function(x):
        return getattr(aj, name)(points, x)

    np.testing.assert_array_equal(jax.jit(jax.vmap(function))(given), getattr(points, name)(given))
    judge = gradient_by_differences(lambda x: real_dot(getattr(points, name)(x), factor), given)
    made, = jax.vjp(function, given)[1](factor.conj())
    assert relative(np.asarray(made), judge.conj()) < 1e-13


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("layout", [LAYOUT])
def test_values_and_gradient_of_a_square(name, layout):
    sht = plan(2, layout=layout)
    given, factor = random_input(sht, name, (3,)), random_output(sht, name, (3,))
    np.testing.assert_array_equal(getattr(aj, name)(sht, given), getattr(sht, name)(given))

    def loss(x):
        rest = getattr(aj, name)(sht, x) - factor
        return (rest.real ** 2 + rest.imag ** 2).sum()

    def loss_of_numpy(x):
        rest = getattr(sht, name)(x) - factor
        return real_dot(rest, rest)

    judge = gradient_by_differences(loss_of_numpy, given).conj()
    for gradient in (jax.grad(loss), jax.jit(jax.grad(loss))):
        assert relative(np.asarray(gradient(given)), judge) < 1e-12


@pytest.mark.parametrize("name", OPERATORS)
def test_single_precision(name):
    sht = plan(2)
    given, factor = (f(sht, name, (2,), single=True) for f in (random_input, random_output))
    made, back = jax.vjp(lambda x: getattr(aj, name)(sht, x), given)
    assert made.dtype == factor.dtype
    gradient, = back(factor)
    assert gradient.dtype == given.dtype
    _, back = jax.vjp(lambda x: getattr(aj, name)(sht, x),
                      given.astype(np.result_type(given, np.float64)))
    judge, = back(factor.astype(np.result_type(factor, np.float64)))
    assert relative(np.asarray(gradient), np.asarray(judge)) < 1e-6


@pytest.mark.parametrize("name", OPERATORS)
def test_vmap_and_jit(name):
    sht = plan(1)
    given = random_input(sht, name, (4, 3))
    judge = getattr(sht, name)(given)

    def function(x):
        return getattr(aj, name)(sht, x)

    np.testing.assert_array_equal(jax.vmap(jax.vmap(function))(given), judge)
    np.testing.assert_array_equal(jax.jit(jax.vmap(function))(given), judge)
    last = jax.vmap(function, in_axes=-1, out_axes=-1)(np.moveaxis(given, 0, -1))
    np.testing.assert_array_equal(np.moveaxis(last, -1, 0), judge)


def test_second_derivatives():
    sht = plan()
    given = random_input(sht, "analysis", (3,))

    def power(x):
        return (abs(aj.analysis(sht, x)) ** 2).sum()

    matrix = sht.analysis(np.eye(sht.grid.npix))
    judge = 2 * (matrix @ matrix.conj().T).real
    for outer in (jax.jacfwd, jax.jacrev):
        np.testing.assert_allclose(outer(jax.grad(power))(given[0]), judge, atol=1e-13)
    each = jax.jit(jax.vmap(jax.grad(power)))(given)
    np.testing.assert_allclose(each, [jax.grad(power)(x) for x in given], rtol=1e-12)
    transposed = jax.linear_transpose(lambda x: aj.analysis(sht, x), given[0])
    np.testing.assert_allclose(transposed(matrix[0])[0], jax.vjp(
        lambda x: aj.analysis(sht, x), given[0])[1](matrix[0])[0], rtol=1e-14)


@pytest.mark.parametrize("grid", RADIAL)
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(grid, name):
    radial = RADIAL[grid]
    given, factor = np.random.default_rng(1).standard_normal((2, *radial.map_shape))
    method = getattr(radial, CONVOLUTIONS[name])

    def function(x):
        return getattr(aj, name)(radial, x)

    np.testing.assert_array_equal(jax.jit(function)(given), method(given))
    np.testing.assert_array_equal(jax.vmap(function)(np.stack([given, factor])),
                                  method(np.stack([given, factor])))
    check_grads(function, (given,), 1, eps=1)  # linear: any step will do
    check_grads(lambda x: function(x) ** 2, (given,), 2, rtol=1e-5)
    gradient, = jax.jit(jax.vjp(function, given)[1])(factor)
    judge = gradient_by_differences(lambda x: real_dot(method(x), factor), given)
    assert relative(np.asarray(gradient), judge) < 1e-13
    single, back = jax.vjp(function, given.astype("f4"))
    assert single.dtype == back(factor.astype("f4"))[0].dtype == np.float32
    assert relative(np.asarray(back(factor.astype("f4"))[0]), judge) < 1e-6


@pytest.mark.parametrize("spins", COUPLINGS)
def test_couplings(spins):
    """A likelihood of pseudo-spectra: compiled, batched, with gradients of any order."""
    coupling, given = COUPLINGS[spins], random_spectra(spins, (3,))
    for function, judge in ((aj.couple, coupling.couple),
                            (aj.adjoint_couple, coupling.couple_adjoint)):
        def apply(x, function=function):
            return function(coupling, x)

        np.testing.assert_array_equal(jax.jit(apply)(given), judge(given))
        np.testing.assert_array_equal(jax.jit(jax.vmap(apply))(given), judge(given))
        check_grads(apply, (given,), 1, eps=1)  # linear: any step will do
        check_grads(lambda x: apply(x) ** 2, (given,), 2, rtol=1e-5)
    single, back = jax.vjp(lambda x: aj.couple(coupling, x), given[0].astype("f4"))
    assert single.dtype == back(given[1].astype("f4"))[0].dtype == np.float32
    assert relative(np.asarray(back(given[1].astype("f4"))[0]),
                    coupling.couple_adjoint(given[1])) < 1e-6
    with pytest.raises(ValueError, match="couple: the input has shape"):
        aj.couple(coupling, jnp.zeros(5))


def test_beams():
    """Linear in the sky and in the beam: compiled, batched, with gradients of any order."""
    plan, sky, beam, samples = sight()

    def apply(one, other):
        return aj.convolve_beams(plan, one, other)

    np.testing.assert_array_equal(jax.jit(apply)(sky, beam), plan.convolve(sky, beam))
    np.testing.assert_array_equal(apply(sky, beam), plan.convolve(sky, beam))
    skies = np.stack([sky, 2 * sky])
    for in_axes, given in (((0, None), (skies, beam)), ((None, 0), (sky, np.stack([beam] * 2)))):
        made = jax.jit(jax.vmap(apply, in_axes))(*given)
        np.testing.assert_array_equal(made, plan.convolve(*given))
    check_grads(apply, (sky, beam), 2, eps=1e-4)
    check_grads(lambda *each: aj.adjoint_convolve_beams(plan, *each), (samples, beam), 2,
                eps=1e-4)
    gradient = jax.grad(lambda x: apply(skies, x).sum())(beam)
    weights = _sighted.weights(plan, "beam")
    judge = 3 * weights * plan.beam_adjoint(np.ones(samples.shape), sky)
    assert relative(np.conj(np.asarray(gradient)), judge) < 1e-13
    single = apply(sky.astype("c8"), beam.astype("c8"))
    assert single.dtype == np.float32
    assert jax.jit(apply)(skies[:0], beam).shape == (0, len(samples))
    with pytest.raises(ValueError, match="beam: has shape"):
        apply(sky, sky)


def test_large_arrays_in_a_compiled_loop():
    import armilla
    sht = armilla.SHT(armilla.Grid.healpix(128), 128)
    given = np.random.default_rng(1).standard_normal(sht.map_shape)

    @jax.jit
    def iterate(x):
        return jax.lax.fori_loop(0, 3, lambda _, y: aj.synthesis(sht, aj.analysis(sht, y)), x)

    judge = given
    for _ in range(3):
        judge = sht.synthesis(sht.analysis(judge))
    assert relative(np.asarray(iterate(given)), judge) < 1e-14


def test_wrong_inputs():
    sht = plan()
    with pytest.raises(TypeError, match="float64, must have complex64 or complex128"):
        aj.synthesis(sht, jnp.zeros(sht.alm_shape))
    with pytest.raises(TypeError, match="complex128, must have float32 or float64"):
        aj.analysis(sht, jnp.zeros(sht.map_shape, complex))
    with pytest.raises(TypeError, match="complex128, must have float32 or float64"):
        aj.convolve(RADIAL["gauss"], jnp.zeros(72, complex))
    with pytest.raises(ValueError, match=r"convolve: .* shape \(5,\), must have \(\.\.\., 72\)"):
        aj.convolve(RADIAL["gauss"], jnp.zeros(5))
    with pytest.raises(ValueError, match=r"has shape \(3,\), must have \(\.\.\., 20\)"):
        jax.jit(lambda x: aj.synthesis(sht, x))(jnp.zeros(3, complex))


# --- Positions ------------------------------------------------------------------------------------


def directional(call, primals, seed):
    """Difference quotient along a random direction, and what jvp says of it."""
    rng = np.random.default_rng(seed)
    steps = tuple(rng.standard_normal(np.shape(x)) + (1j * rng.standard_normal(np.shape(x))
                                                      if np.iscomplexobj(x) else 0)
                  for x in primals)
    up, down = (call(*(x + 1e-5 * sign * t for x, t in zip(primals, steps))) for sign in (1, -1))
    return (up - down) / 2e-5, jax.jvp(call, primals, steps)[1], steps


@pytest.mark.parametrize("kind, spin", [("points", 0), ("points", 2), ("lens", 1), ("lens", 3)])
def test_gradients_of_positions(kind, spin):
    """Of coefficients and of positions at once, forward and reverse, of the operator and of its
    transpose. A pole is among the deflected places; differences cannot go beyond one."""
    alm, places, values = positions.inputs(kind, spin, (2,))
    more, options = positions.options(kind, spin)
    if kind == "points":
        places, values = places[1:], values[..., 1:]
    for function, given in zip(positions.functions(aj, kind), (alm, values)):
        call = jax.jit(lambda x, y, function=function: function(x, y, *more, **options))
        judge, made, steps = directional(call, (given, places), 1)
        assert relative(np.asarray(made), np.asarray(judge)) < 1e-6
        factor = np.random.default_rng(2).standard_normal(made.shape)
        back = jax.grad(lambda x, y: (call(x, y).real * factor).sum(), (0, 1))(given, places)
        here = sum((g * t).sum().real for g, t in zip(back, steps))
        assert abs(here / (made.real * factor).sum() - 1) < 1e-10


@pytest.mark.parametrize("kind, spin", [("points", 1), ("lens", 2)])
def test_second_derivatives_of_positions(kind, spin):
    alm, places, values = positions.inputs(kind, spin)
    more, options = positions.options(kind, spin)
    if kind == "points":
        places, values = places[1:], values[..., 1:]
    call = positions.functions(aj, kind)[0]
    gradient = jax.jit(jax.grad(lambda y: (call(alm, y, *more, **options) * values).sum()))
    judge, made, _ = directional(gradient, (places,), 3)
    assert relative(np.asarray(made), np.asarray(judge)) < 1e-6


@pytest.mark.parametrize("kind", ["points", "lens"])
def test_compiled_and_batched_positions(kind):
    alm, places, values = positions.inputs(kind, 2, (3,))
    more, options = positions.options(kind, 2)
    function = positions.functions(aj, kind)[0]
    several = np.stack([places, 0.99 * places])

    def call(x, y):
        return function(x, y, *more, **options)

    judge = np.stack([call(alm, y) for y in several])
    np.testing.assert_array_equal(jax.jit(jax.vmap(call, (None, 0)))(alm, several), judge)
    np.testing.assert_array_equal(jax.vmap(call, (0, None), 0)(alm, places), judge[0])
    each = jax.vmap(jax.grad(lambda x, y: (call(x, y) * values).sum(), 1), (None, 0))(alm, several)
    alone = jax.jit(jax.grad(lambda y: (call(alm, y) * values).sum()))(several[1])
    np.testing.assert_allclose(each[1], alone, rtol=1e-12, atol=1e-12)


def test_deflections_of_coefficients():
    """From the potential's coefficients to a lensed map, and the gradient all the way back."""
    sht = plan(1, "gradient_only", "healpix")
    alm = random_input(plan(2), "synthesis")
    dlm = 0.02 * random_input(sht, "synthesis", seed=4)

    def loss(x):
        made = aj.lens(alm, aj.synthesis(sht, x), sht.grid, lmax=sht.lmax, mmax=sht.mmax, spin=2,
                       epsilon=1e-12)
        return (made ** 3).sum()

    check_grads(loss, (dlm,), 1, eps=1e-6, rtol=1e-6)
    judge = armilla.Lensing(sht.grid, dlm, sht.lmax, 2, 1e-12, sht.mmax, kind="vector",
                            deflection_lmax=sht.lmax, deflection_mmax=sht.mmax).alm2lenmap(alm)
    made = aj.lens(alm, aj.synthesis(sht, dlm), sht.grid, lmax=sht.lmax, mmax=sht.mmax, spin=2,
                   epsilon=1e-12)
    assert relative(np.asarray(made), judge) < 1e-12


def test_wrong_positions():
    alm, places, values = positions.inputs("points", 2)
    options = positions.options("points", 2)[1]
    with pytest.raises(TypeError, match="alm: has type float64, must have complex64 or complex128"):
        aj.synthesis_general(values, places, **options)
    with pytest.raises(TypeError, match="values: has type complex128, must have float32 or"):
        aj.adjoint_synthesis_general(alm, places, **options)
    with pytest.raises(ValueError, match=r"values: has shape \(2, 5\), must have \(..., 2, 6\)"):
        aj.adjoint_synthesis_general(values[:, 1:], places, **options)
    with pytest.raises(ValueError, match=r"deflection: has shape \(6, 2\), must have \(2, 12\)"):
        aj.lens(alm, places, positions.GRID, **options)
