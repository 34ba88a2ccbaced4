"""
Rotation, and coordinate systems of the sky
===========================================

A rotation acts on coefficients, exactly, and no pixel is interpolated.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla
import armilla.healpy as hp

nside, lmax = 64, 128
l = np.arange(lmax + 1)

# %%
# A band along the equator, with a bright spot: a galaxy, say, in its own coordinates.
theta, phi = armilla.healpix.pixel_to_ang(nside, np.arange(12 * nside ** 2))
latitude = np.pi / 2 - theta
sky = np.exp(-(latitude / np.radians(8)) ** 2) * (1.2 + np.cos(phi))
sky += 3 * np.exp(-(latitude ** 2 + np.minimum(phi, 2 * np.pi - phi) ** 2) / np.radians(6) ** 2)
sht = armilla.SHT(armilla.Grid.healpix(nside), lmax)
alm, report = sht.pseudo_analysis(sky, tolerance=1e-6)

# %%
# From galactic to equatorial coordinates, and by Euler angles.
to_equatorial = armilla.Rotation.from_coordinates("G", "C")
turned = armilla.Rotation(psi=0, theta=np.pi / 2, phi=np.pi / 2)
plt.figure(figsize=(10, 5.6)).subplots_adjust(0.01, 0.01, 0.99, 0.97, 0.02, 0.06)
for place, rotation, title in ((1, None, "galactic"), (2, to_equatorial, "equatorial"),
                               (3, turned, "turned by Euler angles"),
                               (4, turned.inverse() @ turned, "and back")):
    seen = alm if rotation is None else rotation.rotate_alm(alm)
    hp.mollview(sht.synthesis(seen), sub=(2, 2, place), title=title, cbar=False, cmap="magma")

# %%
# The power of every degree stays what it was.
power = armilla.spectrum.compute(to_equatorial.rotate_alm(alm))
assert np.allclose(power, armilla.spectrum.compute(alm))
plt.show()
