"""armilla.convolve_many: several kernels on the same maps, against Radial.convolve; arrays."""
import numpy as np
import pytest

import armilla
from armilla import Kernel, Radial

GRID = armilla.Grid.healpix(8)
WIDTHS = (0.3, 0.9, 0.5)
PLANS = [Radial(GRID, Kernel.gaussian(w), support=np.pi, normalization="none") for w in WIDTHS]
SKY = np.random.default_rng(3).standard_normal((2, 3, GRID.npix))


def one_by_one(plans, sky):
    return np.stack([plan.convolve(sky) for plan in plans])


@pytest.mark.parametrize("method", ("auto", "pixels", "rings"))
@pytest.mark.parametrize("kind,error", ((np.float64, 1e-14), (np.float32, 2e-7)))
def test_results_are_those_of_each_plan(method, kind, error):
    plans = [Radial(GRID, Kernel.gaussian(w), support=np.pi, method=method) for w in WIDTHS]
    sky = SKY.astype(kind)
    many, alone = armilla.convolve_many(sky, plans), one_by_one(plans, sky)
    assert many.shape == (3, 2, 3, GRID.npix) and many.dtype == kind
    np.testing.assert_allclose(many, alone, rtol=0, atol=error * np.abs(alone).max())


def test_spin_2():
    plans = [Radial(GRID, Kernel.gaussian(w), spin=2) for w in WIDTHS]
    sky = SKY[:, :2]
    many, alone = armilla.convolve_many(sky, plans), one_by_one(plans, sky)
    np.testing.assert_allclose(many, alone, rtol=0, atol=1e-14 * np.abs(alone).max())


def test_outputs_with_strides():
    wide = np.full((3, 2, 3, GRID.npix + 5), 9.0)
    out = wide[..., :GRID.npix]
    assert armilla.convolve_many(SKY, PLANS, out=out) is out
    alone = one_by_one(PLANS, SKY)
    np.testing.assert_allclose(out, alone, rtol=0, atol=1e-14 * np.abs(alone).max())
    assert (wide[..., GRID.npix:] == 9).all()


def test_refusals():
    with pytest.raises(ValueError, match="radials: has no plan"):
        armilla.convolve_many(SKY, [])
    with pytest.raises(TypeError, match="radials: must be armilla.Radial"):
        armilla.convolve_many(SKY, [PLANS[0], 3])
    with pytest.raises(ValueError, match=r"radials\[1\]: has another spin"):
        armilla.convolve_many(SKY, [PLANS[0], Radial(GRID, Kernel.gaussian(1), spin=2)])
    with pytest.raises(ValueError, match=r"radials\[1\]: has another grid"):
        armilla.convolve_many(SKY, [PLANS[0], Radial(armilla.Grid.healpix(4), Kernel.gaussian(1))])
    with pytest.raises(ValueError, match="map: "):
        armilla.convolve_many(SKY[..., 1:], PLANS)
    holes = SKY.copy()
    holes[1, 2, 7] = np.nan
    with pytest.raises(ValueError, match="map"):
        armilla.convolve_many(holes, PLANS)
