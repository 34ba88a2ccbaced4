"""Values at points, lensed maps, convolutions with radial kernels and skies seen through beams of
armilla.mpi, on several ranks: each case compares a rank's part with what the serial classes give,
bit by bit, or asks for the same error on all ranks.

    mpirun -n 3 python mpi_places.py
"""
import sys
import warnings

import numpy as np
from mpi_methods import same
from mpi_ranks import COMM, HEALPIX, RANK, SIZE, fails, numbers, run_cases

import armilla
from armilla.mpi import SHT, Beams, Lensing, Points, Radial

LAST = SIZE - 1
KERNEL = armilla.Kernel.gaussian(np.radians(20))
GAUSS = armilla.Grid.gauss_legendre(24, 47)


# --- Points ---------------------------------------------------------------------------------------

# the north pole, and the south pole of coordinates that were float32
LOC = np.random.default_rng(4).uniform([0, 0], [np.pi, 2 * np.pi], (5000, 2))
FIRST = [int(len(LOC) * (rank / SIZE) ** 2) for rank in range(SIZE)] + [len(LOC)]
LOC[:2] = [0, 1], [np.float32(np.pi), 2]
MINE = slice(FIRST[RANK], FIRST[RANK + 1])


def compare_points(lmax, mmax=None, *, lead=(), dtype=complex, orders=None, **how):
    alone = armilla.Points(lmax, LOC, mmax=mmax, **how)
    alm = numbers(lead + alone.alm_shape, dtype)
    values = numbers(lead + alone.map_shape, alm.real.dtype, 2)
    with Points(COMM, lmax, LOC[MINE], mmax=mmax, orders=orders, **how) as points:
        assert points.map_shape[-1] == len(points.loc) == points.describe().npoints
        part = alm[..., points.alm_numbers]
        same(points.synthesis(part), alone.synthesis(alm)[..., MINE])
        made = points.adjoint_synthesis(values[..., MINE])
        same(made, alone.adjoint_synthesis(values)[..., points.alm_numbers])
        out = np.empty(lead + points.map_shape, values.dtype)
        assert points.synthesis(part, out=out) is out


def case_points():
    compare_points(20)
    compare_points(20, 13, spin=2, lead=(2,), epsilon=1e-10)
    compare_points(20, lead=(3,), dtype=np.complex64, epsilon=1e-4)
    compare_points(12, mode="derivatives", spin=1, spin_method="recurrence")
    compare_points(4, 0)
    compare_points(4, 1, spin=1)
    compare_points(9, orders=np.arange(RANK, 10, SIZE))
    compare_points(20, epsilon=1e-4, upsampling=1.6, taps=11)
    with SHT(COMM, HEALPIX, 20) as sht, Points(COMM, 20, LOC[MINE]) as points:
        assert np.array_equal(sht.orders, points.orders)
        whole = armilla.alm.random(20, np.ones(21), seed=1)
        same(points.synthesis(sht.random(np.ones(21), seed=1)),
             armilla.Points(20, LOC).synthesis(whole)[MINE])


def case_points_least_squares():
    alone = armilla.Points(12, LOC, spin=2)
    values, guess = numbers((2,) + alone.map_shape), numbers(alone.alm_shape, complex)
    weights = np.arange(len(LOC)) % 4 / 2
    with Points(COMM, 12, LOC[MINE], spin=2) as points:
        for how in ({}, {"weights": weights, "guess": guess}):
            judge, told = alone.pseudo_analysis(values, tolerance=1e-6, **how)
            mine = {"weights": weights[MINE], "guess": guess[..., points.alm_numbers]}
            made, report = points.pseudo_analysis(values[..., MINE], tolerance=1e-6,
                                                  **{name: mine[name] for name in how})
            same(made, judge[..., points.alm_numbers])
            assert np.array_equal(report.iterations, told.iterations)
            assert np.array_equal(report.residual, told.residual)
        place = np.arange(len(LOC))
        holed = np.ma.masked_array(values[0], np.tile((place % 7 == 0) & (place >= FIRST[LAST]),
                                                      (2, 1)))
        judge, _ = alone.pseudo_analysis(holed, max_iterations=3)
        part = holed[..., MINE] if RANK == LAST else values[0][..., MINE]
        same(points.pseudo_analysis(part, max_iterations=3)[0], judge[..., points.alm_numbers])
        wrong = values[0][..., MINE].copy()
        if RANK == LAST:
            wrong[0, 3] = np.nan
        fails(ValueError, f"values[{FIRST[LAST] + 3}] = nan: must be finite (point "
                          f"{FIRST[LAST] + 3} of component 0)",
              lambda: points.pseudo_analysis(wrong))
        fails(ValueError, "leave out all", lambda: points.pseudo_analysis(
            values[0][..., MINE], weights=np.zeros(MINE.stop - MINE.start)))


