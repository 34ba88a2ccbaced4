"""Fair timing: candidates alternate in short turns, each call is timed alone, minima count."""
import gc
import time

TURN_SECONDS = 0.03  # many short calls make one turn, so that caches are warm in each
TRIAL_CALLS = 3


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
    timed_call(run)
    return min(timed_call(run) for _ in range(TRIAL_CALLS - 1))


def alternate(runs, rounds, budget):
    """runs: {name: Run}. Goes round until `rounds` rounds are done and the budget (seconds) is
    spent; but at most 20 times as many rounds. Returns ({name: seconds}, rounds done)."""
    best = {name: float("inf") for name in runs}
    done, end = 0, time.perf_counter() + budget
    gc.disable()
    while done < rounds or (time.perf_counter() < end and done < 20 * rounds):
        for name, run in runs.items():
            best[name] = min(best[name], turn(run))
        done += 1
    gc.enable()
    return best, done
