"""Starts programs on several ranks: with the mpirun that belongs to the MPI of mpi4py."""
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
_NAMES = {"Open MPI": "openmpi", "MPICH": "mpich"}


@functools.lru_cache(None)
def launcher():
    """(mpirun, "openmpi" or "mpich"); or (None, why there is none)."""
    if importlib.util.find_spec("mpi4py") is None:
        return None, "mpi4py is not installed"
    asked = subprocess.run(
        [sys.executable, "-c", "from mpi4py import MPI; print(MPI.Get_library_version())"],
        capture_output=True, text=True, timeout=60)
    kind = next((short for name, short in _NAMES.items() if name in asked.stdout), None)
    if asked.returncode or kind is None:
        return None, f"mpi4py has no MPI that this test knows: {asked.stdout}{asked.stderr}"
    for name in (f"mpirun.{kind}", "mpirun"):
        path = shutil.which(name)
        if path and (name != "mpirun" or is_of(path, kind)):
            return path, kind
    return None, f"there is no mpirun of {kind}, for which mpi4py has been built"


def is_of(path, kind):
    """Does this mpirun belong to the MPI?"""
    told = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    return ("Open MPI" in told) == (kind == "openmpi")


def run(nranks, program, *arguments, **environment):
    """What a program of this folder prints on all ranks; AssertionError with all that they say if
    it fails on one."""
    path, kind = launcher()
    command = [path, "-n", str(nranks)] + (["--oversubscribe"] if kind == "openmpi" else [])
    done = subprocess.run(
        command + [sys.executable, str(HERE / program), *arguments], capture_output=True, text=True,
        timeout=300, env={**os.environ, "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
