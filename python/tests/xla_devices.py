"""armilla.jax on two devices of the processor: test_xla.py runs this file in a process of its own,
since JAX counts its devices once."""
import numpy as np
import pytest

import armilla
from gradients import plan, random_input

import jax
from armilla import jax as aj

jax.config.update("jax_enable_x64", True)
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402

shard_map = getattr(jax, "shard_map", None) or pytest.importorskip(
    "jax.experimental.shard_map").shard_map
SPLIT = PartitionSpec("devices")
MESH = Mesh(np.array(jax.devices()), ("devices",))


def case(name, mode="standard"):
    sht = plan(1, mode)
    given = random_input(sht, name, (4,))
    return (lambda x: getattr(aj, name)(sht, x)), given, getattr(sht, name)(given)


def test_there_are_two_devices():
    assert len(jax.devices()) == 2


def test_shard_map():
    function, given, judge = case("analysis")
    split = shard_map(function, mesh=MESH, in_specs=SPLIT, out_specs=SPLIT)
    for call in (split, jax.jit(split)):
        made = call(given)
        assert len(made.sharding.device_set) == 2
        np.testing.assert_array_equal(made, judge)
    gradient = jax.grad(lambda x, f: (abs(f(x)) ** 2).sum())
    np.testing.assert_allclose(gradient(given, split), gradient(given, function), rtol=1e-13)


def test_one_array_on_two_devices():
    function, given, judge = case("synthesis")
    spread = jax.device_put(given, NamedSharding(MESH, SPLIT))
    np.testing.assert_array_equal(jax.jit(function)(spread), judge)
    np.testing.assert_array_equal(function(spread), judge)
    pairs = given.reshape(2, 2, *given.shape[1:])
    np.testing.assert_array_equal(jax.pmap(function)(pairs).reshape(judge.shape), judge)


def test_the_device_of_the_input():
    function, given, judge = case("analysis")
    for device in jax.devices():
        for call in (function, jax.jit(function)):
            made = call(jax.device_put(given, device))
            assert made.devices() == {device}
            np.testing.assert_array_equal(made, judge)


@pytest.mark.skipif(not hasattr(jax, "set_mesh"), reason="JAX before 0.7")
def test_types_that_know_the_mesh():
    """The result has another number of axes than the input."""
    mesh = jax.make_mesh((2,), ("devices",), axis_types=(jax.sharding.AxisType.Explicit,))
    function, given, judge = case("synthesis", "gradient_only")
    with jax.set_mesh(mesh):
        made = jax.jit(function)(jax.device_put(given, NamedSharding(mesh, SPLIT)))
        assert jax.typeof(made).sharding.spec[0] == "devices"
    np.testing.assert_array_equal(made, judge)


def test_lensed_maps_side_by_side():
    grid = armilla.Grid.healpix(2)
    rng = np.random.default_rng(1)
    alm = rng.standard_normal((2, 15)) + 1j * rng.standard_normal((2, 15))
    deflection = 0.1 * rng.standard_normal((2, grid.npix))
    judge = aj.lens(alm, deflection, grid, lmax=4)
    split = shard_map(lambda x: aj.lens(x, deflection, grid, lmax=4), mesh=MESH, in_specs=SPLIT,
                      out_specs=SPLIT)
    np.testing.assert_array_equal(jax.jit(split)(alm), judge)
