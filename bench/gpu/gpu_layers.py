#!/usr/bin/env python3
"""Checks the layers of armilla.torch on CUDA tensors: values, gradients and streams.

Usage: gpu_layers.py [--small] RESULTS.JSONL

The numbers must be those of the same layers on the processor. Needs PyTorch with a GPU, and an
armilla that was built with CUDA; what is not there is named. Exits with 1 where a layer is wrong, 2
where a call fails, 3 where something is not there.
"""
import importlib
import json
import sys

NAMES = ("RealSHT", "InverseRealSHT", "RealVectorSHT", "InverseRealVectorSHT")
BOUNDS = {"float64": 3e-13, "float32": 3e-6}  # largest error over largest value


def absent():
    """Why the layers cannot be checked here, or None."""
    try:
        torch = importlib.import_module("torch")
        if not torch.cuda.is_available():
            return "PyTorch has no GPU"
        gpu = importlib.import_module("armilla").info().gpu
        importlib.import_module("armilla.torch")
    except Exception as error:  # a package may fail in ways of its own
        return f"{type(error).__name__}: {error}"
    return f"armilla's GPU: {gpu}" if gpu.startswith("none") else None


def given_to(torch, layer, name, precision):
    """Two random inputs of a layer on the processor: a map, or its coefficients."""
    generator = torch.Generator().manual_seed(1)
    shape = ((2,) if "Vector" in name else ()) + (
        (layer.lmax, layer.mmax) if name.startswith("Inverse") else (layer.nlat, layer.nlon))
    values = torch.randn((2, *shape), generator=generator, dtype=getattr(torch, precision))
    return torch.complex(values, values.flip(0)) if name.startswith("Inverse") else values


def error_of(torch, made, judge):
    made, judge = (torch.view_as_real(x) if x.is_complex() else x for x in (made, judge))
    return float((made - judge).abs().max() / judge.abs().max())


def both(layer, values):
    """The result, and the gradient of a number that is made of it."""
    values = values.detach().requires_grad_()
    made = layer(values)
    made.abs().square().sum().backward()
    return made.detach(), values.grad


def errors(torch, layer, given, put, get):
    """What is compared, and by how much it differs. put: to the GPU; get: from there."""
    for key, made, judge in zip(("values", "gradient"), both(layer, put(given)),
                                both(layer, given)):
        yield key, error_of(torch, get(made), judge)


def on_a_stream(torch, layer, given):
    """The same bits on a stream of its own, without waiting for the GPU."""
    values = given.to("cuda")
    judge = layer(values)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    torch.cuda.set_sync_debug_mode("error")
    try:
        with torch.cuda.stream(stream):
            made = layer(values)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    stream.synchronize()
    return float(not torch.equal(made, judge))


def rows(torch, layers, size, put, get):
    """Key, error and bound of everything that is checked. layers: armilla.torch."""
    for name in NAMES:
        layer = getattr(layers, name)(2 * size - 1, 2 * size, norm="schmidt")
        for precision, bound in BOUNDS.items():
            given = given_to(torch, layer, name, precision)
            for key, error in errors(torch, layer, given, put, get):
                yield f"{name}, {precision}, {key}", error, bound * (1 + size / 1000)


def rows_there(torch, layers, size):
    """Those, and what needs PyTorch's own streams."""
    yield from rows(torch, layers, size, lambda x: x.to("cuda"), lambda x: x.cpu())
    for name in NAMES:
        layer = getattr(layers, name)(2 * size - 1, 2 * size, norm="schmidt").to("cuda")
        given = given_to(torch, layer, name, "float64")
        yield f"{name}, bits on a stream of its own", on_a_stream(torch, layer, given), 0


def write(row, results):
    key, error, bound = row
    told = {"step": "layers", "key": key, "value": error, "unit": "error"}
    if not error <= bound:
        told["wrong"] = f"more than {bound:.2g}"
    results.write(json.dumps(told) + "\n")
    results.flush()
    print(f"{'!' if 'wrong' in told else '='} layers, {key}: {error:.2g}", flush=True)
    return "wrong" in told


def main():
    arguments = [a for a in sys.argv[1:] if a != "--small"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    reason = absent()
    with open(arguments[0], "a", encoding="utf-8") as results:
        if reason:
            print(f"= layers of armilla.torch cannot be checked: {reason}", flush=True)
            results.write(json.dumps({"step": "layers", "key": "layers", "absent": reason}) + "\n")
            return 3
        torch, layers = (importlib.import_module(name) for name in ("torch", "armilla.torch"))
        size = 8 if "--small" in sys.argv else 360
        return int(sum([write(row, results) for row in rows_there(torch, layers, size)]) > 0)


if __name__ == "__main__":
    sys.exit(main())
