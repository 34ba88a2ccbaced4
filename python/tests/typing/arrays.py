"""What a checker of types infers from calls of the package: test_types.py gives this to mypy."""
from typing import Any, Dict, Tuple

import numpy as np
from typing_extensions import assert_type

import armilla
from armilla import healpix, healpy, io, pseudo_cl, sht
from armilla.transform import PseudoReport

grid = armilla.Grid.healpix(2)
alm = armilla.alm.random(4, np.ones(5), seed=1)
sky = armilla.SHT(grid, 4).synthesis(alm)
assert_type(alm, np.ndarray)
assert_type(sky, np.ndarray)
assert_type(grid.rings, np.ndarray)


def operators(plan: armilla.SHT, iqu: armilla.IQU) -> None:
    """Arrays of NumPy and lists give arrays of NumPy."""
    for transform in (plan, iqu):
        assert_type(transform.synthesis(alm), np.ndarray)
        assert_type(transform.synthesis([1, 2, 3]), np.ndarray)
        assert_type(transform.analysis(sky, nthreads=1), np.ndarray)
        assert_type(transform.adjoint_synthesis(sky, missing="propagate"), np.ndarray)
        assert_type(transform.adjoint_analysis(alm, out=sky), np.ndarray)
        assert_type(transform.pseudo_analysis(sky), Tuple[np.ndarray, PseudoReport])


class DeviceArray:
    """As CuPy's."""

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        return {}


def on_a_gpu(plan: armilla.SHT, values: DeviceArray) -> None:
    """Arrays of a GPU give their like."""
    assert_type(plan.synthesis(values), DeviceArray)
    assert_type(plan.analysis(values, out=DeviceArray()), DeviceArray)
    assert_type(plan.analysis(sky, out=DeviceArray()), DeviceArray)
    assert_type(plan.analysis(values, out=alm), np.ndarray)


def reports(plan: armilla.SHT) -> int:
    """A report is of one map, in numbers, or of many, in arrays."""
    one, many = plan.pseudo_analysis(sky)[1], plan.pseudo_analysis([sky, sky])[1]
    return len(range(one.iterations)) + int((many.iterations > 3).all()) + len(one.stop)


def by_the_host(vector: armilla.VectorSHT, field: armilla.ComplexSHT, values: DeviceArray) -> None:
    """What the host runs for a GPU."""
    assert_type(vector.synthesis(values), DeviceArray)
    assert_type(vector.convert_map("components", values, "rotational"), DeviceArray)
    assert_type(vector.convert_map("components", sky, "rotational"), np.ndarray)
    assert_type(field.analysis(values), DeviceArray)
    assert_type(field.analysis(values, out=alm), np.ndarray)
    assert_type(field.synthesis([1, 2, 3]), np.ndarray)
    assert_type(armilla.evaluate_solid(values, 4, [[1, 2, 3]], device="cuda"), DeviceArray)
    assert_type(armilla.adjoint_evaluate_solid([1.0], 4, [[1, 2, 3]]), np.ndarray)


def others(points: armilla.Points, radial: armilla.Radial, lensing: armilla.Lensing) -> None:
    """Plans besides, and functions."""
    assert_type(points.synthesis(alm), np.ndarray)
    assert_type(points.adjoint_synthesis(sky), np.ndarray)
    assert_type(radial.convolve(sky), np.ndarray)
    assert_type(radial.adjoint(sky), np.ndarray)
    assert_type(lensing.alm2lenmap(alm), np.ndarray)
    assert_type(lensing.adjoint(sky), np.ndarray)
    assert_type(armilla.convolve(sky, armilla.Kernel.gaussian(0.1)), np.ndarray)
    assert_type(armilla.Rotation(0.1, 0.2, 0.3).rotate_alm(alm), np.ndarray)
    assert_type(sht.synthesis_2d(alm=alm, spin=0, lmax=4, geometry="CC", ntheta=6, nphi=12),
                np.ndarray)
    assert_type(healpy.alm2map(alm, 2), np.ndarray)
    assert_type(healpy.smoothing(sky, 0.1), np.ndarray)
    assert_type(healpy.ud_grade(sky, 1), np.ndarray)
    assert_type(io.read_map("map.fits").values, np.ndarray)


def masked(mask: np.ndarray) -> None:
    """Spectra of masked fields."""
    assert_type(pseudo_cl.spectrum(sky, mask), pseudo_cl.Spectrum)
    assert_type(pseudo_cl.spectrum(sky, mask, 5)["TT"], np.ndarray)
    coupling = pseudo_cl.Coupling(pseudo_cl.Field.from_map(sky, mask), bands=5)
    assert_type(coupling.decouple(), pseudo_cl.Spectrum)
    assert_type(coupling.theory([1, 2, 3]), np.ndarray)


def pixels(many: np.ndarray) -> None:
    """Numbers for numbers, arrays for arrays."""
    assert_type(healpix.nest_to_ring(8, 3), np.int64)
    assert_type(healpix.nest_to_ring(8, many), np.ndarray)
    assert_type(healpix.ang_to_pixel(8, 0.3, 0.2), np.int64)
    assert_type(healpix.ang_to_pixel(8, many, 0.2), np.ndarray)
    assert_type(healpix.pixel_to_ang(8, [1, 2]), Tuple[np.ndarray, np.ndarray])
    assert_type(healpix.pixel_to_vec(8, many), np.ndarray)
    assert_type(healpix.interpolate(sky, many, many), np.ndarray)
