"""
A lensed sky, close up
======================

Ten degrees of a CMB sky before and after gravitational lensing, from values at points alone: no map
of the whole sky is made.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla

data = "../../../data"
lmax, side, pixels = 800, np.radians(10), 200
l, tt, _, _, pp = np.loadtxt(f"{data}/lensing_cl_800.txt")[:, :5].T
scale = 2 * np.pi / (l * (l + 1))
t = armilla.alm.random(lmax, np.append([0, 0], tt * scale), seed=1)
phi = armilla.alm.random(lmax, np.append([0, 0], pp * scale / (l * (l + 1))), seed=2)

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
