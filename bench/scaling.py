"""Measures how time, memory and error grow: with threads, the band limit, the number of transforms
(Armilla beside ducc0, the peer that takes threads and transforms per call), and makes the tables of
that. The scenarios are those of libsharp's paper (Reinecke & Seljebotn 2013, figures 5 to 11)."""
import numpy as np

import kernels
import problems
import targets
import timing
from libarmilla import Plan
from libraries import Armilla, Ducc, OneByOne, Run, common_result, load_peers
from results import number, table
from sht import probe_one, round_trip, source_of
from timing import FAILURES, tolerance

PAIR = ("synthesis", "analysis")
# What a scenario takes where no option says otherwise: lmax and nside of full and of quick runs.
LMAX = {"strong": ((2047,), (511,)), "cost": ((127, 255, 511, 1023, 2047, 4095), (127, 255, 511)),
        "many": ((1023, 2047), (255,)), "memory": ((511, 1023, 2047, 4095), (255, 511)),
        "weak": ((4095,), (511,))}  # of one thread, as in libsharp's figure 7
LMAX["accuracy"] = LMAX["peak"] = LMAX["cost"]
NSIDE = {"strong": ((1024,), (256,)), "memory": ((256, 512, 1024, 2048), (128, 256))}
SPINS = {"accuracy": (0, 1, 2, 3)}  # else:
USUAL_SPINS = (0, 2)
MANY_COUNTS = (1, 2, 3, 4, 5, 6, 8, 10)


def lmax_of(name, options):
    return options.lmax or LMAX[name][options.quick]


def spins_of(name, options):
    return SPINS.get(name, USUAL_SPINS) if options.spin is None else options.spin


def problems_of(name, options):
    """Gauss-Legendre and HEALPix grids."""
    return [grid(size, spin) for spin in spins_of(name, options)
            for grid, sizes in ((problems.GaussLegendre, lmax_of(name, options)),
                                (problems.Healpix, options.nside or NSIDE[name][options.quick]))
            for size in sizes]


def identity(problem, **more):
    return dict({"scenario": problem.name, "kind": problem.kind, "lmax": problem.lmax,
                 "spin": problem.spin}, **more)


# --- Races --------------------------------------------------------------------------------------


def contestants(options, threads):
    """Armilla and, with --peers, ducc0 with a number of threads."""
    found = [Armilla(options.library, threads)]
    if options.peers:
        try:
            found.append(Ducc(threads))
        except ImportError:
            pass
    return found


def fastest_variant(library, problem, operator, source, target, threads):
    """Its name, or None where the library cannot."""
    variants = library.variants(problem, operator)
    if len(variants) == 1:
        return variants[0]
    seconds = {}
    for variant in variants:
        run = library.prepare(problem, operator, variant)(source, target)
        seconds[variant] = timing.trial(run, timing.clock_for(threads))
    return min(seconds, key=seconds.get)


class Field:
    """Runs of one problem and operator that share input and output, alternated."""

    def __init__(self, problem, operator, source, say):
        self.problem, self.operator, self.source, self.say = problem, operator, source, say
        self.target = problems.outputs(problem, operator)
        self.runs, self.reference = {}, None

    def add(self, library, variant, count, key):
        """The library with the first `count` transforms, if its result agrees with the first's."""
        some = self.problem.times(count)
        run = library.prepare(some, self.operator, variant)(self.source[:count],
                                                            self.target[:count])
        run.run()
        result = common_result(run, some, self.operator)[:1]
        if self.reference is None:
            self.reference = result
        error = problems.relative_error(result, self.reference)
        if error <= tolerance(self.problem.lmax):
            self.runs[key] = run
        else:
            self.say(f"  {key} DISAGREES: rms {error:.1e}; not timed")

    def race(self, options, threads):
        """{library: {number: seconds}}; keys of runs are (library, number)."""
        found = {}
        if self.runs:
            seconds, _ = timing.alternate(self.runs, options.repeat, options.budget,
                                          timing.clock_for(threads))
            for (name, count), value in seconds.items():
                found.setdefault(name, {})[count] = value
        return found


