#!/usr/bin/env python3
"""Winds on the grids of weather models: vorticity and divergence on F64, O32 and O160, and back.

F<N> has 4 N pixels on each of its 2 N Gaussian rings; O<N> has the same rings with 20 + 4 i pixels
on ring i = 0, 1, ... from either pole, so that its pixels are nearly as wide as high. On O<N> the
analysis of degrees up to N - 1 is exact to rounding, that of winds as well, poles included: the
winds are those of a Rossby-Haurwitz wave, whose vorticity is known in closed form, and of random
vorticity and divergence of all degrees, which must come back. spharmgrid takes the winds of F64
where it is installed.

Usage: winds_reduced_grid.py [FOLDER]     writes wind.png, vorticity.png there
"""
import sys
import time
from pathlib import Path

import numpy as np

import armilla

RADIUS = armilla.wind.EARTH_RADIUS_ECMWF
WAVE, OMEGA, K = 4, 7.848e-6, 7.848e-6  # Williamson et al. 1992, test 6
LEVELS = 8


def wave(grid: armilla.Grid) -> np.ndarray:
    """u, v and vorticity of the wave."""
    theta, phi = grid.pixels()
    sine, cosine = np.cos(theta), np.sin(theta)  # of the latitude
    tilt = WAVE * sine ** 2 - cosine ** 2
    u = OMEGA * cosine + K * cosine ** (WAVE - 1) * tilt * np.cos(WAVE * phi)
    v = -K * WAVE * cosine ** (WAVE - 1) * sine * np.sin(WAVE * phi)
    steep = (WAVE ** 2 + 3 * WAVE + 2) * cosine ** WAVE * np.cos(WAVE * phi)
    return np.stack([RADIUS * u, RADIUS * v, 2 * OMEGA * sine - K * sine * steep])


def largest(made: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(made - expected).max() / np.abs(expected).max())


def check(name: str, lmax: int) -> armilla.Wind:
    grid = armilla.Grid.named(name)
    wind = armilla.Wind(grid, lmax, radius=RADIUS)
    u, v, vorticity = wave(grid)
    errors = [largest(wind.vorticity_divergence(u, v)[0], vorticity),
              largest(np.stack(wind.from_vorticity_divergence(vorticity, 0 * u)),
                      np.stack([u, v]))]
    cl = 1e-10 / (1 + np.arange(lmax + 1.0)) ** 2 * (np.arange(lmax + 1) > 0)
    given = np.stack([[armilla.alm.random(lmax, cl, seed=1, field=2 * level + part)
                       for part in (0, 1)] for level in range(LEVELS)])
    maps = wind.transform.synthesis(given)
    errors.append(largest(wind.transform.analysis(maps), given))
    start = time.perf_counter()
    wind.vorticity_divergence(maps[:, 0], maps[:, 1])
    seconds = (time.perf_counter() - start) / LEVELS
    print(f"{name:4}: {grid.npix} pixels, T{lmax}; wave: vorticity {errors[0]:.1e}, wind "
          f"{errors[1]:.1e}; all degrees there and back {errors[2]:.1e}; "
          f"{seconds * 1e3:.2f} ms a level")
    assert max(errors) < 1e-12
    return wind


def beside_spharmgrid(wind: armilla.Wind) -> None:
    """Vorticity and divergence on F64 by spharmgrid, on one thread."""
    try:
        import spharmgrid
        import xarray
    except ImportError:
        print("peer not installed: spharmgrid")
        return
    grid, shape = wind.grid, wind.grid.shape_2d
    places = {"lat": grid.lat, "lon": grid.lon}
    given = armilla.alm.random(127, 1e-10 / (1 + np.arange(128.0)) ** 2 * (np.arange(128) > 0), 1)
    u, v = wind.transform.synthesis(np.stack([given, 1j * given.imag]))
    both = [xarray.DataArray(one.reshape(shape), dims=("lat", "lon"), coords=places)
            for one in (u, v)]

    def theirs() -> list:
        return [function(*both, radius=RADIUS, sht_threads=1).values.ravel()
                for function in (spharmgrid.vorticity, spharmgrid.divergence)]

    seconds = [np.inf, np.inf]
    for _ in range(10):
        for number, call in enumerate((lambda: wind.vorticity_divergence(u, v, nthreads=1),
                                       theirs)):
            start = time.perf_counter()
            call()
            seconds[number] = min(seconds[number], time.perf_counter() - start)
    apart = largest(np.stack(wind.vorticity_divergence(u, v)), np.stack(theirs()))
    assert apart < 1e-12
    print(f"against spharmgrid | winds on F64, T127, vorticity and divergence | {apart:.1e} | "
          f"{seconds[0] * 1e3:.2f} | {seconds[1] * 1e3:.2f}")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    beside_spharmgrid(check("F64", 127))
    check("O32", 31)
    wind = check("O160", 159)

    l = np.arange(160)
    jet = armilla.alm.random(159, 4e-11 / (1 + (l / 8.0) ** 4) * (l > 0), seed=7)
    jet[armilla.alm.index(159, 3, 0)] = 6e-5
    scalar = armilla.SHT(wind.grid, 159)
    vorticity = scalar.synthesis(jet)
    u, v = wind.from_vorticity_divergence(vorticity, 0 * vorticity)
    for name, values, unit in (("wind", np.hypot(u, v), "m/s"), ("vorticity", vorticity, "1/s")):
        limit = float(np.abs(values).max())
        armilla.io.write_picture(folder / f"{name}.png", values, grid=wind.grid, width=800,
                                 title=name, unit=unit, flip="geo", overwrite=True,
                                 minimum=0.0 if name == "wind" else -limit, maximum=limit,
                                 cmap="viridis" if name == "wind" else "diverging")


if __name__ == "__main__":
    main()
