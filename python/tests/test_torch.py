"""armilla.torch: gradients of the operators, and armilla._linear against differences."""
import subprocess
import sys

import numpy as np
import pytest

import armilla
import positions
from armilla import _linear, _sighted
from couplings import COUPLINGS, random_spectra
from gradients import (CASES, CONVOLUTIONS, LAYOUT, LMAX, OPERATORS, POINTS, RADIAL, TO_MAP,
                       gradient_by_differences, plan, random_input, random_output, real_dot,
                       sight)
from helpers import random_alm, relative

try:
    import torch
except ImportError:
    torch = None
else:
    from armilla import torch as at
needs_torch = pytest.mark.skipif(torch is None, reason="no PyTorch")
needs_torch_2 = pytest.mark.skipif(not hasattr(torch, "func"), reason="no PyTorch 2")


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("spin, mode", [(0, "standard"), (2, "standard")])
@pytest.mark.parametrize("layout", [None, LAYOUT])
def test_rule_of_the_gradient(name, spin, mode, layout):
    """The formulas of armilla._linear with nothing but NumPy."""
    sht = plan(spin, mode, layout=layout)
    given, factor = random_input(sht, name), random_output(sht, name)
    judge = gradient_by_differences(lambda x: real_dot(getattr(sht, name)(x), factor), given)
    weights = _linear.alm_weights(sht, "f8")
    adjoint = getattr(sht, _linear.ADJOINT[name])
    made = weights * adjoint(factor) if name in TO_MAP else adjoint(factor / weights)
    assert relative(made, judge) < 1e-13


def test_without_the_framework():
    for name, word in (("torch", "PyTorch"), ("jax", "JAX")):
        code = (f"import sys; sys.modules['{name}'] = None\n"
                f"import armilla\n"
                f"try:\n    import armilla.{name}\n"
                f"except ImportError as error:\n    assert '{word}: pip install {name}' in "
                f"str(error)\nelse:\n    raise AssertionError")
        subprocess.run([sys.executable, "-c", code], check=True)


def tensor(values, gradient=True):
    return torch.from_numpy(np.array(values)).requires_grad_(gradient)


@needs_torch
@pytest.mark.parametrize("grid", ["gauss", "healpix", "MW"])
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("spin, mode", CASES)
def test_gradcheck(grid, name, spin, mode):
    sht = plan(spin, mode, grid)
    values = tensor(random_input(sht, name))
    torch.autograd.gradcheck(lambda x: getattr(at, name)(sht, x), values, fast_mode=True,
                             check_forward_ad=True)
    torch.autograd.gradgradcheck(lambda x: getattr(at, name)(sht, x), values, fast_mode=True)


@needs_torch
@pytest.mark.parametrize("name", ["synthesis", "adjoint_synthesis"])
@pytest.mark.parametrize("case", POINTS)
def test_arbitrary_points(name, case):
    points = POINTS[case]
    given = random_input(points, name, (2,))
    values = tensor(given)
    made = getattr(at, name)(points, values)
    np.testing.assert_array_equal(made.detach().numpy(), getattr(points, name)(given))
    torch.autograd.gradcheck(lambda x: getattr(at, name)(points, x), values, fast_mode=True,
                             check_forward_ad=True)


@needs_torch
@pytest.mark.parametrize("name", OPERATORS)
def test_gradcheck_of_every_element(name):
    for sht in (plan(), plan(layout=LAYOUT)):
        values = tensor(random_input(sht, name))
        torch.autograd.gradcheck(lambda x: getattr(at, name)(sht, x), values)


@needs_torch
@pytest.mark.parametrize("name", OPERATORS)
def test_values_and_gradient_of_a_square(name):
    sht = plan(2)
    given, factor = random_input(sht, name, (3,)), random_output(sht, name, (3,))
    values = tensor(given)
    made = getattr(at, name)(sht, values)
    np.testing.assert_array_equal(made.detach().numpy(), getattr(sht, name)(given))
    (made - torch.from_numpy(factor)).abs().square().sum().backward()

    def loss(x):
        rest = getattr(sht, name)(x) - factor
        return real_dot(rest, rest)

    assert relative(values.grad.numpy(), gradient_by_differences(loss, given)) < 1e-12


