"""What the tests of armilla.mpi run on several ranks: each case compares a rank's part with the
same of armilla.SHT, bit by bit, or asks for the same error on all ranks.

    mpirun -n 3 python mpi_ranks.py

A case that fails on one rank ends all of them, and says which case and which rank.
"""
import gc
import signal
import sys
import traceback
import warnings

import numpy as np
from mpi4py import MPI

import armilla
import armilla.healpy
from armilla._mpi_transport import Messages, Transport, agree
from armilla.mpi import SHT, smoothing

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
HEALPIX = armilla.Grid.healpix(8)


def numbers(shape, dtype=np.float64, seed=1):
    """The same on all ranks."""
    rng = np.random.default_rng(seed)
    made = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        made = made + 1j * rng.standard_normal(shape)
    return made.astype(dtype)


def compare(grid, lmax, mmax=None, *, dtype=np.float64, lead=(), groups=1, orders=None, rings=None,
            chunk_bytes=0, plans=(armilla.SHT, SHT), tolerance=0, **how):
    """The four operators over the ranks and on the rank alone. plans: their classes; tolerance:
    relative to the largest number."""
    def is_same(made, judge):
        most = tolerance * np.abs(judge).max(initial=0)
        return made.dtype == judge.dtype and np.allclose(made, judge, rtol=0, atol=most)

    alone = plans[0](grid, lmax, mmax, **how)
    is_single = dtype == np.float32
    alm = numbers(lead + alone.alm_shape, np.complex64 if is_single else np.complex128)
    sky = numbers(lead + alone.map_shape, dtype)
    with plans[1](COMM, grid, lmax, mmax, groups=groups, orders=orders, rings=rings,
                  chunk_bytes=chunk_bytes, **how) as sht:
        own = sht.fields(lead[0]) if lead else None
        mine = slice(own.start, own.stop) if lead else ...
        my_alm = alm[mine][..., sht.alm_numbers]
        my_sky = sky[mine][..., sht.pixels]
        for name in ("synthesis", "adjoint_analysis"):
            made = getattr(sht, name)(my_alm)
            judge = getattr(alone, name)(alm[mine])[..., sht.pixels]
            assert is_same(made, judge), name
        for name in ("analysis", "adjoint_synthesis"):
            made = getattr(sht, name)(my_sky)
            judge = getattr(alone, name)(sky[mine])[..., sht.alm_numbers]
            assert is_same(made, judge), name


def fails(kind, words, function):
    """All ranks must raise the same."""
    try:
        function()
    except kind as error:
        text = str(error)
    else:
        raise AssertionError(f"no {kind.__name__}")
    assert words in text, text
    assert len(set(COMM.allgather(text))) == 1, COMM.allgather(text)


# --- The bits of one rank -------------------------------------------------------------------------


def case_healpix():
    compare(HEALPIX, 20)
    compare(HEALPIX, 23, 15, spin=2)
    compare(HEALPIX, 23, spin=1, mode="derivatives")
    compare(HEALPIX, 20, method="resample")


def case_gauss_legendre():
    compare(armilla.Grid.gauss_legendre(24, 47), 23)
    compare(armilla.Grid.gauss_legendre(24, 47), 23, spin=2, dtype=np.float32)


def case_clenshaw_curtis():
    compare(armilla.Grid.equidistant("CC", 25, 48), 23)
    compare(armilla.Grid.equidistant("CC", 25, 48), 23, spin=2)


def case_laid_out():
    compare(armilla.Grid.gauss_legendre(12, 24).laid_out(south_first=True, west_first=True), 11)


def case_warning():
    with SHT(COMM, armilla.Grid.gauss_legendre(12, 24), 20) as sht:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for _ in range(2):
                sht.analysis(np.ones(sht.npix))
        assert [one.category for one in told] == [armilla.ExactnessWarning] * (RANK == 0)
    with SHT(COMM, armilla.Grid.gauss_legendre(12, 24), 20) as sht, warnings.catch_warnings():
        warnings.simplefilter("error")
        fails(armilla.ExactnessWarning, "lmax = 20", lambda: sht.analysis(np.ones(sht.npix)))


def case_float32():
    compare(HEALPIX, 20, dtype=np.float32)


def case_fields():
    compare(HEALPIX, 20, lead=(3,), spin=2)
    alone = armilla.SHT(HEALPIX, 12)
    alm = numbers((2, 3) + alone.alm_shape, complex)
    with SHT(COMM, HEALPIX, 12) as sht:
        made = sht.synthesis(alm[..., sht.alm_numbers])
        assert np.array_equal(made, alone.synthesis(alm)[..., sht.pixels])
        assert sht.synthesis(np.empty((0, sht.alm_size), complex)).shape == (0, sht.npix)


