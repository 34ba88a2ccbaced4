"""Plans for a GPU and arrays in its memory, on the emulated one: test_device.py runs this file."""
import pickle
import re

import numpy as np
import pytest

import armilla
import xla_stand_in
from armilla._held import number_of
from device_arrays import (Array, call, cuda, cupy_stand_in, deferred, is_busy, like,
                           numba_stand_in, stream, wait)
from gradients import LMAX, MMAX, OPERATORS, TO_MAP, random_input, random_output
from helpers import relative

GRID = armilla.Grid.healpix(2)
HOLES = armilla.Grid.custom([0.7, 1.5, 2.9], 12, offset=[0, 15, 30], weight=0.3)  # 42 pixels
PLANS = {"spin 0": lambda **o: armilla.SHT(GRID, LMAX, MMAX, **o),
         "spin 2": lambda **o: armilla.SHT(GRID, LMAX, MMAX, spin=2, **o),
         "mixing": lambda **o: armilla.SHT(armilla.Grid.equidistant("CC", LMAX + 2, 2 * MMAX + 2),
                                           LMAX, MMAX, spin=1, **o),
         "gradient": lambda **o: armilla.SHT(GRID, LMAX, MMAX, spin=1, mode="gradient_only", **o),
         "iqu": lambda **o: armilla.IQU(GRID, LMAX, MMAX, **o)}


@pytest.fixture(scope="module")
def gpu():
    return {name: make(device="cuda") for name, make in PLANS.items()}


@pytest.fixture
def cupy(monkeypatch):
    return cupy_stand_in(monkeypatch)


# --- Missing values -------------------------------------------------------------------------------

def test_missing_values_of_the_host_are_named(gpu, cupy):
    """Wherever the coefficients go."""
    holed = np.zeros(GRID.npix)
    holed[7] = np.inf
    for name in ("analysis", "adjoint_synthesis"):
        call_of = getattr(gpu["spin 0"], name)
        for out in (None, like(call_of(np.zeros(GRID.npix)))):
            with pytest.raises(ValueError, match=r"^map\[7\]"):
                call_of(holed, out=out)


# --- Plans ----------------------------------------------------------------------------------------

def test_what_plans_say():
    info = armilla.info()
    assert re.fullmatch(r"CUDA emulation, 1\.1 GB \([\d.]+ GB free\), compute capability 9\.0, "
                        r"CUDA \d+\.\d, driver \d+\.\d", info.gpu)
    assert f"GPU: {info.gpu}" in str(info)
    for make in PLANS.values():
        host, device = make(), make(device="cuda", device_bytes=1 << 20)
        assert (host.device, device.device) == ("cpu", "cuda")
        told, judge = device.describe(), host.describe()
        assert (told.backend, judge.backend) == ("cuda", "cpu")
        assert told.device_plan_bytes > 0 and told.device_workspace_bytes > 0
        assert judge.device_plan_bytes == judge.device_workspace_bytes == 0
        again = pickle.loads(pickle.dumps(device))
        assert type(again) is type(device) and again.device == "cuda"
        assert again._options == device._options and again.describe() == told


@pytest.mark.parametrize("kind", PLANS)
def test_what_is_told_of_many(gpu, kind):
    """Of a call of so many transforms: they go together, and take more memory than one."""
    one, many = gpu[kind].describe(), gpu[kind].describe(ntrans=9)
    assert (one.device_batch, many.device_batch) == (1, 9)
    assert many.device_workspace_bytes > one.device_workspace_bytes
    assert gpu[kind].describe(ntrans=1) == one
    few = PLANS[kind](device="cuda", device_bytes=1).describe(ntrans=9)
    assert few.device_batch == 1 and few.device_workspace_bytes < many.device_workspace_bytes
    with pytest.raises(ValueError, match="^ntrans = 0: must be at least 1"):
        gpu[kind].describe(ntrans=0)
    two = pickle.loads(pickle.dumps(PLANS[kind](device="cuda", device_streams=2)))
    told = two.describe(ntrans=9)
    assert (many.device_streams, told.device_streams) == (1, 2) and told.device_batch < 9
    for name in OPERATORS:
        values = random_input(two, name, (9,))
        assert np.array_equal(getattr(two, name)(values), getattr(gpu[kind], name)(values))