def case_no_points():
    mine = LOC if RANK == LAST else []
    with Points(COMM, 8, mine) as points:
        alm = points.random(np.ones(9), seed=1)
        whole = armilla.alm.random(8, np.ones(9), seed=1)
        same(points.synthesis(alm), armilla.Points(8, LOC).synthesis(whole) if RANK == LAST
             else np.empty(0))
        gathered = points.gather_alm(alm)
        assert gathered is None if RANK else np.array_equal(gathered, whole)
        same(points.spectrum(alm), armilla.spectrum.compute(whole))
        fails(ValueError, "alm: has shape", lambda: points.synthesis(
            np.ones(points.alm_size + (RANK == LAST), complex)))
        assert f"armilla.mpi.Points lmax 8, mmax 8, spin 0, standard, epsilon 1e-07, rank {RANK} " \
               f"of {SIZE}" in repr(points)
    fails(RuntimeError, "closed", lambda: points.synthesis(alm))
    with Points(COMM, 8, mine) as points:  # before ranks wait for one another
        fails(TypeError, "progress: must be a bool", lambda: points.synthesis(
            alm, progress=5 if RANK == LAST else None))
        tqdm, sys.modules["tqdm.auto"] = sys.modules.get("tqdm.auto"), None
        fails(ImportError, "tqdm", lambda: points.synthesis(alm, progress=RANK == LAST))
        sys.modules["tqdm.auto"] = tqdm
        if tqdm is None:
            del sys.modules["tqdm.auto"]
    with Points(COMM, 8, []) as points:
        assert points.synthesis(points.random(np.ones(9), 1)).shape == (0,)


def case_wrong_points():
    wrong = LOC[MINE].copy()
    if RANK == LAST:
        wrong[2, 0] = -1
    fails(ValueError, "loc: theta of point 2 = -1", lambda: Points(COMM, 8, wrong))
    fails(ValueError, "loc: has shape", lambda: Points(COMM, 8, LOC[MINE].T if RANK == LAST
                                                       else LOC[MINE]))
    fails(TypeError, "comm: must be a communicator", lambda: Points(8, LOC, 8))
    if SIZE > 1:
        fails(ValueError, "epsilon: rank 0 gives 1e-07, rank ", lambda: Points(
            COMM, 8, LOC[MINE], epsilon=1e-5 if RANK == LAST else 1e-7))


# --- Lensing --------------------------------------------------------------------------------------


def compare_lensing(grid, phi, lmax, *, deflection_lmax=None, lead=(), dtype=complex, **how):
    alone = armilla.Lensing(grid, phi, lmax, **how)
    alm = numbers(lead + alone.alm_shape, dtype)
    sky = numbers(lead + alone.map_shape, alm.real.dtype, 2)
    with SHT(COMM, grid, deflection_lmax or lmax) as sht:
        mine = phi[..., sht.alm_numbers]
    with Lensing(COMM, grid, mine, lmax, deflection_lmax=deflection_lmax, **how) as lensing:
        made = lensing.alm2lenmap(alm[..., lensing.alm_numbers])
        same(made, alone.alm2lenmap(alm)[..., lensing.pixels])
        same(lensing.adjoint(sky[..., lensing.pixels]),
             alone.adjoint(sky)[..., lensing.alm_numbers])
        gathered = lensing.gather_map(made)
        assert gathered is None if RANK else gathered.shape[-1] == grid.npix
        other = numbers(alone.beside(9, spin=1).alm_shape, complex)
        with lensing.beside(9, spin=1) as beside:
            assert beside.epsilon == lensing.epsilon and np.all(beside.rings == lensing.rings)
            same(beside.alm2lenmap(other[..., beside.alm_numbers]),
                 alone.beside(9, spin=1).alm2lenmap(other)[..., beside.pixels])
        fails(ValueError, "map: has shape", lambda: lensing.adjoint(
            np.ones(lensing.npix + (RANK == LAST))))


