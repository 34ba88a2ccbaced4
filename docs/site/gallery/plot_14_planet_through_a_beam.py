"""
A planet through an elliptical beam
===================================

What a detector with an elliptical beam sees of a planet in front of the microwave sky, in two
scans that cross, and what a round beam would have seen.
"""
import matplotlib.pyplot as plt
import numpy as np

import armilla

# %%
# The sky has the spectrum of the standard model, l (l + 1) C_l / 2 pi in µK² at some degrees. The
# planet is a point, some ten times as bright as the sky.
lmax, kmax = 1000, 8
degrees = [2, 5, 9, 14, 22, 36, 56, 86, 166, 193, 220, 245, 271, 343, 369, 388, 405, 431,
           497, 534, 571, 647, 682, 711, 782, 824, 870, 937, 962, 982, 1000]
d_l = [1022, 877, 820, 840, 934, 1159, 1548, 2287, 4884, 5505, 5733, 5544, 4984, 2691, 2090,
       1830, 1730, 1789, 2423, 2594, 2469, 1871, 1811, 1928, 2453, 2529, 2237, 1475, 1247,
       1124, 1062]
l = np.arange(2, lmax + 1)
cl = np.append([0, 0], np.interp(l, degrees, d_l) * 2 * np.pi / (l * (l + 1)))
planet = np.array([[np.pi / 2, 0.0]])
sky = armilla.alm.random(lmax, cl, seed=1)
sky += armilla.adjoint_evaluate(np.array([0.15]), lmax, planet)

# %%
# The beam is an ellipse of 30 by 50 arcminutes. Each of the two scans points at a square of three
# degrees around the planet, with the beam turned by the angle of the scan.
fwhm = np.radians([30 / 60, 50 / 60])
ellipse = armilla.beam.elliptical(*fwhm, lmax, kmax)
mean = np.sqrt(fwhm.prod())
circle = armilla.beam.elliptical(mean, mean, lmax, kmax)

n = 120
steps = np.radians(3) * ((np.arange(n) + 0.5) / n - 0.5)
south, east = np.meshgrid(steps, steps, indexing="ij")
pictures = []
for angle in np.radians([20, 110]):
    pointings = np.column_stack([np.pi / 2 + south.ravel(), east.ravel(), np.full(n * n, angle)])
    plan = armilla.Beams(lmax, kmax, pointings, epsilon=1e-6)
    pictures.append(plan.convolve(sky, ellipse).reshape(n, n))
round_beam = plan.convolve(sky, circle).reshape(n, n)
pictures += [round_beam, pictures[0] - round_beam]

# %%
# The difference is what a map making that takes the beam for round leaves around each bright
# source.
titles = ("first scan", "second scan", "through a round beam", "first scan - round")
figure, panels = plt.subplots(1, 4, figsize=(12, 3.4), layout="constrained", sharey=True)
top = max(picture.max() for picture in pictures)
for panel, picture, title in zip(panels, pictures, titles):
    limit = top if picture is not pictures[3] else abs(picture).max()
    image = panel.imshow(picture, cmap="RdBu_r", vmin=-limit, vmax=limit,
                         extent=(-1.5, 1.5, 1.5, -1.5))
    panel.set_title(title)
    panel.set_xlabel("degrees east")
    figure.colorbar(image, ax=panel, shrink=0.8)
panels[0].set_ylabel("degrees south")
plt.show()
