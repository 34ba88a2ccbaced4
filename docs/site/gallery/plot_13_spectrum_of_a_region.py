"""
The energy spectrum of Europe, and of the globe
===============================================

Kinetic energy per degree of the wind over a region, rotational and divergent, beside that of the
whole globe: a mask, and no projection to a plane.
"""
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr

import armilla
import armilla.xarray

# %%
# A wind on the octahedral grid O160 that has four times the energy over Europe, from degree 20 on.
grid, lmax = armilla.Grid.octahedral(160), 159
lon, lat = grid.pixels(lonlat=True)
lon = (lon + 180) % 360 - 180  # from -180 degrees on


def between(values, low, high, margin):
    """1 inside, and 0 farther than the margin outside."""
    steps = np.clip((values - low) / margin + 1, 0, 1) * np.clip((high - values) / margin + 1, 0, 1)
    return 0.5 - 0.5 * np.cos(np.pi * steps)


europe = between(lat, 36, 62, 14) * between(lon, -8, 38, 20)
l = np.arange(lmax + 1.0)
plan = armilla.SHT(grid, lmax, spin=1)
parts = []
for seed, low in ((1, 1), (2, 20)):
    e, b = (armilla.alm.random(lmax, np.where(l >= low, scale / (1 + (l / 7) ** slope), 0)
                               / (2 * l + 1), seed=2 * seed + i)
            for i, (scale, slope) in enumerate(((80, 5 / 3), (750, 3))))
    parts.append(plan.synthesis([e, b]))
minus_v, u = parts[0] + np.sqrt(3) * europe * parts[1]
wind = xr.Dataset({"u": ("cell", u, {"units": "m s-1"}), "v": ("cell", -minus_v,
                                                               {"units": "m s-1"})})

# %%
# One call for the globe and one for the region, in bands that are as wide as what the region can
# tell apart.
labelled = wind.armilla.options(grid=grid, lmax=lmax)
globe = labelled.ke_spectrum("u", "v")
region = labelled.ke_spectrum("u", "v", mask=europe, bands=15)

# %%
figure, axes = plt.subplots(figsize=(7.5, 5), layout="constrained")
for part, colour in (("rotational", "tab:blue"), ("divergent", "tab:orange")):
    axes.loglog(globe.degree[1:], globe[part][1:], color=colour, lw=1, label=f"{part}, globe")
    axes.loglog(region.degree, region[part], "o--", color=colour, label=f"{part}, Europe")
axes.set(xlabel="degree l", ylabel="kinetic energy per mass and degree [m$^2$ s$^{-2}$]",
         xlim=(1, lmax))
axes.legend()
plt.show()

# %%
# The region itself, and the wind in it.
armilla.plot.map(grid, np.hypot(u, minus_v) * europe, projection="orthographic", rot=(15, 45),
                 half_sky=True, flip="geo", cmap="viridis", title="wind speed times the mask",
                 unit="m s$^{-1}$")
plt.show()
