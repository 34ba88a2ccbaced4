#!/usr/bin/env python3
"""Tries the package that is installed for this Python: a transform, and the command as programs
find it. Used on every wheel that is built.

Usage: wheel_try.py
"""
import importlib.metadata
import shutil
import subprocess
import sys

import armilla
import numpy as np


def main() -> None:
    # Another project has the name armilla on the package index.
    assert importlib.metadata.version("armilla-sht") == armilla.__version__
    sht = armilla.SHT(armilla.Grid.gauss_legendre(33, 66), 32)
    alm = armilla.alm.random(32, np.ones(33), seed=1)
    error = np.abs(sht.analysis(sht.synthesis(alm)) - alm).max()
    assert error < 1e-12, error
    # A compiler without a working question for the processor would leave the plainest kernels.
    assert len(armilla.info().isa_available) > 1, armilla.info().isa_available

    said = subprocess.run([sys.executable, "-m", "armilla", "--version"], capture_output=True,
                          text=True, check=True).stdout
    assert armilla.__version__ in said, said
    script = shutil.which("armilla")
    if script:
        assert subprocess.run([script, "--version"], capture_output=True, text=True,
                              check=True).stdout == said
    print(armilla.info())


if __name__ == "__main__":
    main()
