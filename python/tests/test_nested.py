"""Grids of HEALPix whose maps are in NESTED order: the bits of RING order at other places."""
import pickle

import numpy as np
import pytest

import armilla
from armilla import healpix

NSIDE, LMAX = 16, 24
RING = armilla.Grid.healpix(NSIDE)
NESTED = armilla.Grid.healpix(NSIDE, nested=True)


def coefficients(*shape):
    rng = np.random.default_rng(3)
    size = (LMAX + 1) * (LMAX + 2) // 2
    alm = rng.standard_normal((*shape, size)) + 1j * rng.standard_normal((*shape, size))
    alm[..., :LMAX + 1] = alm[..., :LMAX + 1].real
    return alm


def test_grids_tell_their_order():
    assert NESTED.layout.nested and not RING.layout.nested
    assert NESTED != RING and NESTED == RING.laid_out(nested=True)
    assert NESTED.laid_out() == RING
    assert pickle.loads(pickle.dumps(NESTED)) == NESTED
    weighted = armilla.Grid.healpix(NSIDE, weights_lmax=2 * NSIDE, nested=True)
    assert pickle.loads(pickle.dumps(weighted)) == weighted != NESTED
    assert NESTED.shape_2d is None and armilla.Grid.healpix(1, nested=True).shape_2d is None
    assert (NESTED.rings["stride"] == 0).all()
    assert "NESTED" in repr(NESTED)


@pytest.mark.parametrize("wrong", [{"phi0": 0.1}, {"south_first": True}, {"west_first": True},
                                   {"ring_stride": 99}, {"pixel_stride": 2}, {"order": "theta"}])
def test_other_layouts_are_refused(wrong):
    with pytest.raises(ValueError, match="nested|order|theta_contiguous"):
        RING.laid_out(nested=True, **wrong)


def test_wrong_grids_are_refused():
    with pytest.raises(ValueError, match="nside = 12, which is no power of two"):
        armilla.Grid.healpix(12, nested=True)
    with pytest.raises(ValueError, match="not the whole of HEALPix"):
        armilla.Grid.equidistant("CC", 5, 8).laid_out(nested=True)
    with pytest.raises(NotImplementedError, match="NESTED order"):
        NESTED.subset(0, 3)
    rings = NESTED.rings
    with pytest.raises(ValueError, match="stride.*must not be 0"):
        armilla.Grid.custom(rings["theta"], rings["nphi"], offset=rings["offset"], stride=0,
                            weight=1)


@pytest.mark.parametrize("spin", [0, 2])
@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_transforms_have_the_bits_of_ring_order(spin, dtype):
    alm = coefficients(*([2] if spin else [])).astype(dtype)
    ring, nested = (armilla.SHT(grid, LMAX, spin=spin) for grid in (RING, NESTED))
    wanted = ring.synthesis(alm)
    made = nested.synthesis(alm)
    for a, b in zip(np.atleast_2d(wanted), np.atleast_2d(made)):
        np.testing.assert_array_equal(healpix.reorder(a, to_nested=True), b)
    np.testing.assert_array_equal(ring.analysis(wanted), nested.analysis(made))
    told = ring.describe(), nested.describe()
    assert told[0] == told[1]


def test_polarised_and_iterative_analysis():
    alm = coefficients(3)
    alm[1:, [0, 1, LMAX + 1]] = 0
    ring, nested = armilla.IQU(RING, LMAX), armilla.IQU(NESTED, LMAX)
    made = nested.synthesis(alm)
    wanted = np.array([healpix.reorder(row, to_nested=True) for row in ring.synthesis(alm)])
    np.testing.assert_array_equal(made, wanted)
    found = nested.pseudo_analysis(made)
    found = found[0] if isinstance(found, tuple) else found
    assert np.abs(found - alm).max() < 1e-8


def test_lensed_maps_are_at_their_places():
    alm, phi = coefficients(), 1e-4 * coefficients()
    ring, nested = (armilla.Lensing(grid, phi, LMAX) for grid in (RING, NESTED))
    wanted = healpix.reorder(ring.alm2lenmap(alm), to_nested=True)
    np.testing.assert_array_equal(nested.alm2lenmap(alm), wanted)
