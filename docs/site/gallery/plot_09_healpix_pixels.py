"""
HEALPix pixels: discs, neighbours, boundaries
=============================================

What the pixel functions find around a direction.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla
import armilla.healpy as hp

# %%
# Pixels in a disc, in a polygon and in a strip; numbers are RING.
nside = 32
centre = armilla.healpix.ang2vec(np.radians([50, 30]))
disc = armilla.healpix.query_disc(nside, centre, np.radians(20))
corners = armilla.healpix.ang2vec(np.radians([[60, 120], [60, 200], [120, 160]]))
polygon = armilla.healpix.query_polygon(nside, corners)
strip = armilla.healpix.query_strip(nside, np.radians(140), np.radians(150))

sky = np.zeros(12 * nside ** 2)
sky[strip], sky[polygon], sky[disc] = 1, 2, 3
around = armilla.healpix.neighbours(nside, disc)
sky[np.setdiff1d(around[around >= 0], disc)] = 4
hp.mollview(sky, title="strip, polygon, disc and its neighbours", cmap="viridis", cbar=False)

# %%
# Boundaries of pixels at nside 4, and the same pixels' numbers in both orders.
plt.figure(figsize=(7, 7), layout="constrained")
pixels = np.arange(12 * 4 ** 2)
for pixel, edge in zip(pixels, armilla.healpix.boundaries(4, pixels, 8)):
    x, y, z = edge if len(edge) == 3 else edge.T
    if z.min() > -0.02:
        plt.fill(x, y, facecolor=plt.get_cmap("viridis")(z.mean()), edgecolor="white", lw=1.5)
        nested = armilla.healpix.ring_to_nest(4, pixel)
        if z.mean() > 0.25:
            plt.text(x.mean(), y.mean(), f"{pixel}\n{nested}", ha="center", va="center",
                     fontsize=7, color="white" if z.mean() < 0.7 else "black")
plt.axis("equal")
plt.axis("off")
plt.title("RING (above) and NESTED numbers, seen from the north")
plt.show()
