#!/usr/bin/env python3
"""The kinetic energy spectrum of winds in a NESTED HEALPix Zarr, from file to text, by the command
and by healpy.

The file has eastward and northward winds in float32, LEVELS levels of random fields with the
spectrum of the atmosphere; it is made once and kept. The command reads and transforms all levels;
healpy reads, reorders and transforms some, one after the other, with as many threads. Both keep
degrees up to 2 NSIDE, once with a plain analysis and once with three Jacobi steps, and their
spectra are compared. Reading alone is timed apart.

Usage: wind_spectrum.py FILE.zarr [NSIDE LEVELS [HEALPY_LEVELS [COMMAND]]]
       1024 90 3 armilla
"""
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np


def make(path: Path, nside: int, levels: int) -> None:
    """Writes the winds: amplitudes fall off as those of the upper troposphere do."""
    import armilla
    import xarray

    lmax = 2 * nside
    plan = armilla.VectorSHT(f"H{nside}n", lmax=lmax)
    degrees = np.arange(lmax + 1.0)
    amplitude = 20.0 / (1 + degrees / 6) ** 1.5
    random = np.random.default_rng(1)
    count = (lmax + 1) * (lmax + 2) // 2
    degree = np.concatenate([degrees[m:] for m in range(lmax + 1)]).astype(int)
    for level in range(levels):
        alm = random.standard_normal((2, count, 2)) @ np.array([1, 1j]) * amplitude[degree]
        alm[:, : lmax + 1] = alm[:, : lmax + 1].real
        alm[:, degree < 1] = 0
        append(path, nside, plan.synthesis(alm).astype(np.float32))


def append(path: Path, nside: int, winds) -> None:
    """Adds one level to the file."""
    import xarray

    tags = {"units": "m s-1", "grid_mapping": "crs"}
    crs = {"grid_mapping_name": "healpix", "healpix_nside": nside, "healpix_order": "nest"}
    data = xarray.Dataset({name: (("level", "cell"), part[None], tags)
                           for name, part in zip(("ua", "va"), winds)} | {"crs": ((), 0, crs)})
    if path.exists():
        data.drop_vars("crs").to_zarr(path, append_dim="level", consolidated=False)
    else:
        data.to_zarr(path, consolidated=False)


def by_command(path: Path, command: str, lmax: int, steps: int):
    """Wall and CPU seconds and MB of the command, and the spectra [level][degree]."""
    text = path.with_suffix(".txt")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([command, "spectrum", str(path), "--var", "ua,va", "--kind", "ke", "--lmax",
                    str(lmax), "--iter", str(steps), "--quiet", "--overwrite", "-o", str(text)],
                   check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    energy = np.loadtxt(text, usecols=2).reshape(-1, lmax + 1)
    return wall, cpu, after.ru_maxrss * 1.024e-3, energy


def read(path: Path, level: int):
    import xarray

    with xarray.open_zarr(path, consolidated=False) as file:
        return [file[name][level].values for name in ("ua", "va")]


def analysis(maps, nside: int, lmax: int, steps: int):
    """healpy's analysis of spin 1, and its Jacobi steps, which it leaves to the caller."""
    import healpy

    alms = healpy.map2alm_spin(maps, 1, lmax=lmax)
    for _ in range(steps):
        made = healpy.alm2map_spin(alms, nside, 1, lmax)
        rest = [given - back for given, back in zip(maps, made)]
        alms = [old + new for old, new in zip(alms, healpy.map2alm_spin(rest, 1, lmax=lmax))]
    return alms


def by_healpy(path: Path, level: int, lmax: int, steps: int):
    """Seconds of reading, wall and CPU seconds of everything else, and the spectrum of a level."""
    import healpy

    start = time.perf_counter()
    east, north = read(path, level)
    middle, cpu = time.perf_counter(), time.process_time()
    ring = [healpy.reorder(part.astype(float), n2r=True) for part in (-north, east)]
    alms = analysis(ring, healpy.get_nside(ring[0]), lmax, steps)
    energy = sum(healpy.alm2cl(alm) for alm in alms) * (2 * np.arange(lmax + 1) + 1) / (8 * np.pi)
    return (middle - start, time.perf_counter() - middle, time.process_time() - cpu, energy)


def compare(path: Path, lmax: int, steps: int, levels: int, some: int, command: str) -> None:
    """Prints the times of both, with that many Jacobi steps."""
    wall, cpu, memory, energy = by_command(path, command, lmax, steps)
    start = time.perf_counter()
    for level in range(levels):
        read(path, level)
    reading = time.perf_counter() - start
    runs = [by_healpy(path, level, lmax, steps) for level in range(some)]
    apart = max(np.abs(run[3] / energy[level] - 1)[1:].max() for level, run in enumerate(runs))
    theirs, their_cpu = (levels * min(run[i] for run in runs) for i in (1, 2))
    print(f"{steps} steps: armilla {wall:.1f} s wall, {cpu:.0f} s CPU, {memory:.0f} MB, with "
          f"reading (alone: {reading:.1f} s); healpy {theirs + reading:.0f} s wall with the same "
          f"reading, {their_cpu:.0f} s CPU without; ratio {(theirs + reading) / wall:.1f} wall, "
          f"{their_cpu / cpu:.1f} CPU; spectra differ by {apart:.1e}", flush=True)


def main(file, nside=1024, levels=90, some=3, command="armilla"):
    path, nside, levels = Path(file), int(nside), int(levels)
    if not path.exists():
        make(path, nside, levels)
    print(f"nside {nside}, {levels} levels, OMP_NUM_THREADS {os.environ.get('OMP_NUM_THREADS')}")
    for steps in (0, 3):
        compare(path, 2 * nside, steps, levels, int(some), command)


if __name__ == "__main__":
    main(*sys.argv[1:])
