"""torch_harmonics with the transforms of armilla.torch in the place of its own.

PEERS_SOURCES/torch-harmonics is a checkout, whose other modules are taken as they are. Neither its
compiled kernels nor its layers over several processes are needed for its test of transforms.
"""
import importlib
import os
import sys
import types

import armilla.torch

__path__ = [os.path.join(os.environ["PEERS_SOURCES"], "torch-harmonics", "torch_harmonics")]
OURS = ("RealSHT", "InverseRealSHT", "RealVectorSHT", "InverseRealVectorSHT")
for _name in OURS:
    globals()[_name] = getattr(armilla.torch, _name)
for _name in ("legendre", "quadrature"):
    globals()[_name] = importlib.import_module(f"torch_harmonics.{_name}")
distributed = sys.modules["torch_harmonics.distributed"] = types.ModuleType("distributed")
