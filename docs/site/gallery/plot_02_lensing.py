"""
A lensed sky, close up
======================

Ten degrees of a CMB sky before and after gravitational lensing, from values at points alone: no map
of the whole sky is made.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla

# %%
# The spectra of the standard model at some degrees: l (l + 1) C_l / 2 pi of the temperature, in
# µK², and 1e8 (l (l + 1))^2 C_l / 2 pi of the lensing potential.
lmax, side, pixels = 800, np.radians(10), 200
degrees = [2, 5, 9, 14, 22, 36, 56, 86, 166, 193, 220, 245, 271, 343, 369, 388, 405, 431,
           497, 534, 571, 647, 682, 711, 782, 824]
d_l = [1022, 877, 820, 840, 934, 1159, 1548, 2287, 4884, 5505, 5733, 5544, 4984, 2691, 2090,
       1830, 1730, 1789, 2423, 2594, 2469, 1871, 1811, 1928, 2453, 2529]
degrees_phi = [2, 5, 10, 20, 35, 60, 100, 180, 300, 500, 800]
d_phi = [5.04, 7.86, 10.6, 13.1, 13.9, 12.8, 10.2, 6.37, 3.72, 1.93, 0.954]
l = np.arange(2, lmax + 1)
scale = 2 * np.pi / (l * (l + 1))
tt = np.interp(l, degrees, d_l) * scale
pp = 1e-8 * np.interp(l, degrees_phi, d_phi) * scale / (l * (l + 1))
t = armilla.alm.random(lmax, np.append([0, 0], tt), seed=1)
phi = armilla.alm.random(lmax, np.append([0, 0], pp), seed=2)

# %%
# The directions of a square patch on the equator, colatitude and longitude in radians.
steps = side * ((np.arange(pixels) + 0.5) / pixels - 0.5)
latitude, longitude = np.meshgrid(-steps, -steps, indexing="ij")
loc = np.stack([np.pi / 2 - latitude.ravel(), np.pi + longitude.ravel()], axis=1)

# %%
# The deflection is the gradient of the potential. Light that arrives from ``loc`` comes from
# ``moved``.
plan = armilla.Points(lmax, loc, epsilon=1e-6)
alpha = armilla.Points(lmax, loc, 1, 1e-6, mode="derivatives").synthesis(phi)
moved, _ = armilla.lensing.deflect(loc, alpha)
before = plan.synthesis(t)
after = plan.with_points(moved).synthesis(t)

# %%
figure, panels = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained", sharey=True)
half = np.degrees(side) / 2
for panel, values, limit, title in zip(panels, (before, after, after - before), (300, 300, 60),
                                       ("unlensed", "lensed", "difference")):
    image = panel.imshow(values.reshape(pixels, pixels), cmap="RdBu_r", vmin=-limit, vmax=limit,
                         extent=(half, -half, -half, half))
    panel.set(title=title, xlabel="degrees")
    figure.colorbar(image, ax=panel, orientation="horizontal", label="µK")
plt.show()
