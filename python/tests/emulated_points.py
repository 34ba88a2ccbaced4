"""Points on a GPU, and arrays in its memory, on the emulated one: test_device.py runs this file."""
import pickle

import numpy as np
import pytest

import armilla
import xla_stand_in
from armilla._held import number_of
from device_arrays import (Array, call, cuda, cupy_stand_in, deferred, is_busy, like, stream, wait)
from gradients import LAYOUT, LMAX, MMAX, random_input
from helpers import relative

rng = np.random.default_rng(1)
LOC = np.concatenate([[[0, 1], [np.pi, 2]], rng.uniform([0, -9], [np.pi, 9], (70, 2))])
KINDS = {"spin 0": dict(), "spin 2": dict(spin=2), "layout": dict(layout=LAYOUT),
         "derivatives": dict(spin=1, mode="derivatives")}
OPERATORS = {"synthesis": "synthesis", "adjoint_synthesis": "analysis"}  # what has such an input


def points(device="cuda", loc=LOC, **options):
    return armilla.Points(LMAX, loc, mmax=MMAX, device=device, **{"epsilon": 1e-9, **options})


@pytest.fixture(scope="module")
def gpu():
    return {name: points(**options) for name, options in KINDS.items()}


@pytest.fixture
def cupy(monkeypatch):
    return cupy_stand_in(monkeypatch)


def test_what_plans_say(gpu):
    host, told = points("cpu"), gpu["spin 0"].describe()
    assert (host.device, gpu["spin 0"].device) == ("cpu", "cuda")
    assert (told.backend, host.describe().backend) == ("cuda", "cpu")
    assert told.device_plan_bytes > 0 and told.device_workspace_bytes > 0
    assert host.describe().device_plan_bytes == host.describe().device_workspace_bytes == 0
    for plan in (gpu["spin 2"], points(device_bytes=1 << 20)):
        again = pickle.loads(pickle.dumps(plan))
        assert again.device == "cuda" and again._options == plan._options
        assert again.describe() == plan.describe()
    with pytest.raises(ValueError, match="device_bytes = -1"):
        points(device_bytes=-1)


def test_several_gpus():
    """With the bits of one; arrays are those of the host."""
    cuda.cuda_emulation_set_devices(3)
    try:
        loc = rng.uniform([0, 0], [np.pi, 6], (150, 2))
        one, several = (armilla.Points(100, loc, device="cuda", devices=devices)
                        for devices in (None, (1, 0, 2)))
        alm = armilla.alm.random(100, np.ones(101), seed=1)
        values = one.synthesis(alm)
        assert (one.devices, several.devices) == (None, (1, 0, 2))
        again = pickle.loads(pickle.dumps(several))
        assert again.devices == several.devices
        beside = several.with_points(loc[::-1])
        assert beside.devices == several.devices
        for plan, wanted in ((several, values), (again, values), (beside, values[::-1])):
            np.testing.assert_array_equal(plan.synthesis(alm), wanted)
        np.testing.assert_array_equal(several.adjoint_synthesis(values),
                                      one.adjoint_synthesis(values))
        with pytest.raises(ValueError, match="^alm: is in the memory of a GPU; a plan on several"):
            several.synthesis(Array(alm), out=like(values))
        with pytest.raises(ValueError, match="^points: (are|is) in the memory of a GPU"):
            armilla.Points(100, Array(loc), device="cuda", devices=(1, 0, 2))
        with pytest.raises(ValueError, match=r"devices\[1\] = 7: the process sees 3 GPUs"):
            points(devices=[0, 7])
        del one, several, again, beside, plan
    finally:
        cuda.cuda_emulation_set_devices(1)
    call("cudaDeviceSynchronize")


def test_what_is_refused(gpu, cupy):
    host = points("cpu")
    for given, name in ((np.ones(host.alm_shape, complex), "synthesis"),
                        (np.ones(len(LOC)), "adjoint_synthesis")):
        what = "alm" if name == "synthesis" else "values"
        with pytest.raises(ValueError, match=f"^{what}: is in device memory, but the plan is for"):
            getattr(host, name)(Array(given))
        with pytest.raises(ValueError, match="^out: is in device memory, but the plan is for"):
            getattr(host, name)(given, out=Array(given))
    with pytest.raises(NotImplementedError, match="^values: is in device memory, but pseudo"):
        gpu["spin 0"].pseudo_analysis(cupy.ndarray(np.ones(len(LOC))))
    with pytest.raises(TypeError, match="^loc: is in device memory; .* to the host"):
        armilla.evaluate(np.ones(host.alm_shape, complex), LMAX, Array(LOC), mmax=MMAX)
    with pytest.raises(ValueError, match="^loc: is in device memory, but the plan is for the CPU"):
        points("cpu", loc=Array(LOC))
    for loc, error, words in ((LOC.astype("f4"), TypeError, "has type float32, must have float64"),
                              (LOC[0], ValueError, r"has shape \(2,\), must have \(npoints, 2\)"),
                              (np.zeros((4, 3)), ValueError, r"has shape \(4, 3\), must have")):
        with pytest.raises(error, match=f"^loc: {words}"):
            points(loc=Array(loc))
    with pytest.raises(ValueError, match="^loc: has rows 5 numbers apart; .* contiguous"):
        points(loc=Array(np.zeros((4, 5)))[:, :2])
    wrong = LOC.copy()
    wrong[7, 0] = 4
    with pytest.raises(ValueError, match="7"):
        points(loc=Array(wrong))


