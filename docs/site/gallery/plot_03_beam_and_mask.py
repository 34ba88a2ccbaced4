"""
A beam, and a mask
==================

Smoothing a map with missing pixels. Transforms would spread what stands in the hole over the whole
sky; a convolution pixel by pixel leaves missing pixels out.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla
import armilla.healpy as hp

nside, lmax = 128, 256
l = np.arange(lmax + 1)
alm = armilla.alm.random(lmax, np.exp(-l / 60) / (l + 10.0) ** 2, seed=3)
sky = armilla.SHT(armilla.Grid.healpix(nside), lmax).synthesis(alm)

# %%
# A band around the equator and a disc are missing.
theta, phi = armilla.healpix.pixel_to_ang(nside, np.arange(sky.size))
mask = np.abs(theta - np.pi / 2) > np.radians(8)
mask[armilla.healpix.query_disc(nside, np.array([0.3, -0.7, 0.7]), np.radians(15))] = False
seen = np.where(mask, sky, armilla.io.UNSEEN)

# %%
# A pixel of the result is the mean, weighted by the beam, of the pixels that were seen. Where
# nearly nothing was seen it is missing, too.
smooth = armilla.convolve(seen, armilla.Kernel.gaussian(np.radians(3)))

limit = 3 * sky.std()
plt.figure(figsize=(10, 2.9)).subplots_adjust(0.01, 0.01, 0.99, 0.97, wspace=0.02)
hp.mollview(seen, sub=(1, 2, 1), title="with missing pixels", min=-limit, max=limit, cbar=False)
hp.mollview(smooth, sub=(1, 2, 2), title="through a beam of 3 degrees", min=-limit, max=limit,
            cbar=False)
plt.show()
