"""What armilla.mpi does besides the four operators of SHT, on several ranks: I, Q and U, iterative
analysis, coefficients, whole arrays on one rank, other layouts. Each case compares a rank's part
with what the serial classes give, bit by bit, or asks for the same error on all ranks.

    mpirun -n 3 python mpi_methods.py
"""
import numpy as np
from mpi_ranks import COMM, HEALPIX, RANK, SIZE, compare, fails, numbers, run_cases

import armilla
import armilla.healpy
from armilla.mpi import IQU, SHT, Redistribution

LAST = SIZE - 1
POLARISED = armilla.IQU, IQU
ROTATION = armilla.Rotation(0.3, 1.1, -2.0)


def same(made, judge, what=""):
    assert made.dtype == judge.dtype and made.shape == judge.shape, (what, made.dtype, made.shape)
    assert np.array_equal(made, judge), what


# --- I, Q and U -----------------------------------------------------------------------------------


def case_iqu():
    compare(HEALPIX, 20, plans=POLARISED)
    compare(HEALPIX, 20, 13, lead=(3,), dtype=np.float32, plans=POLARISED)
    compare(armilla.Grid.equidistant("CC", 17, 32), 15, plans=POLARISED)
    if SIZE % 2 == 0:
        compare(HEALPIX, 20, lead=(5,), groups=2, plans=POLARISED)
    with IQU(COMM, HEALPIX, 20) as iqu:
        assert (iqu.alm_shape, iqu.map_shape) == ((3, iqu.alm_size), (3, iqu.npix))
        assert f"armilla.mpi.IQU lmax 20, mmax 20, on {HEALPIX!r}, rank {RANK} of {SIZE}" in repr(
            iqu)
        wrong = np.ones((3, iqu.npix + (RANK == LAST)))
        fails(ValueError, "map: has shape", lambda: iqu.analysis(wrong))
    fails(RuntimeError, "closed", lambda: iqu.synthesis(np.ones(iqu.alm_shape, complex)))
    fails(TypeError, "grid: must be an armilla.Grid", lambda: IQU(COMM, 8, 20))


# --- Iterative analysis ---------------------------------------------------------------------------


def iterate(sht, alone, sky, weights=None, mask=None, guess=None, **how):
    """Over the ranks, with parts of what the rank alone gets."""
    judge, told = alone.pseudo_analysis(sky, weights=weights, mask=mask, guess=guess, **how)
    mine = {"weights": weights, "mask": mask}
    made, report = sht.pseudo_analysis(
        sky[..., sht.pixels], guess=None if guess is None else guess[..., sht.alm_numbers],
        **{name: None if one is None else one[sht.pixels] for name, one in mine.items()}, **how)
    same(made, judge[..., sht.alm_numbers], how)
    for name in ("stop", "iterations", "residual", "gradient"):
        one, other = getattr(report, name), getattr(told, name)
        assert np.array_equal(one, other, equal_nan=name == "gradient"), (name, one, other)


def iterations(kinds, lead, dtype, **of_plan):
    alone = kinds[0](HEALPIX, 14, **of_plan)
    sky = numbers(lead + alone.map_shape, dtype)
    guess = numbers(alone.alm_shape, complex)
    weights = np.linspace(0.2, 1, HEALPIX.npix)
    mask = np.arange(HEALPIX.npix) % 7 > 0
    with kinds[1](COMM, HEALPIX, 14, **of_plan) as sht:
        iterate(sht, alone, sky, max_iterations=5)
        iterate(sht, alone, sky, max_iterations=5, weights=weights, mask=mask, guess=guess)
        iterate(sht, alone, sky, method="jacobi", guess=guess)
        iterate(sht, alone, sky, method="jacobi", mask=mask, tolerance=1e-3)


def case_pseudo_analysis():
    iterations((armilla.SHT, SHT), (), np.float64)
    iterations((armilla.SHT, SHT), (2,), np.float32, spin=2)
    iterations(POLARISED, (), np.float64)
    iterations(POLARISED, (2,), np.float32)


