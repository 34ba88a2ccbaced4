"""armilla.pseudo_cl and NaMaster itself, with ducc0's transforms, on the same maps, masks and
catalogues."""
import re
from pathlib import Path

import numpy as np
import pymaster as nmt
import pytest

import armilla.healpy
from armilla.pseudo_cl import Bands, Coupling, Field, pseudo

NSIDE, LMAX, WIDTH = 64, 191, 12
PAIRS = [(0, 0), (0, 2), (2, 2), (0, 1), (1, 1), (1, 2)]
RNG = np.random.default_rng(5)
DEGREE = np.arange(LMAX + 1.0)
BEAM = np.exp(-0.5 * DEGREE * (DEGREE + 1) * np.radians(1.0)**2 / 8)


def sky():
    """A map of each component, and two masks: a cap with a soft edge, and one with holes."""
    grid = armilla.Grid.healpix(NSIDE)
    theta, phi = armilla.healpy.pix2ang(NSIDE, np.arange(grid.npix))
    cl = 1 / (10 + DEGREE)**1.5
    maps = {0: armilla.SHT(grid, LMAX).synthesis(armilla.alm.random(LMAX, cl, seed=1))}
    for spin in (1, 2):
        both = [armilla.alm.random(LMAX, cl * (DEGREE >= spin), seed=spin + k) for k in (2, 7)]
        maps[spin] = armilla.SHT(grid, LMAX, spin=spin).synthesis(both)
    cap = np.clip((2.2 - theta) / 0.3, 0, 1)
    holes = cap * (np.cos(9 * phi) * np.sin(theta)**2 < 0.7) * (theta > 0.2)
    return maps, cap, holes


MAPS, *MASKS = sky()


def differs(ours, theirs):
    """By what part of the largest number."""
    assert np.shape(ours) == np.shape(theirs)
    return np.abs(ours - theirs).max() / np.abs(theirs).max()


def check(tell, name, bound, *pairs):
    """Compares arrays, and records the largest difference."""
    worst = max(differs(ours, theirs) for ours, theirs in pairs)
    tell("figure", f"{name}: largest difference {worst:.1e} of the largest number")
    assert worst < bound


def as_rows(matrix, ncl):
    """Our matrices M+ and M- in the order of NaMaster's whole matrix."""
    n = matrix.shape[-1]
    made = np.zeros((n, ncl, n, ncl))
    for i in range(ncl):
        made[:, i, :, i] = matrix[0]
        if len(matrix) == 2:
            made[:, i, :, ncl - 1 - i] = matrix[1] if i in (0, 3) else -matrix[1]
    return made.reshape(n * ncl, n * ncl)


def fields(spins, beam, lmax=LMAX, lmask=LMAX, iterations=3):
    """Of both packages; the second has another mask, and map, if the spins are equal."""
    ours, theirs = [], []
    for spin, mask, turn in zip(spins, MASKS, (1, -1)):
        values = MAPS[spin][..., ::turn]
        ours.append(Field.from_map(values, mask, spin=spin, lmax=lmax, lmask=lmask, beam=beam,
                                   iterations=iterations))
        theirs.append(nmt.NmtField(mask, np.atleast_2d(values), spin=spin, beam=beam, lmax=lmax,
                                   lmax_mask=lmask, n_iter=iterations, n_iter_mask=iterations))
    return ours, theirs


@pytest.mark.filterwarnings("ignore::armilla.ExactnessWarning")
@pytest.mark.parametrize("spins", PAIRS)
@pytest.mark.parametrize("is_dl", [False, True])
def test_maps(spins, is_dl, record_property):
    ours, theirs = fields(spins, BEAM if is_dl else None)
    bands = Bands.linear(LMAX, WIDTH, quantity="dl" if is_dl else "cl")
    bins = nmt.NmtBin.from_nside_linear(NSIDE, WIDTH, is_Dell=is_dl)
    coupling, workspace = Coupling(*ours, bands), nmt.NmtWorkspace.from_fields(*theirs, bins)
    coupled, ncl = nmt.compute_coupled_cell(*theirs), len(coupling.components)
    noise = 0.1 / (3 + DEGREE) * np.ones((ncl, 1))
    cl = np.abs(RNG.standard_normal((ncl, LMAX + 1)))
    matrix = workspace.get_coupling_matrix() * (np.repeat(BEAM**2, ncl) if is_dl else 1)
    check(record_property, "mask, pseudo-spectra", 1e-12,
          (coupling.pseudo, coupled), (bands.centres, bins.get_effective_ells()))
    check(record_property, "whole matrix", 1e-12, (as_rows(coupling.full_matrix(), ncl), matrix))
    check(record_property, "coupled theory", 1e-12,
          (coupling.couple(cl).reshape(ncl, -1), workspace.couple_cell(cl)))
    check(record_property, "powers, windows", 1e-11,
          (coupling.decouple().powers, workspace.decouple_cell(coupled)),
          (coupling.decouple(noise).powers, workspace.decouple_cell(coupled, cl_noise=noise)),
          (coupling.decouple(noise).powers,
           nmt.compute_full_master(*theirs, bins, cl_noise=noise)),
          (coupling.windows, workspace.get_bandpower_windows()),
          (coupling.theory(cl).reshape(ncl, -1),
           workspace.decouple_cell(workspace.couple_cell(cl))))


