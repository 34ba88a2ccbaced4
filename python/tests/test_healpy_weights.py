"""Ring and pixel weights of armilla.healpy from files, against healpy."""
import numpy as np
import pytest

import armilla.healpy as ours
from helpers import relative

hp = pytest.importorskip("healpy", reason="healpy is not installed: nothing to compare with")
fits = pytest.importorskip("astropy.io.fits")
PIXELS, RINGS = {"use_pixel_weights": True}, {"use_weights": True}


def write(path, nside, names, numbers):
    columns = [fits.Column(name, "1D", array=numbers) for name in names]
    table = fits.BinTableHDU.from_columns(columns)
    table.header["NSIDE"] = nside
    table.writeto(path)


@pytest.fixture(params=[1, 2, 4, 8, 16])
def files(request, tmp_path):
    """nside, and a folder with random weights."""
    nside = request.param
    rng = np.random.default_rng(nside)
    (tmp_path / "full_weights").mkdir()
    write(tmp_path / "full_weights" / f"healpix_full_weights_nside_{nside:04d}.fits", nside,
          ["COMPRESSED PIXEL WEIGHTS"], rng.uniform(-0.2, 0.2, (3 * nside + 1) * (nside + 1) // 4))
    write(tmp_path / f"weight_ring_n{nside:05d}.fits", nside,
          ["TEMPERATURE WEIGHTS", "Q-POLARISATION WEIGHTS", "U-POLARISATION WEIGHTS"],
          rng.uniform(-0.2, 0.2, 2 * nside))
    return nside, str(tmp_path)


@pytest.mark.parametrize("kind", [PIXELS, RINGS])
@pytest.mark.parametrize("iter", [0, 2])
def test_weights_from_files(files, kind, iter):
    nside, folder = files
    m = np.random.default_rng(1).standard_normal((3, 12 * nside ** 2))
    m[:, 2] = hp.UNSEEN
    for maps in (m, m[0]):
        for name, more in (("map2alm", {}), ("anafast", {}), ("smoothing", {"fwhm": 0.2}),
                           ("map2alm", {"gal_cut": 10})):
            arguments = dict(lmax=2 * nside, iter=iter, datapath=folder, **kind, **more)
            without = getattr(ours, name)(maps, lmax=2 * nside, iter=0, **more)
            mine, judge, without = (np.where(x == hp.UNSEEN, 0, x) for x in (
                *(getattr(h, name)(maps, **arguments) for h in (ours, hp)), without))
            assert relative(mine, judge) < 1e-12, name
            assert relative(mine, without) > 1e-4, name


@pytest.mark.parametrize("files", [8], indirect=True)
def test_rotation_and_resolution_use_them(files):
    nside, folder = files
    m = np.random.default_rng(1).standard_normal((3, 12 * nside ** 2))
    mine, judge = (h.Rotator(rot=(10, 20, 30)).rotate_map_alms(m, lmax=12, datapath=folder)
                   for h in (ours, hp))
    assert relative(np.asarray(mine), np.asarray(judge)) < 1e-11
    for kind in (dict(PIXELS, use_weights=False), dict(RINGS, use_pixel_weights=False)):
        mine, judge = (h.harmonic_ud_grade(m, 4, pixwin=False, datapath=folder, **kind)
                       for h in (ours, hp))
        assert relative(mine, judge) < 1e-12


@pytest.mark.parametrize("files", [4], indirect=True)
def test_files_that_are_missing_or_wrong_are_named(files, tmp_path):
    _, folder = files
    with pytest.raises(RuntimeError, match="has no full_weights/healpix_full_weights_nside_0002"):
        ours.map2alm(np.ones(48), use_pixel_weights=True, datapath=folder)
    with pytest.raises(OSError, match="has no weight_ring_n00002.fits"):
        ours.map2alm(np.ones(48), use_weights=True, datapath=folder)
    write(tmp_path / "full_weights" / "healpix_full_weights_nside_0002.fits", 2, ["X"], np.ones(4))
    with pytest.raises(ValueError, match="4 pixel weights, nside = 2 has 5"):
        ours.map2alm(np.ones(48), use_pixel_weights=True, datapath=folder)
