"""What the tests of layers share: layers of either framework by name, and inputs for them."""
import numpy as np
import pytest

try:
    import torch
except ImportError:
    torch = at = None
else:
    from armilla import torch as at
try:
    import jax
except ImportError:
    jax = aj = None
else:
    jax.config.update("jax_enable_x64", True)
    from armilla import jax as aj

NAMES = ("RealSHT", "InverseRealSHT", "RealVectorSHT", "InverseRealVectorSHT")
FRAMEWORKS = [pytest.param("torch", marks=pytest.mark.skipif(torch is None, reason="no PyTorch")),
              pytest.param("jax", marks=pytest.mark.skipif(jax is None, reason="no JAX"))]
frameworks = pytest.mark.parametrize("framework", FRAMEWORKS)
needs_torch = pytest.mark.skipif(torch is None, reason="no PyTorch")
needs_jax = pytest.mark.skipif(jax is None, reason="no JAX")
needs_programs = pytest.mark.skipif(
    not hasattr(getattr(torch, "library", None), "custom_op"), reason="PyTorch before 2.4")


def layer_of(framework, name, *args, **options):
    return getattr(at if framework == "torch" else aj, name)(*args, **options)


def apply(layer, values):
    """Of NumPy's arrays, in either framework."""
    if torch is not None and isinstance(layer, torch.nn.Module):
        return layer(torch.from_numpy(np.array(values))).numpy()
    return np.asarray(layer(values))


def random_map(name, nlat, nlon, lead=(2, 3), seed=1):
    shape = lead + ((2,) if "Vector" in name else ()) + (nlat, nlon)
    return np.random.default_rng(seed).standard_normal(shape)


def random_alm(name, size, lead=(2, 3), seed=1):
    """Anything, also where m > l and in the imaginary parts of m = 0, which layers ignore."""
    shape = lead + ((2,) if "Vector" in name else ()) + (size, size)
    rng = np.random.default_rng(seed)
    return rng.standard_normal(shape) + 1j * rng.standard_normal(shape)


def close(values, judge, bound=1e-13):
    assert values.shape == judge.shape
    assert np.abs(values - judge).max() <= bound * np.abs(judge).max()
