"""A map of a grid that is a rectangle may have two axes wherever maps are taken, and calls from
maps to maps return what they got: each with the bits of the flat call."""
import importlib

import numpy as np
import pytest

import armilla
from armilla import Grid, Kernel, filters

LMAX = 11
# A rectangle, one with gaps between its rows, and one whose rows are meridians.
GRIDS = {"rows": Grid.gauss_legendre(12, 24),
         "gaps": Grid.gauss_legendre(12, 24).laid_out(ring_stride=27),
         "columns": Grid.gauss_legendre(12, 24).laid_out(order="theta")}
WIND = {name: armilla.Wind(grid, LMAX, mean="ignore") for name, grid in GRIDS.items()}
_PHI = armilla.alm.random(LMAX, 1e-6 / np.arange(1, LMAX + 2.0) ** 4, seed=5)


def radial(grid, **more):
    return armilla.Radial(grid, Kernel.gaussian(0.5), **more)



# Calls with two maps, scalars that are not missing, and what they give: maps, or anything else.
TO_MAPS = {
    "vorticity_divergence": lambda grid, a, b: grid.vorticity_divergence(a, b),
    "from_vorticity_divergence": lambda grid, a, b: grid.from_vorticity_divergence(a, b),
    "potentials": lambda grid, a, b: grid.potentials(a, b),
    "from_potentials": lambda grid, a, b: grid.from_potentials(a, b),
    "helmholtz": lambda grid, a, b: grid.helmholtz(a, b),
    "gradient": lambda grid, a, b: grid.gradient(a),
    "laplacian": lambda grid, a, b: grid.laplacian(a),
    "inverse_laplacian": lambda grid, a, b: grid.inverse_laplacian(a),
}
ON_GRIDS = {
    "convolve": lambda grid, a, b: radial(grid).convolve(a),
    "with weights": lambda grid, a, b: radial(grid).convolve(a, weights=np.abs(b)),
    "masked": lambda grid, a, b: radial(grid).convolve(np.ma.masked_where(b > 0.5, a)),
    "adjoint": lambda grid, a, b: radial(grid).adjoint(a),
    "many": lambda grid, a, b: armilla.convolve_many(a, [radial(grid), radial(grid, mode="exact")]),
    "asymmetric": lambda grid, a, b: armilla.Asymmetric(
        grid, Kernel.gaussian(0.5), [[0.1, 0.0]], [1.0]).convolve(a),
    "filter": lambda grid, a, b: filters.MatchedFilter(
        np.ones(LMAX + 1), np.ones(LMAX + 1)).apply(a, grid),
}
TO_VALUES = {
    "analysis": lambda grid, a, b: armilla.SHT(grid, LMAX).analysis(a),
    "energy": lambda grid, a, b: armilla.Wind(grid, LMAX).energy_spectrum(a, b),
    "interpolate": lambda grid, a, b: armilla.interpolate(a, grid, [[1.0, 2.0]], lmax=LMAX),
    "lensing": lambda grid, a, b: armilla.Lensing(grid, _PHI, LMAX).adjoint(a),
    "complex": lambda grid, a, b: armilla.ComplexSHT(grid, LMAX).analysis(a + 1j * b),
    "maxima": lambda grid, a, b: filters.maxima(a, grid),
    "fields": lambda grid, a, b: armilla.fields.analysis(a, grid, LMAX),
}


def two_maps(grid):
    """Flat and with two axes; at places that are no pixels there is 0."""
    sht = armilla.SHT(grid, LMAX)
    flat = [sht.synthesis(armilla.alm.random(LMAX, seed=seed)) for seed in (1, 2)]
    return flat, [grid.to_2d(one) for one in flat]


def maps_of(result):
    return list(result) if isinstance(result, tuple) else [result]


def check(call, of, grid):
    flat, square = two_maps(grid)
    want, got = maps_of(call(of, *flat)), maps_of(call(of, *square))
    for one, other in zip(want, got):
        assert one.shape[-1:] == (grid.npix,) and other.shape == one.shape[:-1] + grid.shape_2d
        assert np.array_equal(grid.to_2d(np.asarray(one)), np.asarray(other))


@pytest.mark.parametrize("layout", GRIDS)
@pytest.mark.parametrize("call", TO_MAPS)
def test_winds_have_the_axes_that_were_given(call, layout):
    check(TO_MAPS[call], WIND[layout], GRIDS[layout])


@pytest.mark.parametrize("layout", GRIDS)
@pytest.mark.parametrize("call", ON_GRIDS)
def test_maps_have_the_axes_that_were_given(call, layout):
    check(ON_GRIDS[call], GRIDS[layout], GRIDS[layout])


@pytest.mark.parametrize("layout", GRIDS)
@pytest.mark.parametrize("call", TO_VALUES)
def test_maps_with_two_axes_are_taken(call, layout):
    if call == "fields" and layout == "gaps":
        return  # fields have no gaps: their one axis is as long as a map
    flat, square = two_maps(GRIDS[layout])
    for one, other in zip(maps_of(TO_VALUES[call](GRIDS[layout], *flat)),
                          maps_of(TO_VALUES[call](GRIDS[layout], *square))):
        assert one.shape == other.shape and np.array_equal(one, other)


