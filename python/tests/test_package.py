"""Bindings, info, grids, coefficients, spectra, rotations, progress, cost of a call."""
import gc
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import armilla
from armilla._native import ffi, lib
from helpers import random_alm, relative, seconds_in_turns
from progress_judge import check_progress

ROOT = Path(__file__).resolve().parents[2]


def test_info():
    info = armilla.info()
    assert re.fullmatch(r"\d+\.\d+\.\d+", info.version) and armilla.__version__ == info.version
    assert f"armilla VERSION {info.version}" in (ROOT / "CMakeLists.txt").read_text()
    assert info.isa in info.isa_available and info.threads >= 1
    for word in (info.version, info.isa, "threads", "BSD-3-Clause"):
        assert word in str(info)


def test_import_needs_numpy_and_cffi_only():
    code = ("import sys, armilla\n"
            "bad = {'scipy', 'tqdm', 'torch', 'jax', 'matplotlib', 'astropy', 'healpy',\n"
            "       'mpi4py', 'xarray', 'dask'}\n"
            "bad &= set(sys.modules)\n"
            "assert not bad, bad")
    subprocess.run([sys.executable, "-c", code], check=True)


# --- Grids ----------------------------------------------------------------------------------------


def test_grids():
    grid = armilla.Grid.healpix(4)
    assert (grid.kind, grid.npix, grid.nrings, grid.exact_lmax) == ("healpix", 192, 15, -1)
    rings = grid.rings
    assert rings["nphi"].sum() == 192 and not rings.flags.writeable
    np.testing.assert_allclose(rings["weight"], 4 * np.pi / 192)
    weighted = armilla.Grid.healpix(4, weights_lmax=8)
    assert np.ptp(weighted.rings["weight"]) > 1e-6
    grid = armilla.Grid.gauss_legendre(5, 9)
    np.testing.assert_allclose((grid.rings["weight"] * grid.rings["nphi"]).sum(), 4 * np.pi)
    assert grid.exact_lmax == 4
    for kind in ("CC", "F1", "F2", "DH", "MW", "MWSS", "MWFLIP"):
        assert armilla.Grid.equidistant(kind.lower(), 6, 7).kind == kind
    assert armilla.Grid.reduced_gauss_legendre(200, 199).npix < 200 * 399
    part = grid.subset(1, 2, compact=True)
    assert part.kind == "custom" and part.npix == 18 and part.nrings == 2
    assert grid.subset(1, 2).npix == 45


def test_custom_grid():
    grid = armilla.Grid.custom([0.5, 1.0], 4, offset=[0, 1], stride=2)
    assert grid.npix == 8 and (grid.rings["stride"] == 2).all()
    assert armilla.Grid.custom([0.5, 1.0], [4, 5]).npix == 9
    for wrong in (lambda: armilla.Grid.custom([0.5, 1.0], 4, offset=[0, 1]),
                  lambda: armilla.Grid.custom([4.0], 4), lambda: armilla.Grid.custom([[0.1]], 4),
                  lambda: armilla.Grid.custom([], 4), lambda: armilla.Grid.custom([0.1], 0)):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        armilla.Grid.custom([0.1], 4.5)


def test_grid_errors():
    with pytest.raises(ValueError, match="nside = 0"):
        armilla.Grid.healpix(0)
    with pytest.raises(ValueError, match="kind = 'X'"):
        armilla.Grid.equidistant("X", 3, 4)
    with pytest.raises(TypeError):
        armilla.Grid()
    with pytest.raises(TypeError):
        armilla.Grid.healpix(2.5)
    with pytest.raises(ValueError, match="nside = 1180591620717411303424"):
        armilla.Grid.healpix(2 ** 70)


def test_memory_error():
    pytest.importorskip("resource")
    code = ("import resource, armilla\n"
            "grid = armilla.Grid.gauss_legendre(3, 5)\n"
            "pages = int(open('/proc/self/statm').read().split()[0])\n"
            "limit = pages * resource.getpagesize() + 2 ** 24\n"
            "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
            "try:\n    armilla.SHT(grid, 2 ** 24)\n"
            "except MemoryError as error:\n    assert '134 MB' in str(error), str(error)\n"
            "else:\n    raise SystemExit('no MemoryError')")
    if Path("/proc/self/statm").exists():
        subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("call", [
    "armilla.SHT(armilla.Grid.healpix(256), 64).analysis(sky)",
    "armilla.healpy.map2alm(sky, 64, iter=1)", "armilla.healpy.reorder(sky, r2n=True)"])