@pytest.mark.parametrize("iterations", [0, 1, 3])
def test_degrees_and_steps(iterations, record_property):
    """lmax 100 with a mask up to 150."""
    ours, theirs = fields((0, 2), None, 100, 150, iterations)
    bins = nmt.NmtBin.from_edges([2, 10, 30, 60], [10, 30, 60, 101])
    bands = Bands.edges([2, 10, 30, 60, 101])
    check(record_property, f"{iterations} steps", 1e-11,
          (ours[0].mask_alm, theirs[0].get_mask_alms()), (ours[1].alm, theirs[1].get_alms()),
          (Coupling(*ours, bands).decouple().powers, nmt.compute_full_master(*theirs, bins)))


def catalogues(spin, lonlat, lmax=60, npoints=3000):
    """One catalogue, for both packages."""
    rng = np.random.default_rng(3)
    loc = np.column_stack([np.arccos(rng.uniform(-0.3, 1, npoints)),
                           2 * np.pi * rng.random(npoints)])
    weights = rng.uniform(0.5, 2, npoints)
    values = rng.standard_normal((2 if spin else 1, npoints))
    places = np.degrees([loc[:, 1], np.pi / 2 - loc[:, 0]]) if lonlat else loc.T
    theirs = nmt.NmtFieldCatalog(places, weights, values, lmax, lmax_mask=2 * lmax, spin=spin,
                                 lonlat=lonlat)
    ours = Field.from_catalogue(loc, values if spin else values[0], lmax, weights=weights,
                                spin=spin, epsilon=1e-12)
    return ours, theirs


@pytest.fixture
def to_rounding(monkeypatch):
    """NaMaster asks ducc0 for five digits in sums over points."""
    sums = nmt.utils.ducc0.sht.adjoint_synthesis_general

    def precise(**given):
        assert given["epsilon"] == 1e-5
        return sums(**dict(given, epsilon=1e-12))

    monkeypatch.setattr(nmt.utils.ducc0.sht, "adjoint_synthesis_general", precise)


@pytest.mark.parametrize("spin, lonlat", [(0, False), (1, True), (2, False)])
def test_catalogues(spin, lonlat, record_property, to_rounding):
    ours, theirs = catalogues(spin, lonlat)
    bands, bins = Bands.linear(60, 10), nmt.NmtBin.from_lmax_linear(60, 10)
    coupling = Coupling(ours, bands=bands)
    workspace = nmt.NmtWorkspace.from_fields(theirs, theirs, bins)
    coupled = nmt.compute_coupled_cell(theirs, theirs)
    ncl = len(coupled)
    check(record_property, "catalogue, coefficients", 1e-11,
          (ours.alm, theirs.get_alms()), (ours.mask_alm, theirs.get_mask_alms()))
    check(record_property, "catalogue, spectra", 1e-11,
          (coupling.pseudo[:, spin:], coupled[:, spin:]),
          (as_rows(coupling.full_matrix(), ncl), workspace.get_coupling_matrix()))
    check(record_property, "catalogue, powers", 1e-10,
          (coupling.decouple().powers, workspace.decouple_cell(coupled)),
          (coupling.windows, workspace.get_bandpower_windows()))


def test_noise_of_catalogues(record_property, to_rounding):
    """Below the spin, where spectra are 0, NaMaster subtracts their noise as well."""
    ours, theirs = catalogues(2, False)
    coupled = nmt.compute_coupled_cell(theirs, theirs)
    points, weights = ours._is.catalogue.field, ours._is.catalogue.mask.values[0]
    with_pairs = Field.from_catalogue(points.loc, points.values / weights, 60, spin=2,
                                      weights=weights, subtract_noise=False, epsilon=1e-12)
    noise = (pseudo(with_pairs) - pseudo(ours))[:, 2:]
    check(record_property, "noise of points", 1e-12,
          (noise[[0, 3]], np.full((2, 59), theirs.Nf)))
    assert np.abs(noise[[1, 2]]).max() < 1e-12 * theirs.Nf
    assert np.allclose(coupled[[0, 3], :2], -theirs.Nf) and not pseudo(ours)[:, :2].any()
    mask = Coupling(with_pairs, bands=10).mask_cl - Coupling(ours, bands=10).mask_cl
    check(record_property, "noise of the mask", 1e-12, (mask, np.full(121, theirs.Nw)))


