"""Fair timing: candidates alternate in short turns, each call is timed alone, minima count."""
import gc
import time

TURN_SECONDS = 0.03  # many short calls make one turn, so that caches are warm in each
TRIAL_CALLS = 3
LONG_CALL = 3.0  # seconds: after such a first call one more is enough for a first idea
HOPELESS = 3.0  # times the fastest peer's: peers that slow are not called after two rounds


def timed_call(run):
    if run.refresh:
        run.refresh()
    start = time.perf_counter_ns()
    run.run()
    return (time.perf_counter_ns() - start) * 1e-9


def turn(run):
    """Best call of one turn; a long call is a turn of its own."""
    end = time.perf_counter() + TURN_SECONDS
    best = timed_call(run)
    while time.perf_counter() < end:
        best = min(best, timed_call(run))
    return best


def trial(run):
    """A first idea of a variant's time: the first call, which touches memory, does not count."""
    calls = 1 if timed_call(run) > LONG_CALL else TRIAL_CALLS - 1
    return min(timed_call(run) for _ in range(calls))


def drop_hopeless(runs, best, keep):
    """The runs worth further rounds."""
    fastest = min((best[name] for name in runs if name not in keep), default=0.0)
    return {name: run for name, run in runs.items()
            if name in keep or best[name] <= HOPELESS * fastest}


def alternate(runs, rounds, budget, keep=None):
    """runs: {name: Run}. Goes round until `rounds` rounds are done and the budget (seconds) is
    spent; but at most 20 times as many rounds. keep: names that take part in all rounds, however
    slow (None: all). Returns ({name: seconds}, rounds done)."""
    best = {name: float("inf") for name in runs}
    done, end = 0, time.perf_counter() + budget
    gc.disable()
    while done < rounds or (time.perf_counter() < end and done < 20 * rounds):
        for name, run in runs.items():
            best[name] = min(best[name], turn(run))
        done += 1
        if done == 2 and keep is not None:
            runs = drop_hopeless(runs, best, keep)
    gc.enable()
    return best, done
