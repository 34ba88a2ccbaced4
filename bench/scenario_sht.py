"""Transforms on ring grids: Armilla next to the peers, one core, same run, same grid."""
import gc
import json
import subprocess
import sys

import numpy as np

import candidates
import problems
import timing
from ratios import ratio



def tolerance(lmax):
    """rms of the difference over rms, beyond which a time does not count. It grows with the degree
    where rings next to the poles, whose colatitudes the libraries round differently, dominate."""
    return 1e-11 * max(1.0, lmax / 2048)


def choose_problems(options):
    lmax = options.lmax or ((255, 1023) if options.quick else problems.GL_LMAX)
    nside = options.nside or ((512,) if options.quick else problems.HEALPIX_NSIDE)
    chosen = []
    if options.scenario in (None, "gl"):
        chosen += [problems.GaussLegendre(n) for n in lmax]
    if options.scenario in (None, "healpix"):
        chosen += [problems.Healpix(n) for n in nside]
    return chosen


def load_libraries(options):
    libraries, messages = [], []
    try:
        libraries.append(candidates.Armilla(options.library))
    except (OSError, AttributeError) as error:
        messages.append(f"armilla skipped: {error}")
    if options.peers:
        peers, missing = candidates.load_peers()
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
        except (RuntimeError, AttributeError, MemoryError) as error:
            self.say(f"  {label} skipped: {error}")
            return None
        result = np.array(run.result())
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
        for library in sorted(self.libraries, key=lambda one: one.name == "armilla"):
            self.enter(library)  # a peer is the reference wherever there is one
        if not self.runs:
            return None
        seconds, done = timing.alternate(self.runs, rounds, budget)
        return {"scenario": self.problem.name, "key": self.problem.key,
                "operator": self.operator, "seconds": seconds, "variant": self.labels,
                "error": self.errors, "reference": self.reference[0], "rounds": done,
                "info": {name: run.info for name, run in self.runs.items() if run.info}}


def probe(options, record):
    """First plan's time and memory of each library, in processes of their own."""
    found = {}
    for name, variant in record["variant"].items():
        command = [sys.executable, options.script, "probe", "--library", options.library,
                   "--probe", json.dumps([name, record["key"], record["operator"], variant])]
        child = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [text for text in child.stdout.splitlines() if text.startswith("{")]
        if child.returncode == 0 and lines:
            found[name] = json.loads(lines[-1])
    return found


def round_trips(problem, alm, libraries):
    """rms error of analysis(synthesis(alm)) against alm, each library with its own map."""
    errors = {}
    for library in libraries:
        variants = library.variants(problem, "analysis")
        if not variants or "analysis" not in problem.operators:
            continue
        try:
            forth = library.make(problem, "synthesis", library.variants(problem, "synthesis")[0],
                                 alm)
            forth.run()
            sky = np.ascontiguousarray(forth.result()).ravel()
            back = library.make(problem, "analysis", variants[0], sky)
            back.run()
            errors[library.name] = problems.relative_error(back.result(), alm)
        except (RuntimeError, AttributeError):
            continue
    return errors


def synthesised_map(problem, alm, libraries):
    """A band-limited map from the first library that can make one."""
    for library in reversed(libraries):
        for variant in library.variants(problem, "synthesis")[:1]:
            try:
                run = library.make(problem, "synthesis", variant, alm)
                run.run()
                sky = candidates.aligned_zeros(problem.npix, np.float64)
                sky[:] = np.ravel(run.result())
                return sky
            except (RuntimeError, AttributeError):
                continue
    return None


def solve(options, problem, libraries, say):
    records, alm = [], problems.random_alm(problem.lmax)
    able = [library for library in libraries if library.variants(problem, "synthesis")]
    trips = round_trips(problem, alm, able)
    for operator in problem.operators:
        source = alm
        if operator == "analysis":
            source = synthesised_map(problem, alm, able)
        elif operator == "adjoint_synthesis":
            source = problems.random_map(problem)
        if source is None:
            continue
        record = Contest(problem, operator, source, able, say).hold(options.repeat, options.budget)
        if record is None:
            continue
        del source
        gc.collect()
        if problem.lmax >= options.probe_from:
            record["probe"] = probe(options, record)
        if operator == "analysis":
            record["round_trip"] = trips
        records.append(record)
        say(line(record))
    return records


def line(record):
    times = "  ".join(f"{name} {1e3 * s:.4g} ms" for name, s in record["seconds"].items())
    gain = ratio(record)
    tail = f"  ratio {gain:.2f}" if gain else ""
    return f"{record['scenario']} {record['operator']}: {times}{tail}"


def run(options, say):
    libraries, messages = load_libraries(options)
    for message in messages:
        say(message)
    records = []
    for problem in choose_problems(options):
        records += solve(options, problem, libraries, say)
    versions = {library.name: library.version for library in libraries}
    return {"versions": versions, "records": records}