@pytest.mark.parametrize("components", ["B", "E", "EB"])
def test_pure_fields(components, record_property):
    """NaMaster looks at the map where the mask is 0, since derivatives of the mask ring there."""
    soft = MASKS[0]**2 * (3 - 2 * MASKS[0])
    values, wish = MAPS[2] * (soft > 0), {f"purify_{c.lower()}": True for c in components}
    ours = Field.from_map(values, soft, spin=2, lmax=LMAX, lmask=LMAX, iterations=3, **wish)
    theirs = nmt.NmtField(soft, values, **wish)
    bands, bins = Bands.linear(LMAX, WIDTH), nmt.NmtBin.from_nside_linear(NSIDE, WIDTH)
    for first in (False, True):  # alone, and with a scalar
        pair = [Field.from_map(MAPS[0], soft, lmax=LMAX, lmask=LMAX, iterations=3), ours]
        other = [nmt.NmtField(soft, [MAPS[0]]), theirs]
        coupling = Coupling(*pair, bands) if first else Coupling(ours, bands=bands)
        other = other if first else [theirs, theirs]
        workspace = nmt.NmtWorkspace.from_fields(*other, bins)
        coupled = nmt.compute_coupled_cell(*other)
        check(record_property, f"pure {components}, pseudo-spectra", 1e-11,
              (coupling.pseudo, coupled))
        check(record_property, f"pure {components}, windows and powers", 1e-9,
              (coupling.windows, workspace.get_bandpower_windows()),
              (coupling.decouple().powers, workspace.decouple_cell(coupled)))


def test_clustering(record_property, to_rounding):
    """Objects and random points. NaMaster has another scale of field and mask."""
    rng = np.random.default_rng(3)
    loc = np.column_stack([np.arccos(rng.uniform(-0.3, 1, 4000)), 2 * np.pi * rng.random(4000)])
    weights = rng.uniform(0.5, 2, 4000)
    ours = Field.from_positions(loc[:1000], loc[1000:], 60, weights=weights[:1000],
                                random_weights=weights[1000:], epsilon=1e-12)
    theirs = nmt.NmtFieldCatalogClustering(loc[:1000].T, weights[:1000], loc[1000:].T,
                                           weights[1000:], 60, lmax_mask=120)
    bins = nmt.NmtBin.from_lmax_linear(60, 10)
    workspace = nmt.NmtWorkspace.from_fields(theirs, theirs, bins)
    coupling = Coupling(ours, bands=Bands.linear(60, 10))
    powers = workspace.decouple_cell(nmt.compute_coupled_cell(theirs, theirs))
    check(record_property, "clustering, powers", 1e-10, (coupling.decouple().powers, powers),
          (coupling.windows, workspace.get_bandpower_windows()))


@pytest.mark.parametrize("spins", [(0, 0), (0, 2), (2, 2)])
def test_templates(spins, record_property):
    """What they leave, and what that takes from spectra and from noise; by quadrature, where the
    mean is exact."""
    rng = np.random.default_rng(4)
    how = {"lmax": LMAX, "lmask": LMAX, "iterations": 0}
    same = {"lmax": LMAX, "lmax_mask": LMAX, "n_iter": 0, "n_iter_mask": 0}
    ours, theirs = [], []
    for spin, mask in zip(spins, MASKS):
        templates = [np.roll(MAPS[spin], 100 + 7 * i, axis=-1) for i in range(2)]
        ours.append(Field.from_map(MAPS[spin] + 2 * templates[0], mask, spin=spin,
                                   templates=templates, **how))
        theirs.append(nmt.NmtField(mask, np.atleast_2d(MAPS[spin] + 2 * templates[0]),
                                   templates=[np.atleast_2d(one) for one in templates], **same))
    check(record_property, "templates, coefficients", 1e-11,
          *((a.alm, b.get_alms()) for a, b in zip(ours, theirs)))
    ncl = {0: 1, 2: 2}[spins[0]] * {0: 1, 2: 2}[spins[1]]
    cl = rng.uniform(0.1, 1, ncl)[:, np.newaxis] / (10 + DEGREE)**2
    made = Coupling(*ours, WIDTH).deprojection_bias(cl)
    check(record_property, "templates, bias", 1e-11,
          (made, nmt.deprojection_bias(*theirs, cl, n_iter=0)))
    plain_field = Field.from_map(MAPS[spins[0]], MASKS[0], spin=spins[0], **how)
    noise = ours[0].noise_spectrum(0.1) - plain_field.noise_spectrum(0.1)
    area = 4 * np.pi / MASKS[0].size
    wanted = nmt.uncorr_noise_deprojection_bias(theirs[0], np.full(MASKS[0].size, 0.01 * area),
                                                n_iter=0)
    if spins[0]:  # EB and BE of one field, which are the same, but not there
        wanted[1] = wanted[2] = 0.5 * (wanted[1] + wanted[2])
    check(record_property, "templates, noise", 1e-9, (noise, wanted))


