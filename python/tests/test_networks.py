"""The layers of armilla.torch and armilla.jax: numbers, gradients, types, refusals."""
import copy
import pickle
import warnings

import networks_judge
import numpy as np
import pytest
from gradients import gradient_by_differences, real_dot

import armilla
import network_layers
from armilla import _networks
from network_layers import (NAMES, aj, apply, at, close, frameworks, jax, layer_of, needs_jax,
                            needs_programs, needs_torch, random_alm, random_map, torch)

GRIDS = ("equiangular", "legendre-gauss", "lobatto")
JUDGES = {"RealSHT": networks_judge.analysis, "InverseRealSHT": networks_judge.synthesis,
          "RealVectorSHT": networks_judge.vector_analysis,
          "InverseRealVectorSHT": networks_judge.vector_synthesis}


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error", armilla.ExactnessWarning)
        yield


@frameworks
@pytest.mark.parametrize("norm, csphase", [("ortho", True), ("schmidt", False), ("unnorm", True),
                                           ("four-pi", False)])
@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_textbooks(framework, name, grid, norm, csphase):
    nlat, nlon = 15, 12  # size 7: the last order has two pixels a wave
    size = 7
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that order is not exact
        layer = layer_of(framework, name, nlat, nlon, size, size, grid, norm, csphase)
    if name.startswith("Inverse"):
        given = random_alm(name, size)
        judge = JUDGES[name](given, grid, nlat, nlon, norm, csphase)
    else:
        given = random_map(name, nlat, nlon)
        judge = JUDGES[name](given, size, grid, norm, csphase)
    close(apply(layer, given), judge)


@pytest.mark.parametrize("nlat", [2, 3, 4, 7, 100, 721])
def test_lobatto(nlat):
    rings = _networks._lobatto(nlat, 4).rings
    weight, x = rings["weight"] * 2 / np.pi, np.cos(rings["theta"])
    for l in (0, 2, 4, 2 * nlat - 4, 2 * nlat - 3):  # exact up to 2 nlat - 3
        value = np.polynomial.legendre.Legendre.basis(l)(x)
        assert abs(weight @ value - (2 if l == 0 else 0)) < 4e-14 or l > 2 * nlat - 3
    if nlat < 30:
        theta, judge = networks_judge.rows("lobatto", nlat)
        np.testing.assert_allclose(rings["theta"], theta, atol=1e-13)
        np.testing.assert_allclose(weight, judge, rtol=1e-12)


@frameworks
@pytest.mark.parametrize("grid, quadrature", [(grid, "weights") for grid in GRIDS]
                         + [("equiangular", "exact")])
@pytest.mark.parametrize("name", ["RealSHT", "RealVectorSHT"])
def test_analysis_inverts_synthesis(framework, name, grid, quadrature):
    """By the degrees that a layer has by default; with the exact rule by twice as many."""
    nlat, nlon = 33, 66
    size = nlat - 1 if quadrature == "exact" else None
    forward = layer_of(framework, name, nlat, nlon, size, grid=grid, quadrature=quadrature)
    back = layer_of(framework, "Inverse" + name, nlat, nlon, size, grid=grid)
    assert forward.lmax == back.lmax == {"weights": {"equiangular": 17, "lobatto": 32,
                                                     "legendre-gauss": 33}[grid],
                                         "exact": 32}[quadrature]
    given = random_alm(name, forward.lmax)
    wanted = np.tril(given)
    wanted[..., 0].imag = 0
    if "Vector" in name:
        wanted[..., 0, :] = 0
    close(apply(forward, apply(back, given)), wanted)


@frameworks
@pytest.mark.parametrize("name", NAMES)
def test_gradients(framework, name):
    layer = layer_of(framework, name, 5, 6, 3, norm="schmidt")
    given = (random_alm(name, 3, (2,)) if name.startswith("Inverse")
             else random_map(name, 5, 6, (2,)))
    factor = (random_map(name, 5, 6, (2,), 2) if name.startswith("Inverse")
              else random_alm(name, 3, (2,), 2))
    judge = gradient_by_differences(lambda x: real_dot(apply(layer, x), factor), given)
    if framework == "torch":
        leaf = torch.from_numpy(given).requires_grad_()
        layer(leaf).backward(torch.from_numpy(factor))
        close(leaf.grad.numpy(), judge)
    else:
        close(np.asarray(jax.vjp(layer, given)[1](factor.conj())[0]), judge.conj())


