"""armilla.torch with a plan for a GPU, on the emulated one: test_device.py runs this file."""
import contextlib
import types

import numpy as np
import pytest

import armilla
import positions
from device_arrays import Array, deferred, is_busy, stream, wait
from gradients import GRIDS, LAYOUT, LMAX, MMAX, OPERATORS, plan, random_input, random_output
from helpers import relative

torch = pytest.importorskip("torch")
from armilla import _torch_positions, _torch_sights  # noqa: E402
from armilla import torch as at  # noqa: E402
from device_tensors import Tensor  # noqa: E402

CASES = [(0, "standard"), (2, "standard"), (1, "derivatives")]


@pytest.fixture(autouse=True)
def current(monkeypatch):
    """The current stream, as PyTorch tells it: asked of the device of the tensor."""
    told = types.SimpleNamespace(cuda_stream=0)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: (
        told if device == torch.device("cuda", 0) else pytest.fail("not the tensor's device")))
    monkeypatch.setattr(torch.cuda, "device", contextlib.nullcontext)
    monkeypatch.setattr(_torch_sights, "_copied", lambda values, real, device: (
        Tensor(torch.from_numpy(values).to(real))))
    yield told
    _torch_sights.clear()


def on_gpu(spin=0, mode="standard", grid="healpix", layout=None):
    return armilla.SHT(GRIDS[grid], LMAX, MMAX, spin=spin, mode=mode, layout=layout,
                       device="cuda")


def leaf(values, kind=Tensor):
    return kind(torch.from_numpy(np.array(values))).requires_grad_()


def test_the_stand_in():
    """It does as a CUDA tensor does where armilla.torch relies on it."""
    tensor = Tensor(torch.arange(6, dtype=torch.float64).reshape(2, 3))
    assert tensor.device.type == "cuda" and type(tensor.new_empty((3,))) is Tensor
    tensor[1][[0, 2]] = 7
    assert tensor.get().tolist() == [[0, 1, 2], [7, 4, 7]]
    assert tensor[:, 1].get().tolist() == [1, 4] and not tensor[:, 1].is_contiguous()
    assert tensor.detach().array.address == tensor.array.address
    with pytest.raises(RuntimeError, match="on cuda:0 and on cpu"):
        tensor * torch.ones(3)
    with pytest.raises(Exception):
        tensor.numpy()
    tensor.requires_grad_()
    (tensor * 3).sum().backward()
    assert type(tensor.grad) is Tensor and tensor.grad.get().tolist() == [[3] * 3] * 2


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("spin, mode", CASES)
@pytest.mark.parametrize("layout", [None, LAYOUT])
def test_values_and_gradients(name, spin, mode, layout):
    """Those of the plan for the processor, whose gradients test_torch.py checks."""
    host, sht = plan(spin, mode, "healpix", layout), on_gpu(spin, mode, layout=layout)
    given = random_input(host, name, (2,))
    factor = torch.from_numpy(random_output(host, name, (2,)))
    judge, values = leaf(given, lambda x: x), leaf(given)
    wanted, made = getattr(at, name)(host, judge), getattr(at, name)(sht, values)
    assert type(made) is Tensor
    assert relative(made.get(), wanted.detach().numpy()) < 1e-13
    wanted.backward(factor)
    made.backward(Tensor(factor))
    assert type(values.grad) is Tensor
    assert relative(values.grad.get(), judge.grad.numpy()) < 1e-13


@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_of_gradients(name):
    sht, host = on_gpu(2), plan(2, grid="healpix")
    given = random_input(host, name)

    def real(values):
        return torch.view_as_real(values) if values.is_complex() else values

    def twice(sht, values):
        power = (real(getattr(at, name)(sht, values)) ** 4).sum()
        first, = torch.autograd.grad(power, values, create_graph=True)
        return torch.autograd.grad(real(first).square().sum(), values)[0]

    judge = twice(host, leaf(given, lambda x: x))
    assert relative(twice(sht, leaf(given)).get(), judge.numpy()) < 1e-11