@needs_torch
@pytest.mark.parametrize("name", OPERATORS)
def test_single_precision(name):
    sht = plan(2)
    given, factor = (f(sht, name, (2,), single=True) for f in (random_input, random_output))
    values = tensor(given)
    made = getattr(at, name)(sht, values)
    assert made.detach().numpy().dtype == factor.dtype
    made.backward(torch.from_numpy(factor))
    assert values.grad.dtype == values.dtype
    double = tensor(given.astype(np.result_type(given, np.float64)))
    wide = factor.astype(np.result_type(factor, np.float64))
    getattr(at, name)(sht, double).backward(torch.from_numpy(wide))
    assert relative(values.grad.numpy(), double.grad.numpy()) < 1e-6


@needs_torch_2
@pytest.mark.parametrize("name", OPERATORS)
def test_vmap(name):
    sht = plan(1)
    given = random_input(sht, name, (4, 3))
    judge = getattr(sht, name)(given)
    values = tensor(given, False)
    twice = torch.vmap(torch.vmap(lambda x: getattr(at, name)(sht, x)))
    np.testing.assert_array_equal(twice(values).numpy(), judge)
    last = torch.vmap(lambda x: getattr(at, name)(sht, x), in_dims=-1, out_dims=-1)
    made = last(values.movedim(0, -1)).movedim(-1, 0)
    np.testing.assert_array_equal(made.numpy(), judge)


@needs_torch_2
def test_gradients_of_transforms():
    """torch.func: a gradient for each of several inputs; a Hessian, which is 2 Y^T Y."""
    sht = plan()
    given = tensor(random_input(sht, "analysis", (3,)), False)

    def power(x):
        return at.analysis(sht, x).abs().square().sum()

    each = torch.vmap(torch.func.grad(power))(given)
    alone = [torch.func.grad(power)(x).numpy() for x in given]
    np.testing.assert_allclose(each.numpy(), alone, rtol=1e-12)
    matrix = at.analysis(sht, torch.eye(sht.grid.npix, dtype=torch.float64))
    judge = 2 * (matrix @ matrix.conj().T).real
    for outer in (torch.func.jacfwd, torch.func.jacrev):
        np.testing.assert_allclose(outer(torch.func.grad(power))(given[0]), judge, atol=1e-13)


@needs_torch
@pytest.mark.parametrize("grid", RADIAL)
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_gradcheck_of_convolutions(grid, name):
    radial = RADIAL[grid]
    values = tensor(np.random.default_rng(1).standard_normal((2,) + radial.map_shape))
    function = getattr(at, name)
    made = function(radial, values)
    judge = getattr(radial, CONVOLUTIONS[name])(values.detach().numpy())
    np.testing.assert_array_equal(made.detach().numpy(), judge)
    torch.autograd.gradcheck(lambda x: function(radial, x), values, fast_mode=True,
                             check_forward_ad=True)
    torch.autograd.gradcheck(lambda x: function(radial, x), values[0])
    torch.autograd.gradgradcheck(lambda x: function(radial, x ** 2), values, fast_mode=True)


@needs_torch
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_single_precision_of_convolutions(name):
    radial = RADIAL["healpix"]
    given, factor = np.random.default_rng(1).standard_normal((2, *radial.map_shape)).astype("f4")
    values = tensor(given)
    made = getattr(at, name)(radial, values)
    made.backward(torch.from_numpy(factor))
    assert made.dtype == values.grad.dtype == torch.float32
    transposed = {"convolve": radial.adjoint, "adjoint_convolve": radial.convolve}[name]
    assert relative(values.grad.numpy(), transposed(factor.astype("f8"))) < 1e-6


@needs_torch_2
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_vmap_of_convolutions(name):
    radial = RADIAL["gauss"]
    values = tensor(np.random.default_rng(1).standard_normal((4,) + radial.map_shape), False)
    function = getattr(at, name)
    np.testing.assert_array_equal(torch.vmap(lambda x: function(radial, x))(values).numpy(),
                                  function(radial, values).numpy())


@needs_torch
@pytest.mark.parametrize("spins", COUPLINGS)
def test_couplings(spins):
    """Gradients of any order, and the precision of the input."""
    coupling, given = COUPLINGS[spins], random_spectra(spins, (2,))
    values = tensor(given)
    for function, judge in ((at.couple, coupling.couple),
                            (at.adjoint_couple, coupling.couple_adjoint)):
        np.testing.assert_array_equal(function(coupling, values).detach().numpy(), judge(given))
        torch.autograd.gradcheck(lambda x, f=function: f(coupling, x), values,
                                 check_forward_ad=True)
        torch.autograd.gradgradcheck(lambda x, f=function: f(coupling, x ** 2), values,
                                     fast_mode=True)
    single = tensor(given.astype("f4"))
    made = at.couple(coupling, single)
    made.sum().backward()
    assert made.dtype == single.grad.dtype == torch.float32
    assert relative(made.detach().numpy(), coupling.couple(given)) < 1e-6
    with pytest.raises(ValueError, match="couple: the input has shape"):
        at.couple(coupling, torch.zeros(5))


