"""All libraries at one problem and operator: the fastest setting of each, results compared, times
taken in turns. Knowledge spares large problems what smaller ones have shown to be slow."""
import gc
import time

import candidates
import problems
import timing

FAILURES = (RuntimeError, AttributeError, MemoryError, ValueError, TypeError)
# From so many seconds a call on, what is so many times slower than the best is not tried again.
SLOW_VARIANT = ((5.0, 1.05), (0.3, 1.15))
SLOW_PEER = ((1.5, 1.5),)


def tolerance(lmax):
    """rms of the difference over rms, beyond which a time does not count. It grows with the degree
    where rings next to the poles, whose colatitudes the libraries round differently, dominate."""
    return 1e-11 * max(1.0, lmax / 2048)


def too_slow(seconds, best, limits):
    """Is it worth no call, by the first of the limits that holds?"""
    return any(seconds > start and seconds > times * best for start, times in limits)


def is_ours(name):
    return name.startswith("armilla")


class Knowledge:
    """Times of all variants at the largest size so far of each kind of problem."""

    def __init__(self):
        self.found = {}

    @staticmethod
    def kind(key, operator):
        grid, _, spin, ntrans = key.split(":")
        return grid, spin, ntrans, operator

    def learn(self, record):
        if record.get("tried"):
            kind = self.kind(record["key"], record["operator"])
            self.found[kind] = record["lmax"], record["tried"]

    def knows(self, problem, operator):
        return self.kind(problem.key, operator) in self.found

    def expected(self, problem, operator):
        """{library: {variant: seconds}}, scaled by the cube of the band limit."""
        lmax, tried = self.found.get(self.kind(problem.key, operator), (problem.lmax, {}))
        growth = (problem.lmax / lmax) ** 3
        return {library: {variant: growth * seconds for variant, seconds in variants.items()}
                for library, variants in tried.items()}

    def worthwhile(self, problem, operator, library):
        """The variants to try; None: the library is too slow for this size."""
        every = library.variants(problem, operator)
        expected = self.expected(problem, operator)
        mine = expected.get(library.name)
        if not mine:
            return every
        best = min(mine.values())
        peers = [min(times.values()) for name, times in expected.items() if not is_ours(name)]
        if not is_ours(library.name) and too_slow(best, min(peers), SLOW_PEER):
            return None
        return [v for v in every if not too_slow(mine.get(v, best), best, SLOW_VARIANT)]


class Contest:
    def __init__(self, problem, operator, source, libraries, knowledge, threads, say):
        self.clock = timing.clock_for(threads)
        self.problem, self.operator, self.source = problem, operator, source
        self.libraries, self.knowledge, self.say = libraries, knowledge, say
        self.reference = None
        self.runs, self.labels, self.errors, self.tried = {}, {}, {}, {}

    def first_idea(self, run, alone):
        return (timing.timed_call if alone else timing.trial)(run, self.clock)

    def try_variant(self, library, variant, alone):
        """(seconds, run, error), or None with a message where it fails or disagrees."""
        label = f"{library.name} ({variant})"
        try:
            run = library.make(self.problem, self.operator, variant, self.source)
            seconds = self.first_idea(run, alone)
        except FAILURES as error:
            self.say(f"  {label} skipped: {error}")
            return None
        result = candidates.common_result(run, self.problem, self.operator)
        if self.reference is None:
            self.reference = (label, result)
        error = problems.relative_error(result, self.reference[1])
        if not error <= tolerance(self.problem.lmax):
            self.say(f"  {label} DISAGREES with {self.reference[0]}: rms {error:.1e}; not timed")
            return None
        return seconds, run, error

    def enter(self, library):
        """Keeps the library's fastest variant."""
        variants = self.knowledge.worthwhile(self.problem, self.operator, library)
        if variants is None:
            self.say(f"  {library.name} left out: too slow at a smaller size")
            return
        best = None
        for variant in variants:
            tried = self.try_variant(library, variant, len(variants) == 1)
            if tried:
                self.tried.setdefault(library.name, {})[variant] = tried[0]
            if tried and (best is None or tried[0] < best[0]):
                best = tried
                self.labels[library.name] = variant
            del tried
            gc.collect()
        if best:
            self.runs[library.name], self.errors[library.name] = best[1], best[2]

    def enter_all(self):
        for library in sorted(self.libraries, key=lambda one: is_ours(one.name)):
            self.enter(library)  # a peer is the reference wherever there is one

    def hold(self, rounds, budget):
        """The record of this problem and operator, or None. enter_all comes first."""
        if not self.runs:
            return None
        ours = [name for name in self.runs if is_ours(name)]
        mine, wall = time.process_time(), time.perf_counter()
        seconds, done = timing.alternate(self.runs, rounds, budget, self.clock, ours)
        mine, wall = time.process_time() - mine, time.perf_counter() - wall
        for name, value in seconds.items():
            tried = self.tried[name]  # of long calls, the trial counts like a round
            seconds[name] = tried[self.labels[name]] = min(value, tried[self.labels[name]])
        problem = self.problem
        return {"group": problem.group, "scenario": problem.name, "key": problem.key,
                "lmax": problem.lmax, "size": problem.size, "operator": self.operator,
                "seconds": seconds, "variant": self.labels, "tried": self.tried,
                "error": self.errors, "reference": self.reference[0], "rounds": done,
                "stolen": max(0.0, 1.0 - mine / wall),
                "info": {name: run.info for name, run in self.runs.items() if run.info}}