@pytest.mark.parametrize("name", OPERATORS)
def test_single_precision_and_expanded_gradients(name):
    sht, host = on_gpu(2), plan(2, grid="healpix")
    given = random_input(host, name, single=True)
    values, judge = leaf(given), leaf(given, lambda x: x)
    made = getattr(at, name)(sht, values)
    assert made.dtype in (torch.float32, torch.complex64)
    made.sum().abs().backward()
    getattr(at, name)(host, judge).sum().abs().backward()
    assert values.grad.dtype == values.dtype
    assert relative(values.grad.get(), judge.grad.numpy()) < 1e-6


def test_strides_and_conjugates():
    """Views with one distance go as they are, others as copies."""
    sht = on_gpu()
    given = random_input(sht, "synthesis", (4,))
    values = Tensor(torch.from_numpy(given))
    for part, judge in ((values[::2], given[::2]), (values.conj(), given.conj()),
                        (values[:0], given[:0])):
        np.testing.assert_array_equal(at.synthesis(sht, part).get(), sht.synthesis(judge))
    wide = Tensor(torch.from_numpy(np.repeat(given, 2, axis=1)))
    np.testing.assert_array_equal(at.synthesis(sht, wide[:, ::2]).get(), sht.synthesis(given))


def test_plans_take_tensors(current):
    """Without armilla.torch: a tensor in, a tensor out, no gradients."""
    sht = on_gpu(2)
    given = random_input(sht, "synthesis")
    values, judge = Tensor(torch.from_numpy(given)), sht.synthesis(given)
    made = sht.synthesis(values)
    assert type(made) is Tensor and made.array.address != values.array.address
    np.testing.assert_array_equal(made.get(), judge)
    out = Tensor(torch.zeros(sht.map_shape, dtype=torch.float64))
    assert sht.synthesis(values, out=out) is out
    np.testing.assert_array_equal(out.get(), judge)
    with pytest.raises(RuntimeError, match="detach"):
        sht.synthesis(values.requires_grad_())
    holes = armilla.SHT(armilla.Grid.custom([1.0, 2.0], [12, 12], offset=[0, 20]), 3,
                        device="cuda")
    sky = holes.synthesis(Tensor(torch.ones(holes.alm_shape, dtype=torch.complex64)))
    assert sky.dtype == torch.float32 and not sky.get()[12:20].any()


def test_current_stream(current):
    sht = on_gpu()
    given = random_input(sht, "analysis")
    judge = sht.analysis(given)
    values = Tensor(torch.from_numpy(given))
    with stream() as current.cuda_stream, deferred():
        made = at.analysis(sht, values)
        assert is_busy(current.cuda_stream) and (made.array.whole() != judge).any()
        wait(current.cuda_stream)
        np.testing.assert_array_equal(made.get(), judge)
        with pytest.raises(ValueError, match="^out: is on another stream than map"):
            sht.analysis(values, out=Array(judge, 1))


@pytest.mark.parametrize("name", OPERATORS)
def test_plans_that_the_host_runs(name):
    """Values and gradients with the bits of the host."""
    host, sht = (armilla.VectorSHT(GRIDS["healpix"], LMAX, MMAX, **where)
                 for where in ({"mean": "ignore"},
                               {"mean": "ignore", "device": "cuda", "delegate": True}))
    given = random_input(host, name, (2,))
    factor = torch.from_numpy(random_output(host, name, (2,)))
    judge, values = leaf(given, lambda x: x), leaf(given)
    wanted, made = getattr(at, name)(host, judge), getattr(at, name)(sht, values)
    wanted.backward(factor)
    made.backward(Tensor(factor))
    np.testing.assert_array_equal(made.get(), wanted.detach().numpy())
    np.testing.assert_array_equal(values.grad.get(), judge.grad.numpy())


def test_other_devices():
    host, sht = plan(), on_gpu()
    values = torch.from_numpy(random_input(sht, "synthesis"))
    with pytest.raises(ValueError, match="synthesis: the input is on cpu, must be on a GPU"):
        at.synthesis(sht, values)
    with pytest.raises(ValueError, match="synthesis: the input is on cuda:0, must be on the CPU"):
        at.synthesis(host, Tensor(values))
    with pytest.raises(ValueError, match="^alm: is in device memory, but the plan is for the CPU"):
        host.synthesis(Tensor(values))


