"""Radial plans for a GPU, and arrays in its memory, on the emulated one: test_device.py runs this
file."""
import pickle

import numpy as np
import pytest

import armilla
import xla_stand_in
from armilla._held import number_of
from device_arrays import (Array, call, cuda, cupy_stand_in, deferred, is_busy, like,
                           numba_stand_in, stream, wait)
from helpers import relative

GRID = armilla.Grid.healpix(4)
KERNEL = armilla.Kernel.gaussian(0.4)
OPERATORS = ("convolve", "adjoint")
SKIES = np.random.default_rng(1).standard_normal((4, GRID.npix))


def radial(device="cuda", grid=GRID, **options):
    return armilla.Radial(grid, KERNEL, device=device, **{"method": "pixels", **options})


@pytest.fixture(scope="module")
def gpu():
    return radial()


@pytest.fixture
def cupy(monkeypatch):
    return cupy_stand_in(monkeypatch)


# --- Plans ----------------------------------------------------------------------------------------

def test_what_plans_say(gpu):
    host, told = radial("cpu"), gpu.describe()
    assert (host.device, gpu.device, told.method) == ("cpu", "cuda", "pixels")
    assert told.device_plan_bytes > 0 and told.device_workspace_bytes > 0
    assert host.describe().device_plan_bytes == host.describe().device_workspace_bytes == 0
    again = pickle.loads(pickle.dumps(gpu))
    assert again.device == "cuda" and again.describe() == told
    with pytest.raises(ValueError, match="device_bytes = -1"):
        radial(device_bytes=-1)


@pytest.mark.parametrize("options", [dict(mode="standard"), dict(method="rings"),
                                     dict(method="rings", spin=2)])
def test_bounds_and_weights(options):
    """By rings of Fourier coefficients: the same bits in less memory; maps with holes."""
    plan, host = radial(**options), radial("cpu", **options)
    least = radial(device_bytes=1, **options)
    rng = np.random.default_rng(4)
    sky = rng.standard_normal((2, GRID.npix) if options.get("spin") else GRID.npix)
    weights = rng.uniform(0, 1, GRID.npix)
    weights[40:80] = 0
    np.testing.assert_array_equal(plan.convolve(sky), least.convolve(sky))
    assert least.describe().device_workspace_bytes <= plan.describe().device_workspace_bytes
    made = plan.convolve(sky, weights=weights, least=0.2, fill=7)
    assert relative(made, host.convolve(sky, weights=weights, least=0.2, fill=7)) < 1e-13


@pytest.mark.parametrize("name", OPERATORS)
def test_mode_standard(cupy, name):
    gpu, host = (radial(device, mode="standard") for device in ("cuda", "cpu"))
    made = getattr(gpu, name)(cupy.ndarray(SKIES)).get()
    assert relative(made, getattr(host, name)(SKIES)) < 1e-13
    np.testing.assert_array_equal(made, getattr(gpu, name)(SKIES))


def test_missing_values_of_the_host_are_named(gpu, cupy):
    """Wherever the result is; those of a GPU's memory are not looked at."""
    holed = np.array(SKIES[0])
    holed[5] = np.nan
    for name in OPERATORS:
        call_of = getattr(gpu, name)
        for out in (None, like(holed)):
            with pytest.raises(ValueError, match=r"^map\[5\]"):
                call_of(holed, out=out)
        call_of(holed, out=like(holed), missing="propagate")
        call_of(cupy.ndarray(holed))


def test_what_calls_refuse(gpu, cupy):
    given, ones = cupy.ndarray(SKIES[0]), np.ones(GRID.npix)
    with pytest.raises(NotImplementedError, match="^weights: is in device memory, but weights are"):
        gpu.convolve(SKIES[0], weights=cupy.ndarray(ones))
    for wrong in (dict(map=given, out=np.empty(GRID.npix)), dict(map=SKIES[0], out=like(ones))):
        with pytest.raises(NotImplementedError, match="^weights: with them map and out must both"):
            gpu.convolve(**wrong, weights=ones)
    for plans in ([gpu, radial("cpu")], [radial("cpu"), gpu]):
        with pytest.raises(NotImplementedError, match=r"^radials\[1\]: is (not )?on a GPU"):
            armilla.convolve_many(SKIES, plans)
    with pytest.raises(NotImplementedError, match="^device = 'cuda': the model"):
        gpu.compare(armilla.SHT(GRID, 8))


