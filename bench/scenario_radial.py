"""Smoothing with a narrow beam: Armilla's radial convolution next to harmonic smoothing (map ->
coefficients, times b_l, -> map) by Armilla and its peers. HEALPix, band limit 2 nside, no
iteration."""
import gc
import time

import numpy as np

import problems
import scenario_radial_model
import timing
from candidates import Armilla, Run, load_peers
from contest import FAILURES
from libarmilla import aligned_zeros
from libradial import Radial

NSIDE, QUICK_NSIDE = (512, 1024, 2048), (128, 256)
BEAM = np.radians(4.7 / 60.0)  # at nside 2048; of as many pixels elsewhere
SUPPORTS, QUICK_SUPPORTS = (1, 2, 4, 8, 16), (2, 8)  # degrees
SUPPORT_NSIDE = (512, 1024, 2048)
# From this nside on harmonic smoothing is called once, with no call before that does not count: one
# of ducc0 takes longer than a minute. Without healpy, which takes five times as long.
LARGE = 4096
# Full widths at half maximum of the kernel in its support: the kernel has fallen to rounding there,
# so that rings are possible. Cut where it is 1e-8 of its peak (2.6 widths), it takes pixels, and at
# nside 512 and 6 degrees 18 times as long.
WIDTHS = 3.67
RADIAL, HARMONIC = "armilla", "armilla, harmonic"


# --- Harmonic smoothing -------------------------------------------------------------------------


def beam_of(lmax, fwhm):
    """b_l of each coefficient, in triangular order."""
    degree = np.arange(lmax + 1.0)
    sigma = fwhm / np.sqrt(8.0 * np.log(2.0))
    window = np.exp(-0.5 * degree * (degree + 1.0) * sigma ** 2)
    return np.concatenate([window[m:] for m in range(lmax + 1)])


def harmonic_run(library, problem, variants, fwhm, source, target):
    """variants: of adjoint synthesis and of synthesis. The weights of pixels are part of b_l."""
    alm = problems.outputs(problem, "adjoint_synthesis")
    factor = beam_of(problem.lmax, fwhm) * (4.0 * np.pi / problem.npix)
    there = library.prepare(problem, "adjoint_synthesis", variants[0])(source, alm)
    back = library.prepare(problem, "synthesis", variants[1])(alm, target)

    def run():
        there.run()
        alm[0, 0] *= factor
        back.run()
    return Run(run, lambda: target, info=there.info)


def healpy_run(module, problem, fwhm, source):
    held = {}

    def run():
        held["out"] = module.smoothing(source[0, 0], fwhm=fwhm, iter=0, lmax=problem.lmax,
                                       pol=False)
    return Run(run, lambda: held["out"])


def fastest_variants(library, problem, clock):
    """(of adjoint synthesis, of synthesis), by one trial each."""
    found = []
    for operator in ("adjoint_synthesis", "synthesis"):
        seconds = {}
        source = problems.source_for(problem, operator)
        for variant in library.variants(problem, operator):
            seconds[variant] = timing.timed_call(library.make(problem, operator, variant, source),
                                                 clock)
        found.append(min(seconds, key=seconds.get))
    return found


class Smoothers:
    """The libraries that smooth in harmonic space. The variant of each is chosen once, at the first
    size, or at nside 512 where that is larger."""

    def __init__(self, options, say):
        self.threads, self.clock = options.threads, timing.clock_for(options.threads)
        self.ours = Armilla(options.library, options.threads)
        peers, missing = load_peers(options.threads) if options.peers else ([], [])
        self.peers = [peer for peer in peers if peer.name in ("ducc0", "healpy")]
        self.variants = {}
        for message in missing:
            say(message)

    def versions(self):
        return {library.name: library.version for library in [self.ours] + self.peers}

    def runs(self, problem, fwhm, source):
        """{name: Run}"""
        found = {HARMONIC: self.one(self.ours, problem, fwhm, source)}
        for peer in self.peers:
            if peer.name == "healpy" and problem.nside >= LARGE:
                continue
            if peer.name == "healpy":
                found[peer.name] = healpy_run(peer.module, problem, fwhm, source)
            else:
                found[peer.name] = self.one(peer, problem, fwhm, source)
        return found

    def one(self, library, problem, fwhm, source):
        if library.name not in self.variants:
            trial = problem if problem.nside <= 512 else problem.of_size(512)
            self.variants[library.name] = fastest_variants(library, trial, self.clock)
        target = problems.outputs(problem, "synthesis")
        return harmonic_run(library, problem, self.variants[library.name], fwhm, source, target)


# --- Radial convolution -------------------------------------------------------------------------


def radial_run(options, library, problem, fwhm, support, method="fastest"):
    """(function of a source that gives a Run, seconds of the plan)"""
    clock = timing.clock_for(options.threads)
    start = clock()
    plan = Radial(library, problem.new_grid, fwhm, support, method)
    seconds = 1e-9 * (clock() - start)

    def bind(source):
        target = problems.outputs(problem, "synthesis")
        return Run(plan.bind(source, target, options.threads), lambda: target,
                   info=plan.describe(options.threads))
    return bind, seconds


def ring_ffts(problem, source):
    """The floor of methods that work on Fourier coefficients of whole rings: real transforms of
    all rings, there and back, by numpy's own library, one ring length after the other."""
    rows, first = [], 0
    for length in healpix_lengths(problem.nside):
        rows.append((first, length))
        first += length
    flat, target = source[0, 0], aligned_zeros(problem.npix, np.float64)

    def run():
        for begin, length in rows:
            part = np.fft.rfft(flat[begin:begin + length])
            target[begin:begin + length] = np.fft.irfft(part, length)
    return Run(run, lambda: target)