@pytest.mark.parametrize("ours, openmp, more", [("1", "3", 0), ("3", "1", 2), ("", "2", 1)])
def test_threads_are_those_of_the_environment(call, ours, openmp, more):
    """ARMILLA_NUM_THREADS, then OMP_NUM_THREADS, in armilla.healpy as well."""
    tasks = Path("/proc/self/task")
    if not tasks.exists():
        pytest.skip("threads cannot be counted here")
    code = ("import os, numpy as np, armilla, armilla.healpy\n"
            f"sky = np.ones(12 * 256 ** 2); before = len(os.listdir({str(tasks)!r}))\n{call}\n"
            f"print(len(os.listdir({str(tasks)!r})) - before)")
    environment = {**os.environ, "ARMILLA_NUM_THREADS": ours, "OMP_NUM_THREADS": openmp}
    told = subprocess.run([sys.executable, "-c", code], check=True, env=environment,
                          capture_output=True, text=True)
    assert int(told.stdout) == more


@pytest.mark.parametrize("grid", [
    armilla.Grid.healpix(3, weights_lmax=6), armilla.Grid.gauss_legendre(4, 9),
    armilla.Grid.reduced_gauss_legendre(9, 8), armilla.Grid.equidistant("mw", 5, 9),
    armilla.Grid.custom([0.5, 1.0], [4, 5]), armilla.Grid.healpix(4).subset(2, 5)])
def test_grids_can_be_pickled(grid):
    again = pickle.loads(pickle.dumps(grid))
    assert again.kind == grid.kind
    np.testing.assert_array_equal(again.rings, grid.rings)


# --- Coefficients, spectra, rotations -------------------------------------------------------------


def test_sizes_and_indices():
    alm = armilla.alm
    assert alm.size(4) == 15 and alm.size(4, 1) == 9 and alm.lmax(15) == 4 and alm.lmax(9, 1) == 4
    assert [alm.index(4, l, 1) for l in range(1, 5)] == [5, 6, 7, 8]
    for wrong in (lambda: alm.size(-1), lambda: alm.size(2, 3), lambda: alm.index(3, 4, 0),
                  lambda: alm.lmax(16)):
        with pytest.raises(ValueError):
            wrong()


def test_random_and_spectrum():
    cl = 1 / (1 + np.arange(301.0))
    alm = armilla.alm.random(300, cl, seed=3)
    np.testing.assert_array_equal(alm, armilla.alm.random(300, cl, 3))
    assert not np.array_equal(alm, armilla.alm.random(300, cl, 3, field=1))
    found = armilla.spectrum.compute(alm)
    assert abs(np.mean(found[50:] / cl[50:]) - 1) < 0.02
    other = armilla.alm.random(300, cl, 4)
    cross = armilla.spectrum.compute(alm, other)
    m0 = slice(0, 301)
    judge = 2 * (alm * other.conj()).real
    judge[m0] /= 2
    np.testing.assert_allclose((cross * (2 * np.arange(301) + 1)).sum(), judge.sum(), rtol=1e-10)
    with pytest.raises(ValueError, match="cl"):
        armilla.alm.random(3, [1, -1, 1, 1], 1)
    with pytest.raises(ValueError):
        armilla.spectrum.compute(alm, other[:-1])


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_windows(dtype):
    window = armilla.spectrum.gaussian_beam(0.1, 20)
    assert window[0] == 1 and (np.diff(window) < 0).all()
    alm = random_alm(20, 7, (2, 3), dtype=dtype)
    before = alm.copy()
    result = armilla.alm.multiply_window(alm, window[:11], mmax=7)
    np.testing.assert_array_equal(alm, before)
    assert result.dtype == dtype
    l = np.concatenate([np.arange(m, 21) for m in range(8)])
    np.testing.assert_allclose(result, alm * np.append(window[:11], np.zeros(10))[l], rtol=1e-6)


@pytest.mark.parametrize("dtype, bound", [(np.complex128, 1e-13), (np.complex64, 1e-6)])
def test_rotation(dtype, bound):
    turn = armilla.Rotation(0.3, 1.1, -2.0)
    alm = random_alm(20, lead=(3,), dtype=dtype)
    turned = turn.rotate_alm(alm)
    assert turned.dtype == dtype and relative(turn.inverse().rotate_alm(turned), alm) < bound
    np.testing.assert_array_equal(turned[1], turn.rotate_alm(alm[1]))
    cut = turn.rotate_alm(alm, mmax_out=3)
    assert cut.shape == (3, armilla.alm.size(20, 3))
    np.testing.assert_array_equal(cut, turned[:, : cut.shape[1]])
    out = np.empty((3, 2 * alm.shape[1]), dtype)[:, ::2]
    assert turn.rotate_alm(alm, out=out) is out
    np.testing.assert_array_equal(out, turned)
    same = alm.copy()
    turn.rotate_alm(same, out=same)
    np.testing.assert_array_equal(same, turned)
    memory = np.zeros(300, np.complex128)  # out begins within alm
    memory[:231] = alm[0]
    before = turn.rotate_alm(memory[:231])
    np.testing.assert_array_equal(turn.rotate_alm(memory[:231], out=memory[20:251]), before)


