#!/usr/bin/env python3
"""Coefficients from a noisy, masked, smoothed map: a fit by gradients of a likelihood and a prior.

Twice: by conjugate gradients, with the gradient written down through the adjoint of synthesis, and,
where PyTorch is installed, by L-BFGS with the gradient that autograd finds through armilla.torch.

Usage: gradient_map_fit.py [FOLDER]     writes data.png, fit.png, truth.png there
"""
import sys
from pathlib import Path

import numpy as np

import armilla

try:
    import torch

    from armilla import torch as at
except ImportError:
    torch = None

NSIDE, LMAX, NOISE = 32, 48, 0.5


def problem():
    """The plan, the beam, the spectrum; the true coefficients, the mask and the data."""
    sht = armilla.SHT(armilla.Grid.healpix(NSIDE), LMAX)
    beam = armilla.spectrum.gaussian_beam(np.radians(4), LMAX)
    cl = 1 / (1 + np.arange(LMAX + 1.0)) ** 2.5
    truth = armilla.alm.random(LMAX, cl, seed=5)
    rng = np.random.default_rng(6)
    seen = np.ones(sht.grid.npix)
    rings = sht.grid.rings
    for ring in rings[np.abs(np.pi / 2 - rings["theta"]) < np.radians(8)]:
        seen[ring["offset"]:ring["offset"] + ring["nphi"]] = 0
    data = sht.synthesis(armilla.alm.multiply_window(truth, beam))
    return sht, beam, cl, truth, seen, seen * (data + NOISE * rng.standard_normal(data.shape))


def degrees() -> np.ndarray:
    """l of every coefficient."""
    return np.concatenate([np.arange(m, LMAX + 1) for m in range(LMAX + 1)])


def fit_with_torch(sht, signal, seen, data):
    """Maximum of the posterior; signal: sqrt(C_l) b_l of each coefficient."""
    parts = torch.zeros(*sht.alm_shape, 2, dtype=torch.float64, requires_grad=True)  # re, im
    signal, seen, data = (torch.from_numpy(np.asarray(v)) for v in (signal, seen, data))
    optimiser = torch.optim.LBFGS([parts], max_iter=300, tolerance_grad=1e-6, history_size=20,
                                  line_search_fn="strong_wolfe")
    twice = torch.full(sht.alm_shape, 2.0, dtype=torch.float64)
    twice[:LMAX + 1] = 1  # m > 0 counts twice

    def loss():
        optimiser.zero_grad()
        x = torch.view_as_complex(parts)
        rest = seen * (at.synthesis(sht, signal * x) - data)
        value = (rest ** 2).sum() / NOISE ** 2 + (twice * x.abs() ** 2).sum()
        value.backward()
        return value

    optimiser.step(loss)
    return torch.view_as_complex(parts).detach().numpy()


def fit_with_adjoint(sht, signal, seen, data):
    """The same: conjugate gradients for (1 + S Y^T N^-1 Y S) x = S Y^T N^-1 data."""
    def dot(a, b):
        product = (a * b.conj()).real
        return 2 * product.sum() - product[:LMAX + 1].sum()

    def normal(x):
        rest = seen * sht.synthesis(signal * x) / NOISE ** 2
        return x + signal * sht.adjoint_synthesis(rest)

    x = np.zeros(sht.alm_shape, complex)
    rest = signal * sht.adjoint_synthesis(seen * data / NOISE ** 2)
    direction, square = rest, dot(rest, rest)
    first = square
    while square > 1e-14 * first:
        image = normal(direction)
        step = square / dot(direction, image)
        x, rest = x + step * direction, rest - step * image
        square, before = dot(rest, rest), square
        direction = rest + square / before * direction
    return x


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    sht, beam, cl, truth, seen, data = problem()
    signal = (np.sqrt(cl) * beam)[degrees()]
    prior = np.sqrt(cl)[degrees()]
    x = fit_with_adjoint(sht, signal, seen, data)
    if torch is not None:
        other = fit_with_torch(sht, signal, seen, data)
        difference = np.linalg.norm(other - x) / np.linalg.norm(x)
        print(f"autograd and adjoint: the fits differ by {difference:.1e}")
        assert difference < 1e-3
    sky, fit = sht.synthesis(truth), sht.synthesis(prior * x)
    inside = seen > 0
    before, after = (np.sqrt(np.mean((m - sky)[inside] ** 2) / np.mean(sky[inside] ** 2))
                     for m in (data, fit))
    print(f"rms error over rms of the sky: data {before:.2f}, fit {after:.2f}")
    assert after < 0.6 * before

    limit = 3 * float(sky.std())
    shown = np.where(inside, data, armilla.io.UNSEEN)
    for name, values in (("data", shown), ("fit", fit), ("truth", sky)):
        armilla.io.write_picture(folder / f"{name}.png", values, width=800, title=name,
                                 minimum=-limit, maximum=limit, overwrite=True)


if __name__ == "__main__":
    main()
