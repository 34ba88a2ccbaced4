"""armilla.SHT: shapes, types, strides, outputs, errors, identities."""
import ctypes
import pickle
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import armilla
from armilla import _arrays
from helpers import dot_alm, random_alm, relative

LMAX = 12
GRIDS = {
    "healpix": armilla.Grid.healpix(4),
    "gauss": armilla.Grid.gauss_legendre(LMAX + 1, 2 * LMAX + 2),
    "reduced": armilla.Grid.reduced_gauss_legendre(LMAX + 1, LMAX),
    "CC": armilla.Grid.equidistant("cc", LMAX + 3, 2 * LMAX + 1),
    "DH": armilla.Grid.equidistant("DH", 2 * LMAX + 2, 2 * LMAX + 2),
    "MWSS": armilla.Grid.equidistant("MWSS", LMAX + 2, 2 * LMAX + 2),
    "custom": armilla.Grid.custom([0.3, 1.2, 2.9], [5, 26, 7], [0, 0.1, 0.2], [0, 7, 40], 1, 0.5),
}
CASES = [(0, "standard"), (2, "standard"), (1, "gradient_only"), (1, "derivatives")]


def plan(spin, mode, grid="gauss"):
    return armilla.SHT(GRIDS[grid], LMAX, spin=spin, mode=mode)


