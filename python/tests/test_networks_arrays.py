"""How layers take and give arrays: channels last, grids by name, ecTrans' coefficients, winds."""
import warnings

import numpy as np
import pytest
from gradients import real_dot

import armilla
from network_layers import (NAMES, aj, apply, at, close, frameworks, jax, layer_of, needs_jax,
                            needs_programs, needs_torch, random_alm, random_map, torch)

RADIUS = armilla.wind.EARTH_RADIUS_ECMWF
# A layer's first arguments and its options. Programs take long to compile: few cases have one.
CASES = {"channels": ((5, 6, 3), {"channels_last": True}),
         "flat": ((5, 6, 3), {"flat": True, "norm": "ectrans"}),
         "pairs": ((5, 6, 3), {"layout": "ectrans", "norm": "schmidt"}),
         "winds": ((5, 6, 3), {"kind": "wind", "radius": 3.0}),
         "all": ((), {"grid": "O2", "lmax": 2, "norm": "ectrans", "layout": "ectrans",
                      "channels_last": True})}
EVERY = [(name, case) for case in CASES for name in (NAMES if case != "winds" else NAMES[2:])]
SOME = [("RealSHT", "channels"), ("InverseRealSHT", "pairs"), ("InverseRealVectorSHT", "winds"),
        ("RealVectorSHT", "all")]
every_case = pytest.mark.parametrize("name, case", EVERY)
some_cases = pytest.mark.parametrize("name, case", SOME)


def layer_and_input(framework, name, case, lead=(2,)):
    """With what is given to it, and random numbers of the shape of what it makes."""
    args, options = CASES[case]
    layer = layer_of(framework, name, *args, **options)
    frame = layer._frame
    channels = (3,) if frame.channels_last else ()
    rng = np.random.default_rng(1)

    def numbers(shape, is_alm):
        made = rng.standard_normal(lead + shape + channels)
        if is_alm and not frame.is_packed:
            made = made + 1j * rng.standard_normal(made.shape)
        return made

    sides = [numbers(frame.alm_shape, True), numbers(frame.map_shape, False)]
    return layer, *(sides if frame.to_map else sides[::-1])


def pairs(matrix):
    """[l, m] in the order of ecTrans, written out."""
    size = matrix.shape[-1]
    made = [part for m in range(size) for l in range(m, size)
            for part in (matrix[..., l, m].real, matrix[..., l, m].imag)]
    return np.stack(made, -1)


# --- Numbers --------------------------------------------------------------------------------------

@frameworks
@pytest.mark.parametrize("name", NAMES)
def test_channels_last(framework, name):
    """As with channels in front, and what is made is no copy that is turned."""
    first = layer_of(framework, name, grid="F4", lmax=4)
    last = layer_of(framework, name, grid="F4", lmax=4, channels_last=True)
    frame = first._frame
    given = np.random.default_rng(2).standard_normal(
        (2, 5, *(frame.alm_shape if frame.to_map else frame.map_shape)))
    given = given + 0.5j * given if frame.to_map else given
    judge = np.moveaxis(apply(first, given), 1, -1)
    made = apply(last, np.moveaxis(given, 1, -1))
    assert np.array_equal(made, judge)
    if framework == "torch":
        assert np.moveaxis(made, -1, 1).flags.c_contiguous
    for wrong in (given[:1, 0], np.moveaxis(given, 1, -1)[..., None]):
        with pytest.raises(ValueError, match=r"must have \(.*, channels\): .*channels$"):
            apply(last, wrong)
    empty = apply(last, np.moveaxis(given, 1, -1)[..., :0])
    assert empty.shape == judge.shape[:-1] + (0,)


@frameworks
@pytest.mark.parametrize("name, npix, lmax", [("o32", 5248, 32), ("N32", 6114, 32),
                                              ("F16", 2048, 16), ("H8", 768, 16)])