@needs_torch
@pytest.mark.parametrize("name", NAMES)
def test_gradcheck(name):
    layer = at.__dict__[name](5, 6, 3, grid="legendre-gauss", norm="unnorm", csphase=False)
    given = (random_alm(name, 3, (1,)) if name.startswith("Inverse")
             else random_map(name, 5, 6, (1,)))
    leaf = torch.from_numpy(given).requires_grad_()
    torch.autograd.gradcheck(layer, leaf)
    torch.autograd.gradgradcheck(lambda x: layer(x).abs().square(), leaf)


@needs_torch
def test_second_derivative():
    """The Hessian of a spectral loss, a number of gradients through a gradient."""
    layer = at.RealSHT(5, 6, 3)
    given = torch.from_numpy(random_map("RealSHT", 5, 6, ())).requires_grad_()
    slope, = torch.autograd.grad(layer(given).abs().square().sum(), given, create_graph=True)
    penalty = slope.square().sum()
    penalty.backward()
    matrix = apply(layer, np.eye(30).reshape(30, 5, 6)).reshape(30, -1)
    hessian = 2 * (matrix @ matrix.conj().T).real
    judge = 2 * hessian @ hessian @ given.detach().numpy().ravel()
    close(given.grad.numpy().ravel(), judge)


@needs_jax
def test_programs_of_jax():
    layer = aj.RealSHT(5, 6)
    given = random_map("RealSHT", 5, 6)
    judge = apply(layer, given)
    close(np.asarray(jax.jit(jax.vmap(layer))(given)), judge)
    hessian = jax.jit(jax.hessian(lambda x: (abs(layer(x)) ** 2).sum()))(given[0, 0])
    matrix = apply(layer, np.eye(30).reshape(30, 5, 6)).reshape(30, -1)
    close(np.asarray(hessian).reshape(30, 30), 2 * (matrix @ matrix.conj().T).real)


@frameworks
@pytest.mark.parametrize("name", ["RealSHT", "RealVectorSHT"])
def test_single_and_half_precision(framework, name):
    """Sums are made in double precision: errors are those of rounding input and output."""
    forward = layer_of(framework, name, 33, 64)
    back = layer_of(framework, "Inverse" + name, 33, 64)
    given = random_map(name, 33, 64).astype(np.float32)
    judge = apply(forward, given.astype(float))
    made = apply(forward, given)
    assert made.dtype == np.complex64
    close(made, judge, 3e-7)
    maps = apply(back, made)
    assert maps.dtype == np.float32
    close(maps, apply(back, made.astype(complex)), 3e-7)
    with pytest.raises(TypeError, match="int64.*float16"):
        apply(forward, given.astype(np.int64))
    with pytest.raises(TypeError, match="float32.*complex64"):
        apply(back, given)


@needs_torch
@pytest.mark.parametrize("half", ["bfloat16", "float16"])
def test_half_precision_of_torch(half):
    half = getattr(torch, half)
    layer = at.RealSHT(33, 64, norm="schmidt").to(half)
    rounded = torch.from_numpy(random_map("RealSHT", 33, 64)).to(half)
    leaf = rounded.clone().requires_grad_()
    made = layer(leaf)
    assert made.dtype == torch.complex64
    close(made.detach().numpy(), layer(rounded.double()).numpy(), 3e-7)
    made.abs().square().sum().backward()
    assert leaf.grad.dtype == half


@needs_jax
def test_half_precision_of_jax():
    layer = aj.RealSHT(33, 64, norm="schmidt")
    rounded = jax.numpy.asarray(random_map("RealSHT", 33, 64), "bfloat16")
    made = layer(rounded)
    assert made.dtype == "complex64"
    close(np.asarray(made), np.asarray(layer(rounded.astype("float64"))), 3e-7)
    assert jax.grad(lambda x: (abs(layer(x)) ** 2).sum())(rounded).dtype == "bfloat16"


@frameworks
def test_grids_of_the_library(framework):
    """One axis of pixels, also on octahedral rings, which have 20 + 4 i pixels."""
    x, w = np.polynomial.legendre.leggauss(16)
    nphi = 20 + 4 * np.minimum(np.arange(16), np.arange(16)[::-1])
    octahedral = armilla.Grid.custom(np.arccos(x[::-1]), nphi, weight=w[::-1] * 2 * np.pi / nphi)
    for grid, size in ((octahedral, 8), (armilla.Grid.healpix(4), 9),
                       (armilla.Grid.reduced_gauss_legendre(16, 15), 16)):
        forward = layer_of(framework, "RealSHT", grid=grid, lmax=size)
        back = layer_of(framework, "InverseRealSHT", grid=grid, lmax=size)
        given = random_alm("RealSHT", size)
        maps = apply(back, given)
        assert maps.shape == (2, 3, grid.npix)
        packed = np.concatenate([given[..., m:, m] for m in range(size)], axis=-1)
        sht = armilla.SHT(grid, size - 1)
        close(maps, sht.synthesis(packed))
        packed = sht.analysis(maps)
        made = apply(forward, maps)
        close(np.concatenate([made[..., m:, m] for m in range(size)], axis=-1), packed)
        assert np.array_equal(made, np.tril(made))
    regular = layer_of(framework, "RealSHT", grid=armilla.Grid.gauss_legendre(9, 18))
    assert apply(regular, np.ones((9, 18))).shape == (9, 9)


