"""Transforms on ring grids: Armilla next to the peers, same cores, same run, same grid."""
import gc
import json
import subprocess
import sys
import time

import candidates
import problems
import scenarios
from contest import FAILURES, Contest, Knowledge
from purse import Purse, estimate
from ratios import best_peer, gain_at_once, ratio

ROUND_TRIPS_TO = 1023  # lmax; `scaling --scenario accuracy` has all
PEERS_PROBED_TO, PROBED_TO = 2048, 4096  # lmax of those whose plans and memory are measured
# Sizes at which all is tried where a run begins with a larger one; the second for lmax > 4096.
SCOUT_FROM, SCOUT_LMAX, SCOUT_NSIDE = 2047, (1023, 2047), (512, 1024)
FEWEST_ROUNDS = 2


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


def probe_one(options, key, operator, name, variant):
    """First plan's time and memory of a library, in a process of its own; None where it fails."""
    command = [sys.executable, options.script, "probe", "--library", options.library,
               "--probe", json.dumps([name, key, operator, variant])]
    child = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [text for text in child.stdout.splitlines() if text.startswith("{")]
    return json.loads(lines[-1]) if child.returncode == 0 and lines else None


def probe(options, record):
    """Of Armilla and of the fastest peer."""
    found, names = {}, ["armilla"]
    if record["lmax"] <= PEERS_PROBED_TO:
        names.append(best_peer(record))
    for name in names:
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
    for library in libraries:
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


class Series:
    """The problems of a run, one after the other."""

    def __init__(self, options, libraries, kept, say):
        self.options, self.libraries, self.kept, self.say = options, libraries, kept, say
        self.knowledge = Knowledge()
        for record in kept.list("records"):
            self.knowledge.learn(record)
        self.done = {(one["scenario"], one["operator"]) for one in kept.list("records")}

    def scout(self, problem):
        """Where nothing is known of a large problem: tries all variants at a smaller size."""
        sizes = SCOUT_NSIDE if problem.kind == "healpix" else SCOUT_LMAX
        small = problem.of_size(sizes[problem.lmax > 4096])
        able, alm = competitors(small, self.libraries), problems.random_alm(small)
        for operator in small.operators:
            contest = Contest(small, operator, source_of(small, operator, alm, able), able,
                              self.knowledge, self.options.threads, lambda text: None)
            contest.enter_all()
            self.knowledge.learn({"key": small.key, "operator": operator, "lmax": small.lmax,
                                  "tried": contest.tried})

    def solve(self, problem, seconds):
        """seconds: for all of it, or None."""
        left = [operator for operator in problem.operators
                if (problem.name, operator) not in self.done]
        if not left:
            return
        end = time.monotonic() + seconds if seconds else None
        if problem.lmax >= SCOUT_FROM and not self.knowledge.knows(problem, left[0]):
            self.scout(problem)
        alm, able = problems.random_alm(problem), competitors(problem, self.libraries)
        sky = None
        for operator in left:
            analyses = operator == "analysis" and sky is not None
            source = sky if analyses else source_of(problem, operator, alm, able)
            if source is None:
                continue
            until = end and end - (end - time.monotonic()) / 2.0 * (operator != left[-1])
            contest = Contest(problem, operator, source, able, self.knowledge,
                              self.options.threads, self.say)
            record = self.race(contest, until)
            if operator == "synthesis" and contest.reference:
                sky = contest.reference[1]
            del contest, source
            gc.collect()
            if record:
                self.complete(record, problem, alm, able)

    def race(self, contest, until):
        """until: when time is up, or None."""
        contest.enter_all()
        if not until:
            return contest.hold(self.options.repeat, self.options.budget)
        budget = min(4.0 * self.options.budget, until - time.monotonic())
        return contest.hold(FEWEST_ROUNDS, budget)

    def complete(self, record, problem, alm, able):
        options = self.options
        if (options.probe_from <= problem.lmax <= PROBED_TO
                and problem.ntrans == options.threads == 1
                and problem.group != scenarios.EQUIDISTANT):
            record["probe"] = probe(options, record)
        if (record["operator"] == "analysis" and problem.ntrans == 1
                and problem.lmax <= ROUND_TRIPS_TO):
            record["round_trip"] = round_trips(problem, alm, able)
        self.knowledge.learn(record)
        self.kept.add("records", record)
        self.say(line(record))


def line(record):
    times = "  ".join(f"{name} {1e3 * s:.4g} ms" for name, s in record["seconds"].items())
    gains = [("ratio", ratio(record)), ("at once", gain_at_once([record]))]
    tail = "".join(f"  {what} {gain:.2f}" for what, gain in gains if gain)
    if record["stolen"] > 0.03:
        tail += f"  DISTURBED: {100.0 * record['stolen']:.0f} % of the core taken"
    return f"{record['scenario']} {record['operator']}: {times}{tail}"


def run(options, say, kept):
    libraries, messages = load_libraries(options)
    for message in messages:
        say(message)
    kept.result["versions"] = {library.name: library.version for library in libraries}
    every = [problem for name in options.scenario or scenarios.SHT
             for problem in scenarios.problems_of(name, options)]
    series, purse = Series(options, libraries, kept, say), Purse(options.minutes, every)
    say(f"run.py: {len(every)} problems, about {sum(map(estimate, every)) / 60.0:.0f} minutes")
    begin = time.monotonic()
    for problem in every:
        seconds = purse.open()
        if seconds == 0.0:
            say(f"  {problem.name} left out: no time left")
            continue
        series.solve(problem, seconds)
    say(f"run.py: took {(time.monotonic() - begin) / 60.0:.1f} minutes")
