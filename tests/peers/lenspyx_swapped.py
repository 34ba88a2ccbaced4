"""Maps lensed by lenspyx with ducc0, by lenspyx with Armilla in ducc0's place, and by Armilla."""
import os
import subprocess
import sys

import numpy as np
import pytest

import armilla
import lenspyx
from lenspyx.remapping.deflection_029 import deflection
from lenspyx.remapping.utils_geom import Geom

LMAX, SPINS, EPSILONS = 200, (1, 2, 3), (1e-3, 1e-7, 1e-11)
GEOMETRIES = {"healpix": {"nside": 32}, "gl": {"lmax": 120}, "thingauss": {"lmax": 120, "smax": 2},
              "cc": {"ntheta": 90, "nphi": 180}, "f1": {"ntheta": 90, "nphi": 180}}


def coefficients():
    """T, E, B, and a deflection with gradient and curl of 0.01 rad rms."""
    degree = np.arange(1, LMAX + 1.0)
    cl = np.concatenate([[0.0], degree**-2.0])
    fields = np.stack([armilla.alm.random(LMAX, cl, seed=seed) for seed in range(5)])
    fields[:, [0, 1]] = fields[:, [LMAX + 1]] = 0  # nothing below degree 2 that E and B cannot have
    fields[3:] *= 0.01 * np.sqrt(4 * np.pi / (cl * (2 * np.arange(LMAX + 1) + 1)).sum())
    return fields[:3], fields[3:]


def lensed(module, **more):
    """All maps, by name, of a module with lenspyx' functions."""
    fields, dlms = coefficients()
    made = {}
    for name, arguments in GEOMETRIES.items():
        geometry = (name, arguments)
        for epsilon in EPSILONS:
            maps = module.alm2lenmap(fields, dlms, geometry, epsilon=epsilon, nthreads=2, **more)
            made[f"{name} pol {epsilon}"] = np.stack(maps[1:])
            made[f"{name} T {epsilon}"] = maps[0]
        for spin in SPINS:
            made[f"{name} spin {spin} 1e-07"] = np.stack(module.alm2lenmap_spin(
                fields[1:], dlms, spin, geometry, epsilon=1e-7, nthreads=2))
    made["gradient alone 1e-07"] = module.alm2lenmap(fields[0], dlms[0], ("healpix", {"nside": 32}),
                                                     epsilon=1e-7, nthreads=2)
    return made


def magnification():
    """lenspyx' determinant, on a grid of its own."""
    _, dlms = coefficients()
    geometry = Geom.get_healpix_geometry(32)
    return deflection(geometry, dlms[0], LMAX, dclm=dlms[1], numthreads=2, epsilon=1e-7).dlm2A()


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """The maps that lenspyx makes with the real ducc0, in a process without the shim."""
    file = tmp_path_factory.mktemp("real") / "maps.npz"
    path = [folder for folder in os.environ["PYTHONPATH"].split(os.pathsep)
            if os.path.basename(folder) != "shim"]
    subprocess.run([sys.executable, __file__, str(file)], check=True,
                   env=dict(os.environ, PYTHONPATH=os.pathsep.join(path)))
    return dict(np.load(file))


def worst(maps, judge, tell):
    """Largest relative rms of a difference over the epsilon in the map's name."""
    assert maps.keys() == judge.keys()
    found = {}
    for name, values in maps.items():
        assert values.shape == judge[name].shape and values.dtype == judge[name].dtype
        off = np.sqrt(np.mean(np.abs(values - judge[name])**2) / np.mean(np.abs(judge[name])**2))
        found[name] = off / float(name.split()[-1])
    name = max(found, key=found.get)
    tell("figure", f"{len(found)} maps; the worst, {name}, is off by {found[name]:.2f} epsilon")
    return found[name]


def test_lenspyx_with_armilla(real, record_property):
    maps = {name: values for name, values in real.items() if name != "A"}
    assert worst(lensed(lenspyx), maps, record_property) < 2


def test_armilla_for_lenspyx(real, record_property):
    maps = {name: values for name, values in real.items() if name != "A"}
    assert worst(lensed(armilla.lensing), maps, record_property) < 2


def test_magnification(real, record_property):
    """lenspyx' determinant is that of derivatives on the sphere to first order; ours is exact."""
    ours = armilla.lensing.dlm2A(coefficients()[1], ("healpix", {"nside": 32}))
    assert np.abs(magnification() - real["A"]).max() < 1e-6
    off, size = np.abs(ours - real["A"]).max(), np.abs(real["A"] - 1).max()
    record_property("figure", f"det A within {size:.2f} of 1, largest difference {off:.1e}")
    assert off < 1e-2 * size


if __name__ == "__main__":
    np.savez(sys.argv[1], A=magnification(), **lensed(lenspyx))