def test_grids_by_name(framework, name, npix, lmax):
    """Fields last and flat, [.., points, variables], as Anemoi has them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error" if name[0] != "H" else "ignore", armilla.ExactnessWarning)
        forward = layer_of(framework, "RealSHT", grid=name, lmax=lmax, channels_last=True,
                           flat=True)
    back = layer_of(framework, "InverseRealSHT", grid=name, lmax=lmax, channels_last=True,
                    flat=True)
    alm = np.moveaxis(random_alm("RealSHT", lmax, (1, 2, 3)), 2, -1)
    maps = apply(back, alm)
    assert maps.shape == (1, 2, npix, 3)
    theta, phi = armilla.Grid.named(name).pixels()
    assert np.allclose(apply(forward, np.cos(theta)[:, None])[1, 0, 0], np.sqrt(4 * np.pi / 3),
                       rtol=1e-12 if name[0] != "H" else 1e-2)
    if name[0] != "H":
        alm[..., 0, :].imag = 0
        close(apply(forward, maps), alm * np.tril(np.ones((lmax, lmax)))[..., None], 1e-12)


@frameworks
@pytest.mark.parametrize("grid", ["O8", "N32"])
def test_numbers_of_ectrans(framework, grid):
    """3 + 2 sin b + cos b (cos l - 5 sin l) in functions whose mean square is 1: sqrt(3) sin b and
    sqrt(3 / 2) cos b exp(i l). Degrees 0, 1, 2 of order 0, 1 and 2 of order 1, 2 of order 2."""
    theta, phi = armilla.Grid.named(grid).pixels()
    sky = 3 + 2 * np.cos(theta) + np.sin(theta) * (np.cos(phi) - 5 * np.sin(phi))
    judge = np.array([3, 0, 2 / 3 ** 0.5, 0, 0, 0, 1 / 6 ** 0.5, 5 / 6 ** 0.5, 0, 0, 0, 0])
    ectrans = {"grid": grid, "lmax": 3, "norm": "ectrans"}
    made = apply(layer_of(framework, "RealSHT", layout="ectrans", **ectrans), sky)
    assert made.dtype == np.float64 and np.abs(made - judge).max() < 1e-13
    matrix = apply(layer_of(framework, "RealSHT", **ectrans), sky)
    assert np.abs(pairs(matrix) - judge).max() < 1e-13
    close(apply(layer_of(framework, "InverseRealSHT", layout="ectrans", **ectrans), judge), sky)
    close(apply(layer_of(framework, "InverseRealSHT", **ectrans), matrix), sky)
    signed = apply(layer_of(framework, "RealSHT", csphase=True, **ectrans), sky)
    assert np.abs(signed[1, 1] + matrix[1, 1]) < 1e-13
    packed = armilla.SHT(grid, 9).analysis(sky)
    judge = armilla.conventions.convert(packed, "healpy", "ifs")
    made = apply(layer_of(framework, "RealSHT", layout="ectrans", **{**ectrans, "lmax": 10}), sky)
    close(made, judge.view(float).ravel())


@frameworks
@pytest.mark.parametrize("name", NAMES)
def test_pairs_are_the_matrix(framework, name):
    """Of any norm, in double and in single precision."""
    to_map = name.startswith("Inverse")
    given = random_alm(name, 5) if to_map else random_map(name, 9, 16)
    for kind in (np.float64, np.float32):
        one = given.astype(np.result_type(kind, np.complex64) if to_map else kind)
        for norm, sign in (("ortho", None), ("schmidt", False)):
            options = {"lmax": 5, "norm": norm, "csphase": sign}
            matrix = layer_of(framework, name, 9, 16, **options)
            packed = layer_of(framework, name, 9, 16, layout="ectrans", **options)
            judge = apply(matrix, one)
            made = apply(packed, pairs(one) if to_map else one)
            assert made.dtype == kind
            close(made, judge if to_map else pairs(judge), 1e-13 if kind == np.float64 else 5e-7)


@frameworks
def test_winds(framework):
    """Solid rotation and its like along the meridians, closed forms; any field, against
    armilla.Wind."""
    theta, phi = armilla.Grid.named("O16").pixels()
    forward = layer_of(framework, "RealVectorSHT", grid="O16", lmax=16, kind="wind",
                       norm="ectrans")
    assert forward.radius == RADIUS
    eastward = np.stack([20 * np.sin(theta), 0 * theta])
    vorticity, divergence = apply(forward, eastward)
    judge = np.zeros((16, 16), complex)
    judge[1, 0] = 2 * 20 / RADIUS / np.sqrt(3)  # 2 U / R times the sine of the latitude
    assert np.abs(vorticity - judge).max() < 1e-12 * judge[1, 0].real
    assert np.abs(divergence).max() < 1e-12 * judge[1, 0].real
    vorticity, divergence = apply(forward, eastward[::-1].copy())
    assert np.abs(divergence + judge).max() < 1e-12 * judge[1, 0].real
    assert np.abs(vorticity).max() < 1e-12 * judge[1, 0].real

    plan = armilla.Wind("O16", 15, radius=3.0)
    rng = np.random.default_rng(3)
    alm = rng.standard_normal((2, 16, 16)) + 1j * rng.standard_normal((2, 16, 16))
    options = {"grid": "O16", "lmax": 16, "kind": "wind", "radius": 3.0}
    wind = apply(layer_of(framework, "InverseRealVectorSHT", **options), alm)
    back = layer_of(framework, "InverseRealSHT", grid="O16", lmax=16)
    alm[:, 0] = 0  # no wind has a mean of these
    vorticity, divergence = plan.vorticity_divergence(*wind)
    close(apply(back, alm), np.stack([vorticity, divergence]), 1e-12)
    made = apply(layer_of(framework, "RealVectorSHT", **options), wind)
    alm[..., 0].imag = 0
    close(made, np.tril(alm), 1e-12)
    single = apply(layer_of(framework, "RealVectorSHT", **options), wind.astype(np.float32))
    assert single.dtype == np.complex64
    close(single, made, 1e-6)


# --- Derivatives and programs ---------------------------------------------------------------------

@frameworks
@every_case
def test_gradients(framework, name, case):
    """Layers are linear: a gradient times any step is what the step makes."""
    layer, given, factor = layer_and_input(framework, name, case, (1,))
    if framework == "torch":
        leaf = torch.from_numpy(given).requires_grad_()
        layer(leaf).backward(torch.from_numpy(factor))
        gradient = leaf.grad.resolve_conj().numpy()
    else:
        gradient = np.asarray(jax.vjp(layer, given)[1](factor.conj())[0]).conj()
    for step in (given, given ** 3):
        judge = real_dot(apply(layer, step), factor)
        assert abs(real_dot(gradient, step) - judge) < 1e-13 * np.abs(gradient * step).sum()


@needs_torch
@some_cases
def test_second_derivatives_of_torch(name, case):
    """The Hessian of a square, times a step, is the gradient at the step."""
    layer, given, _ = layer_and_input("torch", name, case, (1,))
    leaf, step = torch.from_numpy(given).requires_grad_(), torch.from_numpy(given ** 3)

    def slope(x):
        return torch.autograd.grad(layer(x).abs().square().sum(), x, create_graph=True)[0]

    judge = slope(step.clone().requires_grad_()).detach()
    made, = torch.autograd.grad((slope(leaf).conj() * step).real.sum(), leaf)
    close(made.resolve_conj().numpy(), judge.resolve_conj().numpy())


@needs_jax
@some_cases
def test_programs_of_jax(name, case):
    """jit, vmap over any axis, and a Hessian of a square, which is the gradient at the step."""
    layer, given, _ = layer_and_input("jax", name, case, (2, 3))
    slope = jax.grad(lambda x: (abs(layer(x)) ** 2).sum())

    @jax.jit
    def program(x, step):
        return (jax.vmap(layer)(x), jax.vmap(layer, in_axes=1, out_axes=1)(x),
                jax.jvp(slope, (x,), (step,))[1], slope(step))

    first, second, hessian, judge = map(np.asarray, program(given, given ** 3))
    close(first, apply(layer, given))
    close(second, first)
    close(hessian, judge)


@needs_programs
@some_cases
def test_programs_of_torch(name, case):
    """compile with a gradient, export, vmap."""
    layer, given, _ = layer_and_input("torch", name, case, (2, 3))
    torch.compiler.reset()
    program = torch.compile(layer, fullgraph=True, backend="aot_eager")
    seen = []
    for function in (layer, program):
        leaf = torch.from_numpy(given.copy()).requires_grad_()
        made = function(leaf)
        made.abs().square().sum().backward()
        seen.append((made.detach().numpy(), leaf.grad.resolve_conj().numpy()))
    for one, other in zip(*seen):
        close(one, other)
    tensor = torch.from_numpy(given)
    exported = torch.export.export(layer, (tensor,))
    assert "armilla.operator" in str(exported)
    close(exported.module()(tensor).numpy(), seen[0][0])
    close(torch.vmap(layer, in_dims=1, out_dims=1)(tensor).numpy(), seen[0][0])


# --- What is refused ------------------------------------------------------------------------------

@frameworks
@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments(framework, name):
    def refused(words, error=ValueError, **options):
        with pytest.raises(error, match=words):
            layer_of(framework, name, 9, 16, **options)

    refused("layout = 'triangle': must be one of matrix, ectrans", layout="triangle")
    refused("norm = 'ifs': must be one of ortho, four-pi, schmidt, unnorm, ectrans", norm="ifs")
    if "Vector" not in name:
        refused("kind", error=TypeError, kind="wind")
        return
    refused("kind = 'winds': must be one of potentials, wind", kind="winds")
    refused("radius: is of winds alone", radius=2.0)
    for radius in (0, -1.0, np.nan, np.inf):
        refused("radius = .*: must be finite and positive", kind="wind", radius=radius)
    refused("radius = '6': must be a real number", error=TypeError, kind="wind", radius="6")


@frameworks
def test_pairs_are_real(framework):
    layer = layer_of(framework, "InverseRealSHT", 9, 16, 5, layout="ectrans")
    with pytest.raises(TypeError, match="complex128.*float64"):
        apply(layer, np.zeros(15, complex))
    with pytest.raises(ValueError, match=r"must have \(\.\.\., 30\): real and imaginary parts"):
        apply(layer, np.zeros(15))


@pytest.mark.parametrize("framework, name, words", [
    pytest.param("torch", "DistributedRealSHT", r"RealSHT\(\.\., group='world'\)",
                 marks=pytest.mark.skipif(at is None, reason="no PyTorch")),
    pytest.param("jax", "ShardedInverseRealSHT", r"InverseRealSHT\(\.\., axis=\.\., shards=\.\.\)",
                 marks=pytest.mark.skipif(aj is None, reason="no JAX"))])
def test_names_of_before(framework, name, words):
    with pytest.raises(AttributeError, match=words):
        layer_of(framework, name)
