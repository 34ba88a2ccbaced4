"""What the host runs for a GPU (`delegate`), with arrays in its memory, on the emulated one:
test_device.py runs this file."""
import ctypes
import pickle

import numpy as np
import pytest

import armilla
import xla_stand_in
from armilla import _progress
from armilla._held import number_of
from device_arrays import Array, call, cuda, cupy_stand_in, deferred, is_busy, like, stream
from gradients import LAYOUT, LMAX, MMAX, OPERATORS, TO_ALM, random_input

GRID = armilla.Grid.healpix(2)
HOLES = armilla.Grid.custom([0.7, 1.5, 2.9], 12, offset=[0, 15, 30], weight=0.3)  # 42 pixels
LOC = np.random.default_rng(1).uniform([0, -9, 1], [np.pi, 9, 2], (20, 3))
ON_DEVICE_TO_DEVICE = 3


def vector(**options):
    return armilla.VectorSHT(GRID, LMAX, MMAX, form="stream_potential", **options)


PLANS = {"vector": vector, "radial": lambda **o: vector(radial=True, layout=LAYOUT, **o),
         "complex": lambda **o: armilla.ComplexSHT(GRID, LMAX, MMAX, **o),
         "holes": lambda **o: armilla.ComplexSHT(HOLES, LMAX, spin=2, **o)}
SOLID = {"potential": dict(), "tensor": dict(derivatives=2, frame="local", layout=LAYOUT)}


def delegated(kind, **options):
    return PLANS[kind](device="cuda", delegate=True, **options)


def given(plan, name, lead=(), single=False):
    """For an operator of a plan; maps of complex fields are complex."""
    values = random_input(plan, name, lead, single=single)
    if isinstance(plan, armilla.ComplexSHT) and name in TO_ALM:
        return values + 1j * random_input(plan, name, lead, 3, single)
    return values


@pytest.fixture(scope="module")
def gpu():
    return {kind: delegated(kind) for kind in PLANS}


@pytest.fixture
def cupy(monkeypatch):
    return cupy_stand_in(monkeypatch)


@pytest.fixture
def three_gpus():
    """Until the plans of the test are gone."""
    cuda.cuda_emulation_set_devices(3)
    yield
    cuda.cuda_emulation_set_devices(1)


# --- Plans ----------------------------------------------------------------------------------------

def places(choices):
    return [choice.value for choice in choices if choice.name == "place"]


@pytest.mark.parametrize("kind", PLANS)
def test_what_plans_say(gpu, kind):
    plan, host = gpu[kind], PLANS[kind](delegate=True)
    assert (plan.device, plan.devices, plan.describe().backend) == ("cuda", None, "by the host")
    assert (host.device, host.describe().backend) == ("cpu", "cpu")
    assert (places(plan.explain()), places(host.explain())) == (["by the host"], [])
    again = pickle.loads(pickle.dumps(plan))
    assert again._options == plan._options and again.describe() == plan.describe()


@pytest.mark.parametrize("make, what", [(vector, "transforms of vector fields"),
                                        (PLANS["complex"], "transforms of complex fields"),
                                        (lambda **o: solid("potential", ALM, **o),
                                         "solid harmonics")])
def test_plans_that_are_refused(make, what):
    with pytest.raises(NotImplementedError) as found:
        make(device="cuda")
    assert str(found.value) == (f"device: {what} are not offered on a GPU; the host runs them (set "
                                "delegate, or leave device at 'cpu')")
    for options, error, words in (
            (dict(device="gpu"), ValueError, "^device = 'gpu': must be one of cpu, cuda"),
            (dict(devices=[0]), ValueError, '^devices: must be None where device is "cpu"'),
            (dict(device="cuda", devices="0"), TypeError, "^devices = '0': must be a sequence"),
            (dict(device="cuda", devices=[1]), ValueError,
             r"^devices\[0\] = 1: the process sees 1 GPU")):
        with pytest.raises(error, match=words):
            make(delegate=True, **options)
    cuda.cuda_emulation_set_devices(0)
    try:
        with pytest.raises(NotImplementedError, match="no GPU can be used"):
            make(device="cuda", delegate=True)
    finally:
        cuda.cuda_emulation_set_devices(1)
    call("cudaDeviceSynchronize")