@pytest.mark.parametrize("kind", PLANS)
def test_shapes_of_kernels(gpu, kind):
    shapes, make = armilla.info().device_shapes, PLANS[kind]
    assert len(shapes) == len(set(shapes)) > 1 and gpu[kind].describe().device_shape in shapes
    assert make().describe().device_shape is None
    for shape in shapes:
        plan = make(device="cuda", device_shape=shape)
        assert pickle.loads(pickle.dumps(plan)).describe().device_shape == shape
    assert make(device="cuda", device_shape="fastest").describe().device_shape in shapes
    with pytest.raises(ValueError, match='device_shape = "v9w9": must be NULL or one of v1w4, v'):
        make(device="cuda", device_shape="v9w9")


@pytest.mark.parametrize("kind", PLANS)
def test_precision(gpu, kind):
    make = PLANS[kind]
    assert make().describe().device_precision is None
    assert gpu[kind].describe().device_precision == "double"  # an emulated Hopper's choice
    plan = make(device="cuda", device_precision="single")
    assert pickle.loads(pickle.dumps(plan)).describe().device_precision == "single"
    values = random_input(plan, "synthesis", (2,), single=True)
    made, exact = plan.synthesis(values), make().synthesis(values.astype(np.complex128))
    assert made.dtype == np.float32 and 0 < relative(made, exact) < 1e-6
    with pytest.raises(ValueError, match="device_precision"):
        make(device="cuda", device_precision="half")


@pytest.mark.parametrize("spin", [0, 2])
def test_many_fields_in_halves(spin):
    """Six of floats go together, and are those of the processor in double precision."""
    grid = armilla.Grid.gauss_legendre(24, 48)
    host = armilla.SHT(grid, 23, spin=spin)
    plan = armilla.SHT(grid, 23, spin=spin, device="cuda", device_precision="halves")
    assert plan.describe().device_precision == "halves"
    rng = np.random.default_rng(3)
    maps = rng.standard_normal((6, 2, grid.npix) if spin else (6, grid.npix))
    alm = host.analysis(maps)
    made = plan.analysis(maps.astype(np.float32)), plan.synthesis(alm.astype(np.complex64))
    for got, want in zip(made, (alm, host.synthesis(alm))):
        assert got.dtype in (np.float32, np.complex64)
        assert 1e-9 < np.std(got - want) / np.std(want) < 1e-6


@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize("name", OPERATORS)
def test_arrays_of_the_host(gpu, kind, name):
    for single, bound in ((False, 1e-13), (True, 1e-6)):
        values = random_input(gpu[kind], name, (2,), single=single)
        made = getattr(gpu[kind], name)(values)
        assert type(made) is np.ndarray
        assert relative(made, getattr(PLANS[kind](), name)(values)) < bound


def test_iteration_takes_arrays_of_the_host(gpu, cupy):
    host, sky = PLANS["spin 2"](), random_input(gpu["spin 2"], "analysis")
    made, report = gpu["spin 2"].pseudo_analysis(sky)
    judge, _ = host.pseudo_analysis(sky)
    assert report.stop in ("residual", "gradient") and relative(made, judge) < 1e-8
    for name in ("map", "out", "guess", "weights", "mask"):
        given = {"map": sky, name: cupy.ndarray(sky)}
        with pytest.raises(NotImplementedError, match=f"^{name}: is in device memory"):
            gpu["spin 2"].pseudo_analysis(**given)


# --- Arrays of the device -------------------------------------------------------------------------

@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("single", [False, True])
def test_device_arrays(gpu, cupy, kind, name, single):
    """The same bits as from the host; the result is an array of the input's library."""
    operator = getattr(gpu[kind], name)
    for lead in ((3,),) if single else ((), (2, 2), (0,)):
        values = random_input(gpu[kind], name, lead, single=single)
        given, judge = cupy.ndarray(values), operator(values)
        made = operator(given)
        assert type(made) is cupy.ndarray
        np.testing.assert_array_equal(made.get(), judge)
        assert made.get().dtype == judge.dtype
        np.testing.assert_array_equal(given.get(), values)
        if lead != (2, 2):
            out = like(judge)
            assert operator(given, out=out) is out
            np.testing.assert_array_equal(out.get(), judge)