def case_pixels_left_out():
    """A mask that leaves out all pixels of a rank, and masked arrays on one rank alone."""
    alone = armilla.SHT(HEALPIX, 14)
    sky = numbers(alone.map_shape)
    with SHT(COMM, HEALPIX, 14) as sht:
        owner = np.empty(HEALPIX.npix, int)
        for rank in range(SIZE):
            owner[sht._distribution.pixels(rank)] = rank
        mask = (np.arange(HEALPIX.npix) % 5 > 0) & ((owner > 0) | (SIZE == 1))
        iterate(sht, alone, sky, mask=mask, max_iterations=3)
        holed = sky.copy()
        holed[(owner == LAST) & (np.arange(HEALPIX.npix) % 3 == 0)] = np.nan
        judge, _ = alone.pseudo_analysis(np.ma.masked_invalid(holed), max_iterations=3)
        part = holed[sht.pixels]
        if RANK == LAST:
            part = np.ma.masked_invalid(part)
        made, _ = sht.pseudo_analysis(part, max_iterations=3)
        same(made, judge[sht.alm_numbers])
        fails(ValueError, "leave out all pixels, or points, of all ranks",
              lambda: sht.pseudo_analysis(sky[sht.pixels], mask=np.zeros(sht.npix)))
        zero = sky[sht.pixels] * 0
        assert sht.pseudo_analysis(zero)[1].stop == "zero"
        out = np.empty(sht.alm_shape, complex)
        assert sht.pseudo_analysis(zero, out=out)[0] is out and not out.any()
        assert sht.pseudo_analysis(np.empty((0, sht.npix)))[0].shape == (0, sht.alm_size)


def case_wrong_iterations():
    with SHT(COMM, HEALPIX, 14) as sht:
        part, is_last = np.ones(sht.npix), RANK == LAST

        def iterated(values=part, **how):
            return sht.pseudo_analysis(values, max_iterations=2, **how)

        fails(ValueError, "method = 'no'",
              lambda: iterated(method="no" if is_last else "lsmr"))
        fails(ValueError, "weights: has shape", lambda: iterated(
            weights=np.ones(sht.npix + is_last)))
        fails(ValueError, "mask: has shape", lambda: iterated(mask=np.ones(sht.npix + is_last)))
        fails(ValueError, "mask: must hold 0", lambda: iterated(
            mask=np.full(sht.npix, 1 + is_last)))
        fails(ValueError, "weights[", lambda: iterated(weights=np.where(
            is_last & (np.arange(sht.npix) == 1), -1.0, np.ones(sht.npix))))
        fails(ValueError, "guess: has shape", lambda: iterated(
            guess=np.ones(sht.alm_size + is_last)))
        holed = part.copy()
        if is_last:
            holed[3] = armilla.healpy.UNSEEN
        first = COMM.bcast(int(sht.pixels[3]), root=LAST)  # in the map of all ranks
        fails(ValueError, f"map[{first}] = -1.6375e+30: is missing, one of 1 values",
              lambda: iterated(holed))
        weights = np.where(holed < 0, 0.0, 1.0)
        assert np.isfinite(iterated(holed, weights=weights)[0]).all()
        if SIZE > 1:
            fails(ValueError, "guess (1: given): must be the same on all ranks", lambda: iterated(
                guess=np.ones(sht.alm_size) if is_last else None))
            fails(ValueError, "max_iterations: must be the same on all ranks",
                  lambda: sht.pseudo_analysis(part, max_iterations=2 + RANK))
        assert iterated()[0].shape == sht.alm_shape
    if SIZE % 2 == 0:
        with SHT(COMM, HEALPIX, 14, groups=2) as sht:
            fails(NotImplementedError, "iterative analyses are not offered by groups of ranks",
                  lambda: sht.pseudo_analysis(np.ones((1, sht.npix))))


# --- Coefficients ---------------------------------------------------------------------------------


def case_spectrum():
    for mmax in (20, 11):
        first, second = (numbers(armilla.alm.size(20, mmax), complex, seed) for seed in (1, 2))
        with SHT(COMM, HEALPIX, 20, mmax) as sht:
            a, b = first[sht.alm_numbers], second[sht.alm_numbers]
            same(sht.spectrum(a), armilla.spectrum.compute(first, lmax=20, mmax=mmax))
            same(sht.spectrum(a, b), armilla.spectrum.compute(first, second, lmax=20, mmax=mmax))
            same(sht.spectrum(a, a), armilla.spectrum.compute(first, first, lmax=20, mmax=mmax))
            single = a.astype(np.complex64)
            same(sht.spectrum(single), armilla.spectrum.compute(first.astype(np.complex64),
                                                                lmax=20, mmax=mmax))
            fails(ValueError, "alm: has shape", lambda: sht.spectrum(
                np.ones(sht.alm_size + (RANK == LAST))))
            fails(ValueError, "other: has shape", lambda: sht.spectrum(a, a[None]))
            if SIZE > 1:
                fails(ValueError, "other: rank 0 gives none, rank ", lambda: sht.spectrum(
                    a, b if RANK == LAST else None))
    if SIZE % 2 == 0:
        with SHT(COMM, HEALPIX, 20, groups=2) as sht:
            fails(NotImplementedError, "groups of ranks",
                  lambda: sht.spectrum(np.ones(sht.alm_size)))