# --- Arrays ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("single", [False, True])
def test_arrays(gpu, cupy, kind, name, single):
    """Bits of the host, whether arrays are there, here, or one of each."""
    operator, host = getattr(gpu[kind], name), getattr(PLANS[kind](), name)
    for lead in ((3,),) if single else ((), (2, 2), (0,)):
        values = given(gpu[kind], name, lead, single)
        judge = host(values)
        np.testing.assert_array_equal(operator(values), judge)
        there = cupy.ndarray(values)
        made, out, here = operator(there), cupy.ndarray(0 * judge), np.zeros_like(judge)
        assert type(made) is cupy.ndarray and made.get().dtype == judge.dtype
        assert operator(values, out=out) is out and operator(there, out=here) is here
        for one in (made.get(), out.get(), here):
            np.testing.assert_array_equal(one, judge)
        np.testing.assert_array_equal(there.get(), values)


def test_distances(gpu):
    """Of complex maps and of their coefficients, which are not the same."""
    plan = gpu["complex"]
    for name in OPERATORS:
        values = given(plan, name, (3,))
        judge = getattr(plan, name)(values)
        wide, out = (np.full((3, x.shape[-1] + 5), 7, x.dtype) for x in (values, judge))
        wide[:, 2:-3] = values
        there = Array(out)
        getattr(plan, name)(Array(wide)[:, 2:-3], out=there[:, 1:-4])
        out[:, 1:-4] = judge
        np.testing.assert_array_equal(there.whole(), out)


@pytest.mark.parametrize("target", ["vorticity_divergence", "rotational"])
def test_maps_to_maps(gpu, cupy, target):
    for lead, kind in (((2,), "f8"), ((), "f4")):
        maps = random_input(gpu["vector"], "analysis", lead).astype(kind)
        judge = vector().convert_map("components", maps, target)
        for source in (maps, cupy.ndarray(maps)):
            out = like(judge)
            made = gpu["vector"].convert_map("components", source, target)
            assert type(made) is type(source)
            assert gpu["vector"].convert_map("components", source, target, out=out) is out
            for one in (made if source is maps else made.get(), out.get()):
                np.testing.assert_array_equal(one, judge)
    maps[1, 3] = np.nan
    for source in (maps, cupy.ndarray(maps)):
        with pytest.raises(ValueError, match=r"^map\[51\]"):
            gpu["vector"].convert_map("components", source, target)
    with pytest.raises(ValueError, match="^map: is in device memory, but the plan is for the CPU"):
        vector().convert_map("components", cupy.ndarray(maps), target)


def test_missing_values_of_the_gpu_are_named(gpu):
    """The host has copies of the maps, and looks at them as at others."""
    for kind in ("vector", "complex"):
        for name in TO_ALM:
            values = given(gpu[kind], name)
            values[..., 7] = np.inf
            out = like(getattr(PLANS[kind](), name)(values, missing="propagate"))
            with pytest.raises(ValueError, match=r"^map\[7\]"):
                getattr(gpu[kind], name)(Array(values), out=out)
            getattr(gpu[kind], name)(Array(values), out=out, missing="propagate")
            assert not np.isfinite(out.get()).all()