# --- Radial convolution ---------------------------------------------------------------------------

CONVOLUTIONS = {"convolve": "convolve", "adjoint_convolve": "adjoint"}  # name of Radial's method


def radial(device="cuda"):
    return armilla.Radial(GRIDS["healpix"], armilla.Kernel.gaussian(0.9), 1.3, normalization="sum",
                          method="pixels", device=device)


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_values_and_gradients_of_convolutions(name):
    host, there = radial("cpu"), radial()
    given, factor = np.random.default_rng(1).standard_normal((2, 3, *host.map_shape))
    judge, values = leaf(given, lambda x: x), leaf(given)
    wanted, made = getattr(at, name)(host, judge), getattr(at, name)(there, values)
    assert type(made) is Tensor
    assert relative(made.get(), wanted.detach().numpy()) < 1e-13
    wanted.backward(torch.from_numpy(factor))
    made.backward(Tensor(torch.from_numpy(factor)))
    assert type(values.grad) is Tensor
    assert relative(values.grad.get(), judge.grad.numpy()) < 1e-13


def test_convolutions_elsewhere():
    host, there = radial("cpu"), radial()
    values = torch.ones(host.map_shape, dtype=torch.float64)
    with pytest.raises(ValueError, match="convolve: the input is on cpu, must be on a GPU"):
        at.convolve(there, values)
    with pytest.raises(ValueError, match="convolve: the input is on cuda:0, must be on the CPU"):
        at.convolve(host, Tensor(values))


# --- Points ---------------------------------------------------------------------------------------

def test_values_and_gradients_at_points():
    loc = np.stack([np.linspace(0, np.pi, 25), np.linspace(-3, 9, 25)], axis=1)
    host, there = (armilla.Points(LMAX, loc, 2, 1e-6, MMAX, device=device)
                   for device in ("cpu", "cuda"))
    for name, given in (("synthesis", random_input(host, "synthesis", (2,))),
                        ("adjoint_synthesis", random_input(host, "analysis", (2,)))):
        judge, values = leaf(given, lambda x: x), leaf(given)
        wanted, made = getattr(at, name)(host, judge), getattr(at, name)(there, values)
        assert type(made) is Tensor
        assert relative(made.get(), wanted.detach().numpy()) < 1e-13
        wanted.backward(torch.ones_like(wanted))
        made.backward(Tensor(torch.ones_like(wanted)))
        assert type(values.grad) is Tensor
        assert relative(values.grad.get(), judge.grad.numpy()) < 1e-13
    with pytest.raises(ValueError, match="synthesis: the input is on cpu, must be on a GPU"):
        at.synthesis(there, torch.ones(there.alm_shape, dtype=torch.complex128))


# --- Positions that are tensors -------------------------------------------------------------------

KINDS = ["points", "lens"]


def real(values):
    return torch.view_as_real(values) if values.is_complex() else values


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spin", positions.SPINS)
@pytest.mark.parametrize("transposed", [False, True])
def test_gradients_by_positions(kind, spin, transposed):
    """Both gradients are those of the processor, whose differences test_torch.py checks."""
    alm, places, values = positions.inputs(kind, spin, (2,))
    more, options = positions.options(kind, spin)
    function = positions.functions(at, kind)[transposed]
    factor = torch.from_numpy(alm if transposed else values)
    results = []
    for make in (lambda x: x), Tensor:
        arrays = [leaf(x, make) for x in ((values if transposed else alm), places)]
        made = function(*arrays, *more, **options)
        made.backward(make(factor))
        results.append([made.detach()] + [x.grad for x in arrays])
    for judge, there in zip(*results):
        assert type(there) is Tensor
        assert relative(there.get(), judge.numpy()) < 1e-11