def case_rotate_alm():
    whole = numbers((2, 3, armilla.alm.size(20, 14)), complex)
    with IQU(COMM, HEALPIX, 20, 14) as iqu:
        part = np.ascontiguousarray(whole[..., iqu.alm_numbers])
        judge = ROTATION.rotate_alm(whole, lmax=20, mmax=14, mmax_out=14)[..., iqu.alm_numbers]
        kept = part.copy()
        same(iqu.rotate_alm(ROTATION, part), judge)
        same(part, kept)
        assert iqu.rotate_alm(ROTATION, part, out=part) is part
        same(part, judge)
        single = ROTATION.rotate_alm(whole.astype(np.complex64), lmax=20, mmax=14, mmax_out=14)
        same(iqu.rotate_alm(ROTATION, whole.astype(np.complex64)[..., iqu.alm_numbers]),
             single[..., iqu.alm_numbers])
        assert iqu.rotate_alm(ROTATION, part[:0]).shape == (0,) + part.shape[1:]
        fails(ValueError, "alm: has shape", lambda: iqu.rotate_alm(
            ROTATION, np.ones(iqu.alm_size + (RANK == LAST))))
        fails(TypeError, "rotation: must be", lambda: iqu.rotate_alm(
            "C" if RANK == LAST else ROTATION, part))
        fails(TypeError, "nthreads", lambda: iqu.rotate_alm(ROTATION, part, nthreads="all"))
        if SIZE > 1:
            other = armilla.Rotation(0.3, 1.1, 2.0) if RANK == LAST else ROTATION
            fails(ValueError, "rotation: rank 0 gives armilla.Rotation(psi=0.3",
                  lambda: iqu.rotate_alm(other, part))
            fails(ValueError, "leading axes of alm: rank 0 gives (1,)", lambda: iqu.rotate_alm(
                ROTATION, part[0, :1 + (RANK == LAST)]))


def case_random():
    cl = np.linspace(2, 0.1, 25)
    correlated = np.zeros((3, 3, 19))
    for i in range(3):
        correlated[i, i] = 1 + i
        correlated[i, :i] = 0.3
    with SHT(COMM, HEALPIX, 20, 13) as sht:
        made = sht.random(cl, 7)
        same(made, armilla.alm.random(20, cl, 7, mmax=13)[sht.alm_numbers])
        same(sht.random(cl, 7, field=2),
             armilla.alm.random(20, cl, 7, field=2, mmax=13)[sht.alm_numbers])
        same(sht.random_correlated(correlated, 7),
             armilla.alm.random_correlated(20, correlated, 7, mmax=13)[:, sht.alm_numbers])
        window = np.linspace(1, 0, 15)
        whole = numbers((2, armilla.alm.size(20, 13)), np.complex64)
        same(sht.multiply_window(whole[:, sht.alm_numbers], window),
             armilla.alm.multiply_window(whole, window, lmax=20, mmax=13)[:, sht.alm_numbers])
        fails(ValueError, "cl: has shape", lambda: sht.random_correlated(cl, 7))
        fails(ValueError, "cl", lambda: sht.random(-cl, 7))


# --- Whole arrays ---------------------------------------------------------------------------------


def gather(sht, kind, whole, numbers_of_rank, **how):
    """To each rank and back."""
    for root in range(SIZE):
        made = getattr(sht, f"gather_{kind}")(whole[..., numbers_of_rank], root=root, **how)
        assert (made is None) == (RANK != root)
        if made is not None:
            same(made, whole)
        back = getattr(sht, f"scatter_{kind}")(whole if RANK == root else None, root=root)
        same(back, whole[..., numbers_of_rank])


