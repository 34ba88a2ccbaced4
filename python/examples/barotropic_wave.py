#!/usr/bin/env python3
"""A barotropic model of the atmosphere: two days of a Rossby-Haurwitz wave, against its solution.

Without divergence and friction the absolute vorticity zeta + f is carried along by the wind:

    d zeta / dt = -div (v (zeta + f)),    f = 2 Omega sin(latitude)

A solid rotation omega with a wave of one degree n on it turns as a whole, without a change of its
form, with the angular speed

    omega - 2 (omega + Omega) / (n (n + 1))

(Haurwitz 1940). A step goes from vorticity to winds, multiplies on the grid, and takes the
divergence of the flux: a synthesis and an analysis of vector fields, and a synthesis of a scalar.

Usage: barotropic_wave.py [FOLDER]     writes vorticity.png there
"""
import sys
import time
from pathlib import Path

import numpy as np

import armilla

LMAX, HOURS, STEP = 42, 48, 300.0  # T42; hours; seconds
OMEGA_EARTH, WAVE, OMEGA, K = 7.292e-5, 4, 7.848e-6, 7.848e-6  # 1/s; zonal number of the wave
RADIUS = armilla.wind.EARTH_RADIUS_SPHARM


class Model:
    """Tendencies of the coefficients of vorticity, on a grid where products of two fields alias
    nothing into the degrees that are kept."""

    def __init__(self) -> None:
        rings = (3 * LMAX + 1) // 2 + 1
        self.grid = armilla.Grid.gauss_legendre(rings, 3 * LMAX + 3)
        self.scalar = armilla.SHT(self.grid, LMAX)
        self.vector = armilla.VectorSHT(self.grid, LMAX, radius=RADIUS)
        theta, _ = self.grid.pixels()
        self.coriolis = 2 * OMEGA_EARTH * np.cos(theta)

    def tendency(self, vorticity: np.ndarray) -> np.ndarray:
        wind = self.vector.synthesis(np.stack([vorticity, np.zeros_like(vorticity)]))
        absolute = self.scalar.synthesis(vorticity) + self.coriolis
        return -self.vector.analysis(wind * absolute)[1]  # the divergence of the flux

    def step(self, vorticity: np.ndarray) -> np.ndarray:
        """Runge and Kutta's step of fourth order."""
        one = self.tendency(vorticity)
        two = self.tendency(vorticity + STEP / 2 * one)
        three = self.tendency(vorticity + STEP / 2 * two)
        four = self.tendency(vorticity + STEP * three)
        return vorticity + STEP / 6 * (one + 2 * two + 2 * three + four)


def wave_at(grid: armilla.Grid, angle: float) -> np.ndarray:
    """Vorticity of the wave, turned eastward by an angle (Williamson et al. 1992, test 6)."""
    theta, phi = grid.pixels()
    sine, cosine = np.cos(theta), np.sin(theta)  # of the latitude
    wave = (WAVE ** 2 + 3 * WAVE + 2) * cosine ** WAVE * np.cos(WAVE * (phi - angle))
    return 2 * OMEGA * sine - K * sine * wave


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    model = Model()
    vorticity = model.scalar.analysis(wave_at(model.grid, 0.0))
    steps = int(HOURS * 3600 / STEP)
    start = time.perf_counter()
    for _ in range(steps):
        vorticity = model.step(vorticity)
    seconds = time.perf_counter() - start

    degree = WAVE + 1
    speed = OMEGA - 2 * (OMEGA + OMEGA_EARTH) / (degree * (degree + 1))
    expected = wave_at(model.grid, speed * HOURS * 3600)
    made = model.scalar.synthesis(vorticity)
    error = np.abs(made - expected).max() / np.abs(expected).max()
    print(f"T{LMAX}, {steps} steps of {STEP:.0f} s: {seconds / steps * 1e3:.1f} ms each")
    print(f"after {HOURS} hours the wave has turned by {np.degrees(speed * HOURS * 3600):.3f} deg; "
          f"largest error {error:.1e} of the largest vorticity")
    assert error < 1e-10
    print(f"against its solution | barotropic model, T{LMAX}, {HOURS} hours, a step | "
          f"{error:.1e} | {seconds / steps * 1e3:.2f} | none")

    u, v = model.vector.synthesis(np.stack([vorticity, np.zeros_like(vorticity)]))
    rotational, divergent = armilla.Wind(model.grid, LMAX, radius=RADIUS).energy_spectrum(u, v)
    print(f"strongest wind {np.hypot(u, v).max():.1f} m/s, kinetic energy "
          f"{rotational.sum():.3f} m^2/s^2, of it divergent {divergent.sum():.1e}")
    limit = float(np.abs(made).max())
    armilla.io.write_picture(folder / "vorticity.png", made, grid=model.grid, width=800,
                             title="vorticity, 1/s", minimum=-limit, maximum=limit, flip="geo",
                             overwrite=True)


if __name__ == "__main__":
    main()