def case_groups():
    for groups in range(1, SIZE + 1):
        if SIZE % groups == 0:
            compare(HEALPIX, 20, lead=(5,), spin=2, groups=groups)
            compare(HEALPIX, 20, lead=(1,), groups=groups)


def case_lists():
    """Orders in twos (0 1, 2 3, 4 7, 6 5 modulo 8) would keep the bits where rings are resampled;
    here they are not."""
    orders = np.arange(RANK, 21, SIZE)[::-1]
    north = np.arange(RANK, 16, SIZE)
    rings = np.unique(np.concatenate([north, 30 - north]))
    compare(HEALPIX, 20, orders=orders, rings=rings)
    compare(HEALPIX, 20, orders=range(21) if RANK == SIZE - 1 else [], spin=2)
    compare(HEALPIX, 20, rings=range(31) if RANK == 0 else [])
    with SHT(COMM, HEALPIX, 20, orders=orders, rings=rings) as sht:
        assert np.array_equal(sht.orders, np.sort(orders)) and np.array_equal(sht.rings, rings)


def case_rings_apart():
    """A ring and its mirror image on two ranks, in legs of all kinds."""
    clenshaw_curtis = armilla.Grid.equidistant("CC", 17, 33)
    for grid, lmax in ((HEALPIX, 20), (armilla.Grid.healpix(8), 31), (clenshaw_curtis, 15)):
        rings = np.arange(RANK, grid.nrings, SIZE)
        for spin in (0, 2):
            compare(grid, lmax, rings=rings, spin=spin, tolerance=1e-13)
    last = [30] if RANK == SIZE - 1 else []
    compare(HEALPIX, 20, rings=[*range(30 if RANK == 0 else 0), *last], tolerance=1e-13)


def case_pieces():
    usual, Messages.most_bytes = Messages.most_bytes, 1000
    compare(HEALPIX, 20, chunk_bytes=3000)
    compare(HEALPIX, 20, spin=2)
    Messages.most_bytes = usual


def case_arrays():
    """out, strides, integers, and what a plan tells."""
    alone = armilla.SHT(HEALPIX, 20)
    sky = numbers(alone.map_shape)
    with SHT(COMM, HEALPIX, 20) as sht:
        part = sky[sht.pixels]
        judge = alone.analysis(sky)[sht.alm_numbers]
        out = np.empty(sht.alm_shape, complex)
        assert sht.analysis(part, out=out) is out and np.array_equal(out, judge)
        rows = np.zeros((2, 3 * sht.npix))[:, ::3]
        rows[1] = part
        assert np.array_equal(sht.analysis(rows)[1], judge)
        assert sht.analysis(np.arange(sht.npix)).dtype == np.complex128
        assert (sht.lmax, sht.mmax, sht.spin, sht.groups, sht.grid) == (20, 20, 0, 1, HEALPIX)
        told = sht.describe()
        assert (told.alm_size, told.npix) == (sht.alm_size, sht.npix) == (len(judge), len(part))
        for m in sht.orders:
            for l in (m, 20):
                assert sht.alm_numbers[sht.alm_index(l, m)] == armilla.alm.index(20, l, m)
        assert COMM.allreduce(sht.npix) == HEALPIX.npix
        assert f"rank {RANK} of {SIZE}" in repr(sht)


# --- Smoothing ------------------------------------------------------------------------------------


def smoothed(part, *, place, maps, **how):
    """A rank's part of the result, and of armilla.healpy's on one rank."""
    alone = {name: how.pop(name) for name in ("rings", "pixels") if name in how}
    made = smoothing(part(maps), comm=COMM, nside=8, **alone, **how)
    judge = part(armilla.healpy.smoothing(maps, **how))
    assert made.shape == judge.shape and np.array_equal(made, judge), place


