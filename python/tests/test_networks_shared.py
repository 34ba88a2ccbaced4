"""Layers over processes (torch.distributed) and devices (jax.shard_map) against those of one."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("size", [2, 4])
def test_processes_of_torch(size, tmp_path):
    """With four, some have no rows, or no orders."""
    torch = pytest.importorskip("torch")
    if not torch.distributed.is_available():
        pytest.skip("PyTorch without torch.distributed")
    runs = [subprocess.Popen([sys.executable, str(HERE / "torch_processes.py"), str(rank),
                              str(size), str(tmp_path / "store")], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True) for rank in range(size)]
    told = [run.communicate(timeout=300)[0] for run in runs]
    assert [run.returncode for run in runs] == [0] * size, "\n".join(told)
    assert all(f"rank {rank} of {size}: 34 cases" in text for rank, text in enumerate(told))


def test_devices_of_jax():
    jax = pytest.importorskip("jax")
    if not hasattr(jax, "shard_map") or not hasattr(jax.ffi, "ffi_lowering"):
        pytest.skip("JAX without jax.shard_map or jax.ffi")
    run = subprocess.run([sys.executable, str(HERE / "jax_shards.py")], text=True, timeout=300,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         env={**os.environ, "JAX_PLATFORMS": "cpu",
                              "XLA_FLAGS": "--xla_force_host_platform_device_count=4"})
    assert run.returncode == 0 and "10 cases" in run.stdout, run.stdout