def source_field(options, problem, operator, say):
    """A Field with its input; None where Armilla cannot do the problem."""
    library = Armilla(options.library, options.threads)
    try:
        source = source_of(problem, operator, problems.random_alm(problem), [library])
        if source is None:
            raise RuntimeError("no map to analyse")
        library.prepare(problem, operator, "plan")
    except FAILURES as error:
        say(f"  {problem.name} {operator} skipped: {error}")
        return None
    return Field(problem, operator, source, say)


def race_threads(options, problem, operator, counts, say):
    """{library: {threads: seconds}}"""
    field = source_field(options, problem, operator, say)
    if field is None:
        return {}
    for threads in counts:
        for library in contestants(options, threads):
            variant = fastest_variant(library, problem, operator, field.source, field.target,
                                      threads)
            field.add(library, variant, 1, (library.name, threads))
    return field.race(options, max(counts))


def race_counts(options, problem, operator, counts, say):
    """{library: {transforms in one call: seconds}}. One is timed over as many arrays as the last
    count has, one after the other: the same array again and again would stay in the caches."""
    field, last = source_field(options, problem, operator, say), counts[-1]
    if field is None:
        return {}
    for library in contestants(options, 1):
        alone = OneByOne(library)
        field.add(alone, alone.variants(problem, operator)[0], last, (library.name, 1))
        variant = fastest_variant(library, problem, operator, field.source, field.target, 1)
        for count in counts[1:]:
            field.add(library, variant, count, (library.name, count))
    found = field.race(options, 1)
    for seconds in found.values():
        seconds[1] /= last
    return found


# --- Threads, and several transforms at once ----------------------------------------------------


def thread_counts(most):
    """All up to 8, then powers of two and the last."""
    if most <= 8:
        return list(range(1, most + 1))
    return [1 << k for k in range(most.bit_length()) if 1 << k < most] + [most]


