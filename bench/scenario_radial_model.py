"""The model of the cost by which methods are chosen (src/radial/method.c, describe.c) next to what
calls take: a beam of several widths by each method, harmonic smoothing, HEALPix and Gauss-Legendre
rings."""
import gc

import numpy as np

import problems
import timing
from libradial import Radial
from candidates import Armilla, Run

NSIDE, QUICK_NSIDE = (32, 64, 128, 256, 512, 1024, 2048), (128,)
LMAX, QUICK_LMAX = (511, 1023), (127,)
# Full widths at half maximum, in pixels, of the methods' usual range; at 2.6 widths the kernel
# jumps by 1e-8 of its peak, so that rings are made of equal ones only, where that is possible.
WIDTHS = {"pixels": (2.7, 5.0), "rings": (2.7, 5.0, 12.0, 40.0)}
JUMPS = (2.7, 4.0)
JUMPS_AT = 2.6
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
        sizes = (QUICK_NSIDE, QUICK_LMAX) if options.quick else (NSIDE, LMAX)
    return ([problems.Healpix(nside) for nside in sizes[0]]
            + [problems.GaussLegendre(lmax) for lmax in sizes[1]])


def cases(problem):
    """(method, FWHM, support or None). Pixels of a square as large as the mean one."""
    pixel = np.sqrt(4.0 * np.pi / problem.npix)
    for method, widths in WIDTHS.items():
        for width in widths:
            yield method, width * pixel, None
    for width in JUMPS:
        yield "fastest", width * pixel, JUMPS_AT * width * pixel


def radial_record(options, ours, problem, plan, case, maps):
    method, fwhm, support = case
    radial = Radial(ours.library, problem.new_grid, fwhm, support, method)
    info = radial.describe()
    predicted, _ = radial.compare(plan)
    run = Run(radial.bind(maps[0], maps[1], 1), lambda: maps[1])
    width = fwhm / np.sqrt(4.0 * np.pi / problem.npix)
    name = f"FWHM {width:.3g} pixels" + (", cut" if support else "")
    return {"problem": problem.name, "case": name, "method": info["method"],
            "predicted": predicted, "seconds": seconds_of(run, options)}


def harmonic_record(options, ours, problem, plan, maps):
    """Both transforms, each on its own."""
    anywhere = Radial(ours.library, problem.new_grid, 0.5, 0.01, "pixels")
    _, predicted = anywhere.compare(plan)
    alm = problems.random_alm(problem)
    runs = (Run(plan.bind("adjoint_synthesis", maps[0], alm), lambda: alm),
            Run(plan.bind("synthesis", alm, maps[1]), lambda: maps[1]))
    return {"problem": problem.name, "case": "harmonic", "method": "harmonic",
            "predicted": predicted, "seconds": sum(seconds_of(run, options) for run in runs)}


def run(options, say, kept):
    ours = Armilla(options.library, 1)
    kept.result["versions"] = {ours.name: ours.version}
    done = {(record["problem"], record["case"]) for record in kept.list("model")}
    for problem in chosen_problems(options):
        plan = ours.library.plan(problem)
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
