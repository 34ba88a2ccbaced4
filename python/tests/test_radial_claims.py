"""What docs/radial.md says of constants, and of what lies beyond a support."""
import numpy as np
import pytest

import armilla
import armilla.healpy
from armilla import Kernel, Radial


@pytest.mark.parametrize("kernel", [Kernel.gaussian(0.03), Kernel.gaussian(0.12),
                                    Kernel.gaussian(0.155), Kernel.tophat(0.02),
                                    Kernel.tophat(0.15), Kernel.tophat(0.3),
                                    Kernel.table([0, 0.05, 0.1], [1, 0.5, 0])])
@pytest.mark.parametrize("pol", [False, True])
def test_constants_stay_under_narrow_kernels(kernel, pol):
    """Kernels below a pixel (0.0654) and a little wider: with all pixels, and without one."""
    m = np.full((3, 3072) if pol else 3072, 5.0)
    sky = m if not pol else m * [[1], [0], [0]]
    np.testing.assert_allclose(armilla.convolve(sky, kernel, pol=pol), sky, rtol=1e-12, atol=1e-12)
    holed = sky.copy()
    holed[..., 77] = armilla.io.UNSEEN
    np.testing.assert_allclose(armilla.convolve(holed, kernel, pol=pol)[..., 78:], sky[..., 78:],
                               rtol=1e-12, atol=1e-12)
    if not pol:
        np.testing.assert_allclose(Radial(armilla.Grid.healpix(16), kernel).convolve(sky), sky,
                                   rtol=1e-12)


@pytest.mark.parametrize("kernel, more", [
    (Kernel.window(armilla.spectrum.gaussian_beam(0.03, 400)), {}),
    (Kernel.mexican_hat(0.02), {}), (Kernel.gaussian(0.03), {"normalization": "integral"})])
def test_kernels_below_a_pixel_that_keep_no_constants_are_said(kernel, more):
    """The first one, a beam given by its window, makes 20 of 5: its rounding is negative somewhere,
    so that it is not normalized."""
    with pytest.warns(UserWarning, match="kernel: is 0.0.* narrower than a pixel, 0.064 rad"):
        made = armilla.convolve(np.full(3072, 5.0), kernel, **more)
    assert np.abs(made - 5).max() > 1


def test_what_lies_beyond_the_support():
    """By pixels nothing of a value gets there; by rings rounding does, on the rings in reach, and a
    NaN on all of these and on a few next to them."""
    nside, support = 16, np.radians(37)
    grid = armilla.Grid.healpix(nside)
    there = np.array(armilla.healpy.pix2vec(nside, np.arange(grid.npix)))
    pixel, theta = 5 * nside * nside, np.arccos(there[2])
    angle = np.arccos(np.clip(there[:, pixel] @ there, -1, 1))
    side = np.sqrt(4 * np.pi / grid.npix)
    point, hole = np.zeros(grid.npix), np.zeros(grid.npix)
    point[pixel], hole[pixel] = 1, np.nan
    for method in ("pixels", "rings"):
        plan = Radial(grid, Kernel.gaussian(np.radians(10)), support, method=method)
        made, lost = plan.convolve(point), np.isnan(plan.convolve(hole, missing="propagate"))
        beyond = angle > support + 1e-9
        far = np.abs(theta - theta[pixel]) - support
        assert lost[angle < support - 1e-9].all() and not lost[far > 5 * side].any()
        if method == "pixels":
            assert np.all(made[beyond] == 0) and not lost[angle > support + 3 * side].any()
        else:
            assert 0 < np.abs(made[beyond]).max() < 1e-15 * made.max()
            assert np.all(made[far > 1e-9] == 0)