def case_smoothing():
    maps = numbers((3, 768))
    maps[1, [3, 500]] = armilla.healpy.UNSEEN
    north = np.arange(RANK, 16, SIZE)
    rings = np.unique(np.concatenate([north, 30 - north]))
    ends = [768 * RANK // SIZE, 768 * (RANK + 1) // SIZE]
    backward = [768 * (SIZE - 1 - RANK) // SIZE, 768 * (SIZE - RANK) // SIZE]
    hoarded = [0, 768] if RANK == SIZE - 1 else [7, 7]
    with SHT(COMM, HEALPIX, 23, rings=rings) as sht, SHT(COMM, HEALPIX, 23) as dealt:
        places = ({"rings": rings}, sht.pixels), ({}, dealt.pixels)
    for place, mine in places + tuple(({"pixels": range_}, slice(*range_))
                                      for range_ in (ends, backward, hoarded)):
        smoothed(lambda x: x[..., mine], place=place, maps=maps, fwhm=0.3, **place)
    smoothed(lambda x: x[..., mine], place=place, maps=maps[0], sigma=0.1, iter=0, **place)
    smoothed(lambda x: x[..., mine], place=place, maps=maps[:1], beam_window=np.ones(5), lmax=12,
             mmax=7, **place)
    smoothed(lambda x: x[..., mine], place=place, maps=maps, lmax=1, fwhm=0.3, **place)


def case_wrong_smoothing():
    def smooth(npix=10, **how):
        return smoothing(np.ones(npix), 0.1, comm=COMM, nside=8, **how)

    all_of_it = [0, 768] if RANK == 0 else [0, 0]
    fails(ValueError, "map_part: has shape (10,)", lambda: smooth(pixels=all_of_it))
    fails(ValueError, "pixels: no rank has 700 .. 767",
          lambda: smooth(pixels=[0, 0] if RANK else [0, 700]))
    fails(ValueError, "pixels: rank 0 gives (5, 4)", lambda: smooth(pixels=[5, 4]))
    fails(TypeError, "pixels = 5: must be (begin, end)", lambda: smooth(pixels=5))
    fails(ValueError, "lmax", lambda: smooth(lmax=-1))
    if SIZE > 1:
        some = [[0, 100], [99, 768], [0, 0]]
        fails(ValueError, "pixels: ranks 0 and 1 both have 99", lambda: smooth(pixels=some[RANK]))
        some[1][0] = 105
        fails(ValueError, "pixels: no rank has 100 .. 104", lambda: smooth(pixels=some[RANK]))
        fails(ValueError, "lmax: rank 0 gives 20, rank 1 gives 21", lambda: smooth(lmax=20 + RANK))


# --- Errors ---------------------------------------------------------------------------------------


def case_wrong_communicators():
    for comm, kind, words in ((None, TypeError, "comm: must be a communicator of mpi4py"),
                              (MPI.COMM_NULL, ValueError, "comm = MPI.COMM_NULL")):
        fails(kind, words, lambda: SHT(comm, HEALPIX, 20))
    if SIZE > 1:
        half = COMM.Split(RANK % 2)
        inter = half.Create_intercomm(0, COMM, 1 - RANK % 2)
        fails(ValueError, "intercommunicator", lambda: SHT(inter, HEALPIX, 20))
        inter.Free()
        half.Free()


def case_wrong_lists():
    last = SIZE - 1
    everything = list(range(21))
    fails(ValueError, "orders: none of the ranks", lambda: SHT(
        COMM, HEALPIX, 20, orders=[m for m in everything if m != 7] if RANK == 0 else []))
    fails(ValueError, f"rings: rank {last} gives 31: must be 0 .. 30", lambda: SHT(
        COMM, HEALPIX, 20, rings=[*range(31), 31] if RANK == last else []))
    fails(ValueError, "orders: rank 0 gives 3 twice", lambda: SHT(
        COMM, HEALPIX, 20, orders=everything + [3] if RANK == 0 else []))
    fails(TypeError, "orders: must hold integers", lambda: SHT(
        COMM, HEALPIX, 20, orders=[0.5] if RANK == last else []))
    if SIZE > 1:
        fails(ValueError, f"orders: ranks 0 and {last} both give 5", lambda: SHT(
            COMM, HEALPIX, 20, orders=everything if RANK == 0 else [5] if RANK == last else []))
        fails(ValueError, "rings: rank 1 gives none", lambda: SHT(
            COMM, HEALPIX, 20, rings=None if RANK == 1 else range(31)))


def case_arguments_that_differ():
    fails(TypeError, "grid: must be an armilla.Grid", lambda: SHT(COMM, 8, 20))
    fails(ValueError, "mode", lambda: SHT(COMM, HEALPIX, 20, mode="other"))
    fails(ValueError, "groups = 5", lambda: SHT(COMM, HEALPIX, 20, groups=5))
    fails(ValueError, "mmax", lambda: SHT(COMM, HEALPIX, 20, 21))
    if SIZE > 1:
        fails(ValueError, "lmax: rank 0 gives 20, rank 1 gives 21",
              lambda: SHT(COMM, HEALPIX, 20 + RANK))


def case_wrong_arrays():
    with SHT(COMM, HEALPIX, 20) as sht:
        part = np.ones(sht.npix)
        wrong = np.ones(sht.npix + (RANK == SIZE - 1))
        fails(ValueError, "map: has shape", lambda: sht.analysis(wrong))
        fails(ValueError, "missing = 'no'", lambda: sht.analysis(part, missing="no"))
        fails(TypeError, "nthreads", lambda: sht.analysis(part, nthreads="all"))
        fails(ValueError, "nthreads", lambda: sht.analysis(part, nthreads=-1))
        holed = part.copy()
        if RANK == SIZE - 1:
            holed[3] = -1.6375e30
        first = COMM.bcast(int(sht.pixels[3]), root=SIZE - 1)  # in the map of all ranks
        words = f"map[{first}] = -1.6375e+30: is missing, one of 1 values"
        fails(ValueError, words, lambda: sht.analysis(holed))
        fails(ValueError, words, lambda: sht.adjoint_synthesis(holed))
        assert np.isfinite(sht.analysis(holed, missing="propagate")).all()
        if SIZE > 1:
            fails(TypeError, "of float64 on rank 0, of float32 on rank 1", lambda: sht.analysis(
                part.astype(np.float32 if RANK == 1 else np.float64)))
            fails(ValueError, "rank 1 has", lambda: sht.analysis(np.stack([part] * (1 + RANK))))
        assert sht.analysis(part).shape == sht.alm_shape  # all is well after errors


def case_kinds_of_errors():
    """A kind that wants other arguments, or that others do not know, is a RuntimeError there."""
    class Own(Exception):
        pass

    strange = UnicodeDecodeError("utf-8", b"x", 0, 1, "why"), Own("why"), KeyError("why")
    for error, elsewhere in zip(strange, (RuntimeError, RuntimeError, KeyError)):
        try:
            agree(COMM, error if RANK == SIZE - 1 else None)
        except (type(error) if RANK == SIZE - 1 else elsewhere) as raised:
            assert "why" in str(raised)
        else:
            raise AssertionError("nothing was raised")


def case_progress():
    with SHT(COMM, HEALPIX, 20) as sht:
        seen = []
        sht.synthesis(np.zeros(sht.alm_size, complex), progress=seen.append if RANK == 0 else None)
        assert RANK or seen[-1] == 1

        def stop(fraction):
            raise ArithmeticError("enough")

        try:
            sht.synthesis(np.zeros(sht.alm_size, complex), progress=stop if RANK == 0 else None)
        except ArithmeticError:
            assert RANK == 0
        except armilla.Cancelled:
            assert RANK > 0
        else:
            assert RANK > 0


def case_exceptions_of_mpi():
    """What mpi4py raises in a callback comes out of the call."""
    class Refused(Exception):
        pass

    for name in ("start", "wait", "largest"):
        usual = getattr(Messages, name)

        def refuse(*given):
            usual(*given)
            raise Refused("no more messages today")

        with SHT(COMM, HEALPIX, 20) as sht:
            setattr(Messages, name, refuse)
            try:
                sht.synthesis(np.zeros(sht.alm_size, complex))
            except Refused:
                pass
            else:
                raise AssertionError(f"{name}: nothing was raised")
            finally:
                setattr(Messages, name, usual)
            COMM.barrier()


def case_interrupt():
    """Ctrl-C on one rank, as a message begins, is raised there when all have ended the call."""
    usual = Messages.start

    def interrupted(*given):
        if RANK == SIZE - 1:
            signal.raise_signal(signal.SIGINT)
        usual(*given)

    handler = signal.getsignal(signal.SIGINT)
    with SHT(COMM, HEALPIX, 20) as sht:
        Messages.start = interrupted
        try:
            sht.synthesis(np.zeros(sht.alm_size, complex))
        except KeyboardInterrupt:
            assert RANK == SIZE - 1
        except armilla.Cancelled:
            assert RANK < SIZE - 1
        else:
            assert RANK < SIZE - 1
        finally:
            Messages.start = usual
        assert signal.getsignal(signal.SIGINT) is handler
        assert not sht.synthesis(np.zeros(sht.alm_size, complex)).any()


def case_ends():
    sht = SHT(COMM, HEALPIX, 20)
    assert sht._transport.comm != MPI.COMM_NULL
    sht.close()
    sht.close()
    assert sht._transport.comm == MPI.COMM_NULL
    fails(RuntimeError, "closed", lambda: sht.synthesis(np.zeros(sht.alm_size, complex)))
    sht = SHT(COMM, HEALPIX, 20)
    del sht
    gc.collect()
    for _ in range(2100):  # more than MPICH has room for
        Transport(MPI.COMM_SELF).close()


def case_kept_transports():
    comm = COMM.Dup()
    first, second = Transport.kept(comm), Transport.kept(comm)
    assert first is second and first.comm != MPI.COMM_NULL
    comm.Free()
    assert first.comm == MPI.COMM_NULL
    assert Transport.kept(COMM) is Transport.kept(COMM)


def run_cases(cases):
    """Runs those whose names begin with case_, or which the command line names."""
    for name, case in list(cases.items()):
        if name in sys.argv[1:] or (name.startswith("case_") and len(sys.argv) == 1):
            try:
                case()
            except BaseException:
                print(f"{name}, rank {RANK} of {SIZE}:\n{traceback.format_exc()}", file=sys.stderr,
                      flush=True)
                COMM.Abort(1)
            if RANK == 0:
                print(name, "is right", flush=True)


if __name__ == "__main__":
    run_cases(globals())