def case_gather_and_scatter():
    with SHT(COMM, HEALPIX, 20, 13, spin=2) as sht:
        for dtype in (np.float64, np.float32, np.int16, bool):
            gather(sht, "map", (numbers((2, 3, HEALPIX.npix)) * 9).astype(dtype), sht.pixels)
        gather(sht, "map", np.arange(HEALPIX.npix), sht.pixels)
        for dtype in (np.complex128, np.complex64):
            gather(sht, "alm", numbers((2, armilla.alm.size(20, 13)), dtype), sht.alm_numbers)
        sky = numbers((2, HEALPIX.npix))
        out = np.zeros((2, 2 * HEALPIX.npix))[:, ::2] if RANK == LAST else None
        made = sht.gather_map(sky[:, sht.pixels], root=LAST, out=out)
        assert made is out and (RANK != LAST or np.array_equal(made, sky))
        out = np.zeros((2, sht.npix))
        assert sht.scatter_map(sky if RANK == LAST else "nothing", root=LAST, out=out) is out
        same(out, sky[:, sht.pixels])


def case_gather_with_gaps():
    """Pixels between the rings are 0 in new arrays, and stay in those that are given."""
    grid = armilla.Grid.gauss_legendre(12, 24).laid_out(ring_stride=30)
    with SHT(COMM, grid, 11) as sht:
        sky = np.zeros(grid.npix)
        for rank in range(SIZE):
            sky[sht._distribution.pixels(rank)] = 1 + rank
        made = sht.gather_map(sky[sht.pixels])
        out = np.full(grid.npix, -1.0) if RANK == 0 else None
        sht.gather_map(sky[sht.pixels], out=out)
        if RANK == 0:
            same(made, sky)
            same(out, np.where(sky > 0, sky, -1))


def case_gather_of_groups():
    for groups in range(2, SIZE + 1):
        if SIZE % groups:
            continue
        sky = numbers((5, 2, HEALPIX.npix))
        with SHT(COMM, HEALPIX, 20, spin=2, groups=groups) as sht:
            mine = slice(sht.fields(5).start, sht.fields(5).stop)
            part = sky[mine][..., sht.pixels]
            made = sht.gather_map(part, root=LAST)
            if RANK == LAST:
                same(made, sky)
            same(sht.scatter_map(sky if RANK == 0 else None), part)
            fails(ValueError, "part: has shape", lambda: sht.gather_map(np.ones(sht.npix)))
            fails(ValueError, "whole: has shape", lambda: sht.scatter_map(
                np.ones(HEALPIX.npix) if RANK == 0 else None))
            fails(ValueError, "fields, must have", lambda: sht.gather_map(
                np.ones((2 if RANK == 0 else 7, sht.npix))))


def case_wrong_whole_arrays():
    with SHT(COMM, HEALPIX, 20) as sht:
        part, is_last = np.ones(sht.npix), RANK == LAST
        fails(ValueError, f"root = {SIZE}: must be a rank", lambda: sht.gather_map(
            part, root=SIZE if is_last else 0))
        fails(ValueError, "part: has shape", lambda: sht.gather_map(np.ones(sht.npix + is_last)))
        fails(TypeError, "part: must hold numbers", lambda: sht.gather_map(
            part.astype(object) if is_last else part))
        fails(ValueError, "whole: has shape", lambda: sht.scatter_map(part[1:]))
        fails(TypeError, "out: has type", lambda: sht.gather_map(
            part, root=LAST, out=np.empty(HEALPIX.npix, int)))
        fails(ValueError, "out: has shape", lambda: sht.scatter_alm(
            np.ones(armilla.alm.size(20)) if RANK == 0 else None,
            out=np.empty(sht.alm_size + is_last)))
        if SIZE > 1:
            fails(ValueError, "root: rank 0 gives 0", lambda: sht.gather_map(
                part, root=int(is_last)))
            fails(ValueError, "type of part: rank 0 gives <f8, rank ", lambda: sht.gather_map(
                part.astype(np.float32) if is_last else part))
            fails(ValueError, "leading axes of part: rank 0 gives ()", lambda: sht.gather_map(
                part[None] if is_last else part))
        assert sht.scatter_map(np.ones(HEALPIX.npix)).all()
    fails(RuntimeError, "closed", lambda: sht.gather_map(part))
    fails(RuntimeError, "closed", lambda: sht.scatter_map(part))


# --- Other layouts --------------------------------------------------------------------------------


def cut(n, rank=RANK):
    """A range of n numbers, some of which have none where there are many ranks."""
    begin, end = n * rank // SIZE, n * (rank + 1) // SIZE
    return begin, end - begin


