"""
Winds, vorticity and divergence
===============================

Vorticity and divergence give a wind, with components u (eastward) and v (northward), and the wind
gives them back.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla

grid = armilla.Grid.equidistant("CC", 181, 360)
lmax = 60
scalar = armilla.SHT(grid, lmax, two_dimensional=True)
winds = armilla.VectorSHT(grid, lmax, radius=armilla.wind.EARTH_RADIUS_ECMWF,
                          two_dimensional=True)

# %%
# A jet in each hemisphere, and waves: vorticity and divergence of some 1e-5 per second.
l = np.arange(lmax + 1)
vorticity = armilla.alm.random(lmax, 4e-11 / (1 + (l / 8.0) ** 4) * (l > 0), seed=7)
divergence = armilla.alm.random(lmax, 2e-12 / (1 + (l / 8.0) ** 4) * (l > 0), seed=8)
vorticity[armilla.alm.index(lmax, 3, 0)] = 6e-5

# %%
# The wind of both:
u, v = winds.synthesis(np.array([vorticity, divergence]))
print(f"strongest wind: {np.hypot(u, v).max():.0f} m/s")

# %%
# Back again, exactly:
back = winds.analysis(np.array([u, v]))
assert np.allclose(back, [vorticity, divergence], atol=1e-15)

# %%
longitude, latitude = np.arange(360), np.linspace(90, -90, 181)
figure, panels = plt.subplots(2, 1, figsize=(8, 7.5), layout="constrained", sharex=True)
for panel, alm, name in zip(panels, (vorticity, divergence), ("vorticity", "divergence")):
    values = 1e5 * scalar.synthesis(alm)
    limit = np.abs(values).max()
    image = panel.pcolormesh(longitude, latitude, values, cmap="RdBu_r", vmin=-limit, vmax=limit)
    panel.quiver(longitude[::12], latitude[8::12], u[8::12, ::12], v[8::12, ::12],
                 width=0.0018)
    panel.set(title=name, ylabel="latitude")
    figure.colorbar(image, ax=panel, label="$10^{-5}$ s$^{-1}$")
panels[1].set_xlabel("longitude")
plt.show()