def smooth(size):
    """The closest product of 2, 3 and 5, so that no ring length is awkward."""
    return min((n for n in range(max(1, size // 2), 2 * size) if problems.largest_prime(n) <= 5),
               key=lambda n: abs(n - size))


def strong(options):
    """The same problem on more and more threads: yields (problem, counts, more of the record)."""
    for problem in problems_of("strong", options):
        yield problem, thread_counts(options.threads), {}


def cost(options):
    """Many band limits, each on 1, 2, 4, ... threads: time per lmax^3, efficiency."""
    counts = [n for n in thread_counts(options.threads)
              if n & (n - 1) == 0 or n == options.threads]
    for lmax in lmax_of("cost", options):
        yield problems.GaussLegendre(lmax), counts, {}


def weak(options):
    """The same work for each thread: lmax + 1 grows with the cube root of their number."""
    base = lmax_of("weak", options)[0] + 1
    for threads in thread_counts(options.threads):
        problem = problems.GaussLegendre(smooth(round(base * threads ** (1.0 / 3.0))) - 1)
        yield problem, [threads], {"work": ((problem.lmax + 1) / base) ** 3 / threads}


def many(options):
    """1 to 10 transforms in one call, one thread."""
    for spin in spins_of("many", options):
        for lmax in lmax_of("many", options):
            yield problems.GaussLegendre(lmax, spin, MANY_COUNTS[-1]), MANY_COUNTS, {}


def races(name, cases, race):
    """The scenario that races libraries at all cases: a function of options and say."""
    def scenario(options, say):
        for problem, counts, more in cases(options):
            for operator in problem.operators:
                for library, seconds in race(options, problem, operator, counts, say).items():
                    yield identity(problem.times(1), operator=operator, library=library,
                                   numbers=list(seconds), seconds=list(seconds.values()), **more)
                    times = "  ".join(f"{n}: {value:.4g} s" for n, value in seconds.items())
                    say(f"{name} {problem.name} {operator} {library}: {times}")
    return scenario


# --- Memory and accuracy ------------------------------------------------------------------------


def libraries_of(options):
    found = [Armilla(options.library, options.threads)]
    return found + (load_peers(options.threads)[0] if options.peers else [])


def memory(options, say):
    """What plan and call need beyond input and output, each in a process of its own."""
    for problem in problems_of("memory", options):
        for operator in problem.operators:
            for library in libraries_of(options):
                record = memory_of(options, problem, operator, library)
                if record:
                    yield record
                    say(f"memory {problem.name} {operator} {library.name}: "
                        f"{100.0 * record['share']:.1f} %")


def memory_of(options, problem, operator, library):
    variants = library.variants(problem, operator)
    found = variants and probe_one(options, problem.key, operator, library.name, variants[0])
    if not found or found["overhead_bytes"] is None:
        return None
    return identity(problem, operator=operator, library=library.name,
                    share=max(0, found["overhead_bytes"]) / found["in_out_bytes"],
                    **{name: found[name] for name in ("in_out_bytes", "overhead_bytes",
                                                      "plan_seconds")})


def accuracy(options, say):
    """alm -> map -> alm on Gauss-Legendre grids, coefficients uniform in [-1, 1) in both parts:
    rms error over rms, and the largest error, of libsharp's equations (17) and (18)."""
    for spin in spins_of("accuracy", options):
        for lmax in lmax_of("accuracy", options):
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
    return identity(problem, library=library.name, rms=problems.relative_error(back, alm),
                    largest=float(np.abs(back - alm).max()))


# --- Share of peak ------------------------------------------------------------------------------


def peak(options, say):
    """Useful operations per second over the measured peak of the same instruction set: whole
    transforms on Gauss-Legendre grids, and the Legendre stage alone (bench_kernels)."""
    library, lmax = Armilla(options.library).library, lmax_of("peak", options)
    for isa in library.instruction_sets():
        if isa not in kernels.WIDE or options.isa not in (None, isa):
            continue
        for stage in kernels.stages(options, say, isa, lmax):
            if stage["ntrans"] == 1:
                yield dict(stage, what="Legendre stage", share=stage["share_beside"])
        for spin in spins_of("peak", options):
            for size in lmax:
                yield from whole(options, library, problems.GaussLegendre(size, spin), isa, say)


def whole(options, library, problem, isa, say):
    """Whole transforms, with the highest peak of those measured before and after."""
    try:
        plan = Plan(library, problem, isa)
    except RuntimeError as error:
        say(f"  {problem.name} skipped: {error}")
        return
    flops = plan.describe()["useful_flops"]
    alm = problems.random_alm(problem)
    for operator in PAIR:
        source = source_of(problem, operator, alm, [Armilla(library.path)])
        target = problems.outputs(problem, operator)
        runs = {isa: Run(plan.bind(operator, source, target), lambda: None)}
        before = kernels.peaks(options, say, isa)
        seconds = timing.alternate(runs, options.repeat, options.budget / 4,
                                   timing.clock_for(1))[0][isa]
        highest = max(before[isa], kernels.peaks(options, say, isa)[isa])
        gflops = 1e-9 * flops / seconds
        yield {"what": "whole transform", "lmax": problem.lmax, "spin": problem.spin,
               "isa": isa, "operator": operator, "seconds": seconds, "gflops": gflops,
               "peak": highest, "share": gflops / highest}
        say(f"peak {problem.name} {operator} {isa}: {100.0 * gflops / highest:.0f} %")


# --- All of them --------------------------------------------------------------------------------

SCALING = {"strong": races("strong", strong, race_threads),
           "weak": races("weak", weak, race_threads), "cost": races("cost", cost, race_threads),
           "many": races("many", many, race_counts), "memory": memory, "accuracy": accuracy,
           "peak": peak}


def run(options, say, kept):
    """Each scenario adds its records to the list of its name; "finished" lists the scenarios that
    came to their end."""
    versions = {"armilla": Armilla(options.library).version}
    if options.peers:
        peers, missing = load_peers()
        versions.update({peer.name: peer.version for peer in peers})
        for message in missing:
            say(message)
    kept.result["versions"] = versions
    finished = kept.list("finished")
    for name in options.scenario or SCALING:
        if name in finished:
            continue
        kept.list(name).clear()
        for record in SCALING[name](options, say):
            kept.add(name, record)
        finished.append(name)
        if kept.list(name):
            kept.write()


# --- Tables -------------------------------------------------------------------------------------


def pairs(records):
    """Yields (record of the first operator, {number: seconds of both operators})."""
    parts = {}
    for record in records:
        parts.setdefault((record["library"], record["scenario"]), []).append(record)
    for first, *rest in parts.values():
        if len(rest) == 1:
            other = dict(zip(rest[0]["numbers"], rest[0]["seconds"]))
            yield first, {n: value + other[n]
                          for n, value in zip(first["numbers"], first["seconds"]) if n in other}


def strong_rows(records):
    for record, seconds in pairs(records):
        for threads, value in seconds.items():
            gain = seconds[1] / value
            target = targets.TWO_THREADS if threads == 2 else None
            yield [record["scenario"], record["library"], str(threads), f"{value:.3e}",
                   f"{gain:.2f}", f"{100.0 * gain / threads:.0f} %", number(target, "{:.2f}"),
                   targets.at_least(gain, target)]


def cost_rows(records):
    for record, seconds in pairs(records):
        for threads, value in seconds.items():
            cube = 1e12 * value * threads / (record["lmax"] + 1.0) ** 3
            yield [record["scenario"], record["library"], str(threads), f"{value:.3e}",
                   f"{cube:.2f}", f"{100.0 * seconds[1] / value / threads:.0f} %"]


def weak_rows(records):
    """The work for each thread is not quite the same, for the sake of good ring lengths: efficiency
    allows for it."""
    first = {}
    for record, seconds in pairs(records):
        for threads, value in seconds.items():
            one = first.setdefault(record["library"], value / record["work"])
            yield [record["library"], str(threads), str(record["lmax"]), f"{value:.3e}",
                   f"{100.0 * one * record['work'] / value:.0f} %"]


def many_rows(records):
    for record, seconds in pairs(records):
        gains = {n: n * seconds[1] / value for n, value in seconds.items()}
        target = targets.MANY if record["spin"] == 0 else None
        yield [record["scenario"], record["library"],
               "  ".join(f"{n}: {g:.2f}" for n, g in gains.items()), number(target, "{:.2f}"),
               targets.at_least(gains[max(gains)], target)]


def memory_rows(records):
    for record in records:
        yield [record["scenario"], record["operator"], record["library"],
               f"{1e-6 * record['in_out_bytes']:.1f}", f"{1e-6 * record['overhead_bytes']:.1f}",
               f"{100.0 * record['share']:.1f}",
               targets.at_most(record["share"], targets.memory(record["lmax"]))]


def accuracy_rows(records):
    for record in records:
        yield [record["scenario"], record["library"], f"{record['rms']:.1e}",
               f"{record['largest']:.1e}"]


def peak_rows(records):
    for record in records:
        yield [record["what"], str(record["spin"]), str(record["lmax"]), record["isa"],
               record["operator"], f"{record['seconds']:.3e}", f"{record['gflops']:.1f}",
               f"{100.0 * record['share']:.1f}"]


TABLES = {  # scenario: (title, header, rows)
    "strong": ("Strong scaling, both operators together", "grid|library|threads|s|over one|"
               "efficiency|target|", strong_rows),
    "weak": ("Weak scaling, synthesis + analysis, Gauss-Legendre, spin 0",
             "library|threads|lmax|s|efficiency", weak_rows),
    "cost": ("Cost, synthesis + analysis", "grid|library|threads|s|core ps / (lmax + 1)^3|"
             "efficiency", cost_rows),
    "many": ("Several transforms at once, both operators", "grid|library|transforms at once: gain|"
             "target for all|", many_rows),
    "memory": ("Memory beyond input and output", "grid|operator|library|in + out, MB|beyond, MB|%|"
               f"at most {100.0 * targets.MEMORY:.0f}", memory_rows),
    "accuracy": ("Round trips alm -> map -> alm", "grid|library|rms|largest error", accuracy_rows),
    "peak": ("Share of the measured peak", "what|spin|lmax|isa|operator|s|useful GFlop/s|"
             "% of the peak", peak_rows),
}


def text(result):
    return "\n\n".join(f"{title}:\n\n" + table(header.split("|"), list(rows(result[name])))
                       for name, (title, header, rows) in TABLES.items() if result.get(name))
