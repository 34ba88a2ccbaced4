"""
A map by scales: needlets
=========================

Needlets are wavelets on the sphere. The squares of their windows add up to one, so that filtering
twice with each, and adding, gives the map back.
"""
# sphinx_gallery_thumbnail_number = 2
import matplotlib.pyplot as plt
import numpy as np

import armilla
import armilla.healpy as hp

nside, lmax, base = 64, 128, 2.0
l = np.arange(lmax + 1)
alm = armilla.alm.random(lmax, 1.0 / (1 + l) ** 2, seed=9)
sht = armilla.SHT(armilla.Grid.healpix(nside), lmax)
sky = sht.synthesis(alm)

kernels = [armilla.Kernel.needlet(base, j) for j in range(8)]
windows = [kernel.harmonic_window(lmax) for kernel in kernels]
plt.figure(figsize=(7, 3), layout="constrained")
for j, window in enumerate(windows):
    plt.semilogx(l[1:], window[1:], label=f"scale {j}")
plt.semilogx(l[1:], sum(w ** 2 for w in windows)[1:], "k:", label="sum of squares")
plt.xlabel("degree $\\ell$")
plt.legend(ncols=3, fontsize="small")

# %%
# Three of the scales. A filter is a product with a window, or, where its kernel is narrow, a sum
# over pixels by ``armilla.Radial``.
plt.figure(figsize=(10, 5.6)).subplots_adjust(0.01, 0.01, 0.99, 0.97, 0.02, 0.06)
hp.mollview(sky, sub=(2, 2, 1), title="the map", cbar=False)
for place, j in ((2, 2), (3, 4), (4, 6)):
    part = sht.synthesis(armilla.alm.multiply_window(alm, windows[j]))
    hp.mollview(part, sub=(2, 2, place), title=f"scale {j}", cbar=False, cmap="magma")

# %%
# All scales, filtered twice, are the map without its mean:
whole = sum(armilla.alm.multiply_window(alm, window ** 2) for window in windows)
assert np.allclose(whole[1:], alm[1:])
plt.show()
