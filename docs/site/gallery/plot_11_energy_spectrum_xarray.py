"""
Kinetic energy of a wind, scale by scale
========================================

The spectrum of a labelled wind on three levels, with its rotational and its divergent part. The
grid follows from the coordinates.
"""
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr

import armilla
import armilla.xarray

# %%
# A wind as a forecast has it: large vortices whose energy falls as the cube of the degree, weaker
# divergent motion that falls more slowly, faster further up. It lies on the Gaussian grid F128, and
# is float32.
lmax, radius = 255, armilla.xarray.EARTH_RADIUS
grid = armilla.Grid.gauss_legendre(256, 512)
plan = armilla.SHT(grid, lmax, spin=1, two_dimensional=True)
l = np.arange(lmax + 1.0)
rotational = np.where(l > 0, 4 * np.pi * 60 / (1 + (l / 7) ** 3) / (2 * l + 1), 0)
divergent = np.where(l > 0, 4 * np.pi * 2 / (1 + (l / 7) ** (5 / 3)) / (2 * l + 1), 0)
levels, winds = [850, 500, 250], []
for i, level in enumerate(levels):
    b, e = (armilla.alm.random(lmax, cl * 850 / level, seed=2 * i + k)
            for k, cl in enumerate((rotational, divergent)))
    minus_v, u = plan.synthesis(np.array([e, b]).astype(np.complex64))
    winds.append((u, -minus_v))
u, v = np.moveaxis(np.array(winds), 1, 0)
labels = {"level": ("level", levels, {"units": "hPa"}),
          "lat": ("lat", grid.lat, {"units": "degrees_north"}),
          "lon": ("lon", grid.lon, {"units": "degrees_east"})}
wind = xr.Dataset({name: (("level", "lat", "lon"), values, {"units": "m s-1"})
                   for name, values in (("ua", u), ("va", v))}, coords=labels)

# %%
# One call for all levels. The sum over the degrees is the mean kinetic energy per mass.
energy = wind.armilla.ke_spectrum("ua", "va")
mean = (0.5 * (wind.ua.astype(float) ** 2 + wind.va.astype(float) ** 2)).weighted(
    xr.DataArray(grid.weights(two_dimensional=True), dims=("lat", "lon"))).mean(("lat", "lon"))
assert np.allclose(energy.total.sum("degree"), mean, rtol=1e-5)

# %%
figure, axes = plt.subplots(figsize=(7.5, 5), layout="constrained")
for level, colour in zip(levels, ("tab:blue", "tab:orange", "tab:green")):
    for part, style in (("rotational", "-"), ("divergent", "--")):
        axes.loglog(energy.degree[1:], energy[part].sel(level=level)[1:], style, color=colour,
                    label=f"{part}, {level} hPa")
axes.plot(l[15:], 4e3 * l[15:] ** -3, "k:", label="$l^{-3}$")
axes.plot(l[15:], 2 * l[15:] ** (-5 / 3), "k-.", label="$l^{-5/3}$")
axes.set(xlabel="degree l", ylabel="kinetic energy per mass and degree [m$^2$ s$^{-2}$]",
         xlim=(1, lmax), ylim=(1e-3, 300))
axes.legend(ncols=2, fontsize="small")
plt.show()
