"""Times libraries fairly: they alternate in short turns, each call is timed alone, minima count;
and the time for a run is shared among its problems. In a contest of all libraries at one problem,
each runs with its fastest setting, results are compared, and what smaller sizes have shown to be
slow is not tried at large ones."""
import gc
import time

import problems
from libraries import common_result

FAILURES = (RuntimeError, AttributeError, MemoryError, ValueError, TypeError)
# With one thread long calls are timed by the processor time of the process, which other programs on
# the core do not add to. (That clock is coarse where programs change places: short calls, most of
# which nobody interrupts, and several threads are timed by the clock on the wall.)
# Many short calls make one turn, so that caches are warm in each. A turn's length is taken by the
# clock of the long calls: beside other programs it has as many calls as on an idle core.
TURN_SECONDS = 0.03
TRIAL_CALLS = 3
WALL_BELOW = 0.003  # seconds
LONG_CALL, VERY_LONG_CALL = 0.5, 5.0  # seconds: after such a first call one or none more
LONG_ROUNDS = ((20.0, 1), (8.0, 3))  # after a first round of so many seconds, rounds at least
HOPELESS = 3.0  # times the fastest peer's: peers that slow are not called after two rounds


def clock_for(threads):
    return time.process_time_ns if threads == 1 else time.perf_counter_ns


def timed_call(run, clock):
    """Seconds of one call; clock: of the long ones."""
    if run.refresh:
        run.refresh()
    start, wall_start = clock(), time.perf_counter_ns()
    run.run()
    wall = time.perf_counter_ns() - wall_start
    return 1e-9 * (wall if wall < 1e9 * WALL_BELOW else clock() - start)


def turn(run, clock):
    """Best call of one turn; a long call is a turn of its own."""
    end = clock() + 1e9 * TURN_SECONDS
    best = timed_call(run, clock)
    while clock() < end:
        best = min(best, timed_call(run, clock))
    return best


def trial(run, clock):
    """A first idea of a variant's time: the first call, which touches memory, does not count."""
    first = timed_call(run, clock)
    if first > VERY_LONG_CALL:
        return first
    calls = 1 if first > LONG_CALL else TRIAL_CALLS - 1
    return min(timed_call(run, clock) for _ in range(calls))


def drop_hopeless(runs, best, keep):
    """The runs worth further rounds."""
    fastest = min((best[name] for name in runs if name not in keep), default=0.0)
    return {name: run for name, run in runs.items()
            if name in keep or best[name] <= HOPELESS * fastest}


def fewer_rounds(rounds, first_round):
    """rounds, or fewer where the first one took long."""
    return min([rounds] + [few for seconds, few in LONG_ROUNDS if first_round > seconds])


def alternate(runs, rounds, budget, clock, keep=None, turns=None):
    """runs: {name: Run}. Goes round until `rounds` rounds are done (fewer, where one takes long)
    and the budget (seconds) is spent; but at most 20 times as many rounds. keep: names that take
    part in all rounds, however slow (None: all). turns: {name: []} to add the best call of every
    turn to, or None. Returns ({name: seconds}, rounds done)."""
    best = {name: float("inf") for name in runs}
    most, done, begin = 20 * rounds, 0, time.perf_counter()
    gc.disable()
    while done < rounds or (time.perf_counter() < begin + budget and done < most):
        for name, run in runs.items():
            seconds = turn(run, clock)
            best[name] = min(best[name], seconds)
            if turns is not None:
                turns[name].append(seconds)
        done += 1
        if done == 1:
            rounds = fewer_rounds(rounds, time.perf_counter() - begin)
        if done == 2 and keep is not None:
            runs = drop_hopeless(runs, best, keep)
    gc.enable()
    return best, done


# --- How long problems take, and how a given time is shared among them ---------------------------

SPEED = 4e10  # useful operations per second, roughly a library's on one core
CALLS = 22  # of all libraries together, trials and conversions of results included
FIXED = 2.0  # seconds, whatever the size


def estimate(problem):
    """Seconds for both operators, within a factor of two."""
    rings = 2.0 if problem.kind == "healpix" else 1.0
    operations = (1.0 if problem.spin == 0 else 3.3) * problem.ntrans * rings * problem.lmax ** 3
    return len(problem.operators) * (FIXED + CALLS * operations / SPEED)


class Purse:
    def __init__(self, minutes, problems_left):
        """minutes: for all, or None: as long as it takes."""
        self.end = time.monotonic() + 60.0 * minutes if minutes else None
        self.left = [estimate(problem) for problem in problems_left]

    def open(self):
        """Seconds for the next problem (0: it does not fit), or None: as long as it takes."""
        mine, every = self.left[0], sum(self.left)
        self.left.pop(0)
        if self.end is None:
            return None
        left = self.end - time.monotonic()
        return 0.0 if left < 0.5 * mine else left * mine / every


# --- Contests ------------------------------------------------------------------------------------

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
        self.clock = clock_for(threads)
        self.problem, self.operator, self.source = problem, operator, source
        self.libraries, self.knowledge, self.say = libraries, knowledge, say
        self.reference = None
        self.runs, self.labels, self.errors, self.tried = {}, {}, {}, {}

    def first_idea(self, run, alone):
        return (timed_call if alone else trial)(run, self.clock)

    def try_variant(self, library, variant, alone):
        """(seconds, run, error), or None with a message where it fails or disagrees."""
        label = f"{library.name} ({variant})"
        try:
            run = library.make(self.problem, self.operator, variant, self.source)
            seconds = self.first_idea(run, alone)
        except FAILURES as error:
            self.say(f"  {label} skipped: {error}")
            return None
        result = common_result(run, self.problem, self.operator)
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
        seconds, done = alternate(self.runs, rounds, budget, self.clock, ours)
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