@pytest.mark.parametrize("name", OPERATORS)
def test_device_and_host(gpu, cupy, name):
    operator = getattr(gpu["spin 2"], name)
    values = random_input(gpu["spin 2"], name, (3,))
    judge = operator(values)
    out = np.full_like(judge, np.nan)
    with deferred():
        assert operator(Array(values), out=out) is out
        np.testing.assert_array_equal(out, judge)
    apart = np.full((6,) + judge.shape[1:], np.nan, judge.dtype)[::2]
    np.testing.assert_array_equal(operator(Array(values), out=apart), judge)
    out = like(judge)
    assert operator(values.astype(object).astype(values.dtype), out=out) is out
    np.testing.assert_array_equal(out.get(), judge)


@pytest.mark.parametrize("name", OPERATORS)
def test_distances(gpu, name):
    """Components at one distance are used where they are; what lies between is left alone."""
    plan = gpu["spin 2"]
    values, judge = random_input(plan, name, (3,)), random_output(plan, name, (3,))
    judge = getattr(plan, name)(values)
    wide_in, wide_out = (np.full((3, 2, x.shape[-1] + 5), 7, x.dtype) for x in (values, judge))
    wide_in[..., 2:-3] = values
    out = Array(wide_out)
    getattr(plan, name)(Array(wide_in)[..., 2:-3], out=out[..., 1:-4])
    wide_out[..., 1:-4] = judge
    np.testing.assert_array_equal(out.whole(), wide_out)


def test_pixels_of_no_ring_are_zero(cupy, monkeypatch):
    numba = numba_stand_in(monkeypatch)
    plan = armilla.SHT(HOLES, LMAX, device="cuda")
    alm = random_input(plan, "synthesis")
    judge = plan.synthesis(alm)
    assert not judge[12:15].any() and judge.all() == False  # noqa: E712
    for kind in (cupy.ndarray, numba.DeviceNDArray):
        made = plan.synthesis(kind(alm))
        assert type(made) is kind
        np.testing.assert_array_equal(made.get(), judge)
        assert type(plan.analysis(kind(judge))) is kind


def test_maps_of_two_dimensions(cupy):
    """In C order, on grids without gaps, as they are; others would need a copy, and are refused."""
    grid = armilla.Grid.equidistant("CC", LMAX + 2, 2 * MMAX + 2).laid_out(order="theta", phi0=0.2)
    flat, square = (armilla.SHT(grid, LMAX, MMAX, spin=2, device="cuda", two_dimensional=two)
                    for two in (False, True))
    alm = random_input(flat, "synthesis", (3,))
    sky = flat.synthesis(alm)
    shape = (3, 2) + grid.shape_2d
    assert square.synthesis(cupy.ndarray(alm)).get().shape == shape
    for plan in (flat, square):
        np.testing.assert_array_equal(plan.analysis(cupy.ndarray(sky.reshape(shape))).get(),
                                      flat.analysis(sky))
        for out in (like(sky.reshape(shape)), np.empty(shape)):
            assert plan.synthesis(cupy.ndarray(alm), out=out) is out
            made = out if isinstance(out, np.ndarray) else out.get()
            np.testing.assert_array_equal(made.reshape(sky.shape), sky)
    wide = armilla.Grid.equidistant("CC", LMAX + 2, 2 * MMAX + 2).laid_out(ring_stride=40)
    plan = armilla.SHT(wide, LMAX, MMAX, device="cuda", two_dimensional=True)
    values = random_input(plan, "synthesis")
    with pytest.raises(ValueError, match="^map: has shape .* in device memory such maps must be"):
        plan.analysis(cupy.ndarray(np.zeros(wide.shape_2d)))
    with pytest.raises(ValueError, match="^two_dimensional = True: needs a grid without gaps"):
        plan.synthesis(cupy.ndarray(values))
    host = armilla.SHT(wide, LMAX, MMAX, two_dimensional=True)
    assert relative(plan.synthesis(values), host.synthesis(values)) < 1e-13


# --- Streams --------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", OPERATORS)
def test_stream_of_the_array(gpu, cupy, name):
    """The work is on it, and is not waited for."""
    operator = getattr(gpu["spin 0"], name)
    values = random_input(gpu["spin 0"], name)
    judge = operator(values)
    with stream() as one, deferred():
        given = cupy.ndarray(values, one)  # cudaFree would wait
        made = operator(given)
        assert is_busy(one) and np.isnan(made.whole()).all()
        wait(one)
        np.testing.assert_array_equal(made.whole(), judge)
        out = like(judge, stream=one)
        operator(values, out=out)  # from the host: waited for
        assert not is_busy(one)
        np.testing.assert_array_equal(out.whole(), judge)


