"""Transforms on ring grids: Armilla next to the peers, same cores, same run, same grid."""
import gc
import json
import subprocess
import sys

import candidates
import problems
import scenarios
import timing
from ratios import best_peer, gain_at_once, ratio

FAILURES = (RuntimeError, AttributeError, MemoryError, ValueError, TypeError)


def tolerance(lmax):
    """rms of the difference over rms, beyond which a time does not count. It grows with the degree
    where rings next to the poles, whose colatitudes the libraries round differently, dominate."""
    return 1e-11 * max(1.0, lmax / 2048)


def load_libraries(options):
    libraries, messages = [], []
    try:
        libraries.append(candidates.Armilla(options.library, options.threads))
    except (OSError, AttributeError) as error:
        messages.append(f"armilla skipped: {error}")
    if options.peers:
        peers, missing = candidates.load_peers(options.threads)
        libraries += peers
        messages += missing
    return libraries, messages


class Contest:
    """All libraries at one problem and operator."""

    def __init__(self, problem, operator, source, libraries, say):
        self.problem, self.operator, self.source = problem, operator, source
        self.libraries, self.say = libraries, say
        self.reference = None
        self.runs, self.labels, self.errors = {}, {}, {}

    def try_variant(self, library, variant):
        """(seconds, run, error), or None with a message where it fails or disagrees."""
        label = f"{library.name} ({variant})"
        try:
            run = library.make(self.problem, self.operator, variant, self.source)
            seconds = timing.trial(run)
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
        best = None
        for variant in library.variants(self.problem, self.operator):
            tried = self.try_variant(library, variant)
            if tried and (best is None or tried[0] < best[0]):
                best = tried
                self.labels[library.name] = variant
            del tried
            gc.collect()
        if best:
            self.runs[library.name], self.errors[library.name] = best[1], best[2]

    def hold(self, rounds, budget):
        ours = [library.name for library in self.libraries if library.name.startswith("armilla")]
        for library in sorted(self.libraries, key=lambda one: one.name in ours):
            self.enter(library)  # a peer is the reference wherever there is one
        if not self.runs:
            return None
        seconds, done = timing.alternate(self.runs, rounds, budget, keep=ours)
        problem = self.problem
        return {"group": problem.group, "scenario": problem.name, "key": problem.key,
                "lmax": problem.lmax, "size": problem.size,
                "operator": self.operator, "seconds": seconds, "variant": self.labels,
                "error": self.errors, "reference": self.reference[0], "rounds": done,
                "info": {name: run.info for name, run in self.runs.items() if run.info}}


def probe_one(options, key, operator, name, variant):
    """First plan's time and memory of a library, in a process of its own; None where it fails."""
    command = [sys.executable, options.script, "probe", "--library", options.library,
               "--probe", json.dumps([name, key, operator, variant])]
    child = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [text for text in child.stdout.splitlines() if text.startswith("{")]
    return json.loads(lines[-1]) if child.returncode == 0 and lines else None


def probe(options, record):
    """Of Armilla and of the fastest peer."""
    found = {}
    for name in ("armilla", best_peer(record)):
        if name in record["variant"]:
            found[name] = probe_one(options, record["key"], record["operator"], name,
                                    record["variant"][name])
    return {name: facts for name, facts in found.items() if facts}


def round_trips(problem, alm, libraries):
    """rms error of analysis(synthesis(alm)) against alm, each library with its own map."""
    errors = {}
    for library in libraries:
        if "analysis" not in problem.operators or not library.variants(problem, "analysis"):
            continue
        try:
            back = round_trip(problem, alm, library)
            errors[library.name] = problems.relative_error(back, alm)
        except FAILURES:
            continue
    return errors


def round_trip(problem, alm, library):
    """analysis(synthesis(alm))"""
    sky = first_synthesis(problem, alm, library)
    back = library.make(problem, "analysis", library.variants(problem, "analysis")[0], sky)
    back.run()
    return candidates.common_result(back, problem, "analysis")


def first_synthesis(problem, alm, library):
    forth = library.make(problem, "synthesis", library.variants(problem, "synthesis")[0], alm)
    forth.run()
    sky = problems.outputs(problem, "synthesis")
    sky[:] = candidates.common_result(forth, problem, "synthesis")
    return sky


def synthesised_map(problem, alm, libraries):
    """A band-limited map from the first library that can make one."""
    for library in reversed(libraries):
        try:
            return first_synthesis(problem, alm, library)
        except FAILURES:
            continue
    return None


def source_of(problem, operator, alm, libraries):
    if operator == "analysis":
        return synthesised_map(problem, alm, libraries)
    return alm if operator == "synthesis" else problems.random_map(problem)


def competitors(problem, libraries):
    """Those that can; for several transforms at once also each library one by one."""
    able = [library for library in libraries if library.variants(problem, "synthesis")]
    if problem.ntrans > 1:
        alone = [candidates.OneByOne(library) for library in libraries]
        able += [one for one in alone if one.variants(problem, "synthesis")]
    return able


def solve(options, problem, libraries, say):
    records, alm = [], problems.random_alm(problem)
    able = competitors(problem, libraries)
    trips = round_trips(problem, alm, able) if problem.ntrans == 1 else {}
    for operator in problem.operators:
        source = source_of(problem, operator, alm, able)
        if source is None:
            continue
        record = Contest(problem, operator, source, able, say).hold(options.repeat, options.budget)
        if record is None:
            continue
        del source
        gc.collect()
        if problem.lmax >= options.probe_from and problem.ntrans == options.threads == 1:
            record["probe"] = probe(options, record)
        if operator == "analysis" and trips:
            record["round_trip"] = trips
        records.append(record)
        say(line(record))
    return records


def line(record):
    times = "  ".join(f"{name} {1e3 * s:.4g} ms" for name, s in record["seconds"].items())
    gains = [("ratio", ratio(record)), ("at once", gain_at_once([record]))]
    tail = "".join(f"  {what} {gain:.2f}" for what, gain in gains if gain)
    return f"{record['scenario']} {record['operator']}: {times}{tail}"


def run(options, say):
    libraries, messages = load_libraries(options)
    for message in messages:
        say(message)
    records = []
    for name in options.scenario or scenarios.SHT:
        for problem in scenarios.problems_of(name, options):
            records += solve(options, problem, libraries, say)
    versions = {library.name: library.version for library in libraries}
    return {"versions": versions, "records": records}