@pytest.mark.parametrize("spin", [0, 2])
def test_many_kernels(cupy, spin):
    """Plans of both methods and modes: the bits of one by one, on either side."""
    plans = [radial(method=method, mode=mode, spin=spin)
             for method in ("rings", "pixels") for mode in ("exact", "standard")]
    skies = SKIES.reshape((2, 2, GRID.npix) if spin else SKIES.shape)
    for given in (skies, skies.astype(np.float32)):
        made = armilla.convolve_many(given, plans)
        for plan, one in zip(plans, made):
            np.testing.assert_array_equal(one, plan.convolve(given))
        there = armilla.convolve_many(cupy.ndarray(given), plans)
        assert type(there) is cupy.ndarray and there.get().dtype == given.dtype
        np.testing.assert_array_equal(there.get(), made)
        out = like(made)
        assert armilla.convolve_many(cupy.ndarray(given), plans, out=out) is out
        np.testing.assert_array_equal(out.get(), made)


def test_plans_for_the_processor():
    host = radial("cpu")
    for name in OPERATORS:
        with pytest.raises(ValueError, match="^map: is in device memory, but the plan is for the"):
            getattr(host, name)(Array(SKIES))
        with pytest.raises(ValueError, match="^out: is in device memory, but the plan is for the"):
            getattr(host, name)(SKIES, out=Array(SKIES))
    with pytest.raises(ValueError, match="^map: is in device memory, but the plan is for the"):
        armilla.convolve_many(Array(SKIES), [host, host])
    with pytest.raises(TypeError, match="^map: is in device memory; .* to the host"):
        armilla.convolve(Array(SKIES), KERNEL)


def test_the_current_gpu():
    """A plan is for the one that is current in the caller's thread, however large the plan is."""
    cuda.cuda_emulation_set_devices(2)
    try:
        call("cudaSetDevice", 1)
        plan, given, out = radial(), Array(SKIES), like(SKIES)
        plan.convolve(given, out=out)
        np.testing.assert_array_equal(out.get(), plan.convolve(SKIES))
        call("cudaSetDevice", 0)
        with pytest.raises(ValueError, match="^map: is in the memory of GPU 0, but .* on GPU 1"):
            plan.convolve(Array(SKIES), out=Array(SKIES))
        del plan
    finally:
        call("cudaSetDevice", 0)
        cuda.cuda_emulation_set_devices(1)
    call("cudaDeviceSynchronize")


def test_no_gpu():
    cuda.cuda_emulation_set_devices(0)
    try:
        with pytest.raises(NotImplementedError, match="no GPU can be used"):
            radial()
    finally:
        cuda.cuda_emulation_set_devices(1)
    call("cudaDeviceSynchronize")


def test_device_bytes():
    """Less memory, the same bits."""
    grid, kernel = armilla.Grid.healpix(16), armilla.Kernel.gaussian(0.1)
    sky = np.random.default_rng(1).standard_normal(grid.npix)
    much, less = (armilla.Radial(grid, kernel, method="pixels", device="cuda", device_bytes=n)
                  for n in (0, 30000))
    assert less.describe().device_workspace_bytes <= 30000 < much.describe().device_workspace_bytes
    np.testing.assert_array_equal(less.convolve(sky), much.convolve(sky))
    assert pickle.loads(pickle.dumps(less)).describe() == less.describe()


# --- Arrays ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("grid", [GRID, armilla.Grid.gauss_legendre(8, 16)])
def test_arrays_of_the_host(name, grid):
    values = SKIES[:2, :grid.npix]
    made = getattr(radial(grid=grid), name)(values)
    assert type(made) is np.ndarray
    assert relative(made, getattr(radial("cpu", grid), name)(values)) < 1e-13
    values = values.copy()
    values[1, 3] = np.nan
    with pytest.raises(ValueError, match=r"^map\b.*\b3\b"):
        getattr(radial(grid=grid), name)(values)