@frameworks
@pytest.mark.parametrize("grid", GRIDS)
def test_rows_from_the_south(framework, grid):
    given = random_map("RealSHT", 9, 16)
    north = layer_of(framework, "RealSHT", 9, 16, 5, grid=grid)
    south = layer_of(framework, "RealSHT", 9, 16, 5, grid=grid, south_first=True)
    close(apply(south, given[..., ::-1, :]), apply(north, given))
    back = layer_of(framework, "InverseRealSHT", 9, 16, 5, grid=grid, south_first=True)
    other = layer_of(framework, "InverseRealSHT", 9, 16, 5, grid=grid)
    alm = random_alm("RealSHT", 5)
    close(apply(back, alm)[..., ::-1, :], apply(other, alm))


@frameworks
def test_latitudes_are_checked(framework):
    rows = np.linspace(90, -90, 9)
    for name in NAMES:
        layer_of(framework, name, 9, 16, latitude=rows)
        layer_of(framework, name, 9, 16, latitude=rows[::-1], south_first=True)
        with pytest.raises(ValueError, match="begins in the south, the grid in the north: "
                                             "south_first=True"):
            layer_of(framework, name, 9, 16, latitude=rows[::-1])
        with pytest.raises(ValueError, match="south_first=False"):
            layer_of(framework, name, 9, 16, latitude=rows, south_first=True)
        with pytest.raises(ValueError, match=r"latitude\[0\] = 1.5708: row 0 .* at 90 degrees"):
            layer_of(framework, name, 9, 16, latitude=np.radians(rows))
        with pytest.raises(ValueError, match=r"latitude\[0\] = 75"):
            layer_of(framework, name, 9, 16, grid="equiangular",
                     latitude=90 - np.degrees(networks_judge.rows("legendre-gauss", 9)[0]).round(2))
        with pytest.raises(ValueError, match=r"latitude: has shape \(8,\), must have \(9,\)"):
            layer_of(framework, name, 9, 16, latitude=rows[1:])
        with pytest.raises(ValueError, match=r"latitude\[3\] = nan"):
            layer_of(framework, name, 9, 16, latitude=np.where(np.arange(9) == 3, np.nan, rows))


@frameworks
@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments(framework, name):
    def refused(words, *args, error=ValueError, **options):
        with pytest.raises(error, match=words):
            layer_of(framework, name, *args, **options)

    refused("grid = 'equiangle': must be one of .*the nearest is 'equiangular'", 9, 16,
            grid="equiangle")
    refused("nearest is 'legendre-gauss'", 9, 16, grid="Legendre-Gauss")
    refused("'equiangular-trapezoidal': is not built", 9, 16, grid="equiangular-trapezoidal")
    refused("grid: must be a word or an armilla.Grid, not int", 9, 16, grid=3, error=TypeError)
    refused("norm = 'othro': must be one of ortho, four-pi, schmidt, unnorm", 9, 16, norm="othro")
    refused("nlat, nlon: must be given", 9)
    refused("nlat = 9: must be left out", 9, grid=armilla.Grid.healpix(4), lmax=5)
    refused("lmax: must be given", grid=armilla.Grid.healpix(4))
    refused("lmax = 0: must be at least 1", 9, 16, 0)
    refused("mmax = 10: must be at most 9, the rings have 16 pixels", 9, 16, 5, 10)
    refused("lmax = 4.5: must be an integer", 9, 16, 4.5, error=TypeError)
    refused("nlat = 1: must be at least 2", 1, 16, grid="lobatto")
    refused("south_first: an armilla.Grid says itself", grid=armilla.Grid.gauss_legendre(9, 18),
            south_first=True)
    refused("has places without a pixel", grid=armilla.Grid.gauss_legendre(9, 18).laid_out(
        ring_stride=20))
    refused("has places without a pixel", lmax=3,
            grid=armilla.Grid.custom([1.0, 2.0], 4, offset=[0, 7]))
    if "Vector" in name:
        refused("lmax = 1: vectors need at least 2 degrees", 9, 16, 1)
    else:
        assert layer_of(framework, name, 9, 16, 1).lmax == 1
    if name.startswith("Inverse"):
        refused("quadrature", 9, 16, quadrature="exact", error=TypeError)
        return
    refused("quadrature = 'best': must be one of weights, exact", 9, 16, quadrature="best")
    refused("quadrature = 'exact': .* has no exact rule for lmax = mmax = 9", 9, 16, 9,
            quadrature="exact")
    refused("quadrature = 'exact'", grid=armilla.Grid.healpix(4), lmax=5, quadrature="exact")