def test_wrong_arrays(gpu, cupy):
    plan, host = gpu["complex"], PLANS["complex"]()
    flm, sky = given(plan, "synthesis"), given(plan, "analysis")
    for values, error, words in (
            (sky.real, TypeError, "^map: has type float64, must have complex64 or complex128"),
            (sky[1:], ValueError, r"^map: has shape \(47,\), must have \(\.\.\., 48\)")):
        with pytest.raises(error, match=words):
            plan.analysis(cupy.ndarray(values))
    with pytest.raises(TypeError, match="^out: has type complex128, must have complex64"):
        plan.synthesis(flm.astype("c8"), out=Array(sky))
    for operator, values, name in ((host.synthesis, flm, "alm"), (host.analysis, sky, "map")):
        with pytest.raises(ValueError, match=f"^{name}: is in device memory, but the plan is for"):
            operator(cupy.ndarray(values))
    sky = random_input(gpu["vector"], "analysis")
    with pytest.raises(NotImplementedError, match="^map: is in device memory, but pseudo_analysis"):
        gpu["vector"].pseudo_analysis(cupy.ndarray(sky))
    made, judge = (plan.pseudo_analysis(sky, max_iterations=2, method="jacobi")[0]
                   for plan in (gpu["vector"], vector()))
    np.testing.assert_array_equal(made, judge)


# --- Calls ----------------------------------------------------------------------------------------

def write_late(target, values, on):
    """Puts a copy of values on a stream, which has not run when this returns. Returned: what must
    live as long."""
    source = Array(values)
    call("cudaMemcpyAsync", ctypes.c_void_p(target.address), ctypes.c_void_p(source.address),
         ctypes.c_size_t(values.nbytes), ctypes.c_int(ON_DEVICE_TO_DEVICE), ctypes.c_void_p(on))
    return source


@pytest.mark.parametrize("kind", ["vector", "complex"])
def test_calls_wait_for_the_stream_of_the_array(gpu, cupy, kind):
    values = given(gpu[kind], "synthesis")
    judge = PLANS[kind]().synthesis(values)
    with stream() as one, deferred():
        late = cupy.ndarray(np.zeros_like(values), one)
        kept = write_late(late, values, one)
        assert is_busy(one)
        made = gpu[kind].synthesis(late)
        assert not is_busy(one) and kept
        np.testing.assert_array_equal(made.whole(), judge)


def test_progress_and_signals(gpu, monkeypatch):
    """Signals are heeded as in calls of the host: no GPU has to be waited for."""
    entered, heard = [], []
    monkeypatch.setattr(_progress, "heed_signals", entered.append)
    for kind in ("vector", "complex"):
        values = given(gpu[kind], "synthesis")
        out = like(gpu[kind].synthesis(values))
        gpu[kind].synthesis(Array(values), out=out)
        gpu[kind].synthesis(Array(values), out=out, progress=heard.append)
        with pytest.raises(ZeroDivisionError):
            gpu[kind].synthesis(Array(values), out=out, progress=lambda done: 1 / 0)
    assert len(entered) == 4 and heard[-1] == 1.0


@pytest.mark.parametrize("kind", ["vector", "complex"])
def test_lists_of_gpus(three_gpus, cupy, kind):
    """One: its arrays. Several: arrays of the host alone."""
    second, several = (delegated(kind, devices=devices) for devices in ([1], (1, 2, 0)))
    assert (second.devices, several.devices) == ((1,), (1, 2, 0))
    values = given(second, "synthesis", (2,))
    judge = PLANS[kind]().synthesis(values)
    again = pickle.loads(pickle.dumps(several))
    for plan in (second, several, again):
        np.testing.assert_array_equal(plan.synthesis(values), judge)
    with pytest.raises(ValueError, match="^alm: is in the memory of a GPU; a plan on several"):
        several.synthesis(cupy.ndarray(values))
    with pytest.raises(ValueError, match="^alm: is in the memory of GPU 0, but the plan is on GPU"):
        second.synthesis(cupy.ndarray(values))
    if kind == "vector":
        with pytest.raises(ValueError, match="^map: is in the memory of GPU 0, but the plan is on"):
            second.convert_map("components", cupy.ndarray(judge), "components", out=0 * judge)
    call("cudaSetDevice", ctypes.c_int(1))
    np.testing.assert_array_equal(second.synthesis(cupy.ndarray(values)).get(), judge)
    call("cudaSetDevice", ctypes.c_int(0))