def test_two_streams(gpu):
    plan = gpu["spin 0"]
    alm = random_input(plan, "synthesis")
    sky = plan.synthesis(alm)
    with stream() as one:
        for pair in ((one, None), (None, one), (one, one), (0, 1), (1, None), (2, 2)):
            out = like(sky, stream=pair[1])
            plan.synthesis(Array(alm, pair[0]), out=out)
            np.testing.assert_array_equal(out.get(), sky)
        for pair in ((one, 1), (2, one), (1, 2)):
            with pytest.raises(ValueError, match="^out: is on another stream than alm"):
                plan.synthesis(Array(alm, pair[0]), out=like(sky, stream=pair[1]))


def test_older_interface(gpu):
    plan = gpu["spin 0"]
    alm = random_input(plan, "synthesis")
    out = like(plan.synthesis(alm), version=2)
    plan.synthesis(Array(alm, version=2), out=out)
    np.testing.assert_array_equal(out.get(), plan.synthesis(alm))


def test_conjugates_that_are_only_marked(gpu):
    """Tensors of PyTorch: the memory does not hold what the tensor is."""
    class Plain(Array):
        resolve_neg = (lambda self: self)

    class Marked(Array):
        is_conj, is_neg = (lambda self: True), (lambda self: False)
        resolve_conj = (lambda self: Plain(self.get().conj()))

    plan = gpu["spin 0"]
    alm = random_input(plan, "synthesis")
    out = Array(SKY)
    plan.synthesis(Marked(alm), out=out)
    np.testing.assert_array_equal(out.get(), plan.synthesis(alm.conj()))
    out.is_conj = lambda: True
    with pytest.raises(ValueError, match="^out: is marked"):
        plan.synthesis(Array(alm), out=out)


# --- DLPack ---------------------------------------------------------------------------------------

class Capsule:
    """An array that others get at by DLPack alone."""

    def __init__(self, array, device):
        self.array, self.device = array, device

    def __dlpack_device__(self):
        return self.device, 0


def test_dlpack(gpu, cupy):
    plan = gpu["spin 0"]
    alm = random_input(plan, "synthesis")
    for device in (2, 13):
        made = plan.synthesis(Capsule(cupy.ndarray(alm), device))
        assert type(made) is cupy.ndarray
        np.testing.assert_array_equal(made.get(), plan.synthesis(alm))
    out = cupy.ndarray(np.zeros(plan.map_shape))
    assert plan.synthesis(alm, out=Capsule(out, 2)) is not None
    np.testing.assert_array_equal(out.get(), plan.synthesis(alm))


