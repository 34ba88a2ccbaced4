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
# The spectrum comes from the file ``data/lcdm_planck2018_cl.txt`` of the repository. Each
# coefficient depends on the seed and on its own degree and order alone, so that a larger lmax adds
# detail to the same sky.
data = "../../../data"
nside, lmax = 256, 512
cl = armilla.io.read_cl(f"{data}/lcdm_planck2018_cl.txt").cl[0, :lmax + 1]
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
