"""
Winds, vorticity and divergence
===============================

A wind with the components u (eastward) and v (northward) is a field of spin 1. Its coefficients E
and B give divergence and vorticity, and these give the wind back.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla

grid = armilla.Grid.equidistant("CC", 181, 360)
lmax, radius = 60, 6.371e6
scalar = armilla.SHT(grid, lmax, two_dimensional=True)
vector = armilla.SHT(grid, lmax, spin=1, two_dimensional=True)

# %%
# A jet in each hemisphere, and waves: vorticity and divergence of some 1e-5 per second.
l = np.arange(lmax + 1)
vorticity = armilla.alm.random(lmax, 4e-11 / (1 + (l / 8.0) ** 4) * (l > 0), seed=7)
divergence = armilla.alm.random(lmax, 2e-12 / (1 + (l / 8.0) ** 4) * (l > 0), seed=8)
vorticity[armilla.alm.index(lmax, 3, 0)] = 6e-5

# %%
# divergence = -sqrt(l (l + 1)) E / a and vorticity = -sqrt(l (l + 1)) B / a. The map of spin 1
# holds -v, along the colatitude, and u.
inverse = np.append(0, -radius / np.sqrt(l * (l + 1))[1:])
eb = np.array([armilla.alm.multiply_window(a, inverse) for a in (divergence, vorticity)])
minus_v, u = vector.synthesis(eb)
print(f"strongest wind: {np.hypot(u, minus_v).max():.0f} m/s")

# %%
# Back again, exactly:
assert np.allclose(vector.analysis(np.array([minus_v, u])), eb)

# %%
longitude, latitude = np.arange(360), np.linspace(90, -90, 181)
figure, panels = plt.subplots(2, 1, figsize=(8, 7.5), layout="constrained", sharex=True)
for panel, alm, name in zip(panels, (vorticity, divergence), ("vorticity", "divergence")):
    values = 1e5 * scalar.synthesis(alm)
    limit = np.abs(values).max()
    image = panel.pcolormesh(longitude, latitude, values, cmap="RdBu_r", vmin=-limit, vmax=limit)
    panel.quiver(longitude[::12], latitude[8::12], u[8::12, ::12], -minus_v[8::12, ::12],
                 width=0.0018)
    panel.set(title=name, ylabel="latitude")
    figure.colorbar(image, ax=panel, label="$10^{-5}$ s$^{-1}$")
panels[1].set_xlabel("longitude")
plt.show()