@pytest.mark.parametrize("kind", KINDS)
def test_derivatives_of_second_order_by_positions(kind):
    alm, places, _ = positions.inputs(kind, 2)
    more, options = positions.options(kind, 2)
    made = []
    for make in (lambda x: x), Tensor:
        fixed, moved = make(torch.from_numpy(alm)), leaf(places, make)
        power = (positions.functions(at, kind)[0](fixed, moved, *more, **options) ** 2).sum()
        first, = torch.autograd.grad(power, moved, create_graph=True)
        made.append(torch.autograd.grad((first ** 2).sum(), moved)[0])
    assert relative(made[1].get(), made[0].numpy()) < 1e-10


@pytest.mark.parametrize("kind", KINDS)
def test_single_precision_by_positions(kind):
    alm, places, _ = positions.inputs(kind, 2, single=True)
    more, options = positions.options(kind, 2)
    options["epsilon"] = 1e-5
    made = []
    for make in (lambda x: x), Tensor:
        arrays = [leaf(x, make) for x in (alm, places.astype("f4"))]
        positions.functions(at, kind)[0](*arrays, *more, **options).square().sum().backward()
        assert [x.grad.dtype for x in arrays] == [torch.complex64, torch.float32]
        made.append([x.grad for x in arrays])
    for judge, there in zip(*made):
        assert relative(there.get(), judge.numpy()) < 1e-4


@pytest.mark.parametrize("kind", KINDS)
def test_plans_at_positions_are_kept(kind, monkeypatch):
    """For the way back; not for positions that were written to."""
    new, count = _torch_sights._new, []
    monkeypatch.setattr(_torch_sights, "_new", lambda *what: (count.append(1), new(*what))[1])
    alm, places, _ = positions.inputs(kind, 0)
    more, options = positions.options(kind, 0)
    see = positions.functions(at, kind)[0]
    fixed, moved = leaf(alm), Tensor(torch.from_numpy(places))
    first = see(fixed, moved, *more, **options)
    first.sum().backward()
    again = see(fixed, moved, *more, **options)
    assert len(count) == 1 and torch.equal(first, again)
    other = see(fixed, Tensor(torch.from_numpy(places)), *more, **options)
    assert len(count) == 2 and torch.equal(first, other)
    moved[0] += 0.1
    places[0] += 0.1
    judge = see(torch.from_numpy(alm), torch.from_numpy(places), *more, **options)
    assert relative(see(fixed, moved, *more, **options).detach().get(), judge.numpy()) < 1e-11
    assert len(count) == 3


def test_positions_elsewhere():
    alm, places, _ = (torch.from_numpy(x) for x in positions.inputs("points", 0))
    _, options = positions.options("points", 0)
    for given in ((alm, Tensor(places)), (Tensor(alm), places)):
        with pytest.raises(ValueError, match="^loc: is on c.*, alm is on c.*; both must be on one"):
            at.synthesis_general(*given, **options)
    with pytest.raises(ValueError, match="4"):
        wrong = places.clone()
        wrong[4, 0] = -1
        at.synthesis_general(Tensor(alm), Tensor(wrong), **options)


@pytest.mark.skipif(not _torch_positions.HAS_PROGRAMS, reason="PyTorch before 2.4")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spin", [0, 2])
@pytest.mark.parametrize("transposed", [False, True])
def test_steps_of_programs_by_positions(kind, spin, transposed, monkeypatch):
    """In a program: values and both gradients are those without it."""
    alm, places, values = positions.inputs(kind, spin, (2,))
    more, options = positions.options(kind, spin)
    function = positions.functions(at, kind)[transposed]
    factor = Tensor(torch.from_numpy(alm if transposed else values))
    results = []
    for is_program in (False, True):
        arrays = [leaf(x) for x in ((values if transposed else alm), places)]
        with monkeypatch.context() as patch:
            patch.setattr(torch.compiler, "is_compiling", lambda: is_program)
            made = function(*arrays, *more, **options)
        made.backward(factor)
        results.append([made.detach()] + [x.grad for x in arrays])
    for judge, there in zip(*results):
        assert type(there) is Tensor
        assert relative(there.get(), judge.resolve_conj().get()) < 1e-13
