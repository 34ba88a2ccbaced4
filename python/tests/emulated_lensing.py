"""Lensing on a GPU, with arrays in its memory, on the emulated one: test_device.py runs this
file."""
import pickle

import numpy as np
import pytest

import armilla
from device_arrays import (Array, call, cuda, cupy_stand_in, deferred, is_busy, like, stream,
                           wait)
from gradients import LAYOUT, LMAX, MMAX, random_input
from helpers import relative

GRID = armilla.Grid.healpix(4)
PHI = armilla.alm.random(6, 1e-2 / np.arange(1, 8.0) ** 4, seed=1)
KINDS = {"spin 0": dict(), "spin 2": dict(spin=2), "layout": dict(layout=LAYOUT)}
OPERATORS = {"alm2lenmap": "synthesis", "adjoint": "analysis"}  # what has such an input


def lensing(device="cuda", grid=GRID, **options):
    return armilla.Lensing(grid, PHI, LMAX, mmax=MMAX, device=device, epsilon=1e-9, **options)


@pytest.fixture(scope="module")
def gpu():
    return {name: lensing(**options) for name, options in KINDS.items()}


@pytest.fixture
def cupy(monkeypatch):
    return cupy_stand_in(monkeypatch)


def test_what_plans_say(gpu):
    host, told = lensing("cpu"), gpu["spin 0"].describe()
    assert (host.device, gpu["spin 0"].device) == ("cpu", "cuda")
    assert (told.backend, host.describe().backend) == ("cuda", "cpu")
    again = pickle.loads(pickle.dumps(gpu["spin 2"]))
    assert again.device == "cuda" and again.describe() == gpu["spin 2"].describe()
    for made, judge in zip(gpu["spin 0"].angles(), host.angles()):
        np.testing.assert_allclose(made, judge, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", OPERATORS)
def test_arrays(gpu, cupy, kind, name):
    """Of the host: values of the processor. Of the GPU: their bits, in the input's library."""
    host, operator = lensing("cpu", **KINDS[kind]), getattr(gpu[kind], name)
    for lead in ((), (2, 2), (0,)):
        values = random_input(host, OPERATORS[name], lead)
        judge, made = getattr(host, name)(values), operator(values)
        assert type(made) is np.ndarray and made.dtype == judge.dtype
        if judge.size:
            assert relative(made, judge) < 1e-8
        there = operator(cupy.ndarray(values))
        assert type(there) is cupy.ndarray and there.get().dtype == judge.dtype
        np.testing.assert_array_equal(there.get(), made)
        out = like(judge) if kind != "layout" else Array(np.zeros_like(judge))
        assert operator(cupy.ndarray(values), out=out) is out
        np.testing.assert_array_equal(out.get(), made)


@pytest.mark.parametrize("name", OPERATORS)
def test_floats(gpu, cupy, name):
    """Of the host: computed in double. On the GPU they would need a copy."""
    values = random_input(gpu["spin 0"], OPERATORS[name], (2,), single=True)
    wide = values.astype(np.result_type(values, np.float64))
    made = getattr(gpu["spin 0"], name)(values)
    assert relative(made, getattr(gpu["spin 0"], name)(wide)) < 1e-6
    with pytest.raises(NotImplementedError, match="^(alm|map): must hold doubles where fields are"):
        getattr(gpu["spin 0"], name)(cupy.ndarray(values))


def test_other_fields(gpu):
    beside = gpu["spin 0"].beside(LMAX, 2, mmax=MMAX)
    assert beside.device == "cuda"
    alm = random_input(beside, "synthesis")
    np.testing.assert_array_equal(beside.alm2lenmap(alm), gpu["spin 2"].alm2lenmap(alm))


@pytest.mark.parametrize("name", OPERATORS)
def test_stream_of_the_array(gpu, cupy, name):
    """The work is on it, and is not waited for."""
    operator = getattr(gpu["spin 0"], name)
    values = random_input(gpu["spin 0"], OPERATORS[name])
    judge = operator(values)
    with stream() as one, deferred():
        given = cupy.ndarray(values, one)  # cudaFree would wait
        made = operator(given)
        assert is_busy(one)
        wait(one)
        np.testing.assert_array_equal(made.whole(), judge)


def test_what_is_refused():
    host = lensing("cpu")
    for given, name in ((np.ones(host.alm_shape, complex), "alm2lenmap"),
                        (np.ones(GRID.npix), "adjoint")):
        what = "alm" if name == "alm2lenmap" else "map"
        with pytest.raises(ValueError, match=f"^{what}: is in device memory, but the plan is for"):
            getattr(host, name)(Array(given))
        with pytest.raises(ValueError, match="^out: is in device memory, but the plan is for"):
            getattr(host, name)(given, out=Array(given))
    for deflection, error, words in ((PHI.astype("c8"), TypeError, "has type complex64, must have"),
                                     (np.ones((3, len(PHI)), complex), ValueError, "has shape"),
                                     (np.ones((1, 1, 3), complex), ValueError, "has shape")):
        with pytest.raises(error, match=f"^deflection: {words}"):
            armilla.Lensing(GRID, Array(deflection), LMAX, device="cuda")
    with pytest.raises(ValueError, match=f"{len(PHI) - 1} (coefficients|numbers)"):
        armilla.Lensing(GRID, Array(PHI[:-1]), LMAX, deflection_lmax=6, device="cuda")
    with pytest.raises(ValueError, match="^deflection: is in device memory, but the plan is for"):
        armilla.Lensing(GRID, Array(PHI), LMAX)
    with pytest.raises(TypeError, match="^deflection: is in device memory; .* to the host"):
        armilla.lensing.distortion(GRID, Array(PHI))
    wrong = PHI.copy()
    wrong[3] = np.nan
    with pytest.raises(ValueError, match="^deflection: at pixel .*: must be finite"):
        armilla.Lensing(GRID, Array(wrong), LMAX, device="cuda")


@pytest.mark.parametrize("kind", ["potential", "vector"])
def test_deflections_in_device_memory(cupy, kind):
    """Of a gradient alone, and with a curl; rows may be apart."""
    both = np.stack([PHI, 0.3 * PHI[::-1].conj()])
    wide = np.full((2, len(PHI) + 3), 7, complex)
    wide[:, :-3] = both
    for host, there in ((PHI, Array(PHI)), (both, cupy.ndarray(both)),
                        (both, Array(wide)[:, :-3]), (both[:1], Array(both[:1]))):
        judge, plan = (armilla.Lensing(GRID, given, LMAX, kind=kind, device="cuda")
                       for given in (host, there))
        for made, wanted in zip(plan.angles(), judge.angles()):
            np.testing.assert_array_equal(made, wanted)
        with pytest.raises(TypeError, match="in device memory cannot be pickled"):
            pickle.dumps(plan)
        beside = plan.beside(LMAX, 2)
        alm = random_input(beside, "synthesis")
        np.testing.assert_array_equal(beside.alm2lenmap(alm), judge.beside(LMAX, 2).alm2lenmap(alm))


@pytest.mark.parametrize("grid", [GRID, armilla.Grid.named("healpix:4:nested")])
def test_maps_of_deflections(cupy, grid):
    alpha = armilla.SHT(grid, 6, spin=1, mode="gradient_only").synthesis(PHI)
    host, there = (armilla.Lensing(grid, given, LMAX, kind="map", device="cuda")
                   for given in (alpha, cupy.ndarray(alpha)))
    judge = armilla.Lensing(grid, PHI, LMAX, kind="vector")
    for made, same, wanted in zip(there.angles(), host.angles(), judge.angles()):
        np.testing.assert_array_equal(made, same)
        np.testing.assert_allclose(made, wanted, atol=1e-13)
    with pytest.raises(TypeError, match="^deflection: has type float32, must have float64"):
        armilla.Lensing(grid, Array(alpha.astype("f4")), LMAX, kind="map", device="cuda")
    with pytest.raises(ValueError, match=r"^deflection: has shape .*, contiguous"):
        armilla.Lensing(grid, Array(np.pad(alpha, ((0, 0), (0, 3))))[:, :-3], LMAX, kind="map",
                        device="cuda")


def test_several_gpus():
    """With the bits of one; arrays are those of the host."""
    cuda.cuda_emulation_set_devices(3)
    try:
        one, several = (armilla.Lensing(GRID, PHI, 100, 2, mmax=4, device="cuda", devices=devices)
                        for devices in (None, (1, 0, 2)))
        assert (one.devices, several.devices) == (None, (1, 0, 2))
        again = pickle.loads(pickle.dumps(several))
        beside = again.beside(100, 2, mmax=4)
        assert again.devices == beside.devices == several.devices
        alm = random_input(one, "synthesis", (2,))
        maps = one.alm2lenmap(alm)
        for plan in (several, again, beside):
            np.testing.assert_array_equal(plan.alm2lenmap(alm), maps)
            np.testing.assert_array_equal(plan.adjoint(maps), one.adjoint(maps))
        for made, judge in zip(several.angles(), one.angles()):
            np.testing.assert_array_equal(made, judge)
        with pytest.raises(ValueError, match="^alm: is in the memory of a GPU; a plan on several"):
            several.adjoint(Array(maps), out=like(alm))
        with pytest.raises(ValueError, match=r"devices\[1\] = 7: the process sees 3 GPUs"):
            lensing(devices=[0, 7])
        del one, several, again, beside, plan
    finally:
        cuda.cuda_emulation_set_devices(1)
    call("cudaDeviceSynchronize")


def test_maps_of_deflections_on_several_gpus():
    """With the bits of one."""
    grid = armilla.Grid.healpix(16)
    alpha = armilla.SHT(grid, 6, spin=1, mode="gradient_only").synthesis(PHI)
    cuda.cuda_emulation_set_devices(3)
    try:
        one, several = (armilla.Lensing(grid, alpha, 90, 2, kind="map", device="cuda",
                                        devices=devices) for devices in (None, (1, 0, 2)))
        alm = np.stack([armilla.alm.random(90, np.ones(91), seed=seed) for seed in (2, 3)])
        np.testing.assert_array_equal(several.alm2lenmap(alm), one.alm2lenmap(alm))
        with pytest.raises(ValueError, match="^deflection: is in the memory of GPU 0, but"):
            armilla.Lensing(grid, Array(alpha), 90, kind="map", device="cuda", devices=(1, 0, 2))
        del one, several
    finally:
        cuda.cuda_emulation_set_devices(1)
    call("cudaDeviceSynchronize")
