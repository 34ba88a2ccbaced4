"""Threads and several transforms at once: Armilla, and ducc0, the peer that takes both per call."""
import candidates
import problems
import timing
from contest import FAILURES, tolerance
from scenario_sht import source_of

PAIR = ("synthesis", "analysis")
STRONG = {"gl": 2047, "healpix": 1024}  # lmax 2047 and 2048
COST_LMAX = (127, 255, 511, 1023, 2047, 4095)
WEAK_RINGS = 4096  # rings, that is lmax + 1, for one thread: libsharp's figure 7
MANY_LMAX = (1023, 2047)
MANY_COUNTS = (1, 2, 3, 4, 5, 6, 8, 10)


def thread_counts(most):
    """All up to 8, then powers of two and the last."""
    if most <= 8:
        return list(range(1, most + 1))
    return [1 << k for k in range(most.bit_length()) if 1 << k < most] + [most]


def contestants(options, threads):
    """Armilla and, with --peers, ducc0 with a number of threads."""
    found = [candidates.Armilla(options.library, threads)]
    if options.peers:
        try:
            import peers
            found.append(peers.Ducc(threads))
        except ImportError:
            pass
    return found


def spins(options):
    return (0, 2) if options.spin is None else options.spin


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
        result = candidates.common_result(run, some, self.operator)[:1]
        if self.reference is None:
            self.reference = result
        error = problems.relative_error(result, self.reference)
        if error <= tolerance(self.problem.lmax):
            self.runs[key] = run
        else:
            self.say(f"  {key} DISAGREES: rms {error:.1e}; not timed")

    def race(self, options, threads):
        """{key: seconds}"""
        if not self.runs:
            return {}
        return timing.alternate(self.runs, options.repeat, options.budget,
                                timing.clock_for(threads))[0]


def source_field(options, problem, operator, say):
    """A Field with its input; None where Armilla cannot do the problem."""
    library = candidates.Armilla(options.library, options.threads)
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
    return by_library(field.race(options, max(counts)))


def by_library(seconds):
    found = {}
    for (name, number), value in seconds.items():
        found.setdefault(name, {})[number] = value
    return found


def describe(problem, operator, library, numbers, **more):
    record = {"scenario": problem.name, "kind": problem.kind, "lmax": problem.lmax,
              "spin": problem.spin, "operator": operator, "library": library}
    return dict(record, numbers=list(numbers), seconds=list(numbers.values()), **more)


def strong(options, say):
    """The same problem on more and more threads."""
    counts = thread_counts(options.threads)
    sizes = {"gl": options.lmax or ((511,) if options.quick else (STRONG["gl"],)),
             "healpix": options.nside or ((256,) if options.quick else (STRONG["healpix"],))}
    chosen = [grid(size, spin) for spin in spins(options)
              for kind, grid in (("gl", problems.GaussLegendre), ("healpix", problems.Healpix))
              for size in sizes[kind]]
    for problem in chosen:
        for operator in problem.operators:
            found = race_threads(options, problem, operator, counts, say)
            for name, seconds in found.items():
                yield describe(problem, operator, name, seconds)
                say(f"strong {problem.name} {operator} {name}: " + gains_line(seconds))


def gains_line(seconds):
    first = seconds[min(seconds)]
    return "  ".join(f"{number}: {value:.4g} s ({first / value:.2f})"
                     for number, value in seconds.items())


def cost(options, say):
    """Many band limits, each on 1, 2, 4, ... threads: time per lmax^3, efficiency."""
    counts = [n for n in thread_counts(options.threads) if n & (n - 1) == 0 or
              n == options.threads]
    for lmax in options.lmax or ((127, 255, 511) if options.quick else COST_LMAX):
        problem = problems.GaussLegendre(lmax)
        for operator in PAIR:
            found = race_threads(options, problem, operator, counts, say)
            for name, seconds in found.items():
                yield describe(problem, operator, name, seconds)
                say(f"cost {problem.name} {operator} {name}: " + gains_line(seconds))


def smooth(number):
    """The closest product of 2, 3 and 5, so that no ring length is awkward."""
    def is_smooth(n):
        for factor in (2, 3, 5):
            while n % factor == 0:
                n //= factor
        return n == 1
    candidates_ = sorted(range(max(1, number // 2), 2 * number), key=lambda n: abs(n - number))
    return next(n for n in candidates_ if is_smooth(n))


def weak(options, say):
    """The same work for each thread: lmax + 1 grows with the cube root of their number."""
    base = (options.lmax[0] + 1) if options.lmax else 512 if options.quick else WEAK_RINGS
    for threads in thread_counts(options.threads):
        problem = problems.GaussLegendre(smooth(round(base * threads ** (1.0 / 3.0))) - 1)
        for operator in PAIR:
            found = race_threads(options, problem, operator, [threads], say)
            for name, seconds in found.items():
                work = ((problem.lmax + 1) / base) ** 3 / threads
                yield describe(problem, operator, name, seconds, work=work)
                say(f"weak {problem.name} {operator} {name}: {threads} threads "
                    f"{seconds[threads]:.4g} s")


def many(options, say):
    """1 to 10 transforms in one call, one thread."""
    for spin in spins(options):
        for lmax in options.lmax or ((255,) if options.quick else MANY_LMAX):
            problem = problems.GaussLegendre(lmax, spin, MANY_COUNTS[-1])
            for operator in PAIR:
                found = race_counts(options, problem, operator, say)
                for name, seconds in found.items():
                    yield describe(problem.times(1), operator, name, seconds)
                    say(f"many {problem.name} {operator} {name}: " + many_line(seconds))


def many_line(seconds):
    return "  ".join(f"{n}: {n * seconds[1] / value:.2f}" for n, value in seconds.items())


def race_counts(options, problem, operator, say):
    """{library: {transforms in one call: seconds}}. One is timed over as many arrays as the last
    count has, one after the other: the same array again and again would stay in the caches."""
    field = source_field(options, problem, operator, say)
    if field is None:
        return {}
    last = MANY_COUNTS[-1]
    for library in contestants(options, 1):
        alone = candidates.OneByOne(library)
        field.add(alone, alone.variants(problem, operator)[0], last, (library.name, 1))
        variant = fastest_variant(library, problem, operator, field.source, field.target, 1)
        for count in MANY_COUNTS[1:]:
            field.add(library, variant, count, (library.name, count))
    found = by_library(field.race(options, 1))
    for seconds in found.values():
        seconds[1] /= last
    return found
