#!/usr/bin/env python3
"""A network on the sphere in JAX that learns one step of an equation, with a spectral loss.

The same as spectral_network_torch.py without a library of layers: parameters are a dictionary, the
network is a function, and one compiled program makes a step of training. No Python runs in it: the
transforms are functions in C that XLA calls.

Usage: spectral_network_jax.py [FOLDER [STEPS]]     writes loss.txt there
"""
import sys
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import armilla
from armilla import jax as aj

NLAT, NLON, SIZE, CHANNELS, BATCH = 33, 64, 17, 8, 8
ANALYSIS, SYNTHESIS = aj.RealSHT(NLAT, NLON), aj.InverseRealSHT(NLAT, NLON)


def parameters(key):
    """Two blocks between a lift to some channels and back."""
    shapes = {"lift": (1, CHANNELS), "back": (CHANNELS, 1)}
    for i in range(2):
        shapes[f"degrees {i}"] = (CHANNELS, CHANNELS, SIZE)
        shapes[f"pixels {i}"] = (CHANNELS, CHANNELS)
    keys = jax.random.split(key, len(shapes))
    return {name: jax.random.normal(one, shape) / shape[0] ** 0.5
            for one, (name, shape) in zip(keys, shapes.items())}


def convolution(weights, x):
    """A spherical convolution: coefficients of each degree times a matrix over the channels."""
    return SYNTHESIS(jnp.einsum("bilm,iol->bolm", ANALYSIS(x), weights))


def network(given, x):
    """x (batch, 1, NLAT, NLON); what is learnt is the change."""
    mix = partial(jnp.einsum, "bihw,io->bohw")
    y = mix(x, given["lift"])
    for i in range(2):
        y = jax.nn.gelu(convolution(given[f"degrees {i}"], y) + mix(y, given[f"pixels {i}"]))
    return x + mix(y, given["back"])


def spectrum(alm):
    """C_l of coefficients [l, m], m >= 0."""
    power = jnp.abs(alm) ** 2
    return (2 * power.sum(-1) - power[..., 0]) / (2 * jnp.arange(SIZE) + 1)


def loss(made, truth):
    """Mean square over the sphere, and difference of the logarithms of spectra."""
    one, other = ANALYSIS(made), ANALYSIS(truth)
    square = ((2 * jnp.arange(SIZE) + 1) * spectrum(one - other)).sum(-1).mean() / (4 * np.pi)
    ratio = jnp.log((spectrum(one) + 1e-6) / (spectrum(other) + 1e-6))
    return square + 0.01 * (ratio ** 2).mean()


@jax.jit
def trained(given, moments, step, now, later):
    """A step of Adam."""
    value, slope = jax.value_and_grad(lambda p: loss(network(p, now), later))(given)
    first, second = moments
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, slope)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, slope)
    given = jax.tree.map(lambda p, m, v: p - 1e-2 * (m / (1 - 0.9 ** step)) / (
        jnp.sqrt(v / (1 - 0.999 ** step)) + 1e-8), given, first, second)
    return given, (first, second), value


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
    return [jnp.asarray(sht.synthesis(a)[:, None], jnp.float32) for a in (now, later)]


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    given = parameters(jax.random.key(1))
    moments = (jax.tree.map(jnp.zeros_like, given),) * 2
    unseen, truth = states(BATCH, seed=1000)
    before, begin = float(loss(network(given, unseen), truth)), time.perf_counter()
    lines = ["# step, loss of training, seconds"]
    for step in range(steps):
        now, later = states(BATCH, seed=2000 + BATCH * step)
        given, moments, value = trained(given, moments, step + 1.0, now, later)
        lines.append(f"{step:4d} {float(value):.6e} {time.perf_counter() - begin:.3f}")
    after, same = float(loss(network(given, unseen), truth)), float(loss(unseen, truth))
    print(f"loss on fields that were not seen: {before:.3f} before, {after:.4f} after {steps} "
          f"steps, {same:.3f} where nothing changes")
    assert after < 0.2 * min(before, same)
    (folder / "loss.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