@pytest.mark.parametrize("masks", [(0, 0), (0, 1)])
def test_covariances(masks, record_property):
    """All blocks of TT, TE, TB and EE. That of EE, EB, BE and BB with themselves has other terms of
    E that becomes B here: docs/mathematics.md, section 14."""
    nside, lmax = 32, 95
    grid = armilla.Grid.healpix(nside)
    cap, holes = (np.sqrt(armilla.healpy.ud_grade(MASKS[k], nside)) for k in masks)
    values = RNG.standard_normal((3, grid.npix))
    same = {"lmax": lmax, "lmask": lmax, "iterations": 3}
    ours = [Field.from_map(values[0], cap, **same),
            Field.from_map(values[1:], holes, spin=2, **same)]
    theirs = [nmt.NmtField(cap, values[:1]), nmt.NmtField(holes, values[1:])]
    bands, bins = Bands.linear(lmax, 12), nmt.NmtBin.from_nside_linear(nside, 12)
    steep = 1 / (10 + np.arange(lmax + 1.0))**2
    cl = {(0, 0): [1.0], (0, 1): [0.2, 0.02], (1, 1): [0.3, 0.01, 0.01, 0.1]}
    cl = {pair: np.multiply.outer(shares, steep) for pair, shares in cl.items()}
    couplings = {(i, j): Coupling(ours[i], ours[j], bands) for i, j in cl}
    workspaces = {(i, j): nmt.NmtWorkspace.from_fields(theirs[i], theirs[j], bins) for i, j in cl}
    inka = {(i, j): nmt.get_iNKA_cell(theirs[i], theirs[j], cl[i, j], workspaces[i, j])
            for i, j in cl}
    inka[1, 0] = inka[0, 1]
    given = {(ours[i], ours[j]): values for (i, j), values in cl.items()}
    for (a, b), (c, d) in (((0, 0), (0, 0)), ((0, 0), (0, 1)), ((0, 0), (1, 1)), ((0, 1), (0, 1)),
                           ((0, 1), (1, 1))):
        workspace = nmt.NmtCovarianceWorkspace.from_fields(*(theirs[k] for k in (a, b, c, d)))
        made = workspace.gaussian_covariance(inka[a, c], inka[a, d], inka[b, c], inka[b, d],
                                             workspaces[a, b], wb=workspaces[c, d])
        n = bands.nbands
        made = made.reshape(n, len(cl[a, b]), n, len(cl[c, d])).transpose(1, 0, 3, 2)
        check(record_property, f"covariance of {a}{b} and {c}{d}", 1e-11,
              (couplings[a, b].covariance(given, couplings[c, d]), made))


def test_page_for_those_who_come_from_namaster():
    root = Path(armilla.__file__).resolve().parents[3]
    text = (root / "docs" / "site" / "coming_from" / "namaster.md").read_text(encoding="utf-8")
    blocks, space = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL), {}
    assert any("import pymaster" in code for code in blocks)
    for code in blocks:
        exec(compile(code, "namaster.md", "exec"), space)


def test_maps_on_rows_of_latitude(record_property):
    """CAR maps as pixell makes them: rows from south to north, longitudes from east to west.
    Weights of rings differ, both being exact for map times mask up to degree 60 - 50."""
    wcs = pytest.importorskip("astropy.wcs").WCS(naxis=2)
    wcs.wcs.ctype, wcs.wcs.cdelt = ["RA---CAR", "DEC--CAR"], [-3, 3]
    wcs.wcs.crval, wcs.wcs.crpix = [1.5, 0], [60.5, 31]
    east = np.radians(wcs.wcs_pix2world([[119, 0]], 0)[0, 0])
    grid = armilla.Grid.equidistant("CC", 61, 120).laid_out(south_first=True, west_first=True,
                                                            phi0=east)
    low = armilla.SHT(grid, 5, two_dimensional=True)
    values, mask = (low.synthesis(armilla.alm.random(5, np.ones(6), seed=seed)) for seed in (1, 2))
    mask -= mask.min()
    ours = Field.from_map(values, mask, grid, lmax=50, lmask=50, iterations=3)
    theirs = nmt.NmtField(mask, [values], wcs=wcs, lmax=50, lmax_mask=50)
    check(record_property, "rows of latitude", 1e-11, (ours.alm, theirs.get_alms()),
          (ours.mask_alm, theirs.get_mask_alms()))
