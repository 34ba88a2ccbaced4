"""Signals while the library works: Ctrl-C ends a call at once, the program's own handlers run,
nothing is printed, and plans and threads serve further calls."""
import _thread
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import armilla
import armilla.healpy
import armilla.lensing
import armilla.sht

pytestmark = pytest.mark.alone

MOST = 0.2  # seconds of the processor that a call may go on after the signal
NSIDE, LMAX, MANY = 256, 767, 40  # transforms: far longer than any test waits
GRID = armilla.Grid.healpix(NSIDE)
PLAN = armilla.SHT(GRID, LMAX)
ALM = np.ones(armilla.alm.size(LMAX), complex)
# Arrays are there before the calls: on a machine whose memory is in pieces the system can take half
# a second to find room for new ones, and nobody hears of a signal meanwhile.
ALMS, MAPS = np.ones((MANY, ALM.size), complex), np.ones((MANY, GRID.npix))
MAP = np.arange(GRID.npix) % 7.0
PIXELS = armilla.Radial(GRID, armilla.Kernel.gaussian(0.3), method="pixels")
THETA = np.linspace(0.001, 3.14, 4000)
LONG, LEG = np.ones((1, 2000 * 2001 // 2), complex), np.ones((1, 4000, 2000), complex)


def synthesis(**how):
    PLAN.synthesis(ALMS, out=MAPS, **how)


def pseudo_analysis(**how):
    PLAN.pseudo_analysis(MAP, tolerance=0, max_iterations=10 ** 6, **how)


def convolve(**how):
    PIXELS.convolve(MAP, **how)


def evaluate(**how):
    loc = np.stack([np.linspace(0, 3, 9000), np.linspace(0, 6, 9000)], 1)
    armilla.evaluate(ALM, LMAX, loc, derivatives=2, **how)


def of_sht(**how):
    armilla.sht.alm2leg(alm=LONG, lmax=1999, theta=THETA, leg=LEG)


def of_healpy(**how):
    armilla.healpy.map2alm(MAP, iter=10 ** 6)


def random_coefficients(**how):
    armilla.alm.random(6000, np.ones(6001), 1)


def bands_of_masks(**how):
    armilla.pseudo_cl.Coupling.from_masks(np.ones(6001), 3000, 2, (2, 2), **how).matrix


CALLS = [synthesis, pseudo_analysis, convolve, evaluate, of_sht, of_healpy, random_coefficients,
         bands_of_masks]
WITH_PROGRESS = [synthesis, pseudo_analysis, convolve, evaluate, bands_of_masks]


def again(call, **how):
    """Until it is interrupted, however fast the machine is."""
    while True:
        call(**how)


def interrupted(call, signals=1, number=signal.SIGINT):
    """Runs call, sends this process a signal after a while. Returns the processor's time from the
    signal to the end, by the calling thread, and what was raised.

    Python drops what a handler raises while it collects garbage or finalizes an object: then the
    signal comes again."""
    sent, ended = [], threading.Event()

    def send():
        time.sleep(0.15)
        while not ended.is_set():
            sent.append(time.clock_gettime(clock))
            for _ in range(signals):
                os.kill(os.getpid(), number)
            ended.wait(10)

    clock = time.pthread_getcpuclockid(threading.get_ident())
    sender = threading.Thread(target=send)
    sender.start()
    try:
        call()
    except BaseException as exception:  # a KeyboardInterrupt among others
        return time.clock_gettime(clock) - sent[-1], exception
    finally:
        ended.set()
        sender.join()
    return time.clock_gettime(clock) - sent[-1], None


def ends_soon(call, kind=KeyboardInterrupt, **how):
    """Whether kind is raised within MOST of the signal, in one of three tries: where other programs
    share its caches, a processor that counts its time may take twice as long."""
    for _ in range(3):
        spent, raised = interrupted(call, **how)
        assert type(raised) is kind
        if spent < MOST:
            return True
    return False


def check_usable():
    np.testing.assert_array_equal(PLAN.synthesis(ALM), PLAN.synthesis(ALM, nthreads=1))


@pytest.fixture(autouse=True)
def default_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("nthreads", [1, 2])
@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_ends_a_call(call, nthreads, capfd):
    assert ends_soon(lambda: again(call, nthreads=nthreads))
    check_usable()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("call", WITH_PROGRESS)
def test_ctrl_c_ends_a_call_with_progress(call, capfd):
    """Where in Python it is raised is up to chance: several times."""
    for _ in range(3):
        assert ends_soon(lambda: again(call, progress=lambda fraction: None))
    check_usable()
    assert capfd.readouterr() == ("", "")


def test_ctrl_c_twice(capfd):
    assert ends_soon(lambda: again(synthesis), signals=2)
    check_usable()
    assert capfd.readouterr() == ("", "")


class Enough(Exception):
    pass


@pytest.mark.parametrize("how", [{}, {"progress": lambda fraction: None}])
def test_a_handler_that_raises_ends_a_call(how, capfd):
    """Also of a clock, as time limits are made."""
    def handler(number, frame):
        raise Enough

    for number in (signal.SIGINT, signal.SIGALRM):
        before = signal.signal(number, handler)
        try:
            assert ends_soon(lambda: again(synthesis, **how), kind=Enough, number=number)
        finally:
            signal.signal(number, before)
    assert capfd.readouterr() == ("", "")


def test_a_handler_that_does_not_raise_runs_meanwhile():
    """It may call the library itself; the call goes on."""
    ran = []

    def handler(number, frame):
        ran.append(PLAN.synthesis(ALM))

    signal.signal(signal.SIGINT, handler)
    alm = np.broadcast_to(ALM, (6, ALM.size))

    def call():
        for _ in range(1000):
            made = PLAN.synthesis(alm)
            if ran:
                return np.testing.assert_array_equal(made[-1], ran[0])
        raise AssertionError("the handler did not run")

    assert interrupted(call)[1] is None and len(ran) == 1


def test_an_ignored_signal_is_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    count = []
    alm = np.broadcast_to(ALM, (6, ALM.size))

    def call():
        end = time.monotonic() + 0.4
        while time.monotonic() < end:
            count.append(PLAN.synthesis(alm)[-1])

    assert interrupted(call)[1] is None
    np.testing.assert_array_equal(count[0], count[-1])


def test_other_threads_go_on():
    """Handlers run in the main thread alone."""
    made = []
    worker = threading.Thread(target=lambda: made.append(
        PLAN.synthesis(ALMS[:10])))
    worker.start()
    assert type(interrupted(lambda: time.sleep(5))[1]) is KeyboardInterrupt
    worker.join()
    np.testing.assert_array_equal(made[0][-1], PLAN.synthesis(ALM))


def wait_for_threads(count):
    """Until there are count of them, all but the main one; for a minute at most."""
    end = time.monotonic() + 60
    while _thread._count() > count:
        assert time.monotonic() < end, "a thread that was left does not end"
        time.sleep(0.001)


LOC = np.stack([np.linspace(0, 3, 10 ** 6), np.linspace(0, 6, 10 ** 6)], 1)


@pytest.mark.parametrize("make", [lambda: armilla.Points(64, LOC),
                                  lambda: armilla.lensing.Lensing(GRID, 1e-6 * ALM, LMAX),
                                  lambda: armilla.lensing.deflect(LOC, 1e-3 * LOC.T)])
def test_ctrl_c_leaves_what_has_no_progress(make, capfd):
    """The main thread goes on; another one ends the call by itself, and what it made is freed. The
    signal may meet the preparations: again."""
    before = _thread._count()
    for _ in range(50):
        assert type(interrupted(lambda: again(make))[1]) is KeyboardInterrupt
        left = _thread._count() > before
        wait_for_threads(before)
        if left:
            break
    assert left
    make()
    check_usable()
    assert capfd.readouterr() == ("", "")


def test_ctrl_c_at_any_moment_leaves_no_thread():
    """Nor one that was about to begin: at random moments of calls that have nothing to do."""
    before, raised = _thread._count(), 0
    moments = np.random.default_rng(1).uniform(2e-6, 2e-4, 2000)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    for moment in moments:
        end = time.monotonic() + 0.02
        try:
            signal.setitimer(signal.ITIMER_REAL, moment)
            while time.monotonic() < end:
                armilla._aside.aside(lambda: 0, 10 ** 6)
        except KeyboardInterrupt:
            raised += 1
        wait_for_threads(before)
    assert raised > 1900, "Python drops a few, see interrupted"


def test_what_runs_aside_raises():
    loc = LOC.copy()
    loc[123456] = np.nan
    with pytest.raises(ValueError, match="point 123456"):
        armilla.Points(64, loc)


def test_short_calls_pay_little():
    """Less than a microsecond: what is entered for it, against the rest of a call."""
    struct = armilla._progress.ffi.new("armilla_exec *")
    times = []
    for _ in range(50):
        start = time.thread_time_ns()
        for _ in range(1000):
            armilla._progress.heed_signals(struct)
        times.append(time.thread_time_ns() - start)
    assert min(times) / 1000 < 1000


def test_a_script_ends_as_python_scripts_do(tmp_path):
    """By Python's own traceback, with nothing before it."""
    script = ("import numpy, armilla; print('ready', flush=True)\n"
              "s = armilla.SHT(armilla.Grid.healpix(256), 767)\n"
              "while True: s.synthesis(numpy.ones((10, *s.alm_shape), complex))\n")
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.4)
    child.send_signal(signal.SIGINT)
    said = child.communicate(timeout=60)[1]
    assert child.returncode == -signal.SIGINT
    assert said.startswith("Traceback") and said.rstrip().endswith("KeyboardInterrupt")
