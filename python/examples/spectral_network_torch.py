#!/usr/bin/env python3
"""A network on the sphere in PyTorch that learns one step of an equation, with a spectral loss.

The layers are those of a spherical Fourier neural operator: a spherical convolution multiplies the
coefficients of each degree by a matrix over the channels, which is learnt, and a matrix over the
channels of each pixel goes around it. The equation is one of diffusion and reaction, du/dt =
Laplacian u + u - u^3, which a program with many small steps solves as the truth. The loss is the
mean square of the error over the sphere, by Parseval a sum over coefficients, and the difference of
the power spectra, which keeps small scales from fading. torch-harmonics takes the convolution where
it is installed.

Usage: spectral_network_torch.py [FOLDER [STEPS]]     writes loss.txt there
"""
import sys
import time
from pathlib import Path

import numpy as np
import torch

import armilla
from armilla import torch as at

NLAT, NLON, SIZE, CHANNELS, BATCH = 33, 64, 17, 8, 8


class SphericalConvolution(torch.nn.Module):
    """Coefficients of each degree times a matrix over the channels."""

    def __init__(self, given, made, layers=at):
        super().__init__()
        self.analysis = layers.RealSHT(NLAT, NLON)
        self.synthesis = layers.InverseRealSHT(NLAT, NLON)
        self.weights = torch.nn.Parameter(torch.randn(given, made, SIZE) / given ** 0.5)

    def forward(self, x):
        alm = self.analysis(x)
        mixed = torch.einsum("bilm,iol->bolm", torch.view_as_real(alm).movedim(-1, 0).reshape(
            -1, *alm.shape[1:]), self.weights)
        real, imaginary = mixed.chunk(2)
        return self.synthesis(torch.complex(real, imaginary))


class Network(torch.nn.Module):
    """Two blocks between a lift to some channels and back; what is learnt is the change."""

    def __init__(self):
        super().__init__()
        self.lift = torch.nn.Conv2d(1, CHANNELS, 1)
        self.blocks = torch.nn.ModuleList(SphericalConvolution(CHANNELS, CHANNELS)
                                          for _ in range(2))
        self.pixels = torch.nn.ModuleList(torch.nn.Conv2d(CHANNELS, CHANNELS, 1)
                                          for _ in range(2))
        self.back = torch.nn.Conv2d(CHANNELS, 1, 1)

    def forward(self, x):
        y = self.lift(x)
        for block, pixels in zip(self.blocks, self.pixels):
            y = torch.nn.functional.gelu(block(y) + pixels(y))
        return x + self.back(y)


def spectrum(alm):
    """C_l of coefficients [l, m], m >= 0."""
    power = alm.abs() ** 2
    return (2 * power.sum(-1) - power[..., 0]) / (2 * torch.arange(alm.shape[-2]) + 1)


class SpectralLoss(torch.nn.Module):
    """Mean square over the sphere, and difference of the logarithms of spectra."""

    def __init__(self):
        super().__init__()
        self.analysis = at.RealSHT(NLAT, NLON)

    def forward(self, made, truth):
        one, other = self.analysis(made), self.analysis(truth)
        degrees = 2 * torch.arange(SIZE) + 1
        square = (degrees * spectrum(one - other)).sum(-1).mean() / (4 * np.pi)
        ratio = torch.log((spectrum(one) + 1e-6) / (spectrum(other) + 1e-6))
        return square + 0.01 * (ratio ** 2).mean()


def states(number, seed):
    """Random fields, and the same a time of 0.1 later, (number, 1, NLAT, NLON) each."""
    grid = armilla.Grid.equidistant("CC", NLAT, NLON)
    sht = armilla.SHT(grid, SIZE - 1, two_dimensional=True)
    l = np.concatenate([np.arange(m, SIZE) for m in range(SIZE)])
    cl = 4.0 / (1 + np.arange(SIZE)) ** 3
    now = np.stack([armilla.alm.random(SIZE - 1, cl, seed=seed + i) for i in range(number)])
    later, step = now, 0.005
    for _ in range(20):
        u = sht.synthesis(later)
        later = (later + step * sht.analysis(u - u ** 3)) / (1 + step * l * (l + 1))
    return [torch.from_numpy(sht.synthesis(a)[:, None].astype(np.float32)) for a in (now, later)]


def beside_torch_harmonics(x) -> None:
    """The spherical convolution and its gradient with the layers of torch-harmonics."""
    try:
        import torch_harmonics
    except ImportError:
        print("peer not installed: torch-harmonics")
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    layers = [SphericalConvolution(CHANNELS, CHANNELS, each) for each in (at, torch_harmonics)]
    layers[1].weights.data = layers[0].weights.data
    x = x.repeat(1, CHANNELS, 1, 1)
    made, seconds = [layer(x).detach() for layer in layers], [np.inf, np.inf]
    for _ in range(20):
        for number, layer in enumerate(layers):
            start = time.perf_counter()
            (layer(x) ** 2).sum().backward()
            seconds[number] = min(seconds[number], time.perf_counter() - start)
    torch.set_num_threads(threads)
    apart = float((made[0] - made[1]).abs().max() / made[1].abs().max())
    assert apart < 1e-5
    print(f"against torch-harmonics | convolution layer with gradient, {NLAT} x {NLON}, "
          f"{BATCH} x {CHANNELS} fields, float32 | {apart:.1e} | {seconds[0] * 1e3:.2f} | "
          f"{seconds[1] * 1e3:.2f}")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    torch.manual_seed(1)
    network, loss = Network(), SpectralLoss()
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-2)
    unseen, truth = states(BATCH, seed=1000)
    told, begin = [float(loss(network(unseen), truth).detach())], time.perf_counter()
    lines = ["# step, loss of training, seconds"]
    for step in range(steps):
        now, later = states(BATCH, seed=2000 + BATCH * step)
        optimiser.zero_grad()
        value = loss(network(now), later)
        value.backward()
        optimiser.step()
        lines.append(f"{step:4d} {float(value.detach()):.6e} {time.perf_counter() - begin:.3f}")
    told.append(float(loss(network(unseen), truth).detach()))
    same = float(loss(unseen, truth))
    print(f"loss on fields that were not seen: {told[0]:.3f} before, {told[1]:.4f} after {steps} "
          f"steps, {same:.3f} where nothing changes")
    beside_torch_harmonics(unseen)
    assert told[1] < 0.2 * min(told[0], same)
    (folder / "loss.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