def test_leading_axes_lists_and_single_precision():
    grid = GRIDS["rows"]
    (one, two), squares = two_maps(grid)
    plan, winds = radial(grid), WIND["rows"]
    both = plan.convolve(np.stack(squares).astype(np.float32))
    assert both.shape == (2, 12, 24) and both.dtype == np.float32
    assert np.array_equal(plan.convolve(squares[0].tolist()), grid.to_2d(plan.convolve(one)))
    levels = np.stack([np.stack(squares)] * 3)
    assert winds.potentials(levels, levels)[0].shape == (3, 2, 12, 24)
    pair = radial(grid, spin=2).convolve(np.stack(squares))
    assert np.array_equal(pair, grid.to_2d(radial(grid, spin=2).convolve(np.stack([one, two]))))


@pytest.mark.parametrize("layout", GRIDS)
def test_outputs_have_either_shape(layout):
    grid = GRIDS[layout]
    (one, _), (square, _) = two_maps(grid)
    plan, want = radial(grid), radial(grid).convolve(one)
    for given in (one, square):
        flat_out, square_out = np.zeros(grid.npix), np.zeros(grid.shape_2d)
        assert plan.convolve(given, out=flat_out) is flat_out
        assert plan.convolve(given, out=square_out) is square_out
        assert np.array_equal(grid.to_2d(flat_out), grid.to_2d(want))
        assert np.array_equal(square_out, grid.to_2d(want))


@pytest.mark.parametrize("layout", GRIDS)
@pytest.mark.parametrize("made", [lambda grid: armilla.ComplexSHT(grid, LMAX),
                                  lambda grid: armilla.ComplexSHT(grid, LMAX, spin=2),
                                  lambda grid: armilla.RotationGroup(grid, LMAX, 1),
                                  lambda grid: armilla.RotationGroup(grid, LMAX, 0)])
def test_maps_from_coefficients_go_to_outputs_with_two_axes(made, layout):
    grid = GRIDS[layout]
    plan = made(grid)
    alm = np.random.default_rng(3).standard_normal((2, *plan.alm_shape)) + 0j
    for call in (plan.synthesis, plan.adjoint_analysis):
        want = call(alm)
        packed, turned = np.empty_like(grid.to_2d(want), order="C"), np.empty_like(
            grid.to_2d(want), order="F")
        for out in (packed, turned, np.zeros_like(want)):
            assert call(alm, out=out) is out
            assert np.array_equal(out, grid.to_2d(want) if out.ndim > want.ndim else want)
        one = np.empty_like(packed[1])
        assert call(alm[1], out=one) is one and np.array_equal(one, packed[1])
        with pytest.raises(ValueError, match="out: has shape"):
            call(alm, out=packed[:1])
    for call in (plan.analysis, plan.adjoint_synthesis):
        assert np.array_equal(call(packed), call(grid.from_2d(packed)))


def test_a_map_of_deflections_and_samples_of_rotations():
    grid = GRIDS["rows"]
    flat, squares = two_maps(grid)
    small = 1e-3 * np.stack(flat)
    lensed = [armilla.Lensing(grid, given, LMAX, kind="map").alm2lenmap(_PHI)
              for given in (small, grid.to_2d(small))]
    assert lensed[0].shape == (grid.npix,) and np.array_equal(*lensed)
    out = np.zeros(grid.shape_2d)
    assert armilla.Lensing(grid, small, LMAX, kind="map").alm2lenmap(_PHI, out=out) is out
    assert np.array_equal(out, grid.to_2d(lensed[0]))
    group = armilla.RotationGroup(grid, LMAX, 1)
    samples = np.stack([flat[0], flat[1], flat[0]])
    assert np.array_equal(group.analysis(samples), group.analysis(grid.to_2d(samples)))


def test_wrong_shapes_are_still_refused():
    grid = GRIDS["rows"]
    wrong = np.ones((24, 12))
    for call in (radial(grid).convolve, WIND["rows"].gradient,
                 lambda map: armilla.interpolate(map, grid, [[1.0, 2.0]])):
        with pytest.raises(ValueError, match=r"map: has shape \(24, 12\)"):
            call(wrong)
    with pytest.raises(ValueError, match="weights: has shape"):
        radial(grid).convolve(np.ones((12, 24)), weights=wrong)
    healpix = radial("H4")
    with pytest.raises(ValueError, match="map: has shape"):
        healpix.convolve(np.ones((12, 16)))


def framework(name):
    pytest.importorskip(name)
    module = importlib.import_module(f"armilla.{name}")
    if name == "jax":
        return module, np.float32
    import torch
    return module, lambda values: torch.tensor(values, dtype=torch.float32)


@pytest.mark.parametrize("name", ["jax", "torch"])
def test_arrays_of_frameworks(name):
    module, made = framework(name)
    grid = GRIDS["rows"]
    (flat, _), (square, _) = two_maps(grid)
    sht, plan = armilla.SHT(grid, LMAX), radial(grid)
    for call in (lambda map: module.analysis(sht, map), lambda map: module.convolve(plan, map)):
        want, got = np.asarray(call(made(flat))), np.asarray(call(made(square)))
        assert got.shape == (want.shape if want.size == sht.alm_shape[0] else grid.shape_2d)
        assert np.array_equal(got.ravel(), want)
    turned = grid.laid_out(order="theta", south_first=True)
    assert np.array_equal(np.asarray(module.analysis(armilla.SHT(turned, LMAX), made(flat))),
                          np.asarray(module.analysis(armilla.SHT(turned, LMAX),
                                                     made(flat.reshape(turned.shape_2d)))))
    with pytest.raises(ValueError, match=r"has shape \(12, 24\), must have \(..., 321\)"):
        module.convolve(radial(GRIDS["gaps"]), made(square))
