"""Fair timing: candidates alternate in short turns, each call is timed alone, minima count. With
one thread long calls are timed by the processor time of the process, which other programs on the
core do not add to. (That clock is coarse where programs change places: short calls, most of which
nobody interrupts, and several threads are timed by the clock on the wall.)"""
import gc
import time

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