@pytest.mark.parametrize("options", [dict(spin=2), dict(grid=armilla.Grid.healpix(4, nested=True)),
                                     dict(normalization="sum")])
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("single", [False, True])
def test_kinds_of_maps(cupy, options, name, single):
    """Q and U, NESTED order, floats: values of the processor, bits of the host's arrays."""
    host, there = radial("cpu", **options), radial(**options)
    values = SKIES.reshape((-1,) + host.map_shape).astype("f4" if single else "f8")
    judge = getattr(host, name)(values)
    made, on_gpu = (getattr(there, name)(x) for x in (values, cupy.ndarray(values)))
    assert made.dtype == on_gpu.get().dtype == values.dtype
    assert relative(made, judge) < (1e-6 if single else 1e-13)
    np.testing.assert_array_equal(on_gpu.get(), made)


def test_weights(gpu, cupy):
    """Maps with holes; weights are on the host."""
    weights = np.random.default_rng(2).uniform(0, 1, GRID.npix)
    weights[40:80] = 0
    sky = SKIES.copy()
    sky[:, 50] = np.nan
    judge = radial("cpu").convolve(sky, weights=weights, least=0.2, fill=7)
    made = gpu.convolve(sky, weights=weights, least=0.2, fill=7)
    assert (judge == 7).any() and relative(made, judge) < 1e-13
    on_gpu = gpu.convolve(cupy.ndarray(sky), weights=weights, least=0.2, fill=7)
    np.testing.assert_array_equal(on_gpu.get(), made)


def test_maps_with_holes_in_one_call():
    sky = SKIES[:3].copy()
    sky[:, 40:60] = armilla.io.UNSEEN
    for pol in (False, True):
        made, judge = (armilla.convolve(sky, KERNEL, fill=True, pol=pol, device=device)
                       for device in ("cuda", "cpu"))
        assert (made != armilla.io.UNSEEN).all() and relative(made, judge) < 1e-13


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("lead", [(), (4,), (2, 2), (0,)])
def test_device_arrays(gpu, cupy, name, lead):
    """The same bits as from the host; the result is an array of the input's library."""
    operator, values = getattr(gpu, name), np.resize(SKIES, lead + (GRID.npix,))
    given, judge = cupy.ndarray(values), operator(values)
    made = operator(given)
    assert type(made) is cupy.ndarray and made.get().dtype == judge.dtype
    np.testing.assert_array_equal(made.get(), judge)
    np.testing.assert_array_equal(given.get(), values)
    out = like(judge)
    assert operator(given, out=out) is out
    np.testing.assert_array_equal(out.get(), judge)


@pytest.mark.parametrize("name", OPERATORS)
def test_device_and_host(gpu, name):
    operator, judge = getattr(gpu, name), getattr(gpu, name)(SKIES)
    out = np.full_like(judge, np.nan)
    with deferred():
        assert operator(Array(SKIES), out=out) is out
        np.testing.assert_array_equal(out, judge)
    apart = np.full((8, GRID.npix), np.nan)[::2]
    np.testing.assert_array_equal(operator(Array(SKIES), out=apart), judge)
    out = like(judge)
    operator(np.repeat(SKIES, 2, axis=0)[::2], out=out)
    np.testing.assert_array_equal(out.get(), judge)


def test_distances(gpu):
    """Maps at one distance are used where they are; what lies between is left alone."""
    wide = np.full((2, 4, GRID.npix + 5), 7.0)
    wide[0, :, 2:-3] = SKIES
    given, out = Array(wide[0]), Array(wide[1])
    gpu.convolve(given[:, 2:-3], out=out[:, 1:-4])
    wide[1, :, 1:-4] = gpu.convolve(SKIES)
    np.testing.assert_array_equal(out.whole(), wide[1])
    for wrong in (Array(SKIES), SKIES.copy()):
        with pytest.raises(ValueError, match="^out: has 192 values from one .*, map has 197; "):
            gpu.convolve(given[:, 2:-3], out=wrong)
    gpu.convolve(given[:1, 2:-3], out=Array(SKIES[:1]))  # one map has no distance


