"""The layers of armilla.jax in programs for a GPU, on the emulated one: test_device.py runs this
file. XLA's part is a stand-in, since no JAX knows the emulation."""
import re

import numpy as np
import pytest

import armilla
import xla_stand_in
from armilla._held import number_of
from device_arrays import Array, crossings, cuda, deferred, is_busy, stream, wait
from helpers import relative
from test_networks import NAMES, random_alm, random_map

jax = pytest.importorskip("jax")
from armilla import _jax_operators, _xla  # noqa: E402
from armilla import jax as aj  # noqa: E402

if not _xla.AVAILABLE:
    pytest.skip("JAX before 0.5", allow_module_level=True)
jax.config.update("jax_enable_x64", True)
NLAT, NLON, SIZE = 9, 16, 5


def given_to(name):
    return (random_alm(name, SIZE) if name.startswith("Inverse") else
            random_map(name, NLAT, NLON))


def text_of(function, given):
    return jax.jit(function).trace(given).lower(lowering_platforms=("cuda",)).as_text()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("norm", ["ortho", "schmidt"])
def test_programs_for_a_gpu(name, norm):
    """Of functions of the library alone, with the plan on the GPU; coefficients lie on zeros."""
    layer, given = getattr(aj, name)(NLAT, NLON, norm=norm), given_to(name)
    text = text_of(layer, given)
    calls = re.findall(r"stablehlo.custom_call @armilla_operator.*", text)
    assert len(calls) == 1 and "callback" not in text
    assert ("output_operand_aliases = []" in calls[0] or "output_operand_aliases" not in calls[0]
            ) == name.startswith("Inverse")
    plan = layer._home.plan._there[0]
    assert plan.device == "cuda" and f"plan = {number_of(plan)} : i64" in calls[0]
    slope = text_of(jax.grad(lambda x: (abs(layer(x)) ** 4).sum()), given)
    assert slope.count("@armilla_operator") == 2 and "callback" not in slope
    assert layer._home.plan._there == {0: plan}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("single", [False, True])
def test_what_xla_calls(name, single):
    """The numbers of the processor, on XLA's stream, without a copy; zeros where m > l."""
    layer, given = getattr(aj, name)(NLAT, NLON), given_to(name)
    host = layer._home.plan
    plan, operator = host.there(0), "synthesis" if name.startswith("Inverse") else "analysis"
    line = given.reshape(2, 3, *(host.alm_shape if operator == "synthesis" else host.map_shape))
    if single:
        line = line.astype(np.complex64 if operator == "synthesis" else np.float32)
    judge = getattr(host, operator)(line)
    source, made = Array(line), Array(np.zeros_like(judge))
    arrays = [xla_stand_in.Array(x.address, x.view.shape, x.view.dtype) for x in (source, made)]
    constants = dict(plan=number_of(plan), operator=xla_stand_in.OPERATORS.index(operator),
                     is_dense=int(operator == "synthesis"), nthreads=0)
    with stream() as one, deferred():
        crossings()
        xla_stand_in.StandIn(3, one).call(xla_stand_in.OPERATOR_ON_GPU, xla_stand_in.EXECUTE,
                                          arrays[:1] if operator == "synthesis" else arrays,
                                          arrays[1:], **constants)
        assert is_busy(one) and not made.whole().any() and crossings() == 1  # that of whole()
        wait(one)
    assert relative(made.whole(), judge) < (1e-6 if single else 1e-13)
    if operator == "analysis":
        outside = made.whole().reshape(-1, SIZE, SIZE)[:, ~np.tri(SIZE, dtype=bool)]
        assert not outside.any()


@pytest.mark.parametrize("gpus, options, shape", [
    (0, {"nlat": NLAT, "nlon": NLON}, (NLAT, NLON)),
    (1, {"grid": armilla.Grid.healpix(2, nested=True), "lmax": SIZE}, (48,))])
def test_without_a_plan_there(gpus, options, shape, monkeypatch):
    """The host runs it, by a callback, as the page says: the library has no GPU, or no such plan
    on one."""
    asked, layer = [], aj.RealSHT(**options)
    monkeypatch.setattr(_jax_operators, "callback", lambda run, result, *arrays: (
        asked.append(run), jax.numpy.zeros(result.shape, result.dtype))[1])
    cuda.cuda_emulation_set_devices(gpus)
    try:
        text = text_of(layer, np.zeros(shape))
    finally:
        cuda.cuda_emulation_set_devices(1)
    assert asked and "@armilla_operator" not in text and not layer._home.plan._there


def test_layers_over_devices_refuse():
    layer = aj.RealSHT(NLAT, NLON, axis="m", shards=1)
    mesh = jax.sharding.Mesh(jax.devices()[:1], ("m",))
    spec = jax.sharding.PartitionSpec
    run = jax.shard_map(layer, mesh=mesh, in_specs=spec(None, "m"), out_specs=spec(None, None, "m"))
    with pytest.raises(NotImplementedError, match="^layers over devices are on the CPU: give them"):
        text_of(run, np.zeros((3, NLAT, NLON)))


def test_grids_with_gaps():
    """Plans that leave places out, where these are pixels."""
    holes = armilla.Grid.custom([0.7, 1.5, 2.9], 12, offset=[0, 15, 30], weight=0.3)
    sht = armilla.SHT(holes, 5, device="cuda")
    text = text_of(lambda x: aj.synthesis(sht, x), np.ones(sht.alm_shape, complex))
    assert "output_operand_aliases = [" in text and "callback" not in text
