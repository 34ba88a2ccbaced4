"""The libraries compared. Each offers, for a problem and an operator, one or more variants (its
settings); a variant is prepared once (its plan) and bound to arrays as Runs: call one to compute,
`result()` gives the output in common order."""
import contextlib
import ctypes
import os

import numpy as np

from libarmilla import Library
from problems import forget_low_degrees, outputs


class Run:
    """run: the timed call. refresh: restores an input that the call destroys (not timed), or None.
    result: output as maps in ring order from the north, or triangular alm. copy_bytes: memory that
    this driver adds to convert or refresh input; the library is not charged for it."""

    def __init__(self, run, result, refresh=None, info=None, copy_bytes=0):
        self.run, self.result, self.refresh = run, result, refresh
        self.info, self.copy_bytes = info or {}, copy_bytes


class Candidate:
    """variants(problem, operator): names of settings, none where it cannot.
    prepare(problem, operator, variant): a function from the input array to a Run. (Of Armilla and
    ducc0 it also takes an output array, else it makes one.)"""

    def make(self, problem, operator, variant, source):
        return self.prepare(problem, operator, variant)(source)


@contextlib.contextmanager
def stdout_to_stderr():
    """Also for what C code prints."""
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
        ctypes.CDLL(None).fflush(None)
    finally:
        os.dup2(kept, 1)
        os.close(kept)


class Armilla(Candidate):
    name = "armilla"

    def __init__(self, path, threads=1):
        self.library, self.threads = Library(path), threads
        self.version = self.library.version

    def variants(self, problem, operator):
        return ["plan"]

    def prepare(self, problem, operator, variant):
        plan = self.library.plan(problem)

        def bind(source, target=None):
            target = outputs(problem, operator) if target is None else target
            return Run(plan.bind(operator, source, target, self.threads), lambda: target,
                       info=plan.describe(self.threads))
        return bind


class OneByOne(Candidate):
    """A library that does the transforms of a problem one after the other, with one plan."""

    def __init__(self, library):
        self.library, self.version = library, library.version
        self.name = library.name + ", one by one"

    def variants(self, problem, operator):
        return self.library.variants(problem.times(1), operator)

    def prepare(self, problem, operator, variant):
        bind_one = self.library.prepare(problem.times(1), operator, variant)

        def bind(source, target=None):
            into = [()] * problem.ntrans if target is None else [
                (target[i:i + 1],) for i in range(problem.ntrans)]
            runs = [bind_one(source[i:i + 1], *into[i]) for i in range(problem.ntrans)]

            def run():
                for one in runs:
                    one.run()

            def refresh():
                for one in runs:
                    one.refresh()
            return Run(run, lambda: [one.result() for one in runs],
                       refresh if runs[0].refresh else None,
                       copy_bytes=sum(one.copy_bytes for one in runs))
        return bind


def common_result(run, problem, operator):
    """A copy of the output that can be compared."""
    shape = problem.map_shape if operator == "synthesis" else problem.alm_shape
    result = np.array(run.result()).reshape(shape)
    if operator != "synthesis":
        forget_low_degrees(result, problem)
    return result


def peer_classes():
    import peers
    import libsharp
    return (peers.Ducc, peers.Shtns, peers.Healpy, libsharp.Libsharp)


def load_peers(threads=1):
    """Those that are installed; a message for each that is not."""
    found, missing = [], []
    for candidate in peer_classes():
        try:
            found.append(candidate(threads))
        except (ImportError, OSError) as error:
            missing.append(f"{candidate.name} skipped: {error}")
    return found, missing