def test_pixels_of_no_ring_are_zero(cupy, monkeypatch):
    numba = numba_stand_in(monkeypatch)
    grid = armilla.Grid.custom([0.7, 1.5, 2.9], 12, offset=[0, 15, 30], weight=0.3)  # 42 pixels
    plan, sky = radial(grid=grid), SKIES[0, :grid.npix]
    judge = plan.convolve(sky)
    assert not judge[12:15].any() and judge[:12].any()
    for kind in (cupy.ndarray, numba.DeviceNDArray):
        made = plan.convolve(kind(sky))
        assert type(made) is kind
        np.testing.assert_array_equal(made.get(), judge)


@pytest.mark.parametrize("name", OPERATORS)
def test_stream_of_the_array(gpu, cupy, name):
    """The work is on it, and is not waited for."""
    operator, judge = getattr(gpu, name), getattr(gpu, name)(SKIES)
    with stream() as one, deferred():
        given = cupy.ndarray(SKIES, one)
        made = operator(given)
        assert is_busy(one) and np.isnan(made.whole()).all()
        wait(one)
        np.testing.assert_array_equal(made.whole(), judge)
        with pytest.raises(ValueError, match="^out: is on another stream than map"):
            operator(given, out=like(judge, stream=1))


WRONG = [
    (dict(map=SKIES.astype(complex)), TypeError, "^map: has type complex128, must have float32 or"),
    (dict(map=SKIES.astype("i4")), TypeError, "^map: has type int32; .* must be float32"),
    (dict(map=SKIES, out=SKIES.astype("f4")), TypeError, "^out: has type float32, must have float"),
    (dict(map=SKIES[:, 1:]), ValueError, r"^map: has shape \(4, 191\), must have \(\.\.\., 192\)"),
    (dict(map=SKIES, out=SKIES[1:]), ValueError, r"^out: has shape \(3, 192\), must have \(4, 1"),
    (dict(map=SKIES), TypeError, "^out: must be given, as arrays like Array can only be made by"),
]


@pytest.mark.parametrize("given, kind, text", WRONG)
def test_wrong_arrays(gpu, given, kind, text):
    with pytest.raises(kind, match=text):
        gpu.convolve(**{name: Array(values) for name, values in given.items()})


def test_arrays_on_each_other(gpu):
    both = Array(np.repeat(SKIES, 2, axis=0))
    with pytest.raises(ValueError, match="^out: lies on the memory of map, must lie apart"):
        gpu.convolve(both[:4], out=both[3:7])
    gpu.convolve(both[:4], out=both[4:])


def test_no_memory(gpu):
    """An error of the call, and the plan goes on."""
    cuda.cuda_emulation_fail_twice_after(0)
    with pytest.raises(MemoryError, match="B of device memory are not to be had"):
        gpu.convolve(SKIES)
    cuda.cuda_emulation_fail_after(-1)
    assert relative(gpu.convolve(SKIES), radial("cpu").convolve(SKIES)) < 1e-13


def test_progress_and_cancelling(gpu):
    heard = []
    gpu.convolve(Array(SKIES), out=like(SKIES), progress=heard.append)
    assert heard and heard[-1] == 1.0
    with pytest.raises(ZeroDivisionError):
        gpu.convolve(SKIES, progress=lambda done: 1 / 0)


# --- JAX ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", OPERATORS)
def test_the_function_that_xla_calls(gpu, name):
    """On XLA's stream, which is not waited for."""
    judge = getattr(gpu, name)(SKIES)
    constants = dict(plan=number_of(gpu), operator=OPERATORS.index(name), is_dense=1, nthreads=0)
    given, made = Array(SKIES), like(judge)
    arrays = [[xla_stand_in.Array(x.address, x.view.shape, x.view.dtype)] for x in (given, made)]
    with stream() as one, deferred():
        xla = xla_stand_in.StandIn(3, one)
        xla.call(xla_stand_in.OPERATOR_ON_GPU, xla_stand_in.EXECUTE, *arrays, **constants)
        assert is_busy(one) and np.isnan(made.whole()).all()
        wait(one)
    np.testing.assert_array_equal(made.whole(), judge)