def test_rotation_matrices():
    first, second = armilla.Rotation(0.3, 1.1, -2.0), armilla.Rotation.from_coordinates("G", "C")
    np.testing.assert_allclose((second @ first).matrix, second.matrix @ first.matrix, atol=1e-14)
    np.testing.assert_allclose(first.inverse().matrix, first.matrix.T, atol=1e-15)
    again = armilla.Rotation.from_matrix(first.matrix)
    np.testing.assert_allclose([again.psi, again.theta, again.phi], [0.3, 1.1, -2.0], atol=1e-14)
    assert pickle.loads(pickle.dumps(first)).matrix.tolist() == first.matrix.tolist()
    for wrong in (lambda: armilla.Rotation.from_matrix(np.eye(3) * 2),
                  lambda: armilla.Rotation.from_matrix(np.eye(2)),
                  lambda: armilla.Rotation.from_coordinates("G", "X"),
                  lambda: armilla.Rotation(np.nan, 0, 0)):
        with pytest.raises(ValueError):
            wrong()


# --- Progress -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_job():
    sht = armilla.SHT(armilla.Grid.healpix(128), 256)
    return sht, np.random.default_rng(1).standard_normal(sht.map_shape)


def iterations(number):
    return {"method": "jacobi", "max_iterations": number}


def test_progress(long_job):
    sht, sky = long_job
    check_progress(lambda count, progress: sht.pseudo_analysis(
        sky, **iterations(count), progress=progress))


def test_progress_of_many_transforms(long_job):
    sht, sky = long_job

    def run(analysis, **options):
        return lambda count, progress: analysis(
            np.broadcast_to(sky, (count,) + sky.shape), progress=progress, **options)

    check_progress(run(sht.analysis))
    check_progress(run(sht.pseudo_analysis, **iterations(1)))


def test_progress_of_short_and_of_empty_calls():
    sht = armilla.SHT(armilla.Grid.gauss_legendre(3, 5), 2)
    seen = []
    sht.analysis(np.ones(sht.map_shape), progress=seen.append)
    assert seen == [1.0]
    armilla.Rotation(1, 2, 3).rotate_alm(random_alm(2), progress=seen.append)
    assert seen == [1.0, 1.0]
    sht.analysis(np.ones((0,) + sht.map_shape), progress=seen.append)
    with pytest.raises(KeyError, match="mine"):
        sht.analysis(np.ones(sht.map_shape), progress=lambda fraction: {}["mine"])
    assert sht.analysis(np.ones(sht.map_shape), progress=lambda fraction: True) is not None


def test_exceptions_of_the_callback_arrive(long_job):
    sht, sky = long_job
    with pytest.raises(KeyError, match="mine"):
        sht.pseudo_analysis(sky, **iterations(10**6), progress=lambda fraction: {}["mine"])


def test_progress_bar(long_job, monkeypatch, capsys):
    sht, sky = long_job
    try:
        import tqdm  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError, match="tqdm"):
            sht.analysis(sky, progress=True)
    else:
        sht.pseudo_analysis(sky, **iterations(30), progress=True)
        assert "100%" in capsys.readouterr().err


# --- Cost -----------------------------------------------------------------------------------------


def test_what_is_to_be_installed_is_what_pyproject_lists():
    from armilla._errors import INSTALL
    path = os.path.join(os.path.dirname(__file__), "..", "..", "pyproject.toml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for extra, told in INSTALL.items():
        listed = re.search(rf"^{extra} = \[(.*)\]", text, re.MULTILINE)
        wanted = re.findall(r'"([^"]+)"', listed[1])
        assert told == "pip install " + " ".join(f'"{one}"' if "[" in one else one
                                                 for one in wanted)


@pytest.mark.alone
def test_overhead_of_a_call():
    sht = armilla.SHT(armilla.Grid.gauss_legendre(3, 5), 2)
    alm, out = random_alm(2), np.empty(15)
    exec_ = ffi.new("armilla_exec *")
    lib.armilla_exec_init(exec_)
    exec_.nthreads = 1
    given, made = ffi.cast("double *", alm.ctypes.data), ffi.cast("double *", out.ctypes.data)
    bare, whole = seconds_in_turns(
        [lambda: lib.armilla_sht_synthesis(sht._sht, given, made, exec_),
         lambda: sht.synthesis(alm, out=out, nthreads=1)],
        lambda bare, whole: whole - bare < 30e-6)
    print(f"a call costs {1e6 * (whole - bare):.1f} us more than the C function")
    assert whole - bare < 60e-6  # twice what is aimed at: the machine may be another's as well


def test_nothing_leaks():
    resource = pytest.importorskip("resource")

    def cycle():
        for _ in range(200):
            sht = armilla.SHT(armilla.Grid.gauss_legendre(33, 65), 32)
            sht.synthesis(np.ones(sht.alm_shape, complex), nthreads=1)
        gc.collect()

    cycle()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cycle()
    cycle()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20000  # kB