def case_lensing():
    phi = armilla.alm.random(20, 1e-3 / np.arange(1, 22.0) ** 4, seed=5)
    compare_lensing(HEALPIX, phi, 20)
    compare_lensing(GAUSS, np.stack([phi, phi[::-1] / 9]), 20, spin=2, lead=(2,))
    compare_lensing(HEALPIX, phi / 9, 14, deflection_lmax=20, kind="vector", epsilon=1e-4,
                    dtype=np.complex64)
    fails(ValueError, "deflection_lmax = -1", lambda: Lensing(COMM, HEALPIX, phi, 20,
                                                              deflection_lmax=-1))
    fails(ValueError, "kind = 'map'", lambda: Lensing(COMM, HEALPIX, phi, 20, kind="map"))
    fails(ValueError, "deflection: has ", lambda: Lensing(COMM, HEALPIX, np.ones(5000), 20))


# --- Radial kernels -------------------------------------------------------------------------------


def compare_radial(grid, *, lead=(), dtype=float, rings=None, **how):
    alone = armilla.Radial(grid, KERNEL, **how)
    sky = numbers(lead + alone.map_shape, dtype)
    weights = np.arange(grid.npix) % 5 / 4
    with Radial(COMM, grid, KERNEL, rings=rings, **how) as radial:
        part = sky[..., radial.pixels]
        same(radial.convolve(part), alone.convolve(sky)[..., radial.pixels])
        same(radial.adjoint(part), alone.adjoint(sky)[..., radial.pixels])
        judge = alone.convolve(sky, weights=weights)[..., radial.pixels]
        same(radial.convolve(part, weights=weights[radial.pixels]), judge)
        assert radial.describe().method == alone.describe().method


def case_radial():
    compare_radial(HEALPIX, method="pixels")
    compare_radial(HEALPIX, spin=2, lead=(3,), dtype=np.float32)
    compare_radial(GAUSS, method="rings", rings=np.arange(RANK, GAUSS.nrings, SIZE))
    compare_radial(GAUSS, mode="standard", normalization="sum")


def case_radial_holes():
    sky, alone = numbers(HEALPIX.npix), armilla.Radial(HEALPIX, KERNEL)
    with Radial(COMM, HEALPIX, KERNEL) as radial:
        owner = np.empty(HEALPIX.npix, int)
        for rank in range(SIZE):
            owner[radial._distribution.pixels(rank)] = rank
        hidden = (owner == LAST) & (np.arange(HEALPIX.npix) % 3 == 0)
        judge = alone.convolve(np.ma.masked_array(sky, hidden))[radial.pixels]
        part = np.ma.masked_array(sky, hidden)[radial.pixels]
        same(radial.convolve(part if RANK == LAST else sky[radial.pixels]), judge)
        part = sky[radial.pixels].copy()
        if RANK == LAST:
            part[1] = np.nan
        none = np.zeros(radial.npix)
        same(radial.convolve(sky[radial.pixels], weights=none, fill=7),
             alone.convolve(sky, weights=np.zeros(len(sky)), fill=7)[radial.pixels])
        first = COMM.bcast(int(radial.pixels[1]), root=LAST)
        fails(ValueError, f"map[{first}] = nan: is missing", lambda: radial.convolve(part))
        fails(ValueError, "map: has shape", lambda: radial.convolve(
            np.ones(radial.npix + (RANK == LAST))))
        if SIZE > 1:
            fails(ValueError, "least", lambda: radial.convolve(
                sky[radial.pixels], weights=np.ones(radial.npix), least=1e-3 * (1 + RANK)))
    fails(TypeError, "kernel", lambda: Radial(COMM, HEALPIX, 3 if RANK == LAST else KERNEL))