@needs_torch
def test_beams():
    """Linear in the sky and in the beam: gradients in both, of any order; leading axes."""
    plan, sky, beam, samples = sight()
    given = [tensor(each) for each in (sky, beam)]
    made = at.convolve_beams(plan, *given)
    assert np.array_equal(made.detach().numpy(), plan.convolve(sky, beam))
    assert torch.autograd.gradcheck(lambda *each: at.convolve_beams(plan, *each), given)
    assert torch.autograd.gradgradcheck(lambda *each: at.convolve_beams(plan, *each), given)
    back = [tensor(each) for each in (samples, beam)]
    assert np.array_equal(at.adjoint_convolve_beams(plan, *back).detach().numpy(),
                          plan.adjoint(samples, beam))
    assert torch.autograd.gradcheck(lambda *each: at.adjoint_convolve_beams(plan, *each), back)
    many = tensor(np.stack([sky, 2 * sky]))
    at.convolve_beams(plan, many, given[1]).sum().backward()
    ones = np.ones(samples.shape)
    weights = _sighted.weights(plan, "beam")
    assert relative(given[1].grad.numpy(), 3 * weights * plan.beam_adjoint(ones, sky)) < 1e-13
    single = at.convolve_beams(plan, many.detach().to(torch.complex64),
                               given[1].detach().to(torch.complex64))
    assert single.dtype == torch.float32
    for wrong, words in (((samples, beam), "sky: has type"), ((sky, sky), "beam: has shape")):
        with pytest.raises((TypeError, ValueError), match=words):
            at.convolve_beams(plan, *(tensor(each, False) for each in wrong))
    with pytest.raises(TypeError, match="beam: .* must have the precision of sky"):
        at.convolve_beams(plan, given[0], given[1].detach().to(torch.complex64))


@needs_torch_2
def test_vmap_of_beams():
    plan, sky, beam, _ = sight()
    skies, fixed = tensor(np.stack([sky, 2 * sky, 3 * sky]), False), tensor(beam, False)
    made = torch.vmap(lambda x: at.convolve_beams(plan, x, fixed))(skies)
    assert np.array_equal(made.numpy(), plan.convolve(skies.numpy(), beam))


@needs_torch
def test_descent_recovers_coefficients():
    sht = plan(2)
    truth = sht.analysis(sht.synthesis(random_input(sht, "synthesis")))
    data = torch.from_numpy(sht.synthesis(truth))
    alm = torch.zeros(sht.alm_shape, dtype=torch.complex128, requires_grad=True)
    weight = torch.from_numpy(np.repeat(sht.grid.rings["weight"], sht.grid.rings["nphi"]))
    for _ in range(60):
        loss = (weight * (at.synthesis(sht, alm) - data) ** 2).sum()
        alm.grad = None
        loss.backward()
        with torch.no_grad():
            alm -= 0.25 * alm.grad
    assert relative(alm.detach().numpy(), truth) < 1e-10


@needs_torch
def test_lazy_conjugates_and_strides():
    sht = plan()
    given = random_input(sht, "synthesis", (4,))
    values = torch.from_numpy(given)
    np.testing.assert_array_equal(at.synthesis(sht, values.conj()), sht.synthesis(given.conj()))
    np.testing.assert_array_equal(at.synthesis(sht, values[::2]), sht.synthesis(given[::2]))
    assert tuple(at.synthesis(sht, values[:0]).shape) == (0,) + sht.map_shape


