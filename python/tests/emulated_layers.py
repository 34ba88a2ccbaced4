"""The layers of armilla.torch on CUDA tensors, on the emulated GPU: test_device.py runs this."""
import contextlib
import copy
import importlib.util
import pickle
import threading
import types
from pathlib import Path

import numpy as np
import pytest

import armilla
from armilla import _device
from armilla._layer_plans import LayerPlan
from device_arrays import crossings, cuda, deferred, is_busy, on_device, stream, wait
from helpers import relative
from test_networks import NAMES, random_alm, random_map

torch = pytest.importorskip("torch")
from armilla import _torch_operators, _torch_places  # noqa: E402
from armilla import torch as at  # noqa: E402
from device_tensors import Tensor  # noqa: E402

NLAT, NLON, SIZE = 9, 16, 5
needs_programs = pytest.mark.skipif(not _torch_operators.HAS_PROGRAMS, reason="PyTorch before 2.4")


@pytest.fixture(autouse=True)
def current(monkeypatch):
    """The current streams, as PyTorch tells them, by number of the device."""
    told = {}

    def current_stream(device):
        return types.SimpleNamespace(cuda_stream=told.get(device.index, 0))

    monkeypatch.setattr(torch.cuda, "current_stream", current_stream)
    monkeypatch.setattr(_torch_places, "_copied", copied)
    return told


def copied(factor, device, real):
    with on_device(device.index) if device.type == "cuda" else contextlib.nullcontext():
        return Tensor(factor.to(real)) if device.type == "cuda" else factor.to(real)


@pytest.fixture
def two_gpus():
    cuda.cuda_emulation_set_devices(2)
    yield
    cuda.cuda_emulation_set_devices(1)


@pytest.fixture
def calls(monkeypatch):
    """Those of operators: plan, input, output, and copies between host and device while the library
    works (PyTorch's stand-in has some of its own)."""
    made, copies = [], []

    def execute(*given):
        crossings()
        run(*given)
        copies.append(crossings())

    def operate(sht, name, values, **how):
        result = operate_there(sht, name, values, **how)
        made.append((sht, values, result, copies.pop() if copies else None))
        return result

    run, operate_there = _device.execute, _torch_operators.operate
    monkeypatch.setattr(_device, "execute", execute)
    monkeypatch.setattr(_torch_operators, "operate", operate)
    return made


def layer_of(name, **options):
    return getattr(at, name)(NLAT, NLON, **options)


def given_to(name, lead=(2, 3), seed=1):
    return (random_alm(name, SIZE, lead, seed) if name.startswith("Inverse")
            else random_map(name, NLAT, NLON, lead, seed))


def real(values):
    return torch.view_as_real(values) if values.is_complex() else values


def there(values, device=0):
    with on_device(device):
        return Tensor(torch.from_numpy(np.array(values)))


def close(made, judge, bound=1e-13):
    assert type(made) is Tensor and made.dtype == judge.dtype
    assert relative(made.detach().get(), judge.detach().resolve_conj().numpy()) < bound


# --- Numbers --------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("norm, csphase", [("ortho", True), ("schmidt", False)])
def test_values_and_gradients(name, norm, csphase):
    """Those of the processor, which test_networks.py checks."""
    layer = layer_of(name, norm=norm, csphase=csphase)
    given = given_to(name)
    judge, values = torch.from_numpy(given).requires_grad_(), there(given).requires_grad_()
    wanted, made = layer(judge), layer(values)
    close(made, wanted)
    factor = torch.from_numpy(np.random.default_rng(5).standard_normal(wanted.shape)) + (
        2j if wanted.is_complex() else 0)
    wanted.backward(factor)
    made.backward(Tensor(factor))
    close(values.grad, judge.grad)


@pytest.mark.parametrize("name", NAMES)
def test_second_derivatives(name):
    layer, given = layer_of(name, norm="schmidt"), given_to(name, (2,))

    def twice(values):
        power = (real(layer(values)) ** 4).sum()
        first, = torch.autograd.grad(power, values, create_graph=True)
        return torch.autograd.grad(real(first).square().sum(), values)[0]

    close(twice(there(given).requires_grad_()), twice(torch.from_numpy(given).requires_grad_()),
          1e-11)


@pytest.mark.parametrize("name", NAMES)
def test_single_and_half_precision(name):
    layer = layer_of(name, norm="schmidt")
    narrow = np.complex64 if name.startswith("Inverse") else np.float32
    given = given_to(name).astype(narrow)
    close(layer(there(given)), layer(torch.from_numpy(given)), 1e-6)
    if narrow is np.float32:
        half = given.astype(np.float16)
        close(layer(there(half)), layer(torch.from_numpy(half)), 1e-6)


