"""What tools/gpu_model.py predicts of GPUs, for the programs of this folder."""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))

from gpu_model import counted_seconds, predictions  # noqa: E402

__all__ = ["counted_seconds", "predictions"]
