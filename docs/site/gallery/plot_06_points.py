"""
Values at points, and a fit to them
===================================

A field is read along the track of a satellite, with noise, and its coefficients are found again by
least squares over these points alone.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla

lmax = 24
l = np.arange(lmax + 1)
alm = armilla.alm.random(lmax, 1 / (1 + l) ** 2.0, seed=4)

# %%
# Fifty orbits of a satellite whose inclination is 80 degrees, while the sphere turns below it.
orbit = np.linspace(0, 50 * 2 * np.pi, 9000)
latitude = np.arcsin(np.sin(np.radians(80)) * np.sin(orbit))
longitude = np.arctan2(np.cos(np.radians(80)) * np.sin(orbit), np.cos(orbit)) - orbit / 15.7
loc = np.stack([np.pi / 2 - latitude, longitude % (2 * np.pi)], axis=1)

# %%
# A plan sorts the points once; synthesis, its adjoint and the fit use it again and again.
points = armilla.Points(lmax, loc, epsilon=1e-9)
noise = 0.1 * np.random.default_rng(5).standard_normal(len(loc))
fit, report = points.pseudo_analysis(points.synthesis(alm) + noise, tolerance=1e-6)
print(report)

# %%
grid = armilla.Grid.equidistant("CC", 91, 180)
sht = armilla.SHT(grid, lmax, two_dimensional=True)
truth, found = sht.synthesis(alm), sht.synthesis(fit)
figure, panels = plt.subplots(3, 1, figsize=(6.5, 9), layout="constrained", sharex=True)
limit = np.abs(truth).max()
extent = (0, 360, -90, 90)
panels[0].scatter(np.degrees(loc[:, 1]), 90 - np.degrees(loc[:, 0]), 2,
                  points.synthesis(alm) + noise, cmap="viridis", vmin=-limit, vmax=limit)
panels[0].set(title="what the satellite saw", xlim=(0, 360), ylim=(-90, 90))
for panel, values, title in ((panels[1], found, "the fit"),
                             (panels[2], 10 * (found - truth), "ten times its error")):
    panel.imshow(values, extent=extent, aspect="auto", cmap="viridis", vmin=-limit, vmax=limit)
    panel.set_title(title)
plt.show()
