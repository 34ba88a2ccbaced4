"""Times smoothing with a narrow beam, and makes the tables: Armilla's radial convolution next to
harmonic smoothing (map -> coefficients, times b_l, -> map) by Armilla and its peers. HEALPix, band
limit 2 nside, no iteration."""
import gc
import time

import numpy as np

import problems
import targets
import timing
from libarmilla import Plan, Radial, aligned_zeros
from libraries import Armilla, Run, load_peers
from results import number, table
from timing import FAILURES

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
    plan = Radial(library, problem, fwhm, support, method)
    seconds = 1e-9 * (clock() - start)

    def bind(source):
        target = problems.outputs(problem, "synthesis")
        return Run(plan.bind("convolve", source, target, options.threads), lambda: target,
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
        run_model(options, say, kept)
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


# --- The model of the cost -----------------------------------------------------------------------

# The model of the cost by which methods are chosen (src/radial/method.c, describe.c) next to what
# calls take: a beam of several widths by each method, harmonic smoothing, HEALPix and
# Gauss-Legendre rings.
# Nside and lmax (full runs, quick ones).
MODEL_SIZES = (((32, 64, 128, 256, 512, 1024, 2048), (511, 1023)), ((128,), (127,)))
# Full widths at half maximum, in pixels, of the methods' usual range; at 2.6 widths the kernel
# jumps by 1e-8 of its peak, so that rings are made of equal ones only, where that is possible.
MODEL_WIDTHS = {"pixels": (2.7, 5.0), "rings": (2.7, 5.0, 12.0, 40.0)}
JUMPS = (2.7, 4.0)
JUMP_AT = 2.6
WITHIN = (0.8, 1.25)  # predicted over measured


def seconds_of(run, options):
    """The best of a few calls, of as many as take a tenth of a second where they are short; the
    first one does not count."""
    clock = timing.clock_for(options.threads)
    first = timing.timed_call(run, clock)
    calls = max(2, min(options.repeat, int(options.budget / first)), int(0.1 / first))
    return min(timing.timed_call(run, clock) for _ in range(calls))


def chosen_problems(options):
    if options.nside or options.lmax:
        sizes = options.nside or (), options.lmax or ()
    else:
        sizes = MODEL_SIZES[options.quick]
    return ([problems.Healpix(nside) for nside in sizes[0]]
            + [problems.GaussLegendre(lmax) for lmax in sizes[1]])


def cases(problem):
    """(method, FWHM, support or None). Pixels of a square as large as the mean one."""
    pixel = np.sqrt(4.0 * np.pi / problem.npix)
    for method, widths in MODEL_WIDTHS.items():
        for width in widths:
            yield method, width * pixel, None
    for width in JUMPS:
        yield "fastest", width * pixel, JUMP_AT * width * pixel


def radial_record(options, ours, problem, plan, case, maps):
    method, fwhm, support = case
    radial = Radial(ours.library, problem, fwhm, support, method)
    info = radial.describe()
    predicted, _ = radial.compare(plan)
    run = Run(radial.bind("convolve", maps[0], maps[1]), lambda: maps[1])
    width = fwhm / np.sqrt(4.0 * np.pi / problem.npix)
    name = f"FWHM {width:.3g} pixels" + (", cut" if support else "")
    return {"problem": problem.name, "case": name, "method": info["method"],
            "predicted": predicted, "seconds": seconds_of(run, options)}


def harmonic_record(options, ours, problem, plan, maps):
    """Both transforms, each on its own."""
    anywhere = Radial(ours.library, problem, 0.5, 0.01, "pixels")
    _, predicted = anywhere.compare(plan)
    alm = problems.random_alm(problem)
    runs = (Run(plan.bind("adjoint_synthesis", maps[0], alm), lambda: alm),
            Run(plan.bind("synthesis", alm, maps[1]), lambda: maps[1]))
    return {"problem": problem.name, "case": "harmonic", "method": "harmonic",
            "predicted": predicted, "seconds": sum(seconds_of(run, options) for run in runs)}


def run_model(options, say, kept):
    ours = Armilla(options.library, 1)
    kept.result["versions"] = {ours.name: ours.version}
    done = {(record["problem"], record["case"]) for record in kept.list("model")}
    for problem in chosen_problems(options):
        plan = Plan(ours.library, problem)
        maps = problems.random_map(problem), problems.outputs(problem, "synthesis")
        todo = [lambda: harmonic_record(options, ours, problem, plan, maps)]
        todo += [lambda case=case: radial_record(options, ours, problem, plan, case, maps)
                 for case in cases(problem)]
        for make in todo:
            record = make()
            if (record["problem"], record["case"]) in done:
                continue
            kept.add("model", record)
            say(f"{record['problem']}, {record['case']}, {record['method']}: predicted "
                f"{record['predicted']:.3g} s, measured {record['seconds']:.3g} s, ratio "
                f"{record['predicted'] / record['seconds']:.2f}")
        gc.collect()


# --- Tables --------------------------------------------------------------------------------------

def fastest_peer(record):
    return min((name for name in record["seconds"] if not name.startswith(RADIAL)),
               key=record["seconds"].get, default=None)


def gain_over_peer(record):
    peer = fastest_peer(record)
    return record["seconds"][peer] / record["seconds"][RADIAL] if peer else None


def gain_over_harmonic(record):
    return record["seconds"][HARMONIC] / record["seconds"][RADIAL]


def times_of(record, names):
    return [number(record["seconds"].get(name), "{:.3e}") for name in names]


def names_of(records):
    return list(dict.fromkeys(name for record in records for name in record["seconds"]))


def gain_row(record, names, column):
    peer, own = gain_over_peer(record), gain_over_harmonic(record)
    wanted = targets.RADIAL.get(record["nside"], {}).get(column, (None, None))
    return ([record["scenario"], f"{record['support']:.2f}"] + times_of(record, names)
            + [number(peer, "{:.2f}"), number(wanted[0], "{:.0f}"),
               targets.at_least(peer, wanted[0]), f"{own:.2f}", number(wanted[1], "{:.1f}"),
               targets.at_least(own, wanted[1])])


def gain_table(records, column):
    names = names_of(records)
    header = (["problem", "support, degrees"] + [f"{name}, s" for name in names]
              + ["peer / radial", "target", "", "own harmonic / radial", "target", ""])
    return table(header, [gain_row(record, names, column) for record in records])


def cost_row(record):
    seconds, info = record["seconds"][RADIAL], record["info"]
    plan = record["plan_seconds"] / seconds
    plan_target, memory_target = targets.radial_costs(record["nside"])
    return [record["scenario"], info["method"], f"{info['pairs']:.3e}",
            f"{2e-9 * info['pairs'] / seconds:.1f}" if info["method"] == "pixels" else "-",
            number(record.get("ring_ffts"), "{:.3e}"),
            f"{100.0 * plan:.1f}", targets.at_most(plan, plan_target),
            f"{100.0 * record['memory_share']:.1f}",
            targets.at_most(record["memory_share"], memory_target),
            number(record.get("error"), "{:.0e}")]


def cost_table(records):
    header = ["problem", "method", "products", "GFlop/s of them", "ring FFTs there and back, s",
              "plan, % of a call", f"at most {100.0 * targets.RADIAL_PLAN:.0f}",
              "memory, % of in + out", f"at most {100.0 * targets.RADIAL_MEMORY:.0f}",
              "rms to harmonic"]
    return table(header, [cost_row(record) for record in records])


def model_row(record):
    ratio = record["predicted"] / record["seconds"]
    low, high = WITHIN
    return [record["problem"], record["case"], record["method"], f"{record['predicted']:.3e}",
            f"{record['seconds']:.3e}", f"{ratio:.2f}", "yes" if low <= ratio <= high else "no"]


def model_table(records):
    low, high = WITHIN
    return table(["problem", "case", "method", "predicted, s", "measured, s",
                  "predicted / measured", f"{low} to {high}"], [model_row(r) for r in records])


def text(result):
    parts = []
    if result.get("model"):
        parts += ["Model of the cost, one core:", model_table(result["model"])]
    for name, title in (("smoothing", "Narrow beams"), ("supports", "Supports")):
        records = result.get(name)
        if records:
            parts += [f"{title}: seconds, and harmonic smoothing over radial convolution:",
                      gain_table(records, result["machine"]["column"]), cost_table(records)]
    return "\n\n".join(parts)
