"""armilla.torch: gradients of the operators, and armilla._linear against differences."""
import subprocess
import sys

import numpy as np
import pytest

import armilla
from armilla import _linear
from gradients import (CASES, CONVOLUTIONS, LAYOUT, LMAX, OPERATORS, POINTS, RADIAL, TO_MAP,
                       gradient_by_differences, plan, random_input, random_output, real_dot)
from helpers import relative

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
