"""A mask for tests of armilla.pseudo_cl: apodised, with a cap and a hole."""
import numpy as np

import armilla


def apodised(theta, phi):
    """A mask that hides a cap and a hole and rises slowly from 0 to 1."""
    centres = [(0.0, 0.0, 0.6), (1.3, 2.0, 0.4)]
    mask = 1.0
    for t, p, radius in centres:
        cosine = np.cos(theta) * np.cos(t) + np.sin(theta) * np.sin(t) * np.cos(phi - p)
        distance = np.arccos(np.clip(cosine, -1, 1))
        mask = mask * np.sin(np.clip((distance - radius) / 0.4, 0, 1) * np.pi / 2) ** 2
    return mask


def places(grid):
    theta = np.repeat(grid.rings["theta"], grid.rings["nphi"])
    phi = np.concatenate([ring["phi0"] + 2 * np.pi * np.arange(ring["nphi"]) / ring["nphi"]
                          for ring in grid.rings])
    return theta, phi


SKY = armilla.Grid.healpix(32)
MASK = apodised(*places(SKY))