@needs_torch
def test_wrong_inputs():
    sht = plan()
    with pytest.raises(TypeError, match="synthesis: .* torch.float64, must have torch.complex64"):
        at.synthesis(sht, torch.zeros(sht.alm_shape, dtype=torch.float64))
    with pytest.raises(TypeError, match="torch.complex64, must have torch.float32"):
        at.analysis(sht, torch.zeros(sht.map_shape, dtype=torch.complex64))
    with pytest.raises(TypeError, match="torch.complex64, must have torch.float32"):
        at.convolve(RADIAL["gauss"], torch.zeros(5, dtype=torch.complex64))
    with pytest.raises(ValueError, match=r"convolve: .* shape \(5,\), must have \(\.\.\., 72\)"):
        at.convolve(RADIAL["gauss"], torch.zeros(5))
    with pytest.raises(TypeError, match="torch.Tensor, not ndarray"):
        at.analysis(sht, np.zeros(sht.map_shape))
    with pytest.raises(ValueError, match=r"has shape \(3,\), must have \(\.\.\., 20\)"):
        at.synthesis(sht, torch.zeros(3, dtype=torch.complex64))
    with pytest.raises(ValueError, match="on meta, must be on the CPU"):
        at.analysis(sht, torch.zeros(sht.map_shape, device="meta"))
    assert LMAX == sht.lmax and armilla.alm.size(LMAX, 4) == 20


# --- Positions ------------------------------------------------------------------------------------


@needs_torch
@pytest.mark.parametrize("spin", positions.SPINS)
@pytest.mark.parametrize("kind", ["points", "lens"])
def test_gradcheck_of_positions(kind, spin):
    """Of coefficients and of positions at once, forward and reverse, and twice; of the transpose,
    too. A pole is among the points, and stays there: differences cannot go beyond it."""
    alm, places, values = (tensor(x) for x in positions.inputs(kind, spin, (2,)))
    more, options = positions.options(kind, spin)
    if kind == "points":
        places = tensor(places.detach().numpy()[1:])
        values = tensor(values.detach().numpy()[..., 1:])
    for function, given in zip(positions.functions(at, kind), (alm, values)):
        def call(x, y, function=function):
            return function(x, y, *more, **options)

        torch.autograd.gradcheck(call, (given, places), eps=1e-5, atol=1e-4, rtol=1e-5,
                                 fast_mode=True, check_forward_ad=True)
        torch.autograd.gradgradcheck(call, (given, places), eps=1e-5, atol=1e-4, rtol=1e-5,
                                     fast_mode=True)


@needs_torch
@pytest.mark.parametrize("kind", ["points", "lens"])
def test_every_position(kind):
    """Not along one random direction, as above, but element by element."""
    alm, places, _ = positions.inputs(kind, 2)
    more, options = positions.options(kind, 2)
    call = positions.functions(at, kind)[0]
    places = tensor(places[1:] if kind == "points" else places)
    torch.autograd.gradcheck(lambda x: call(tensor(alm, False), x, *more, **options), places,
                             eps=1e-5, atol=1e-6, rtol=1e-6)


@needs_torch
@pytest.mark.parametrize("kind", ["points", "lens"])
def test_single_precision_of_positions(kind):
    alm, places, values = positions.inputs(kind, 2, single=True)
    more, options = positions.options(kind, 2)
    options["epsilon"] = 1e-6
    grads = []
    for wide in (False, True):
        x = tensor(alm.astype("D") if wide else alm)
        y, factor = tensor(places), tensor(values.astype("d") if wide else values, False)
        made = positions.functions(at, kind)[0](x, y, *more, **options)
        assert made.dtype == factor.dtype
        (made * factor).sum().backward()
        assert x.grad.dtype == x.dtype and y.grad.dtype == y.dtype
        grads.append([made.detach().numpy(), x.grad.numpy(), y.grad.numpy()])
    for single, double in zip(*grads):
        assert relative(single, double) < 1e-5


@needs_torch_2
def test_vmap_of_positions():
    alm, places, _ = positions.inputs("points", 2, (3,))
    more, options = positions.options("points", 2)
    several = np.stack([places, 0.99 * places])

    def call(x, y):
        return at.synthesis_general(x, y, *more, **options)

    made = torch.vmap(call, in_dims=(0, None))(tensor(alm, False), tensor(places, False))
    np.testing.assert_array_equal(made, call(tensor(alm, False), tensor(places, False)))
    made = torch.vmap(call, in_dims=(None, 0))(tensor(alm[0], False), tensor(several, False))
    np.testing.assert_array_equal(made[1], call(tensor(alm[0], False), tensor(several[1], False)))