def test_points_in_device_memory(gpu, cupy):
    """The plan has the bits of one from the host, keeps them when the array changes, and has the
    array itself as loc."""
    alm = random_input(gpu["spin 2"], "synthesis")
    judge = gpu["spin 2"].synthesis(alm)
    for there in (Array(LOC), cupy.ndarray(LOC)):
        plan = points(spin=2, loc=there)
        assert plan.loc is there and f"{len(LOC)} points" in repr(plan)
        assert plan.describe().npoints == len(LOC)
        there.memory.copy(np.zeros_like(LOC), 1)
        np.testing.assert_array_equal(plan.synthesis(alm), judge)
        with pytest.raises(TypeError, match="in device memory cannot be pickled"):
            pickle.dumps(plan)
        for loc in (Array(LOC[::-1]), LOC[::-1]):
            beside = plan.with_points(loc)
            np.testing.assert_array_equal(beside.synthesis(alm), judge[:, ::-1])
    there = gpu["spin 2"].with_points(Array(LOC))
    np.testing.assert_array_equal(there.synthesis(alm), judge)
    assert points(loc=Array(np.empty((0, 2)))).map_shape == (0,)
    with stream() as one, deferred():  # whoever writes them need not have been waited for
        late = cupy.ndarray(LOC, one)
        assert points(spin=2, loc=late).describe().npoints == len(LOC)


def test_least_squares(gpu):
    alm = armilla.alm.random(LMAX, np.ones(LMAX + 1), mmax=MMAX, seed=1)
    values = gpu["spin 0"].synthesis(alm)
    fit, report = gpu["spin 0"].pseudo_analysis(values)
    assert report.stop == "residual" and relative(fit, alm) < 1e-6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("single", [False, True])
def test_arrays(gpu, cupy, kind, name, single):
    """Of the host: values of the processor. Of the GPU: their bits, in the input's library."""
    host, operator = points("cpu", **KINDS[kind]), getattr(gpu[kind], name)
    for lead in ((3,),) if single else ((), (2, 2), (0,)):
        values = random_input(host, OPERATORS[name], lead, single=single)
        judge, made = getattr(host, name)(values), operator(values)
        assert type(made) is np.ndarray and made.dtype == judge.dtype
        if judge.size:
            assert relative(made, judge) < (1e-6 if single else 1e-9)
        given = cupy.ndarray(values)
        there = operator(given)
        assert type(there) is cupy.ndarray and there.get().dtype == judge.dtype
        np.testing.assert_array_equal(there.get(), made)
        np.testing.assert_array_equal(given.get(), values)
        out = like(judge) if kind != "layout" else Array(np.zeros_like(judge))
        assert operator(given, out=out) is out
        np.testing.assert_array_equal(out.get(), made)


def test_adjointness(gpu):
    alm = random_input(gpu["spin 2"], "synthesis")
    alm[:, :LMAX + 1] = alm[:, :LMAX + 1].real
    values = random_input(gpu["spin 2"], "analysis")
    back, weights = gpu["spin 2"].adjoint_synthesis(values), np.full(alm.shape[-1], 2)
    weights[:LMAX + 1] = 1
    left, right = (gpu["spin 2"].synthesis(alm) * values).sum(), (weights * alm * back.conj()).sum()
    assert abs(left - right.real) < 1e-12 * abs(left)


@pytest.mark.parametrize("name", OPERATORS)
def test_device_and_host(gpu, name):
    operator = getattr(gpu["spin 2"], name)
    values = random_input(gpu["spin 2"], OPERATORS[name], (3,))
    judge = operator(values)
    apart = np.full((6,) + judge.shape[1:], np.nan, judge.dtype)[::2]
    with deferred():
        assert operator(Array(values), out=apart) is apart
        np.testing.assert_array_equal(apart, judge)
    out = like(judge)
    assert operator(values, out=out) is out
    np.testing.assert_array_equal(out.get(), judge)
    wide = np.full((3, 2, judge.shape[-1] + 5), 7, judge.dtype)
    out = Array(wide)
    operator(Array(values), out=out[..., 1:-4])
    wide[..., 1:-4] = judge
    np.testing.assert_array_equal(out.whole(), wide)