@pytest.mark.parametrize("name", OPERATORS)
def test_the_function_that_xla_calls(gpu, name):
    values = random_input(gpu["vector"], name, (3,))
    judge = getattr(gpu["vector"], name)(values)
    there, made = Array(values), like(judge)
    arrays = [[xla_stand_in.Array(x.address, x.view.shape, x.view.dtype)] for x in (there, made)]
    constants = dict(plan=number_of(gpu["vector"]), operator=xla_stand_in.OPERATORS.index(name),
                     is_dense=1, nthreads=0)
    xla_stand_in.StandIn(3).call(xla_stand_in.OPERATOR_ON_GPU, xla_stand_in.EXECUTE, *arrays,
                                 **constants)
    np.testing.assert_array_equal(made.get(), judge)


# --- Solid harmonics ------------------------------------------------------------------------------

ALM = armilla.alm.random(LMAX, np.ones(LMAX + 1), seed=1)
THERE = dict(device="cuda", delegate=True)


def solid(kind, alm, loc=LOC, **options):
    return armilla.evaluate_solid(alm, LMAX, loc, **SOLID[kind], **options)


def adjoint(kind, values, **options):
    return armilla.adjoint_evaluate_solid(values, LMAX, LOC, **SOLID[kind], **options)


@pytest.mark.parametrize("kind", SOLID)
def test_solid_harmonics(cupy, kind):
    size = SOLID[kind].get("layout", armilla.Layout(LMAX)).size
    rng = np.random.default_rng(2)
    for lead in ((), (3,), (0,)):
        alm = rng.standard_normal(lead + (size,)) + 1j * rng.standard_normal(lead + (size,))
        values = solid(kind, alm)
        for operator, source, judge in ((solid, alm, values),
                                        (adjoint, values, adjoint(kind, values))):
            there, out, here = cupy.ndarray(source), cupy.ndarray(0 * judge), np.zeros_like(judge)
            made = operator(kind, there, **THERE)
            assert type(made) is cupy.ndarray
            assert operator(kind, source, out=out, **THERE) is out
            assert operator(kind, there, out=here, **THERE) is here
            for one in (made.get(), out.get(), here, operator(kind, source, **THERE)):
                np.testing.assert_array_equal(one, judge)


def test_what_explain_says_of_solid_harmonics():
    told = [armilla.explain_solid(ALM, LMAX, LOC, **where) for where in ({}, THERE)]
    assert [places(one) for one in told] == [[], ["by the host"]]
    with pytest.raises(TypeError, match="^alm: is in device memory; .* to the host"):
        armilla.explain_solid(Array(ALM), LMAX, LOC, **THERE)


def test_wrong_arrays_of_solid_harmonics(cupy):
    few = ALM.astype("c8")
    np.testing.assert_array_equal(solid("potential", few, out=like(LOC[:, 0]), **THERE).get(),
                                  solid("potential", few))
    for alm, options, error, words in (
            (few, THERE, TypeError, "^alm: must hold doubles in device memory"),
            (ALM[1:], THERE, ValueError, r"^alm: has shape \(20,\), must have \(\.\.\., 21\)"),
            (ALM, dict(device="cuda"), NotImplementedError, "^device: solid harmonics are not"),
            (ALM, dict(loc=Array(LOC), **THERE), TypeError, "^loc: is in device memory; .* to the"),
            (ALM, {}, TypeError, "^alm: is in device memory; .* must be copied to the host")):
        with pytest.raises(error, match=words):
            solid("potential", cupy.ndarray(alm), **options)
    with pytest.raises(TypeError, match="^values: must hold doubles in device memory"):
        adjoint("potential", cupy.ndarray(LOC[:, 0].astype("f4")), **THERE)


def test_solid_harmonics_on_several_gpus(three_gpus):
    np.testing.assert_array_equal(solid("potential", ALM, devices=[2, 0], **THERE),
                                  solid("potential", ALM))
    with pytest.raises(ValueError, match="^alm: is in the memory of a GPU; a plan on several"):
        solid("potential", Array(ALM), out=like(LOC[:, 0]), devices=[2, 0], **THERE)
