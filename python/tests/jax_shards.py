"""What test_networks_shared.py runs with four devices on this machine: layers over devices against
those of one."""
import warnings

import jax
import numpy as np
from jax.sharding import PartitionSpec

import armilla
from armilla import jax as aj

jax.config.update("jax_enable_x64", True)
CASES = [(name, args, options) for name in ("RealSHT", "InverseRealSHT", "RealVectorSHT",
                                            "InverseRealVectorSHT")
         for args, options in (((9, 16), {"norm": "schmidt"}),
                               ((9, 12, 7, 7, "legendre-gauss"), {"csphase": False}),
                               ((5, 6), {"grid": "lobatto", "south_first": True}))
         if "Vector" not in name or "norm" in options]
CASES += [("RealVectorSHT", (9, 16), {"kind": "wind", "channels_last": True}),
          ("InverseRealSHT", (5, 8), {"channels_last": True, "norm": "ectrans"})]


def over(layer, shards):
    """The layer on whole arrays, over so many devices."""
    mesh = jax.sharding.Mesh(jax.devices()[:shards], ("m",))
    lead = (None,) * (1 + len(layer._frame.components))
    rows, orders = PartitionSpec(*lead, "m"), PartitionSpec(*lead, None, "m")
    if layer._frame.to_map:
        run = jax.shard_map(layer, mesh=mesh, in_specs=orders, out_specs=rows)
        return lambda x: layer.cut(run(layer.dealt(x)))
    run = jax.shard_map(layer, mesh=mesh, in_specs=rows, out_specs=orders)
    return lambda x: layer.natural(run(layer.padded(x)))


def close(one, other, bound):
    one, other = np.asarray(one), np.asarray(other)
    assert one.shape == other.shape and one.dtype == other.dtype
    assert np.abs(one - other).max() <= bound * np.abs(other).max()


def compare(name, args, options, shards, single):
    """Values, gradients, and derivatives of gradients."""
    one = getattr(aj, name)(*args, **options)
    other = over(getattr(aj, name)(*args, axis="m", shards=shards, **options), shards)
    rng = np.random.default_rng(1)
    frame = one._frame
    channels = (2,) if frame.channels_last else ()
    given = rng.standard_normal((3, *(frame.alm_shape if frame.to_map else frame.map_shape),
                                 *channels))
    given = given + 1j * rng.standard_normal(given.shape) if frame.to_map else given
    if single:
        given = given.astype(np.complex64 if frame.to_map else np.float32)

    def slope_of(function):
        return jax.grad(lambda x: (abs(function(x)) ** 2 * (1 + function(x).real)).sum())

    def all_of(function):
        slope = slope_of(function)
        made = [function, slope]
        if "norm" in options:
            made.append(jax.grad(lambda x: (abs(slope(x)) ** 2).sum()))
        return jax.jit(lambda x: [one(x) for one in made])(given)

    for made, judge in zip(all_of(other), all_of(one)):
        close(made, judge, 2e-6 if single else 1e-13)


def refused(words, call, error=ValueError):
    try:
        call()
    except error as told:
        assert words in str(told), told
    else:
        raise AssertionError(words)


def main():
    warnings.simplefilter("ignore", armilla.ExactnessWarning)
    assert len(jax.devices()) == 4
    for number, (name, args, options) in enumerate(CASES):
        compare(name, args, options, 2 if number % 3 == 1 else 4, False)
    compare("RealSHT", (9, 16), {}, 4, True)
    layer = aj.RealSHT(9, 16, axis="m", shards=4)
    refused("there is no such axis here", lambda: layer(np.zeros((3, 16))))
    refused("has 2 devices", lambda: over(layer, 2)(np.zeros((1, 9, 16))))
    refused("int64", lambda: over(layer, 4)(np.zeros((1, 9, 16), int)), TypeError)
    refused("must have (..., 3, 16): latitudes, longitudes",
            lambda: over(layer, 4)(np.zeros((1, 9, 17))))
    refused("one axis of pixels", lambda: aj.RealSHT(
        grid=armilla.Grid.healpix(2), lmax=3, axis="m", shards=2))
    refused("shards = 0", lambda: aj.RealSHT(9, 16, axis="m", shards=0))
    refused("quadrature = 'exact'", lambda: aj.RealSHT(9, 17, 8, axis="m", shards=2,
                                                       quadrature="exact"))
    refused("layout = 'ectrans'", lambda: aj.RealSHT(9, 16, axis="m", shards=2, layout="ectrans"))
    refused("axis, shards: must be given together", lambda: aj.RealSHT(9, 16, axis="m"))
    whole = np.ones((2, 9, 16))
    assert aj.RealSHT(9, 16).padded(whole) is whole
    print(f"{len(CASES)} cases")


main()