@needs_torch
def test_a_deflection_is_found_by_descent():
    """The potential's coefficients, from a lensed map of a known field."""
    sht = armilla.SHT(armilla.Grid.healpix(8), 6, spin=1, mode="gradient_only")
    alm = tensor(random_alm(12), False)
    truth = tensor(1e-2 * random_alm(6, seed=3), False)
    truth[0] = 0
    more = dict(lmax=12, epsilon=1e-9)
    seen = at.lens(alm, at.synthesis(sht, truth), sht.grid, **more).detach()
    parts = torch.zeros(len(truth), 2, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([parts], max_iter=30, line_search_fn="strong_wolfe")

    def loss():
        optimizer.zero_grad()
        dlm = torch.view_as_complex(parts)
        made = at.lens(alm, at.synthesis(sht, dlm), sht.grid, **more)
        value = ((made - seen) ** 2).mean()
        value.backward()
        return value

    optimizer.step(loss)
    assert relative(torch.view_as_complex(parts.detach()).numpy(), truth.numpy()) < 1e-2


@needs_torch
def test_wrong_positions():
    alm, places, values = (tensor(x, False) for x in positions.inputs("points", 2))
    more, options = positions.options("points", 2)
    with pytest.raises(TypeError, match="alm: has type torch.float64, must have torch.complex64"):
        at.synthesis_general(values, places, **options)
    with pytest.raises(TypeError, match="values: has type torch.complex128, must have torch.float"):
        at.adjoint_synthesis_general(alm, places, **options)
    with pytest.raises(TypeError, match="loc: must be a torch.Tensor, not ndarray"):
        at.synthesis_general(alm, places.numpy(), **options)
    with pytest.raises(ValueError, match="loc: is on meta, must be on the CPU"):
        at.synthesis_general(alm, places.to("meta"), **options)
    with pytest.raises(ValueError, match=r"loc: has shape \(2, 6\), must have \(npoints, 2\)"):
        at.synthesis_general(alm, places.T, **options)
    with pytest.raises(ValueError, match=r"deflection: has shape \(6, 2\), must have \(2, 12\)"):
        at.lens(alm, places, positions.GRID, **options)
    with pytest.raises(ValueError, match=r"alm: has shape \(27,\), must have \(..., 2, 27\)"):
        at.synthesis_general(alm[0], places, **options)
    with pytest.raises(ValueError, match="spin = -1: must be 0 to lmax = 6"):
        at.synthesis_general(alm, places, **{**options, "spin": -1})
    with pytest.raises(TypeError, match="grid: must be an armilla.Grid or its name, not int"):
        at.lens(alm, places, 8, **options)


@needs_torch
@pytest.mark.parametrize("spin", [0, 1, 2])
@pytest.mark.parametrize("to_map", [True, False])
def test_gradients_by_positions_where_the_spin_is_the_band_limit(spin, to_map):
    """There is no field of a higher spin; a constant has no gradient."""
    loc = torch.from_numpy(positions.LOC[1:])
    rng = np.random.default_rng(1)
    size = armilla.alm.size(spin)
    tail = ((2,) if spin else ()) + (size if to_map else len(loc),)
    given = torch.from_numpy(rng.standard_normal(tail) + 1j * rng.standard_normal(tail))
    given = (given if to_map else given.real).clone()
    call = at.synthesis_general if to_map else at.adjoint_synthesis_general

    def run(values, places):
        made = call(values, places, lmax=spin, spin=spin, epsilon=positions.EPSILON)
        return torch.view_as_real(made) if made.is_complex() else made

    assert torch.autograd.gradcheck(run, (given.requires_grad_(), loc.requires_grad_()), eps=1e-5,
                                    atol=1e-7, rtol=1e-6, check_forward_ad=True)


@needs_torch
@pytest.mark.parametrize("spin", [0, 2])
def test_gradients_without_points(spin):
    ncomp = (2,) if spin else ()
    places = torch.zeros((0, 2), dtype=torch.float64, requires_grad=True)
    alm = torch.zeros(ncomp + (15,), dtype=torch.complex128, requires_grad=True)
    seen = at.synthesis_general(alm, places, lmax=4, spin=spin)
    seen.sum().backward()
    assert seen.shape == ncomp + (0,) and places.grad.shape == (0, 2)
    assert alm.grad.shape == alm.shape and not alm.grad.abs().any()
    values = torch.zeros(ncomp + (0,), dtype=torch.float64, requires_grad=True)
    made = at.adjoint_synthesis_general(values, places, lmax=4, spin=spin)
    made.abs().sum().backward()
    assert not made.abs().any() and values.grad.shape == values.shape
