"""
Spectra of a CMB sky behind a mask
==================================

TT, TE, EE and BB of a sky with noise whose Galaxy and point sources are hidden, with error bars.
The mask mixes degrees, and E with B; decoupling undoes both.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla
import armilla.healpy as hp
from armilla import pseudo_cl

# %%
# A sky with the spectra of the standard model, seen through a beam of half a degree, with noise.
# The table has l and l (l + 1) C_l / 2 pi of TT, EE, BB and TE in µK², at some degrees.
nside, lmax = 256, 512
table = np.array([
    [2, 1022, 0.0311, 1.83e-06, 2.63], [3, 967, 0.04, 3.67e-06, 2.96],
    [4, 916, 0.0348, 6.11e-06, 2.77], [8, 824, 0.00454, 2.2e-05, 1.18],
    [11, 821, 0.00263, 4.04e-05, 0.806], [34, 1124, 0.0332, 0.00037, 1.94],
    [41, 1249, 0.0625, 0.000538, 1.69], [48, 1384, 0.105, 0.000738, 0.899],
    [55, 1527, 0.161, 0.00097, -0.515], [62, 1680, 0.232, 0.00123, -2.58],
    [67, 1796, 0.291, 0.00144, -4.45], [77, 2045, 0.426, 0.00191, -9.13],
    [114, 3158, 0.965, 0.00421, -32.3], [133, 3810, 1.11, 0.00579, -42.2],
    [152, 4453, 1.09, 0.0077, -46.1], [172, 5049, 0.914, 0.0101, -40.9],
    [188, 5416, 0.75, 0.0123, -28.8], [205, 5661, 0.696, 0.0149, -8.85],
    [213, 5716, 0.76, 0.0162, 2.63], [223, 5731, 0.96, 0.0179, 18.3],
    [235, 5665, 1.42, 0.02, 38.3], [256, 5347, 2.92, 0.0236, 73],
    [272, 4957, 4.72, 0.0264, 95.5], [302, 4010, 9.45, 0.0312, 119],
    [327, 3173, 14.1, 0.0347, 114], [350, 2504, 18, 0.0377, 89.8],
    [380, 1920, 21.2, 0.0414, 38.2], [398, 1756, 21.6, 0.0438, 3.32],
    [402, 1739, 21.5, 0.0443, -4.22], [409, 1724, 21.2, 0.0453, -16.9],
    [431, 1789, 19.1, 0.0487, -50.6], [449, 1935, 16.4, 0.0519, -68.1],
    [471, 2167, 12.6, 0.0561, -74.4], [493, 2389, 9.16, 0.0606, -64.6],
    [512, 2527, 7.28, 0.0645, -46.2]])
l = np.arange(2, lmax + 1)
theory = np.zeros((4, lmax + 1))
for cl, d_l in zip(theory, table.T[1:]):
    cl[2:] = np.interp(l, table[:, 0], d_l) * 2 * np.pi / (l * (l + 1))
beam = armilla.spectrum.gaussian_beam(np.radians(0.5), lmax)
pixels = hp.pixwin(nside, pol=True, lmax=lmax)
tt, ee, bb, te = theory
zero = np.zeros(lmax + 1)
spectra = [[tt, te, zero], [te, ee, zero], [zero, zero, bb]]
alm = armilla.alm.random_correlated(lmax, spectra, seed=1)
alm = [armilla.alm.multiply_window(one, beam * window)
       for one, window in zip(alm, (pixels[0], pixels[1], pixels[1]))]
sky = np.array(armilla.IQU(armilla.Grid.healpix(nside), lmax).synthesis(alm))
sigma = np.array([8.0, 0.4, 0.4])  # microkelvin in a pixel
sky += sigma[:, None] * np.random.default_rng(2).standard_normal(sky.shape)

# %%
# The mask rises slowly from the Galaxy, and around a hundred point sources.
theta, phi = armilla.healpix.pixel_to_ang(nside, np.arange(sky.shape[1]))
mask = np.clip((np.abs(theta - np.pi / 2) - np.radians(12)) / np.radians(10), 0, 1)
mask = 0.5 - 0.5 * np.cos(np.pi * mask)
rng = np.random.default_rng(3)
directions = hp.ang2vec(theta, phi)
for source in rng.standard_normal((100, 3)):
    distance = np.arccos(np.clip(directions @ source / np.linalg.norm(source), -1, 1))
    mask *= 0.5 - 0.5 * np.cos(np.pi * np.clip((distance - np.radians(1)) / np.radians(2), 0, 1))
limits = dict(min=-300, max=300, cmap="RdBu_r", unit="µK")
hp.mollview(np.where(mask > 0, sky[0] * mask, hp.UNSEEN), title="Temperature times the mask",
            **limits)

# %%
# Two fields, and three couplings. The noise has no correlations, so that its mean spectrum is
# known; error bars are those of the Gaussian covariance.
bands = pseudo_cl.Bands.linear(lmax, 16, quantity="dl")
t = pseudo_cl.Field.from_map(sky[0], mask, beam=beam, pixwin=True)
qu = pseudo_cl.Field.from_map(sky[1:], mask, spin=2, beam=beam, pixwin=True)
found = {}
for one, two, noise in ((t, t, t.noise_spectrum(sigma[0])), (t, qu, None),
                        (qu, qu, qu.noise_spectrum(sigma[1]))):
    coupling = pseudo_cl.Coupling(one, two, bands)
    result = coupling.decouple(noise).with_covariance(coupling.covariance())
    for name, powers, errors in zip(result.components, result.powers, result.errors()):
        found[name] = powers, errors

# %%
# Theory is drawn as lines. B modes of the standard model come from lensing alone; those that the
# mask makes of E are taken out.
l = np.arange(lmax + 1.0)
figure, panels = plt.subplots(2, 2, figsize=(9, 6), sharex=True, layout="constrained")
for panel, name, cl in zip(panels.flat, ("TT", "TE", "EE", "BB"), theory[[0, 3, 1, 2]]):
    powers, errors = found[name]
    panel.plot(l[2:], (l * (l + 1) / (2 * np.pi) * cl)[2:], color="0.6")
    panel.errorbar(bands.centres, powers, errors, fmt=".", color="tab:blue")
    panel.axhline(0, color="k", lw=0.5)
    panel.set_title(name)
    panel.set_ylabel(r"$D_\ell$  [µK$^2$]")
for panel in panels[1]:
    panel.set_xlabel(r"degree $\ell$")
plt.show()