def test_dlpack_that_nobody_reads(gpu, monkeypatch):
    for name in ("cupy", "torch"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(TypeError, match="^alm: Capsule has DLPack but not .* not installed"):
        gpu["spin 0"].synthesis(Capsule(None, 2))
    with pytest.raises(TypeError, match="numbers|object|Capsule"):
        gpu["spin 0"].synthesis(Capsule(None, 1))  # of the host


# --- What goes wrong ------------------------------------------------------------------------------

SIZE, NPIX = armilla.alm.size(LMAX, MMAX), GRID.npix
ALM, SKY = np.ones(SIZE, complex), np.ones(NPIX)
WRONG = [
    (dict(alm=ALM.real), TypeError, "^alm: has type float64, must have complex64 or complex128"),
    (dict(alm=ALM.astype("c8"), out=SKY), TypeError, "^out: has type float64, must have float32"),
    (dict(alm=SKY.astype("i4")), TypeError, "^alm: has type int32; .* must be float32"),
    (dict(alm=ALM.astype(">c16")), TypeError, "^alm: has type >c16; .* must be float32"),
    (dict(alm=ALM[1:]), ValueError, r"^alm: has shape \(19,\), must have \(\.\.\., 20\)"),
    (dict(alm=ALM[0]), ValueError, r"^alm: has shape \(\), must have \(\.\.\., 20\)"),
    (dict(alm=ALM, out=SKY[1:]), ValueError, r"^out: has shape \(47,\), must have \(48,\)"),
    (dict(alm=ALM), TypeError, "^out: must be given, as arrays like Array can only be made by"),
]


@pytest.mark.parametrize("given, kind, text", WRONG)
def test_wrong_arrays(gpu, given, kind, text):
    with pytest.raises(kind, match=text):
        gpu["spin 0"].synthesis(**{name: Array(values) for name, values in given.items()})


def test_wrong_interfaces(gpu):
    plan, alm, out = gpu["spin 0"], Array(ALM), Array(SKY)
    with pytest.raises(ValueError, match="^out: is read-only"):
        plan.synthesis(alm, out=out.changed(data=(out.address, True)))
    with pytest.raises(ValueError, match="^alm: has a mask"):
        plan.synthesis(alm.changed(mask=alm), out=out)
    with pytest.raises(ValueError, match="^alm: is not aligned to 16 bytes"):
        plan.synthesis(alm.changed(data=(alm.address + 8, False)), out=out)
    twice = Array(np.ones((2, SIZE, 2), complex))
    with pytest.raises(ValueError, match=r"^alm: .* strides \(.*, 32\); .* a contiguous copy"):
        plan.synthesis(twice[..., 0], out=Array(np.ones((2, NPIX))))
    both = Array(np.ones(128, complex))
    with pytest.raises(ValueError, match="^out: lies on the memory of map, must lie apart"):
        real = both.changed(typestr="<f8", shape=(3, NPIX))
        plan.analysis(real, out=both[60:].changed(shape=(3, SIZE)))  # on the last row alone
    with pytest.raises(ValueError, match="^out: lies on the memory of map, must lie apart"):
        real = both.changed(typestr="<f8", shape=(NPIX,))
        plan.analysis(real, out=both[20:40])
    plan.analysis(real, out=both[24:44])
    with pytest.raises(ValueError, match=r"is in host memory|CUDA error"):
        host = np.ones(SIZE, complex)
        plan.synthesis(alm.changed(data=(host.ctypes.data, False)), out=out)


def test_wrong_plans():
    plan = PLANS["spin 0"]()
    with pytest.raises(ValueError, match="^alm: is in device memory, but the plan is for the CPU"):
        plan.synthesis(Array(ALM))
    with pytest.raises(ValueError, match="^out: is in device memory, but the plan is for the CPU"):
        plan.synthesis(ALM, out=Array(SKY))
    with pytest.raises(ValueError, match="^device_bytes = -1: must be 0"):
        PLANS["spin 0"](device="cuda", device_bytes=-1)


def test_no_memory(gpu):
    """An error of the call, and the plan goes on."""
    plan, alm, out = armilla.SHT(GRID, LMAX, MMAX, device="cuda"), Array(ALM), Array(SKY)
    cuda.cuda_emulation_fail_twice_after(0)  # the pool is trimmed, and asked again
    with pytest.raises(MemoryError, match="B of device memory are not to be had") as found:
        plan.synthesis(alm, out=out)
    cuda.cuda_emulation_fail_after(-1)
    assert "options" not in str(found.value) and "device_bytes" in str(found.value)
    plan.synthesis(alm, out=out)
    np.testing.assert_array_equal(out.get(), plan.synthesis(ALM))


@pytest.fixture
def three_gpus():
    """Until the plans of the test are gone."""
    cuda.cuda_emulation_set_devices(3)
    yield
    cuda.cuda_emulation_set_devices(1)


@pytest.mark.parametrize("kind", PLANS)
def test_several_gpus(three_gpus, cupy, kind):
    """The bits of the first one alone, and arrays of the host alone."""
    one, several = (PLANS[kind](device="cuda", devices=listed) for listed in ([1], (1, 2, 0)))
    assert several.devices == (1, 2, 0) and PLANS[kind](device="cuda").devices is None
    again = pickle.loads(pickle.dumps(several))
    for name in OPERATORS:
        values = random_input(one, name, (5,))
        judge = getattr(one, name)(values)
        np.testing.assert_array_equal(getattr(several, name)(values), judge)
        np.testing.assert_array_equal(getattr(again, name)(values), judge)
        with pytest.raises(ValueError, match="^(alm|map): is in the memory of a GPU"):
            getattr(several, name)(cupy.ndarray(values))
    with pytest.raises(ValueError, match=r"^devices\[1\] = 3: the process sees 3 GPUs"):
        PLANS[kind](device="cuda", devices=[0, 3])
    with pytest.raises(ValueError, match=r"^devices\[1\] = 0: is in the list twice"):
        PLANS[kind](device="cuda", devices=[0, 0])


@pytest.mark.parametrize("method", ["pixels", "rings"])
def test_radial_on_several_gpus(three_gpus, cupy, method):
    """Maps, and by pixels rows of one map, are dealt out; the bits are those of one GPU."""
    one, several = (armilla.Radial(GRID, armilla.Kernel.gaussian(0.9), device="cuda",
                                   method=method, devices=listed)
                    for listed in ([2], [2, 0, 1]))
    assert several.devices == (2, 0, 1)
    sky = np.random.default_rng(4).normal(size=(4, GRID.npix))
    for maps in (sky, sky[0]):
        np.testing.assert_array_equal(several.convolve(maps), one.convolve(maps))
        np.testing.assert_array_equal(several.adjoint(maps), one.adjoint(maps))
    with pytest.raises(ValueError, match="^map: is in the memory of a GPU"):
        several.convolve(cupy.ndarray(sky))


def test_no_gpu():
    cuda.cuda_emulation_set_devices(0)
    try:
        with pytest.raises(NotImplementedError, match="no GPU can be used"):
            PLANS["spin 0"](device="cuda")
        assert armilla.info().gpu.startswith("none (no GPU can be used")
    finally:
        cuda.cuda_emulation_set_devices(1)
    call("cudaDeviceSynchronize")


def test_progress_and_cancelling(gpu):
    plan, heard, out = gpu["spin 0"], [], Array(SKY)
    plan.synthesis(Array(ALM), out=out, progress=heard.append)
    assert heard and heard[-1] == 1.0
    with pytest.raises(ZeroDivisionError):
        plan.synthesis(Array(ALM), out=out, progress=lambda done: 1 / 0)


def test_jax_works_by_way_of_the_host(gpu):
    jax = pytest.importorskip("jax")
    from armilla import jax as aj

    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        plan = gpu["spin 2"]
        alm = random_input(plan, "synthesis")
        made = jax.grad(lambda x: (aj.synthesis(plan, x) ** 2).sum())(alm)
        judge = jax.grad(lambda x: (aj.synthesis(PLANS["spin 2"](), x) ** 2).sum())(alm)
        assert relative(np.asarray(made), np.asarray(judge)) < 1e-12
        sky = random_input(plan, "analysis")[0]
        made, judge = (np.asarray(jax.grad(lambda x: (aj.convolve(radial, x) ** 2).sum())(sky))
                       for radial in (armilla.Radial(GRID, armilla.Kernel.gaussian(0.9),
                                                     method="pixels", device=device)
                                      for device in ("cuda", "cpu")))
        assert relative(made, judge) < 1e-12


@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize("name", OPERATORS)
def test_the_function_that_xla_calls(gpu, kind, name):
    """On XLA's stream, which is not waited for; the program is an owner of the plan."""
    for single in (False, True):
        values = random_input(gpu[kind], name, (3,), single=single)
        judge = getattr(gpu[kind], name)(values)
        constants = dict(plan=number_of(gpu[kind]), operator=xla_stand_in.OPERATORS.index(name),
                         is_dense=1, nthreads=0)
        given, made = Array(values), Array(np.full_like(judge, np.nan))
        arrays = [[xla_stand_in.Array(x.address, x.view.shape, x.view.dtype)]
                  for x in (given, made)]
        with stream() as one, deferred():
            xla = xla_stand_in.StandIn(3, one)
            xla.call(xla_stand_in.OPERATOR_ON_GPU, xla_stand_in.EXECUTE, *arrays, **constants)
            assert is_busy(one) and np.isnan(made.whole()).all()
            wait(one)
        np.testing.assert_array_equal(made.whole(), judge)


def test_what_xla_is_told_of_a_failure(gpu):
    alm, sky = Array(ALM), Array(SKY)
    arrays = [[xla_stand_in.Array(x.address, x.view.shape, x.view.dtype)] for x in (alm, sky)]
    constants = dict(plan=number_of(gpu["spin 0"]), operator=0, is_dense=1, nthreads=0)
    cuda.cuda_emulation_fail_twice_after(0)
    with pytest.raises(xla_stand_in.XlaError, match="B of device memory are not to be had"):
        xla_stand_in.StandIn(3).call(xla_stand_in.OPERATOR_ON_GPU, xla_stand_in.EXECUTE, *arrays,
                                     **constants)
    cuda.cuda_emulation_fail_after(-1)
