"""Plans of real, conjugate and scaled coefficients in Python, and what is refused."""
import pickle

import numpy as np
import pytest

import armilla
from armilla._linear import operate

LMAX = 12
GRID = armilla.Grid.gauss_legendre(LMAX + 1, 2 * LMAX + 1)
ALM = armilla.alm.random(LMAX, np.ones(LMAX + 1), seed=2)
SIGN = (-1.0) ** np.arange(LMAX + 1)


def test_real_coefficients_are_those_of_to_real():
    usual, real = armilla.SHT(GRID, LMAX), armilla.SHT(GRID, LMAX, form="real")
    packed = armilla.alm.to_real(ALM)
    assert real.alm_shape == packed.shape == (real.describe().alm_size,)
    sky = usual.synthesis(ALM)
    np.testing.assert_allclose(real.synthesis(packed), sky, atol=1e-13)
    np.testing.assert_allclose(real.analysis(sky), packed, atol=1e-13)
    np.testing.assert_allclose(real.adjoint_synthesis(sky) @ packed, sky @ sky, rtol=1e-13)
    few = real.analysis(sky.astype(np.float32))
    assert few.dtype == np.float32 and real.synthesis(few).dtype == np.float32
    np.testing.assert_allclose(few, packed, atol=1e-5)
    many = real.synthesis(np.stack([packed, 2 * packed]))
    np.testing.assert_allclose(many[1], 2 * sky, atol=1e-13)
    with pytest.raises(TypeError, match="alm: must be real"):
        real.synthesis(ALM)


def test_geodesy_and_schmidt():
    root = np.full(LMAX + 1, np.sqrt(4 * np.pi))
    sht = armilla.SHT(GRID, LMAX, form="real", conjugate=True, degree_scale=root, order_scale=SIGN)
    sky = armilla.SHT(GRID, LMAX).synthesis(ALM)
    made = sht.analysis(sky)[LMAX + 1:LMAX + 3]
    a = ALM[armilla.alm.index(LMAX, 1, 1)]
    np.testing.assert_allclose(made, -np.sqrt(2 / (4 * np.pi)) * np.array([a.real, -a.imag]),
                               atol=1e-14)
    norm = np.sqrt(4 * np.pi / (2 * np.arange(LMAX + 1) + 1))
    schmidt = armilla.SHT(GRID, LMAX, degree_scale=norm)
    l = np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])
    np.testing.assert_allclose(schmidt.analysis(sky), np.sqrt((2 * l + 1) / (4 * np.pi)) * ALM,
                               atol=1e-13)
    for plan in (sht, schmidt):
        again = pickle.loads(pickle.dumps(plan))
        np.testing.assert_array_equal(again.analysis(sky), plan.analysis(sky))


@pytest.mark.parametrize("how, error, words", [
    ({"form": "cosines"}, ValueError, "form"),
    ({"form": "real", "layout": armilla.Layout(LMAX)}, ValueError, "layout"),
    ({"degree_scale": np.ones(LMAX)}, ValueError, "degree_scale: has shape"),
    ({"order_scale": np.zeros(LMAX + 1)}, ValueError, r"order_scale\[0\] = 0"),
])
def test_refusals(how, error, words):
    with pytest.raises(error, match=words):
        armilla.SHT(GRID, LMAX, **how)


def test_iteration_is_refused():
    real = armilla.SHT(GRID, LMAX, form="real")
    with pytest.raises(NotImplementedError, match="form = 'real': pseudo_analysis"):
        real.pseudo_analysis(np.ones(real.map_shape))


@pytest.mark.parametrize("package", ["torch", "jax"])
@pytest.mark.parametrize("sht, words", [(armilla.SHT(GRID, LMAX, form="real"), "form"),
                                        (armilla.ComplexSHT(GRID, LMAX), "ComplexSHT")])
def test_networks_refuse_other_coefficients(package, sht, words):
    pytest.importorskip(package)
    functions = pytest.importorskip(f"armilla.{package}")
    kind = np.float64 if words == "form" else np.complex128
    given = np.zeros(sht.alm_shape, kind)
    if package == "torch":
        given = pytest.importorskip("torch").from_numpy(given)
    with pytest.raises(NotImplementedError, match=words):
        functions.synthesis(sht, given)


@pytest.mark.parametrize("sht, words", [(armilla.SHT(GRID, LMAX, form="real"), "form"),
                                        (armilla.ComplexSHT(GRID, LMAX), "ComplexSHT")])
def test_linear_maps_refuse_other_coefficients(sht, words):
    with pytest.raises(NotImplementedError, match=words):
        operate(sht, "synthesis", np.zeros(sht.alm_shape))