def test_names_of_the_library():
    """Other words than torch-harmonics' go to Grid.named."""
    given = _networks.Arguments(None, None, 9, None, "H4", "ortho", True, False, None)
    frame = _networks.Frame(given, False, "weights")
    assert frame.grid == armilla.Grid.healpix(4) and frame.map_shape == (192,)
    with pytest.raises(ValueError, match="the nearest is 'equiangular'"):
        _networks.Frame(given._replace(grid="equiangle"), False, "weights")


@frameworks
@pytest.mark.parametrize("name", NAMES)
def test_wrong_shapes(framework, name):
    layer = layer_of(framework, name, 9, 16)
    vector = (2,) if "Vector" in name else ()
    right = vector + ((5, 5) if name.startswith("Inverse") else (9, 16))
    kind = np.complex128 if name.startswith("Inverse") else np.float64
    assert apply(layer, np.zeros((0,) + right, kind)).shape[0] == 0
    words = "degrees, orders" if name.startswith("Inverse") else "latitudes, longitudes"
    for wrong in ((3,) + right[:-1] + (right[-1] + 1,), (3,) + right[:-2] + right[:-3:-1][::-1][:1],
                  right[-1:], vector + right[-1:] + right[-2:-1] + (1,)):
        with pytest.raises(ValueError, match=rf"must have .*: .*{words}"):
            apply(layer, np.zeros(wrong, kind))


@frameworks
def test_rules_that_are_not_exact_warn(framework):
    for options in ({"lmax": 8}, {"lmax": 9, "grid": "lobatto"},
                    {"lmax": 9, "grid": "legendre-gauss"}):  # 16 pixels: order 8 has no phase
        with pytest.warns(armilla.ExactnessWarning, match="does not invert synthesis") as told:
            layer_of(framework, "RealSHT", 9, 16, **options)
        assert [one.filename for one in told] == [network_layers.__file__]  # where layer_of calls
        layer_of(framework, "InverseRealSHT", 9, 16, **options)


@needs_torch
def test_modules_of_torch():
    """State, copies, pickles and what print shows."""
    layer = at.RealVectorSHT(9, 16, norm="schmidt")
    assert not layer.state_dict() and not list(layer.parameters())
    given = random_map("RealVectorSHT", 9, 16)
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        np.testing.assert_array_equal(apply(other, given), apply(layer, given))
    assert "lmax=5, mmax=5" in repr(torch.nn.Sequential(layer))
    assert (layer.nlat, layer.nlon, layer.grid, layer.norm, layer.csphase) == (
        9, 16, "equiangular", "schmidt", True)


@needs_programs
@pytest.mark.parametrize("name", NAMES)
def test_torch_compile(name):
    layer = at.__dict__[name](9, 16, norm="schmidt")
    given = (random_alm(name, 5) if name.startswith("Inverse") else random_map(name, 9, 16))
    program = torch.compile(layer, fullgraph=True, backend="aot_eager")
    grads = []
    for function in (layer, program):
        leaf = torch.from_numpy(given.copy()).requires_grad_()
        function(leaf).abs().square().sum().backward()
        grads.append(leaf.grad.resolve_conj().numpy())
    close(*grads)


@needs_torch
def test_torch_harmonics():
    """The package itself, in single and double precision; its factor 1 / (l (l + 1)) of vectors is
    of single precision in any case."""
    theirs = pytest.importorskip("torch_harmonics")
    warnings.simplefilter("ignore")
    for grid in GRIDS:
        for norm in ("ortho", "four-pi", "schmidt", "unnorm"):
            for name in NAMES:
                one = getattr(theirs, name)(33, 64, grid=grid, norm=norm)
                other = at.__dict__[name](33, 64, grid=grid, norm=norm)
                assert (one.lmax, one.mmax) == (other.lmax, other.mmax)
                given = torch.from_numpy(random_alm(name, one.lmax) if "Inverse" in name
                                         else random_map(name, 33, 64))
                bound = 1e-7 if name == "RealVectorSHT" else 1e-13
                close(other(given).numpy(), one(given).numpy(), bound)
                single = given.to(torch.complex64 if "Inverse" in name else torch.float32)
                close(other(single).numpy(), one(single).numpy(), 1e-6)
