"""What each process of test_networks_shared.py runs: the distributed layers against those of one
process. Usage: torch_processes.py RANK SIZE FILE"""
import sys
import warnings

import numpy as np
import torch

import armilla
from armilla import torch as at

RANK, SIZE = int(sys.argv[1]), int(sys.argv[2])
GL = armilla.Grid.reduced_gauss_legendre(16, 15)
CASES = [(name, args, options) for name in ("RealSHT", "InverseRealSHT", "RealVectorSHT",
                                            "InverseRealVectorSHT")
         for args, options in (((17, 32), {"norm": "schmidt"}),
                               ((9, 12, 7, 7, "legendre-gauss"), {"csphase": False}),
                               ((9, 16), {"grid": "lobatto", "south_first": True}),
                               ((), {"grid": GL, "lmax": 16}),
                               ((), {"grid": armilla.Grid.healpix(4), "lmax": 9}),
                               ((), {"grid": "O8", "lmax": 8, "channels_last": True}),
                               ((9, 16), {"channels_last": True, "norm": "ectrans"}),
                               ((3, 4), {}))]
CASES += [(name, (9, 16), {"kind": "wind", "radius": 2.0, "flat": True})
          for name in ("RealVectorSHT", "InverseRealVectorSHT")]


def part(layer, values, is_alm):
    """What this process has of whole coefficients or maps."""
    frame = layer._frame
    values = values.movedim(-1, 0) if frame.channels_last else values
    if is_alm:
        mine = values[..., layer.orders]
    elif len(frame.map_shape) == 2 + len(frame.components):
        mine = values[..., layer.rows, :]
    else:
        mine = values[..., layer.pixels]
    return (mine.movedim(0, -1) if frame.channels_last else mine).clone()


def close(one, other, bound):
    assert one.shape == other.shape and one.dtype == other.dtype, (one.shape, other.shape)
    one, other = one.detach(), other.detach()
    scale = max(float(other.abs().max()) if other.numel() else 0, 1e-30)
    assert one.numel() == 0 or float((one - other).abs().max()) <= bound * scale, (
        float((one - other).abs().max()) / scale)


def compare(name, args, options, single):
    """Values, a gradient of a square, and a gradient of that."""
    one = getattr(at, name)(*args, **options)
    other = getattr(at, name)(*args, group="world", nthreads=1, **options)
    frame, is_alm = one._frame, name.startswith("Inverse")
    torch.manual_seed(1)
    channels = (2,) if frame.channels_last else ()
    given = (torch.randn(2, 3, *frame.alm_shape, *channels, dtype=torch.complex128) if is_alm
             else torch.randn(2, 3, *frame.map_shape, *channels, dtype=torch.float64))
    if single:
        given = given.to(torch.complex64 if is_alm else torch.float32)
    whole = given.clone().requires_grad_()
    mine = part(other, given, is_alm).requires_grad_()
    bound = 2e-6 if single else 1e-13
    made, judge = other(mine), one(whole)
    close(made, part(other, judge, not is_alm), bound)
    slopes = []
    for values, leaf in ((judge, whole), (made, mine)):
        slope, = torch.autograd.grad((values.abs() ** 2 * (1 + values.real)).sum(), leaf,
                                     create_graph=True)
        (slope.abs() ** 2).sum().backward()
        slopes.append(slope.detach())
    close(slopes[1], part(other, slopes[0], is_alm), bound)
    close(mine.grad, part(other, whole.grad, is_alm), bound)


def refused(words, call, error=ValueError):
    try:
        call()
    except error as told:
        assert words in str(told), told
    else:
        raise AssertionError(words)


def main():
    warnings.simplefilter("ignore", armilla.ExactnessWarning)
    refused("init_process_group", lambda: at.RealSHT(9, 16, group="world"), RuntimeError)
    torch.distributed.init_process_group("gloo", init_method=f"file://{sys.argv[3]}", rank=RANK,
                                         world_size=SIZE)
    for name, args, options in CASES:
        for single in (False, True):
            compare(name, args, options, single)
    layer = at.RealSHT(9, 16, group=torch.distributed.group.WORLD)
    half = torch.randn(2, 9, 16)[:, layer.rows].to(torch.bfloat16).requires_grad_()
    layer(half).abs().sum().backward()
    assert half.grad.dtype == torch.bfloat16
    assert layer(torch.zeros(0, *half.shape[1:])).shape == (0, 5, len(layer.orders))
    refused("must have (..., ", lambda: layer(torch.zeros(2, 10, 16)))
    refused("int64", lambda: layer(torch.zeros(9, 16, dtype=torch.int64)), TypeError)
    refused("group = 'all': must be", lambda: at.RealSHT(9, 16, group="all"))
    refused("quadrature = 'exact'", lambda: at.RealSHT(9, 17, 8, quadrature="exact", group="world"))
    refused("layout = 'ectrans'", lambda: at.RealSHT(9, 16, layout="ectrans", group="world"))
    refused("do not lie one after the other", lambda: at.RealSHT(
        grid=armilla.Grid.gauss_legendre(9, 18).laid_out(order="theta"), group="world"))
    if SIZE > 1:
        refused("different layers", lambda: at.RealSHT(9, 16 + 2 * (RANK % 2), group="world"))
        refused("different layers", lambda: at.RealVectorSHT(
            9, 16, kind="wind", radius=1.0 + RANK % 2, group="world"))
    orders = [None] * SIZE
    torch.distributed.all_gather_object(orders, layer.orders)
    assert sorted(sum(orders, [])) == list(range(5))
    print(f"rank {RANK} of {SIZE}: {len(CASES)} cases")


main()
