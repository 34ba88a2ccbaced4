"""
A landscape on a Gauss-Legendre grid
====================================

A field that looks like topography, with a red spectrum, its slopes, and the degrees it is made of.
On a Gauss-Legendre grid analysis is exact.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla

lmax = 255
grid = armilla.Grid.gauss_legendre(lmax + 1, 2 * lmax + 2)
sht = armilla.SHT(grid, lmax, two_dimensional=True)
l = np.arange(lmax + 1)
alm = armilla.alm.random(lmax, 1e6 / (1 + l) ** 3.0, seed=11)
height = sht.synthesis(alm)
assert np.abs(sht.analysis(height) - alm).max() < 1e-10 * np.abs(alm).max()

# %%
# Slopes: a plan with the mode "derivatives" gives both components of the gradient at once. A light
# from the west makes the relief.
gradient = armilla.SHT(grid, lmax, spin=1, mode="derivatives", two_dimensional=True)
south, east = gradient.synthesis(alm)
steep = 1 / np.sqrt(1 + ((south ** 2 + east ** 2) / (6 * east.std()) ** 2))
shade = np.clip(0.75 - east / (8 * east.std()), 0.35, 1) * steep

colours = plt.get_cmap("terrain")(0.5 + height / (8 * height.std()) + 0.08)
colours[..., :3] *= shade[..., None]
plt.figure(figsize=(9, 4.6), layout="constrained")
plt.imshow(np.roll(colours, lmax + 1, axis=1), extent=(-180, 180, -90, 90))
plt.xlabel("longitude")
plt.ylabel("latitude")
plt.title("height, lit from the west")

# %%
# What is left of the landscape without its finest degrees:
figure, panels = plt.subplots(1, 3, figsize=(10, 2.4), layout="constrained")
for panel, largest in zip(panels, (4, 16, 64)):
    part = sht.synthesis(armilla.alm.multiply_window(alm, l <= largest))
    panel.imshow(np.roll(part, lmax + 1, axis=1), cmap="terrain")
    panel.set(title=f"degrees up to {largest}", xticks=[], yticks=[])
plt.show()