@pytest.mark.parametrize("name", ["RealSHT", "InverseRealSHT"])
@pytest.mark.skipif(not hasattr(torch, "func"), reason="PyTorch before 2")
def test_vmap(name, monkeypatch):
    """Batched tensors of the stand-in do not tell its device."""
    monkeypatch.setattr(_torch_operators, "_plan_on", lambda sht, name, device: sht.there(0))
    layer, given = layer_of(name), given_to(name)
    made = torch.vmap(layer, 1, 1)(there(given))
    monkeypatch.undo()
    close(made, layer(torch.from_numpy(given)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("grid, size", [
    (armilla.Grid.healpix(2), 4), (armilla.Grid.reduced_gauss_legendre(8, 7), 8),
    (armilla.Grid.custom([0.4, 1.2, 2.0, 2.8], [20, 24, 24, 20], weight=0.1), 3)])
def test_grids(name, grid, size):
    """Rings of different lengths: one axis of pixels."""
    vector = (2,) if "Vector" in name else ()
    shape = (3, *vector) + ((size, size) if name.startswith("Inverse") else (grid.npix,))
    given = np.random.default_rng(1).standard_normal(shape)
    given = given + 1j * given[::-1] if name.startswith("Inverse") else given
    layer = getattr(at, name)(grid=grid, lmax=size)
    close(layer(there(given)), layer(torch.from_numpy(given)))


@pytest.mark.parametrize("name", ["RealSHT", "RealVectorSHT"])
@pytest.mark.parametrize("options", [dict(quadrature="exact", lmax=8), dict(grid="lobatto"),
                                     dict(south_first=True), dict(grid="legendre-gauss", lmax=2)])
def test_rules_and_rows(name, options):
    layer, given = layer_of(name, **options), given_to(name)
    close(layer(there(given)), layer(torch.from_numpy(given)))


@pytest.mark.parametrize("name", NAMES)
def test_empty_batches(name):
    made = layer_of(name, norm="schmidt")(there(given_to(name, (0,))))
    assert type(made) is Tensor and made.shape[0] == 0


def test_one_degree():
    """lmax = 0: the mean of a map."""
    layer = layer_of("RealSHT", lmax=1)
    made = layer(there(np.full((NLAT, NLON), 3.0)))
    assert made.shape == (1, 1) and abs(made.get()[0, 0] - 3 * np.sqrt(4 * np.pi)) < 1e-12


def test_missing_values_spread():
    """As on the processor, to all coefficients of their field and to no other."""
    layer, given = layer_of("RealSHT"), given_to("RealSHT", (2,))
    given[0, 3, 4] = np.nan
    made = layer(there(given)).get()
    assert np.isnan(made[0][np.tril_indices(SIZE)]).all() and np.isfinite(made[1]).all()


# --- Plans and copies -----------------------------------------------------------------------------

@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_copied(name, calls):
    """Nor is a second plan made; results are where the library has written them."""
    layer, given = layer_of(name), there(given_to(name))
    assert not layer._home.plan._there
    layer(given)
    made = layer(given)
    (first, *_), (plan, values, result, crossed) = calls
    assert first is plan is layer._home.plan._there[0] and plan.device == "cuda"
    assert crossed == 0
    if layer._home.factor is None or not name.startswith("Inverse"):
        assert values.array.address == given.array.address
    if layer._home.factor is None or name.startswith("Inverse"):
        assert made.array.address == result.array.address


def test_the_plan_is_made_once(monkeypatch):
    """Also by many threads at once."""
    made = []
    new = LayerPlan._on_gpu
    monkeypatch.setattr(LayerPlan, "_on_gpu", lambda *of: (made.append(1), new(*of))[1])
    plan = layer_of("RealSHT")._home.plan
    threads = [threading.Thread(target=plan.there, args=(0,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


@pytest.mark.parametrize("name", NAMES)
def test_each_gpu_has_its_plan(name, two_gpus, calls, current):
    """Whichever is current; gradients as well."""
    layer, given = layer_of(name, norm="schmidt"), given_to(name)
    wanted = layer(torch.from_numpy(given)).numpy()
    for device in (1, 0, 1):
        values = there(given, device).requires_grad_()
        made = layer(values)
        assert made.device == torch.device("cuda", device)
        assert relative(made.detach().get(), wanted) < 1e-13
        real(made).square().sum().backward()
        assert values.grad.device == made.device
        assert calls[-1][0] is layer._home.plan._there[device]
    assert sorted(layer._home.plan._there) == [0, 1]
    with pytest.raises(ValueError, match="is in the memory of GPU 0, but the plan is on GPU 1"):
        at.synthesis(layer._home.plan._there[1],
                     there(np.ones(layer._home.plan.alm_shape, complex)))
    del layer, calls[:]


@pytest.mark.parametrize("name", NAMES)
def test_on_the_current_stream(name, current):
    layer, given = layer_of(name), given_to(name)
    layer(there(given))
    wanted = layer(torch.from_numpy(given)).numpy()
    with stream() as one:
        with deferred():
            values = there(given)
            current[0] = one
            made = (layer._home.plan.there(0).synthesis(values.reshape(
                2, 3, *layer._home.plan.alm_shape)) if name.startswith("Inverse")
                else layer._home.plan.there(0).analysis(values.reshape(
                    2, 3, *layer._home.plan.map_shape)))
            assert is_busy(one)
            wait(one)
        if layer._home.factor is None:
            assert relative(made.get().reshape(wanted.shape), wanted) < 1e-13


def test_copies_and_pickles():
    """They have the numbers of the layer, and plans of their own."""
    layer, given = layer_of("RealVectorSHT", norm="schmidt"), given_to("RealVectorSHT")
    wanted = layer(there(given)).get()
    assert not layer.state_dict() and not list(layer.parameters())
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert not other._home.plan._there
        np.testing.assert_array_equal(other(there(given)).get(), wanted)


def test_moved_modules(monkeypatch):
    """The factor goes with the module, is not copied again, and keeps its numbers."""
    layer, given = layer_of("RealSHT", norm="schmidt"), given_to("RealSHT")
    wanted = layer(torch.from_numpy(given))
    model = torch.nn.Sequential(layer)
    model._apply(lambda tensor: Tensor(tensor))  # what .to("cuda") does there
    assert layer._home.factor.device.type == "cuda" and layer._home.factor.dtype == torch.float64
    with monkeypatch.context() as patch:
        patch.setattr(_torch_places, "_copied", None)
        close(model(there(given)), wanted)
        model.to(torch.float16)
        close(model(there(given)), wanted)
    other = layer_of("RealSHT", norm="schmidt")
    other.to("meta").to_empty(device="cpu").to(torch.bfloat16)
    np.testing.assert_array_equal(other(torch.from_numpy(given)).numpy(), wanted.numpy())


# --- What goes wrong ------------------------------------------------------------------------------

def test_other_places():
    layer = layer_of("RealSHT")
    with pytest.raises(ValueError, match="^analysis: the input is on meta, must be on the CPU or"):
        layer(torch.zeros((NLAT, NLON), device="meta"))
    with pytest.raises(TypeError, match="^the input has type torch.int64"):
        layer(there(np.zeros((NLAT, NLON), np.int64)))
    with pytest.raises(ValueError, match="^the input has shape .*latitudes, longitudes"):
        layer(there(np.zeros((NLON, NLAT))))
    with pytest.raises(RuntimeError, match="on cuda:0 and on cpu"):
        layer(there(given_to("RealSHT"))) * torch.ones(SIZE)


def test_no_plan_there():
    layer = at.RealSHT(grid=armilla.Grid.healpix(2, nested=True), lmax=4)
    with pytest.raises(NotImplementedError, match=r"^analysis: the input is on cuda:0, where the "
                                                  r"layer can have no plan \(.*NESTED.*x\.cpu"):
        layer(there(np.ones(48)))


def test_distributed_layers_refuse():
    with pytest.raises(ValueError, match="^the input is on cuda:0, distributed layers are on the "
                                         "CPU: give x.cpu()"):
        _torch_places.check_on_host(there(np.ones(3)))


def test_the_step_of_gpu_check():
    """What it computes, but for streams, which are PyTorch's."""
    path = Path(__file__).parents[2] / "bench" / "gpu" / "gpu_layers.py"
    spec = importlib.util.spec_from_file_location("gpu_layers", path)
    step = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(step)
    rows = list(step.rows(torch, at, 6, Tensor, lambda made: torch.from_numpy(made.get())))
    assert len(rows) == 4 * 2 * 2 and all(error <= bound for _, error, bound in rows), rows


# --- Programs -------------------------------------------------------------------------------------

def program_of(layer, given, strict):
    """By torch.export, of a CUDA tensor that has no memory: no machine needs a GPU for that."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode(allow_non_fake_inputs=True):
        values = torch.empty(given.shape, dtype=torch.from_numpy(given).dtype, device="cuda:0")
    return torch.export.export(layer, (values,), strict=strict)


@needs_programs
@pytest.mark.parametrize("name, strict", [(name, False) for name in NAMES] + [("RealSHT", True)])
def test_programs(name, strict, monkeypatch):
    """The plan is made while PyTorch traces, by its own tracer (strict) as well."""
    monkeypatch.setattr(_torch_places, "_copied", lambda factor, *there: factor.to(*there))
    layer, given = layer_of(name), given_to(name)
    program = program_of(layer, given, strict)
    steps = [node for node in program.graph.nodes if "armilla" in str(node.target)]
    assert len(steps) == 1
    token = next(one for one in steps[0].args if isinstance(one, str) and "-" in one)
    assert _torch_operators.owner_of(token) is layer._home.plan._there[0]
    if layer._home.factor is None:  # PyTorch itself has no GPU to copy it to
        close(program.module()(there(given)), layer(torch.from_numpy(given)))
