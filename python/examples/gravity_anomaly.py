#!/usr/bin/env python3
"""A gravity field from a file to a map of anomalies on a grid of Driscoll and Healy, and back.

Without a file of one's own, a field is made by Kaula's rule and written first. The power of each
degree comes from the coefficients, and from those that the map gives back. pyshtools makes the same
map where it is installed.

Usage: gravity_anomaly.py [FOLDER [FILE.gfc]]     writes anomaly.png, degrees.txt there
"""
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import armilla

LMAX = 180


def by_kaula(path: str) -> None:
    """A file with variances of 1e-10 / l^4, and the Earth's flattening."""
    degree = np.arange(LMAX + 1.0)
    alm = armilla.alm.random(LMAX, 4e-10 * np.pi / np.maximum(degree, 2) ** 4, seed=11)
    cilm = armilla.conventions.convert(alm, "healpy", "shtools")
    cilm[:, :2] = 0
    cilm[0, 0, 0], cilm[0, 2, 0] = 1, -4.841651437e-4
    model = armilla.geo.GravityModel(cilm, gm=3.986004415e14, radius=6378136.3, name="Kaula",
                                     tide_system="tide_free")
    armilla.geo.write_gfc(path, model)


def read(name: str) -> armilla.geo.GravityModel:
    if name:
        return armilla.geo.read_gfc(name)
    with tempfile.TemporaryDirectory() as folder:
        by_kaula(os.path.join(folder, "kaula.gfc"))
        return armilla.geo.read_gfc(os.path.join(folder, "kaula.gfc"))


def fastest(call) -> float:
    best = np.inf
    for _ in range(10):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def beside_pyshtools(model: armilla.geo.GravityModel, sht: armilla.SHT) -> None:
    """The same map and the Lowes-Mauersberger spectrum by pyshtools, on one thread."""
    try:
        import pyshtools
    except ImportError:
        print("peer not installed: pyshtools")
        return
    alm, factor = model.alm, np.arange(model.lmax + 1) + 1
    lowes, theirs = factor * armilla.spectrum.power(alm), \
        factor * pyshtools.spectralanalysis.spectrum(model.cilm)
    error = np.abs(lowes - theirs)[theirs > 0] / theirs[theirs > 0]
    print(f"Lowes spectrum: to {error.max():.1e} of pyshtools' at each degree")
    assert error.max() <= 2e-15
    world = pyshtools.expand.MakeGridDH(model.cilm, sampling=2)
    ours = sht.synthesis(alm, nthreads=1)
    rows = [("synthesis", np.abs(ours - world.ravel()).max() / np.abs(world).max(),
             lambda: sht.synthesis(alm, nthreads=1),
             lambda: pyshtools.expand.MakeGridDH(model.cilm, sampling=2))]
    back = armilla.conventions.convert(sht.analysis(ours, nthreads=1), "healpy", "shtools")
    rows.append(("analysis", np.abs(back - pyshtools.expand.SHExpandDH(world, sampling=2)).max() /
                 np.abs(back).max(), lambda: sht.analysis(ours, nthreads=1),
                 lambda: pyshtools.expand.SHExpandDH(world, sampling=2)))
    for name, apart, mine, other in rows:
        assert apart < 2e-14
        print(f"against pyshtools | .gfc on DH, degree {model.lmax}, {name} | {apart:.1e} | "
              f"{fastest(mine) * 1e3:.2f} | {fastest(other) * 1e3:.2f}")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    model = read(sys.argv[2] if len(sys.argv) > 2 else "")
    lmax, degree = model.lmax, np.arange(model.lmax + 1)
    print(f"{model.name}: degree {lmax}, GM {model.gm:g} m^3/s^2, R {model.radius:g} m")

    # anomaly: GM / R^2 (l - 1) times what is left without the flattening, l = 2, m = 0
    alm = armilla.alm.multiply_window(model.alm, degree > 1)
    alm[2] = 0
    factor = 1e5 * model.gm / model.radius**2 * np.maximum(degree - 1, 0)  # mGal
    n = 2 * lmax + 2
    grid = armilla.Grid.equidistant("DH", n, 2 * n)
    sht = armilla.SHT(grid, lmax)
    world = sht.synthesis(armilla.alm.multiply_window(alm, factor))
    print(f"anomaly: {world.min():.1f} to {world.max():.1f} mGal on {n} x {2 * n} points")

    inverse = np.divide(1, factor, out=np.zeros(lmax + 1), where=factor > 0)
    back = armilla.alm.multiply_window(sht.analysis(world), inverse)
    power, again = armilla.spectrum.power(alm), armilla.spectrum.power(back)
    error = np.abs(back - alm).max() / np.abs(alm).max()
    print(f"coefficients from the map: to {error:.1e} of the largest")
    assert error < 1e-12
    left_out = (model.cilm[:, degree > 2] ** 2).sum(axis=(0, 2))
    assert np.all(np.abs(power[3:] - left_out) <= 4e-15 * left_out)  # C^2 + S^2 of the file

    beside_pyshtools(model, sht)
    armilla.io.write_picture(folder / "anomaly.png", world, grid=grid, flip="geo", unit="mGal",
                             title=f"{model.name}: gravity anomaly", width=800, overwrite=True)
    kaula = 1e-10 * (2 * degree + 1) / np.maximum(degree, 1.0) ** 4
    np.savetxt(folder / "degrees.txt", np.stack([degree, power, again, kaula], 1), "%.9g",
               header="l, sum of C^2 + S^2, the same from the map, Kaula's rule")


if __name__ == "__main__":
    main()