def healpix_lengths(nside):
    cap = [4 * (i + 1) for i in range(nside - 1)]
    return cap + [4 * nside] * (2 * nside + 1) + cap[::-1]


def sky_of(problem, library):
    """A band-limited map."""
    sky = problems.outputs(problem, "synthesis")
    library.prepare(problem, "synthesis", "plan")(problems.random_alm(problem), sky).run()
    return sky


# --- Records ------------------------------------------------------------------------------------


def measure(options, runs, keep, single=()):
    """{name: seconds}; the first call of each does not count, but of those in `single`, which have
    no other."""
    clock, once = timing.clock_for(options.threads), {}
    for name in list(runs):
        try:
            seconds = timing.timed_call(runs[name], clock)
            if name in single:
                once[name] = seconds
                del runs[name]
        except FAILURES:
            if name == RADIAL:
                raise
            del runs[name]
    best, rounds = timing.alternate(runs, options.repeat, options.budget, clock, keep)
    return {**best, **once}, rounds


def identity(problem, fwhm, support):
    beam = f"FWHM {60.0 * np.degrees(fwhm):.3g}'"
    cut = f", support {np.degrees(support):.3g} degrees" if support else ""
    return f"HEALPix nside {problem.nside}, {beam}{cut}"


def record_of(problem, fwhm, support, seconds, plan_seconds, info):
    return {"scenario": identity(problem, fwhm, support), "kind": "radial",
            "nside": problem.nside, "lmax": problem.lmax, "fwhm": fwhm,
            "support": np.degrees(info["support"]), "seconds": seconds,
            "plan_seconds": plan_seconds, "info": info,
            "memory_share": (info["plan_bytes"] + info["workspace_bytes"]) / 16.0 / problem.npix}


def beams(options):
    """(problem, fwhm): the beam of as many pixels as at nside 2048."""
    chosen = options.nside or (QUICK_NSIDE if options.quick else NSIDE)
    return [(problems.Healpix(nside), BEAM * 2048.0 / nside) for nside in chosen]


def smooth(options, smoothers, problem, fwhm):
    """One problem: radial, harmonic and peers, in turns."""
    source = sky_of(problem, smoothers.ours)
    bind, plan_seconds = radial_run(options, smoothers.ours.library, problem, fwhm, None)
    runs = {RADIAL: bind(source), **smoothers.runs(problem, fwhm, source)}
    info = runs[RADIAL].info
    seconds, rounds = measure(options, runs, (RADIAL, HARMONIC))
    record = record_of(problem, fwhm, None, seconds, plan_seconds, info)
    record["error"] = problems.relative_error(runs[RADIAL].result(), runs[HARMONIC].result())
    floor = ring_ffts(problem, source)
    record["ring_ffts"] = min(timing.timed_call(floor, smoothers.clock) for _ in range(2))
    record["rounds"] = rounds
    return record


def harmonic_of(kept, nside):
    """Seconds of harmonic smoothing that a run which is resumed had, of the size."""
    found = [record["seconds"] for record in kept.list("supports") if record["nside"] == nside]
    return {name: time for name, time in found[0].items() if name != RADIAL} if found else {}


def scan(options, smoothers, nside, say, kept, done):
    """One size: harmonic smoothing, which takes the same whatever the width, in turns with the
    first support; radial convolution for every support."""
    problem = problems.Healpix(nside)
    degrees = QUICK_SUPPORTS if options.quick else SUPPORTS
    todo = [value for value in degrees
            if identity(problem, np.radians(value) / WIDTHS, np.radians(value)) not in done]
    if not todo:
        return
    source = sky_of(problem, smoothers.ours)
    harmonic = harmonic_of(kept, nside)
    runs = {} if harmonic else smoothers.runs(problem, np.radians(1.0), source)
    for value in todo:
        support = np.radians(value)
        bind, plan_seconds = radial_run(options, smoothers.ours.library, problem,
                                        support / WIDTHS, support)
        every = {RADIAL: bind(source), **runs}
        info = every[RADIAL].info
        single = set(runs) if nside >= LARGE else ()
        seconds, _ = measure(options, every, (RADIAL, HARMONIC), single)
        if runs:
            harmonic = {name: time for name, time in seconds.items() if name != RADIAL}
            runs = {}
            gc.collect()
        seconds = {RADIAL: seconds[RADIAL], **harmonic}
        record = record_of(problem, support / WIDTHS, support, seconds, plan_seconds, info)
        kept.add("supports", record)
        say(line(record))
        del bind, every
        gc.collect()


def line(record):
    times = "  ".join(f"{name} {1e3 * s:.4g} ms" for name, s in record["seconds"].items())
    return f"{record['scenario']}: {times}  ({record['info']['method']})"


def run(options, say, kept):
    if options.model:
        scenario_radial_model.run(options, say, kept)
        return
    smoothers = Smoothers(options, say)
    kept.result["versions"] = smoothers.versions()
    begin = time.monotonic()
    if options.supports:
        done = {record["scenario"] for record in kept.list("supports")}
        for nside in options.nside or (QUICK_NSIDE[:1] if options.quick else SUPPORT_NSIDE):
            scan(options, smoothers, nside, say, kept, done)
    else:
        done = {record["scenario"] for record in kept.list("smoothing")}
        for problem, fwhm in beams(options):
            if identity(problem, fwhm, None) in done:
                continue
            record = smooth(options, smoothers, problem, fwhm)
            kept.add("smoothing", record)
            say(line(record))
            gc.collect()
    say(f"run.py: took {(time.monotonic() - begin) / 60.0:.1f} minutes")