# --- Beams ----------------------------------------------------------------------------------------

POINTINGS = np.column_stack([LOC, np.linspace(0, 9, len(LOC))])


def compare_beams(lmax, kmax, *, lead=(), dtype=complex, modulation=None, **how):
    alone = armilla.Beams(lmax, kmax, POINTINGS, modulation=modulation, **how)
    sky, beam = numbers(lead + alone.sky_shape, dtype), numbers(alone.beam_shape, dtype, 2)
    samples = numbers(lead + (len(POINTINGS),), sky.real.dtype, 3)
    factors = None if modulation is None else modulation[..., MINE]
    with Beams(COMM, lmax, kmax, POINTINGS[MINE], modulation=factors, **how) as beams:
        part = sky[..., beams.alm_numbers]
        same(beams.convolve(part, beam), alone.convolve(sky, beam)[..., MINE])
        same(beams.adjoint(samples[..., MINE], beam),
             alone.adjoint(samples, beam)[..., beams.alm_numbers])
        same(beams.beam_adjoint(samples[..., MINE], part), alone.beam_adjoint(samples, sky))
        if lead:
            return
        judge, told = alone.deconvolve(samples, beam, max_iterations=3)
        made, report = beams.deconvolve(samples[MINE], beam, max_iterations=3)
        same(made, judge[..., beams.alm_numbers])
        assert (report.iterations, report.residual) == (told.iterations, told.residual)
        fails(ValueError, "samples: has shape", lambda: beams.adjoint(
            np.ones(len(beams.pointings) + (RANK == LAST)), beam))
        if SIZE > 1:
            fails(ValueError, "beam (its bits): must be the same on all ranks",
                  lambda: beams.convolve(part, beam * (1 + (RANK == LAST))))


def case_beams():
    compare_beams(20, 4, components=3)
    compare_beams(16, 2, mmax=9, lead=(2,), dtype=np.complex64, epsilon=1e-4)
    compare_beams(12, 3, modulation=np.stack([np.ones(len(LOC)), np.cos(np.arange(len(LOC)))]))
    fails(ValueError, "pointings: has shape", lambda: Beams(COMM, 8, 2, LOC))
    fails(ValueError, "kmax = 9: must be 0 .. 8", lambda: Beams(COMM, 8, 9, POINTINGS))
    with Beams(COMM, 8, 2, POINTINGS[MINE]) as beams:
        beam, samples = numbers(beams.beam_shape, complex), np.ones(len(beams.pointings))
        fails(ValueError, "samples: has leading axes (1,)",
              lambda: beams.deconvolve(samples[None], beam))
        fails(ValueError, "beam: has leading axes (2,)",
              lambda: beams.deconvolve(samples, np.stack([beam, beam])))
        fails(ValueError, "must be the same on all ranks" if SIZE > 1 else "samples[",
              lambda: beams.deconvolve(samples if SIZE > 1 else samples * np.nan, beam,
                                       guess=np.zeros(beams.sky_shape, complex) if RANK == LAST
                                       else None))
        wrong = np.where(RANK == LAST, np.nan, samples)
        fails(ValueError, f"samples[{FIRST[LAST]}] = nan: must be finite (pointing {FIRST[LAST]}",
              lambda: beams.deconvolve(wrong, beam))
        fails(ValueError, "beam[3] = nan" if SIZE == 1 else "beam",
              lambda: beams.deconvolve(samples, np.where(np.arange(beam.size) == 3, np.nan, beam)
                                       if RANK == LAST else beam))


if __name__ == "__main__":
    warnings.simplefilter("ignore", armilla.ConvergenceWarning)
    run_cases(globals())
