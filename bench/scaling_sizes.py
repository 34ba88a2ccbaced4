"""Memory, error and share of peak over the band limit, one thread."""
import numpy as np

import candidates
import problems
import scenario_kernels
import timing
from contest import FAILURES
from scaling_threads import PAIR, spins
from scenario_kernels import WIDE
from scenario_sht import probe_one, round_trip, source_of

LMAX = (127, 255, 511, 1023, 2047, 4095)
MEMORY_LMAX = (511, 1023, 2047, 4095)  # smaller grids take no memory worth the name


def band_limits(options):
    return options.lmax or ((127, 255, 511) if options.quick else LMAX)


def libraries_of(options):
    found = [candidates.Armilla(options.library, options.threads)]
    return found + (candidates.load_peers(options.threads)[0] if options.peers else [])


# --- Memory -------------------------------------------------------------------------------------


def memory(options, say):
    """What plan and call need beyond input and output, each in a process of its own."""
    for spin in spins(options):
        for problem in memory_problems(options, spin):
            for operator in problem.operators:
                for library in libraries_of(options):
                    record = memory_of(options, problem, operator, library)
                    if record:
                        yield record
                        say(f"memory {problem.name} {operator} {library.name}: "
                            f"{100.0 * record['share']:.1f} %")


def memory_problems(options, spin):
    nside = options.nside or ((128, 256) if options.quick else (256, 512, 1024, 2048))
    sizes = options.lmax or ((255, 511) if options.quick else MEMORY_LMAX)
    return ([problems.GaussLegendre(lmax, spin) for lmax in sizes]
            + [problems.Healpix(size, spin) for size in nside])


def memory_of(options, problem, operator, library):
    variants = library.variants(problem, operator)
    if not variants:
        return None
    found = probe_one(options, problem.key, operator, library.name, variants[0])
    if found is None or found["overhead_bytes"] is None:
        return None
    return {"scenario": problem.name, "kind": problem.kind, "lmax": problem.lmax,
            "spin": problem.spin, "operator": operator, "library": library.name,
            "share": max(0, found["overhead_bytes"]) / found["in_out_bytes"],
            "in_out_bytes": found["in_out_bytes"], "overhead_bytes": found["overhead_bytes"],
            "plan_seconds": found["plan_seconds"]}


# --- Accuracy -----------------------------------------------------------------------------------


def accuracy(options, say):
    """alm -> map -> alm on Gauss-Legendre grids, coefficients uniform in [-1, 1) in both parts:
    rms error over rms, and the largest error, of libsharp's equations (17) and (18)."""
    for spin in (0, 1, 2, 3) if options.spin is None else options.spin:
        for lmax in band_limits(options):
            problem = problems.GaussLegendre(lmax, spin)
            alm = problems.random_alm(problem, uniform=True)
            for library in libraries_of(options):
                record = accuracy_of(problem, alm, library, say)
                if record:
                    yield record
                    say(f"accuracy {problem.name} {library.name}: rms {record['rms']:.1e}, "
                        f"largest {record['largest']:.1e}")


def accuracy_of(problem, alm, library, say):
    if not library.variants(problem, "analysis"):
        return None
    try:
        back = round_trip(problem, alm, library)
    except FAILURES as error:
        say(f"  {problem.name} {library.name} skipped: {error}")
        return None
    return {"scenario": problem.name, "lmax": problem.lmax, "spin": problem.spin,
            "library": library.name, "rms": problems.relative_error(back, alm),
            "largest": float(np.abs(back - alm).max())}


# --- Share of peak ------------------------------------------------------------------------------


def peak(options, say):
    """Useful operations per second over the measured peak of the same instruction set: whole
    transforms on Gauss-Legendre grids, and the Legendre stage alone (bench_kernels)."""
    library = candidates.Armilla(options.library).library
    for isa in library.instruction_sets():
        if isa not in WIDE or options.isa not in (None, isa):
            continue
        for stage in scenario_kernels.stages(options, say, isa, band_limits(options)):
            if stage["ntrans"] == 1:
                yield dict(stage, what="Legendre stage", share=stage["share_beside"])
        for spin in spins(options):
            for lmax in band_limits(options):
                yield from whole(options, library, problems.GaussLegendre(lmax, spin), isa, say)


def whole(options, library, problem, isa, say):
    """Whole transforms, with the highest peak of those measured before and after."""
    try:
        plan = library.plan(problem, isa)
    except RuntimeError as error:
        say(f"  {problem.name} skipped: {error}")
        return
    flops = plan.describe()["useful_flops"]
    alm = problems.random_alm(problem)
    for operator in PAIR:
        source = source_of(problem, operator, alm, [candidates.Armilla(library.path)])
        target = problems.outputs(problem, operator)
        runs = {isa: candidates.Run(plan.bind(operator, source, target), lambda: None)}
        before = scenario_kernels.peaks(options, say, isa)
        seconds = timing.alternate(runs, options.repeat, options.budget / 4,
                                   timing.clock_for(1))[0][isa]
        highest = max(before[isa], scenario_kernels.peaks(options, say, isa)[isa])
        gflops = 1e-9 * flops / seconds
        yield {"what": "whole transform", "lmax": problem.lmax, "spin": problem.spin,
               "isa": isa, "operator": operator, "seconds": seconds, "gflops": gflops,
               "peak": highest, "share": gflops / highest}
        say(f"peak {problem.name} {operator} {isa}: {100.0 * gflops / highest:.0f} %")