def case_redistribution():
    sky = numbers((2, HEALPIX.npix))
    begin, count = cut(HEALPIX.npix, LAST - RANK)
    with SHT(COMM, HEALPIX, 20, 13) as sht:
        to_rings = Redistribution(COMM, [(begin, count, 0)], sht.map_spans, chunk_bytes=1000)
        assert (to_rings.source_size, to_rings.target_size) == (count, sht.npix)
        mine = sky[:, begin:begin + count]
        for dtype in (np.float64, np.float32, np.int8, np.complex128):
            same(to_rings.run(mine.astype(dtype)), sky.astype(dtype)[:, sht.pixels])
        same(to_rings.run(mine[0]), sky[0, sht.pixels])
        same(to_rings.run(mine[:, None, ::-1][..., ::-1]), sky[:, None, sht.pixels])
        assert to_rings.run(mine[:0]).shape == (0, sht.npix)
        from_rings = Redistribution(COMM, sht.map_spans, [(begin, count, 0)])
        same(from_rings.run(sky[:, sht.pixels]), mine)
        alm = numbers(armilla.alm.size(20, 13), complex)
        begin, count = cut(len(alm))
        back = Redistribution(COMM, sht.alm_spans, np.array([[begin, count, 0]]))
        same(back.run(alm[sht.alm_numbers]), alm[begin:begin + count])
    assert f"of rank {RANK}" in repr(back)


def case_redistribution_to_places():
    """Places that no span has, several ranks that want a number, and None for no elements."""
    source = [(3, 4, 0)] if RANK == LAST else []
    places = Redistribution(COMM, source, [(4, 2, 1), (3, 1, 5)])
    given = np.array([3.0, 4.0, 5.0, 6.0]) if RANK == LAST else None
    same(places.run(given), np.array([0, 4.0, 5.0, 0, 0, 3.0]))
    out = np.full(6, -1.0)
    assert places.run(given, out=out) is out
    same(out, np.array([-1, 4.0, 5.0, -1, -1, 3.0]))
    out = np.full((2, 9), -1.0)[:, :6]  # whose rows have a distance
    assert places.run(None if given is None else np.stack([given, -given]), out=out) is out
    same(out, np.array([[-1, 4.0, 5.0, -1, -1, 3.0], [-1, -4.0, -5.0, -1, -1, -3.0]]))
    comm = COMM.Dup()
    none = Redistribution(comm, [], [])
    fails(ValueError, "array: is None on all ranks", none.run)
    assert none.run(np.empty((2, 0))).shape == (2, 0)
    comm.Free()
    fails(RuntimeError, "has been freed", none.run)


def case_wrong_redistributions():
    mine = [(*cut(20), 0)]
    is_last = RANK == LAST

    def made(source=mine, target=mine, **how):
        return Redistribution(COMM, source, target, **how)

    fails(TypeError, "comm: must be a communicator", lambda: Redistribution(None, mine, mine))
    fails(ValueError, "source: has shape (2,)", lambda: made(source=[1, 2] if is_last else mine))
    fails(TypeError, "target: must hold integers", lambda: made(
        target=[(0.5, 1, 2)] if is_last else mine))
    fails(ValueError, "source[0] = {begin -1", lambda: made(
        source=[(-1, 1, 0)] if is_last else mine))
    fails(ValueError, "target: number 20, which rank", lambda: made(
        target=[(20, 1, 0)] if is_last else mine))
    fails(ValueError, "target: place 0 is in two spans", lambda: made(
        target=[(0, 1, 0), (1, 1, 0)] if is_last else mine))
    fails(ValueError, "source: number 0 has two sources", lambda: made(
        source=[*mine, (0, 1, 20)] if is_last else mine))
    fails(TypeError, "chunk_bytes", lambda: made(chunk_bytes="many" if is_last else 0))
    fails(ValueError, "chunk_bytes = -1", lambda: made(chunk_bytes=-1 if is_last else 0))
    right = made()
    part = np.ones(right.source_size)
    fails(ValueError, "array: has shape", lambda: right.run(np.ones(len(part) + is_last)))
    fails(ValueError, "out: has shape", lambda: right.run(part, out=np.ones(len(part) + is_last)))
    if SIZE > 1:
        fails(ValueError, "array: has the type float64 on rank 0, float32", lambda: right.run(
            part.astype(np.float32) if is_last else part))
        fails(ValueError, "array: has the leading axes () on rank 0, (1,)", lambda: right.run(
            part[None] if is_last else part))
    same(right.run(part), part)


if __name__ == "__main__":
    run_cases(globals())
