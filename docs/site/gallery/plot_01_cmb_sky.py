"""
A CMB sky and its spectrum
==========================

A Gaussian sky with the spectrum of the standard model, and the spectrum that is measured on it.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla
import armilla.healpy as hp

# %%
# The spectrum is l (l + 1) C_l / 2 pi of the standard model at some degrees, in µK². Straight lines
# between them are within 2 %. Each coefficient depends only on the seed and on its own degree and
# order, so that a larger lmax adds detail to the same sky.
nside, lmax = 256, 512
degrees = [2, 5, 9, 14, 22, 36, 56, 86, 166, 193, 220, 245, 271, 343, 369, 388, 405, 431,
           497, 534]
d_l = [1022, 877, 820, 840, 934, 1159, 1548, 2287, 4884, 5505, 5733, 5544, 4984, 2691, 2090,
       1830, 1730, 1789, 2423, 2594]
l = np.arange(2, lmax + 1)
cl = np.append([0, 0], np.interp(l, degrees, d_l) * 2 * np.pi / (l * (l + 1)))
alm = armilla.alm.random(lmax, cl, seed=1)
sht = armilla.SHT(armilla.Grid.healpix(nside), lmax)
sky = sht.synthesis(alm)

hp.mollview(sky, title="Temperature", unit="µK", cmap="RdBu_r", min=-300, max=300)

# %%
# HEALPix has no exact quadrature: ``pseudo_analysis`` iterates until coefficients and map agree.
back, report = sht.pseudo_analysis(sky, tolerance=1e-10)
print(report)

# %%
# The measured spectrum scatters around the one it was drawn from: a sky has only 2 l + 1
# coefficients of each degree.
l = np.arange(lmax + 1)
factor = l * (l + 1) / (2 * np.pi)
plt.figure(figsize=(7, 4), layout="constrained")
plt.plot(l[2:], (factor * armilla.spectrum.compute(back))[2:], lw=0.8, label="this sky")
plt.plot(l[2:], (factor * cl)[2:], label="theory")
plt.xlabel("degree $\\ell$")
plt.ylabel(r"$\ell(\ell+1)\,C_\ell/2\pi$  [µK$^2$]")
plt.legend()
plt.show()