@pytest.mark.parametrize("name", OPERATORS)
def test_stream_of_the_array(gpu, cupy, name):
    """The work is on it, and is not waited for; also where XLA asks for it."""
    operator = getattr(gpu["spin 0"], name)
    values = random_input(gpu["spin 0"], OPERATORS[name])
    judge = operator(values)
    with stream() as one, deferred():
        given = cupy.ndarray(values, one)
        made = operator(given)
        assert is_busy(one)
        wait(one)
        np.testing.assert_array_equal(made.whole(), judge)
        other = like(judge)
        arrays = [[xla_stand_in.Array(x.address, x.view.shape, x.view.dtype)]
                  for x in (given, other)]
        xla_stand_in.StandIn(3, one).call(
            xla_stand_in.OPERATOR_ON_GPU, xla_stand_in.EXECUTE, *arrays, operator=int(
                name != "synthesis"), plan=number_of(gpu["spin 0"]), is_dense=1, nthreads=0)
        assert is_busy(one)
        wait(one)
        np.testing.assert_array_equal(other.whole(), judge)


def test_other_points(gpu):
    loc = LOC[:20]
    beside, alone = gpu["spin 0"].with_points(loc), points("cpu", loc)
    assert beside.device == "cuda" and beside.describe().backend == "cuda"
    alm = random_input(alone, "synthesis")
    assert relative(beside.synthesis(alm), alone.synthesis(alm)) < 1e-9
    assert points(loc=np.empty((0, 2))).synthesis(alm).shape == (0,)


def test_the_current_gpu():
    """A plan is for the one that is current in the caller's thread."""
    cuda.cuda_emulation_set_devices(2)
    try:
        call("cudaSetDevice", 1)
        plan = points()
        alm = random_input(plan, "synthesis")
        judge = plan.synthesis(alm)
        out = like(judge)
        plan.synthesis(Array(alm), out=out)
        np.testing.assert_array_equal(out.get(), judge)
        del plan, out
    finally:
        call("cudaSetDevice", 0)
        cuda.cuda_emulation_set_devices(1)
    call("cudaDeviceSynchronize")


# --- Positions that are arrays of XLA -------------------------------------------------------------

GRID = armilla.Grid.healpix(2)


def see_there(grid, to_map, given, places, made, stream=0):
    """The function that XLA calls on a GPU, with arrays there."""
    arrays = [xla_stand_in.Array(x.address, x.view.shape, x.view.dtype)
              for x in (given, places, made)]
    constants = dict(lmax=LMAX, mmax=MMAX, spin=2, pure=0, nthreads=0, epsilon=1e-9,
                     to_map=int(to_map), grid=grid if isinstance(grid, int) else number_of(grid))
    xla_stand_in.StandIn(3, stream).call(
        xla_stand_in.POSITIONS_ON_GPU, xla_stand_in.EXECUTE, arrays[:2], arrays[2:],
        **constants)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("name", OPERATORS)
def test_points_of_xla(gpu, name, single):
    """With the bits of a plan; its end waits for the GPU, whoever writes the points."""
    given = random_input(gpu["spin 2"], OPERATORS[name], (3,), single=single)
    judge = getattr(gpu["spin 2"], name)(given)
    with stream() as one, deferred():
        made = like(judge)
        see_there(0, name == "synthesis", Array(given), Array(LOC), made, stream=one)
        assert not is_busy(one)
        np.testing.assert_array_equal(made.whole(), judge)


@pytest.mark.parametrize("to_map", [True, False])
def test_lensed_maps_of_xla(to_map):
    alpha = 0.1 * rng.standard_normal((2, GRID.npix))
    plan = armilla.Lensing(GRID, alpha, LMAX, 2, 1e-9, MMAX, kind="map", device="cuda")
    given = random_input(plan, "synthesis" if to_map else "analysis", (2,))
    judge = (plan.alm2lenmap if to_map else plan.adjoint)(given)
    made = like(judge)
    see_there(GRID, to_map, Array(given), Array(alpha), made)
    np.testing.assert_array_equal(made.get(), judge)


def test_what_xla_is_told_of_wrong_positions(gpu):
    alm = random_input(gpu["spin 2"], "synthesis")
    made, wrong = Array(np.zeros(gpu["spin 2"].map_shape)), LOC.copy()
    wrong[7, 0] = 4
    for places, text in ((LOC.astype("f4"), "positions on a GPU must be doubles"),
                         (wrong, r"points: .*7.*"), (LOC[1:], "do not have the shapes")):
        with pytest.raises(xla_stand_in.XlaError, match=text):
            see_there(0, True, Array(alm), Array(places), made)
    sky = Array(np.zeros((2, GRID.npix), "f4"))
    with pytest.raises(xla_stand_in.XlaError, match="lensed maps on a GPU must be of doubles"):
        see_there(GRID, True, Array(alm.astype("c8")), Array(np.zeros((2, GRID.npix))), sky)
    with pytest.raises(xla_stand_in.XlaError, match="deflection: has another number of pixels"):
        see_there(armilla.Grid.healpix(1), True, Array(alm), Array(np.zeros((2, GRID.npix))),
                  Array(np.zeros((2, GRID.npix))))
    with pytest.raises(xla_stand_in.XlaError, match="grid: is (gone|none)"):
        see_there(1 << 40, True, Array(alm), Array(np.zeros((2, GRID.npix))),
                  Array(np.zeros((2, GRID.npix))))
