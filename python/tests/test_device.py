"""Plans for a GPU. Where there is none the emulated one of the build tree takes its place: its
library has the name of the other one, so that a process with another search path gets it."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import armilla
from armilla._errors import check
from armilla._native import ffi, lib

HERE = Path(__file__).resolve().parent
EMULATED = Path(armilla.__file__).resolve().parents[2] / "emulated"
needs_emulation = pytest.mark.skipif(not (EMULATED / "libarmilla.so").exists(),
                                     reason="no emulated GPU beside this package")


@needs_emulation
@pytest.mark.parametrize("name", ["emulated_device.py", "emulated_radial.py",
                                  "emulated_points.py", "emulated_lensing.py",
                                  "emulated_delegate.py", "emulated_torch.py",
                                  "emulated_layers.py", "emulated_jax.py"])
def test_on_the_emulated_gpu(name):
    path = os.pathsep.join(filter(None, [str(EMULATED), os.environ.get("LD_LIBRARY_PATH")]))
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider",
                           str(HERE / name)], cwd=HERE.parents[1], text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": path},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED:
        pytest.skip(done.stdout.strip().splitlines()[-2].partition(": ")[2])
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


class OnDevice:
    """An array on a GPU, as far as one can tell without touching it."""

    __cuda_array_interface__ = {"shape": (15,), "typestr": "<c16", "data": (1 << 20, False),
                                "version": 3}


def test_plans_for_the_processor_refuse_device_arrays():
    plan = armilla.SHT(armilla.Grid.healpix(2), 4)
    assert plan.device == "cpu"
    for call in (plan.synthesis, plan.adjoint_analysis):
        with pytest.raises(ValueError, match="^alm: is in device memory, but the plan is"):
            call(OnDevice())
        with pytest.raises(ValueError, match="^out: is in device memory"):
            call(np.ones(15, complex), out=OnDevice())
    for call in (plan.analysis, plan.adjoint_synthesis):
        with pytest.raises(ValueError, match="^map: is in device memory"):
            call(OnDevice())
    with pytest.raises(NotImplementedError, match="^map: is in device memory"):
        plan.pseudo_analysis(OnDevice())


def test_other_plans_for_the_processor_refuse_device_arrays():
    radial = armilla.Radial(armilla.Grid.healpix(2), armilla.Kernel.gaussian(0.5))
    assert radial.device == "cpu"
    for call in (radial.convolve, radial.adjoint):
        with pytest.raises(ValueError, match="^map: is in device memory, but the plan is"):
            call(OnDevice())
        with pytest.raises(ValueError, match="^out: is in device memory, but the plan is"):
            call(np.ones(48), out=OnDevice())
    points = armilla.Points(4, [[1.0, 2.0]])
    for call, name in ((points.synthesis, "alm"), (points.adjoint_synthesis, "values")):
        with pytest.raises(ValueError, match=f"^{name}: is in device memory, but the plan is"):
            call(OnDevice())
    with pytest.raises(NotImplementedError, match="^values: is in device memory, but pseudo_analy"):
        points.pseudo_analysis(OnDevice())
    lensing = armilla.Lensing(armilla.Grid.healpix(2), np.zeros(6), 4)
    for call, name in ((lensing.alm2lenmap, "alm"), (lensing.adjoint, "map")):
        with pytest.raises(ValueError, match=f"^{name}: is in device memory, but the plan is"):
            call(OnDevice())


def test_the_library_refuses_device_memory_on_the_processor():
    """What the classes check before it, in calls that say exec.memory = DEVICE."""
    grid, kernel = armilla.Grid.healpix(2), armilla.Kernel.gaussian(0.5)
    radial, points = armilla.Radial(grid, kernel), armilla.Points(4, [[1.0, 2.0]])
    lensing = armilla.Lensing(grid, np.zeros(6), 4)
    arrays = np.zeros((2, 200))
    given, made = (ffi.cast("double *", row.ctypes.data) for row in arrays)
    exec_ = ffi.new("armilla_exec *")
    lib.armilla_exec_init(exec_)
    exec_.memory = lib.ARMILLA_MEMORY_DEVICE
    for function, plan in ((lib.armilla_radial_convolve, radial._radial),
                           (lib.armilla_points_synthesis, points._points),
                           (lib.armilla_lensing_alm2lenmap, lensing._lensing)):
        with pytest.raises(ValueError, match="^memory = ARMILLA_MEMORY_DEVICE: the call runs on"):
            check(function(plan, given, made, exec_))


def test_calls_without_a_plan_refuse_device_arrays():
    kernel, loc = armilla.Kernel.gaussian(0.5), [[1.0, 2.0]]
    for name, call in (("map", lambda x: armilla.convolve(x, kernel)),
                       ("alm", lambda x: armilla.evaluate(x, 4, loc)),
                       ("loc", lambda x: armilla.evaluate(np.ones(15), 4, x))):
        with pytest.raises(TypeError, match=f"^{name}: is in device memory; .* to the host"):
            call(OnDevice())


def test_device_is_a_word():
    for kind in (armilla.SHT, armilla.IQU):
        with pytest.raises(ValueError, match="device = 'gpu': must be one of cpu, cuda"):
            kind(armilla.Grid.healpix(2), 4, device="gpu")
        with pytest.raises(TypeError, match="device_bytes = '1 GB': must be an integer"):
            kind(armilla.Grid.healpix(2), 4, device_bytes="1 GB")
    with pytest.raises(ValueError, match="device = 'gpu': must be one of cpu, cuda"):
        armilla.Radial(armilla.Grid.healpix(2), armilla.Kernel.gaussian(0.5), device="gpu")
    with pytest.raises(ValueError, match="device = 'gpu': must be one of cpu, cuda"):
        armilla.Points(4, [[1.0, 2.0]], device="gpu")
    with pytest.raises(ValueError, match="device = 'gpu': must be one of cpu, cuda"):
        armilla.Lensing(armilla.Grid.healpix(2), np.zeros(6), 4, device="gpu")


def test_lists_of_devices():
    for kind in (armilla.SHT, armilla.IQU):
        with pytest.raises(ValueError, match='^devices: must be None where device is "cpu"'):
            kind(armilla.Grid.healpix(2), 4, devices=[0])
        for devices, error, words in (("01", TypeError, "^devices = '01': must be a sequence"),
                                      (0, TypeError, "^devices = 0: must be a sequence"),
                                      ([0.5], TypeError, r"^devices\[0\] = 0.5: must be an int"),
                                      ([], ValueError, "^devices: must have one number or more"),
                                      ([0, -1], ValueError, r"^devices\[1\] = -1: must be")):
            with pytest.raises(error, match=words):
                kind(armilla.Grid.healpix(2), 4, device="cuda", devices=devices)
    with pytest.raises(ValueError, match='^devices: must be None where device is "cpu"'):
        armilla.Radial(armilla.Grid.healpix(2), armilla.Kernel.gaussian(0.5), devices=[0])
    with pytest.raises(ValueError, match='^devices: must be None where device is "cpu"'):
        armilla.Points(4, [[1.0, 2.0]], devices=[0])
    with pytest.raises(TypeError, match=r"^devices\[1\] = '1': must be an int"):
        armilla.Points(4, [[1.0, 2.0]], device="cuda", devices=[0, "1"])