def random_map(sht, lead=(), seed=2, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(lead + sht.map_shape).astype(dtype)


def random_input(sht, lead=(), seed=1, dtype=np.complex128):
    comp = sht.alm_shape[:-1]
    return random_alm(sht.lmax, sht.mmax, lead + comp, sht.spin, seed, dtype)


@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize("spin, mode", CASES)
def test_adjoints(name, spin, mode):
    sht = plan(spin, mode, name)
    a, m = random_input(sht), random_map(sht)
    if name == "custom":
        m[..., 5:7] = m[..., 33:40] = 0  # between the rings
    for forward, backward in (("synthesis", "adjoint_synthesis"),
                              ("adjoint_analysis", "analysis")):
        left = np.vdot(getattr(sht, forward)(a), m)
        right = dot_alm(a, getattr(sht, backward)(m), LMAX)
        assert abs(left - right) <= 1e-12 * np.linalg.norm(a) * np.linalg.norm(m) * LMAX


@pytest.mark.parametrize("name", ["gauss", "reduced", "CC", "DH", "MWSS"])
@pytest.mark.parametrize("spin, mode", [(0, "standard"), (1, "standard"), (2, "standard")])
def test_analysis_inverts_synthesis(name, spin, mode):
    sht = plan(spin, mode, name)
    a = random_input(sht)
    assert relative(sht.analysis(sht.synthesis(a)), a) < 1e-13


@pytest.mark.parametrize("spin", [0, 2])
def test_pseudo_analysis(spin):
    sht = plan(spin, "standard", "healpix")
    short = armilla.SHT(sht.grid, 6, spin=spin)
    a = random_input(short, (3,))
    alm, report = short.pseudo_analysis(short.synthesis(a), tolerance=1e-12)
    assert relative(alm, a) < 1e-10
    assert report.iterations.shape == (3,) and (report.iterations > 0).all()
    assert set(report.stop) <= {"residual", "gradient"}
    alm, report = short.pseudo_analysis(short.synthesis(a[0]), method="jacobi", max_iterations=2)
    assert report.stop == "iterations" and report.iterations == 2 and np.isnan(report.gradient)
    zero, report = short.pseudo_analysis(np.zeros(short.map_shape))
    assert report.stop == "zero" and not zero.any()


@pytest.mark.parametrize("spin, mode", CASES)
@pytest.mark.parametrize("lead", [(), (1,), (3,), (2, 3), (0,), (2, 0)])
def test_leading_axes(spin, mode, lead):
    sht = plan(spin, mode)
    a, m = random_input(sht, lead), random_map(sht, lead)
    for name, given, shape in (("synthesis", a, sht.map_shape), ("analysis", m, sht.alm_shape),
                               ("adjoint_synthesis", m, sht.alm_shape),
                               ("adjoint_analysis", a, sht.map_shape)):
        result = getattr(sht, name)(given)
        assert result.shape == lead + shape
        for place in np.ndindex(*lead):
            alone = getattr(sht, name)(given[place])
            if spin == 0 and given is m:  # several scalar maps are added up in another sequence
                assert relative(result[place], alone) < 1e-15
            else:
                np.testing.assert_array_equal(result[place], alone)
    assert sht.pseudo_analysis(m, max_iterations=1)[1].iterations is not None


@pytest.mark.parametrize("spin, mode", CASES)
def test_precision_follows_the_input(spin, mode):
    sht = plan(spin, mode)
    a, m = random_input(sht), random_map(sht)
    for name in ("synthesis", "adjoint_analysis"):
        full = getattr(sht, name)(a)
        single = getattr(sht, name)(a.astype(np.complex64))
        assert full.dtype == np.float64 and single.dtype == np.float32
        assert 1e-9 < relative(single, full) < 1e-6
    for name in ("analysis", "adjoint_synthesis"):
        full = getattr(sht, name)(m)
        single = getattr(sht, name)(m.astype(np.float32))
        assert full.dtype == np.complex128 and single.dtype == np.complex64
        assert 1e-9 < relative(single, full) < 1e-6
    assert sht.pseudo_analysis(m.astype(np.float32), tolerance=1e-5)[0].dtype == np.complex64


def test_other_types_become_double():
    sht = plan(0, "standard")
    m = np.arange(sht.grid.npix) % 7
    judge = sht.analysis(m.astype(np.float64))
    for dtype in ("i2", "u1", ">f8", "<f8", "f2", "i8"):
        np.testing.assert_array_equal(sht.analysis(m.astype(dtype)), judge)
    np.testing.assert_array_equal(sht.analysis(list(m)), judge)
    assert sht.analysis(m.astype(">f4")).dtype == np.complex64
    a = random_input(sht)
    np.testing.assert_array_equal(sht.synthesis(a.astype(">c16")), sht.synthesis(a))
    with pytest.raises(TypeError, match="must be real"):
        sht.analysis(m + 0j)
    with pytest.raises(TypeError, match="numbers"):
        sht.analysis(np.array(["a"] * sht.grid.npix))


class Spy:
    """Notes the addresses that reach the C library."""

    def __init__(self, monkeypatch):
        self.addresses = []
        monkeypatch.setattr(armilla.transform, "pointer", self)

    def __call__(self, array):
        self.addresses.append(array.ctypes.data)
        return _arrays.pointer(array)


def spread(array, kind):
    """The same values with other strides."""
    if kind == "padded":
        big = np.zeros(array.shape[:-1] + (array.shape[-1] + 5,), array.dtype)
        view = big[..., : array.shape[-1]]
    elif kind == "every second":
        big = np.zeros(array.shape[:-1] + (2 * array.shape[-1],), array.dtype)
        view = big[..., ::2]
    elif kind == "backwards":
        view = np.zeros_like(array)[..., ::-1]
    elif kind == "transposed":
        view = np.zeros(array.shape[::-1], array.dtype).T
    elif kind == "gaps":
        big = np.zeros((3 * array.shape[0],) + array.shape[1:], array.dtype)
        view = big[::3]
    elif kind == "unaligned":
        raw = np.zeros(array.nbytes + 1, np.uint8)
        view = raw[1:].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


KINDS = ["padded", "every second", "backwards", "transposed", "gaps", "unaligned"]


@pytest.mark.parametrize("spin, mode", CASES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lead", [(2,), (2, 2)])
def test_strided_arrays(spin, mode, kind, lead):
    sht = plan(spin, mode)
    for name, given in (("synthesis", random_input(sht, lead)),
                        ("analysis", random_map(sht, lead))):
        judge = getattr(sht, name)(given)
        strided = spread(given, kind)
        np.testing.assert_array_equal(getattr(sht, name)(strided), judge)
        out = spread(np.full(judge.shape, 7, judge.dtype), kind)
        assert getattr(sht, name)(strided, out=out) is out
        np.testing.assert_array_equal(out, judge)


def test_no_copies_where_none_are_needed(monkeypatch):
    sht = plan(0, "standard")
    a = random_input(sht, (2, 3))
    out = np.empty((2, 3) + sht.map_shape)
    padded, padded_out = spread(a, "padded"), spread(out, "padded")
    rows = spread(a, "gaps")[:, 1]  # no common distance only with both axes
    for given, target in ((a, out), (padded, padded_out), (a[0], out[0]), (a[1, 2], out[1, 2]),
                          (a[:, 1], out[:, 1]), (rows, out[:, 0])):
        spy = Spy(monkeypatch)
        sht.synthesis(given, out=target)
        assert spy.addresses == [given.ctypes.data, target.ctypes.data]
    spy = Spy(monkeypatch)
    back = sht.analysis(out)
    assert spy.addresses == [out.ctypes.data, back.ctypes.data]
    spy = Spy(monkeypatch)
    sht.synthesis(a[..., ::-1], out=out)
    assert spy.addresses[0] != a[..., ::-1].ctypes.data


def test_rows_backwards_repeated_or_unaligned_are_copied(monkeypatch):
    sht = plan(0, "standard")
    a = random_input(sht, (2, 3))
    views = [a[::-1], a[:, ::-1], a[::-1, ::-1], np.broadcast_to(a[0, 0], a.shape),
             np.broadcast_to(a[:, :1], a.shape), np.broadcast_to(a[:1], a.shape),
             spread(a, "unaligned")]
    for view in views:
        judge = sht.synthesis(np.array(view, order="C"))
        spy = Spy(monkeypatch)
        np.testing.assert_array_equal(sht.synthesis(view), judge)
        assert spy.addresses[0] != view.ctypes.data


@settings(max_examples=60, deadline=None)
@given(shape=st.lists(st.integers(1, 4), min_size=1, max_size=4),
       steps=st.lists(st.integers(-3, 3), min_size=4, max_size=4),
       order=st.permutations(range(4)))
def test_distance_describes_the_array(shape, steps, order):
    """Whatever view: either a copy is asked for, or base + row * distance finds every element."""
    steps = [s or 1 for s in steps]
    big = np.arange(16 ** 4, dtype=np.float64).reshape(16, 16, 16, 16)
    view = big.transpose(order)[tuple(slice(None, None, s) for s in steps)]
    view = view[tuple(slice(0, n) for n in shape) + (0,) * (4 - len(shape))]
    distance = _arrays.component_distance(view)
    if view.flags.c_contiguous:
        assert distance == 0
    if distance is None:
        return
    rows = view.reshape(-1, view.shape[-1])
    start = int(view[(0,) * view.ndim])
    for number, row in enumerate(rows):
        first = start + number * (distance or view.shape[-1])
        np.testing.assert_array_equal(row, np.arange(first, first + len(row)))


def test_inputs_are_never_written():
    for grid in GRIDS:
        sht = plan(0, "standard", grid)
        for dtype in (np.complex64, np.complex128):
            a = random_input(sht, (2,), dtype=dtype)
            m = random_map(sht, (2,), dtype=_arrays.REAL_OF[np.dtype(dtype)])
            before = a.copy(), m.copy()
            a.flags.writeable = m.flags.writeable = False
            sht.synthesis(a), sht.adjoint_analysis(a)
            sht.analysis(m), sht.adjoint_synthesis(m), sht.pseudo_analysis(m, max_iterations=2)
            np.testing.assert_array_equal(a, before[0])
            np.testing.assert_array_equal(m, before[1])


def test_overlapping_output(monkeypatch):
    sht = plan(0, "standard")
    a = random_input(sht)
    memory = np.zeros(sht.grid.npix + 4)
    given = memory[: 2 * a.size].view(np.complex128)
    given[...] = a
    spy = Spy(monkeypatch)
    result = sht.synthesis(given, out=memory[: sht.grid.npix])
    assert spy.addresses[0] != spy.addresses[1] == memory.ctypes.data
    np.testing.assert_array_equal(result, sht.synthesis(a))


def test_bad_outputs():
    sht = plan(0, "standard")
    a = random_input(sht)
    npix = sht.grid.npix
    frozen = np.zeros(npix)
    frozen.flags.writeable = False
    for out, error in ((np.zeros(npix + 1), ValueError), (np.zeros((1, npix)), ValueError),
                       (np.zeros(npix, np.float32), TypeError), (np.zeros(npix, ">f8"), TypeError),
                       ([0.0] * npix, TypeError), (frozen, ValueError)):
        with pytest.raises(error, match="out: "):
            sht.synthesis(a, out=out)


def test_outputs_do_not_share_memory_with_themselves():
    """Rows on one memory, or rows that begin before the last one ends, would keep one result."""
    sht = plan(0, "standard")
    a = np.stack([random_input(sht), random_input(sht)])
    npix = sht.grid.npix
    for strides in ((0, 8), (80, 8), (8, 8), (-8, 8)):
        out = np.lib.stride_tricks.as_strided(np.zeros(3 * npix)[npix:], (2, npix), strides)
        with pytest.raises(ValueError, match="out: has strides .* share memory"):
            sht.synthesis(a, out=out)
    between = np.zeros((npix, 2)).T  # the one's pixels lie between those of the other
    np.testing.assert_array_equal(sht.synthesis(a, out=between), sht.synthesis(a))


def test_words_end_where_their_strings_do():
    for words in ({"isa": "scalar\0x"}, {"choices": "sht.flow=1\0x"}):
        for made in (armilla.SHT, armilla.ComplexSHT):
            with pytest.raises(ValueError, match=f"{list(words)[0]} = .*character 0"):
                made(GRIDS["gauss"], LMAX, **words)
    with pytest.raises(ValueError, match="source = .*character 0"):
        armilla.conventions.convert([1.0], "healpy\0x", "ifs")
    with pytest.raises(ValueError, match="name = .*character 0"):
        armilla.Grid.named("O4\0x")
    with pytest.raises(TypeError, match="isa: must be a str"):
        armilla.SHT(GRIDS["gauss"], LMAX, isa=3)


def test_pixels_between_rings_stay():
    sht = plan(0, "standard", "custom")
    out = np.full(sht.map_shape, 7.0)
    sht.synthesis(random_input(sht), out=out)
    assert (out[5:7] == 7).all() and (out[33:40] == 7).all() and (out[:5] != 7).all()
    strided = np.full(sht.map_shape, 7.0)[::-1]
    np.testing.assert_array_equal(sht.synthesis(random_input(sht), out=strided), out)
    assert not sht.synthesis(random_input(sht))[5:7].any()


def test_threads_do_not_change_results():
    sht = plan(0, "standard")
    a = random_input(sht, (4,))
    one = sht.synthesis(a, nthreads=1)
    for nthreads in (0, 2, 5):
        np.testing.assert_array_equal(sht.synthesis(a, nthreads=nthreads), one)


def test_one_plan_in_many_threads():
    sht = plan(0, "standard")
    inputs = [random_input(sht, seed=seed) for seed in range(8)]
    judges = [sht.synthesis(a, nthreads=1) for a in inputs]
    wrong = []

    def work(i):
        for _ in range(20):
            if not np.array_equal(sht.synthesis(inputs[i], nthreads=1 + i % 2), judges[i]):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


class Ticker:
    """A thread that counts, once in half a millisecond, whenever it gets Python's lock."""

    def __init__(self):
        self.ticks, self.stopped = 0, False
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.stopped:
            self.ticks += 1
            time.sleep(0.0005)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped = True
        self.thread.join()

    def during(self, call):
        """How often it counted from the beginning of call() to its end."""
        before = self.ticks
        call()
        return self.ticks - before


@pytest.fixture
def no_switches_but_by_release():
    """Python's lock changes hands only where a call gives it up, however busy the machine is."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e3)  # seconds
    yield
    sys.setswitchinterval(usual)


def test_other_threads_run_during_a_call(no_switches_but_by_release):
    """A call that keeps the lock leaves no room for a tick."""
    sht = armilla.SHT(armilla.Grid.healpix(256), 512)
    alm = random_input(sht, (16,))
    keeps_the_lock = ctypes.PyDLL(None).usleep
    with Ticker() as ticker:
        assert ticker.during(lambda: keeps_the_lock(100_000)) == 0
        for _ in range(20):  # a busy machine may let the other thread wait during a whole call
            ticks = ticker.during(lambda: sht.synthesis(alm, nthreads=1))
            if ticks >= 10:
                break
        assert ticks >= 10


def test_wrong_arguments():
    sht = plan(0, "standard")
    grid = sht.grid
    with pytest.raises(ValueError, match=r"has shape \(3,\), must have \(\.\.\., 91\)"):
        sht.synthesis(np.zeros(3, complex))
    with pytest.raises(ValueError, match="map: has shape"):
        sht.analysis(np.zeros(()))
    for wrong in ({"lmax": -1}, {"lmax": 4, "mmax": 5}, {"lmax": 4, "mode": "best"},
                  {"lmax": 4, "method": "fast"}, {"lmax": 4, "spin_method": "x"},
                  {"lmax": 4, "layout": armilla.Layout(5)}):
        with pytest.raises(ValueError):
            armilla.SHT(grid, **wrong)
    with pytest.raises(NotImplementedError, match="nonsense"):
        armilla.SHT(grid, 4, isa="nonsense")
    with pytest.raises(ValueError, match="nan|finite"):
        sht.pseudo_analysis(np.full(grid.npix, np.nan))


@pytest.mark.parametrize("isa", armilla.info().isa_available)
def test_instruction_sets(isa):
    sht = armilla.SHT(GRIDS["gauss"], LMAX, isa=isa)
    assert sht.describe().isa == isa
    a = random_input(sht)
    assert relative(sht.synthesis(a), plan(0, "standard").synthesis(a)) < 1e-13


@pytest.mark.parametrize("spin, mode", CASES)
def test_description_and_shapes(spin, mode):
    sht = plan(spin, mode)
    told = sht.describe(nthreads=2)
    assert (told.lmax, told.mmax, told.backend) == (LMAX, LMAX, "cpu")
    assert told.npix == sht.grid.npix and told.nrings == sht.grid.nrings
    assert told.plan_bytes > 0 and told.workspace_bytes > 0 and told.useful_flops > 0
    assert sht.alm_shape == ((2,) if mode == "standard" and spin else ()) + (told.alm_size,)
    assert sht.map_shape == ((2,) if spin else ()) + (told.npix,)
    assert f"spin {spin}" in repr(sht)


@pytest.mark.parametrize("spin, mode", CASES)
def test_pickle(spin, mode):
    sht = plan(spin, mode, "custom")
    again = pickle.loads(pickle.dumps(sht))
    a = random_input(sht)
    np.testing.assert_array_equal(again.synthesis(a), sht.synthesis(a))
    assert (again.lmax, again.mmax, again.spin, again.mode) == (LMAX, LMAX, spin, mode)


def test_layouts():
    mstart = [40 + 20 * m for m in range(6)]
    layout = armilla.Layout.custom(LMAX, mstart, -3)
    sht = armilla.SHT(GRIDS["gauss"], LMAX, layout=layout)
    judge = armilla.SHT(GRIDS["gauss"], LMAX, 5)
    assert sht.mmax == 5 and sht.alm_shape == (layout.size,)
    a = random_input(judge)
    stored = armilla.Layout(LMAX, 5).convert(a, layout)
    m = sht.synthesis(stored)
    np.testing.assert_array_equal(m, judge.synthesis(a))
    out = np.full(layout.size, 7 + 0j)
    sht.analysis(m, out=out)
    np.testing.assert_array_equal(layout.convert(out, armilla.Layout(LMAX, 5)), judge.analysis(m))
    used = [layout.index(l, m) for m in range(6) for l in range(m, LMAX + 1)]
    assert (np.delete(out, used) == 7).all()


def test_degrees_below_the_spin():
    sht = plan(2, "standard")
    a = random_input(sht)
    judge = sht.synthesis(a)
    a[..., :2] = 5
    a[..., armilla.alm.index(LMAX, 1, 1)] = 5
    np.testing.assert_array_equal(sht.synthesis(a), judge)
    back = sht.analysis(judge)
    assert not back[..., :2].any()


def test_memory_of_the_host():
    """Parts of the orders and all at once: the same maps to rounding, in less or more memory."""
    grid = armilla.Grid.healpix(320)
    most, least = armilla.SHT(grid, 640), armilla.SHT(grid, 640, host_bytes=1)
    assert least.describe(1).workspace_bytes < most.describe(1).workspace_bytes
    again = pickle.loads(pickle.dumps(least))
    assert again.describe(1).workspace_bytes == least.describe(1).workspace_bytes
    alm = random_alm(640)
    assert relative(least.synthesis(alm), most.synthesis(alm)) < 1e-13
    with pytest.raises(ValueError, match="^host_bytes = -1: must be 0"):
        armilla.SHT(grid, 640, host_bytes=-1)
