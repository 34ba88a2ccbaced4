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
data = "../../../data"
nside, lmax = 256, 512
theory = armilla.io.read_cl(f"{data}/lcdm_planck2018_cl.txt").cl[:4, :lmax + 1]  # TT EE BB TE
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
