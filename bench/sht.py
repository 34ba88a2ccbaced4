"""Times transforms on ring grids: Armilla next to the peers, same cores, same run, same grid; the
tables of what that gives; and, in processes of their own, plans and memory."""
import ctypes
import gc
import json
import resource
import subprocess
import sys
import time

import numpy as np

import problems
import targets
from libraries import PEERS, Armilla, OneByOne, common_result, load_peers
from results import (OURS, best_peer, by_problem, combined, gain_at_once, newest_records, number,
                     ratio, table, total)
from timing import FAILURES, Contest, Knowledge, Purse, estimate

ROUND_TRIPS_TO = 1023  # lmax; `scaling --scenario accuracy` has all
PEERS_PROBED_TO, PROBED_TO = 2048, 4096  # lmax of those whose plans and memory are measured
# Sizes at which all is tried where a run begins with a larger one; the second for lmax > 4096.
SCOUT_FROM, SCOUT_LMAX, SCOUT_NSIDE = 2047, (1023, 2047), (512, 1024)
FEWEST_ROUNDS = 2
MMAP_THRESHOLD = -3  # of mallopt, glibc
SIDES = ((None, "AVX-512"), ("avx2", "AVX2"))  # --isa of the runs; the column of their targets
OPERATORS = ("synthesis", "analysis", "adjoint_synthesis")  # of which a problem has two


def load_libraries(options):
    libraries, messages = [], []
    try:
        libraries.append(Armilla(options.library, options.threads))
    except (OSError, AttributeError) as error:
        messages.append(f"armilla skipped: {error}")
    if options.peers:
        peers, missing = load_peers(options.threads)
        libraries += peers
        messages += missing
    return libraries, messages


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
    return common_result(back, problem, "analysis")


def first_synthesis(problem, alm, library):
    forth = library.make(problem, "synthesis", library.variants(problem, "synthesis")[0], alm)
    forth.run()
    sky = problems.outputs(problem, "synthesis")
    sky[:] = common_result(forth, problem, "synthesis")
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
        alone = [OneByOne(library) for library in libraries]
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
                and problem.group != problems.EQUIDISTANT):
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
    every = problems.problems_of("sht", options)
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


# --- Plans and memory ----------------------------------------------------------------------------

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


def resident(field):
    """VmRSS or VmHWM of this process, bytes."""
    with open("/proc/self/status", encoding="ascii") as lines:
        for line in lines:
            if line.startswith(field + ":"):
                return 1024 * int(line.split()[1])
    return 0


def forget_peak():
    """Lets VmHWM start again from now. Returns False where the system cannot do it."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as knob:
            knob.write("5")
        return True
    except OSError:
        return False


def give_back_freed():
    """Freed arrays of any size go back to the system at once: none is counted twice."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(MMAP_THRESHOLD, 1 << 16)


def find(name, path):
    if name == "armilla":
        return Armilla(path)
    return {peer.name: peer for peer in PEERS}[name]()


def warm_up(library, problem, operator, variant):
    """A small transform, which loads code."""
    small = problem.of_size(32 if problem.kind == "healpix" else 63)
    library.make(small, operator, variant, problems.source_for(small, operator)).run()


def probe_here(name, path, key, operator, variant):
    """One library, one operator: how long a first plan takes, and how much memory plan and call
    need beyond input and output. Prints one line of JSON."""
    problem, library = problems.from_key(key), find(name, path)
    give_back_freed()
    warm_up(library, problem, operator, variant)
    source = problems.source_for(problem, operator)
    target = problems.outputs(problem, operator)
    target[:] = 1.0
    in_out = source.nbytes + target.nbytes
    exact = forget_peak()
    base = resident("VmRSS")
    start = time.perf_counter()
    with_output = library.make(problem, operator, variant, source)
    plan_seconds = time.perf_counter() - start
    del target  # the run has its own, not touched yet
    with_output.run()
    peak = resident("VmHWM") or 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"plan_seconds": plan_seconds, "in_out_bytes": in_out,
                      "overhead_bytes": peak - base - with_output.copy_bytes if exact else None,
                      "info": with_output.info}))
    return np.isfinite(np.ravel(with_output.result())).all()


# --- Tables --------------------------------------------------------------------------------------

def sht_row(record, names, column):
    gain = ratio(record)
    target = targets.ratio(record["group"], record["lmax"], column)
    return ([record["scenario"], record["operator"]]
            + [number(record["seconds"].get(name), "{:.3e}") for name in names]
            + [number(gain, "{:.2f}"), best_peer(record) or "-", number(target, "{:.2f}"),
               targets.at_least(gain, target), f"{max(record['error'].values()):.0e}",
               number(record.get("stolen"), "{:.0%}")])


def both_row(records, names, column):
    """Synthesis and analysis (or adjoint) together: sums of the times."""
    first = records[0]
    sums = [total(records, lambda record, name=name: name) for name in names]
    gain = combined(records)
    target = targets.ratio(first["group"], first["lmax"], column)
    return ([first["scenario"], "both"] + [number(value, "{:.3e}") for value in sums]
            + [number(gain, "{:.2f}"), "", number(target, "{:.2f}"),
               targets.at_least(gain, target), "", ""])


def sht_table(records, column):
    names = [OURS] + sorted({name for record in records for name in record["seconds"]} - {OURS})
    rows = []
    for group in by_problem(records):
        rows += [sht_row(record, names, column) for record in group]
        rows.append(both_row(group, names, column))
    return table(["grid", "operator"] + [f"{name}, s" for name in names]
                 + ["ratio", "fastest peer", "target", "", "agree", "core taken"], rows)


def many_rows(records):
    for group in by_problem(records):
        for some, operator in [([r], r["operator"]) for r in group] + [(group, "both")]:
            gain = gain_at_once(some)
            if gain:
                yield [group[0]["scenario"], operator, f"{gain:.2f}", f"{targets.MANY:.2f}",
                       targets.at_least(gain, targets.MANY)]


def round_trip_rows(records, names):
    for record in records:
        if record.get("round_trip"):
            errors = record["round_trip"]
            yield [record["scenario"]] + [number(errors.get(n), "{:.1e}") for n in names]


def probe_row(record, name, found):
    plan = found["plan_seconds"] / record["seconds"][name]
    overhead = found["overhead_bytes"]
    share = None if overhead is None else overhead / found["in_out_bytes"]
    plan_target = targets.PLAN if record["key"].startswith("healpix:2048:") else None
    return [record["scenario"], record["operator"], name, f"{100.0 * plan:.1f}",
            targets.at_most(plan, plan_target), number(share and 100.0 * share, "{:.1f}"),
            targets.at_most(share, targets.memory(record["lmax"]))]


def probe_table(records):
    rows = [probe_row(record, name, found) for record in records
            for name, found in record.get("probe", {}).items()]
    header = ["grid", "operator", "library", "plan, % of a call",
              f"at most {100.0 * targets.PLAN:.0f}", "memory, % of in + out",
              f"at most {100.0 * targets.MEMORY:.0f}"]
    return table(header, rows) if rows else None


def text(result):
    records, column = result["records"], result["machine"]["column"]
    single = [record for record in records if record["group"] != "many"]
    many = [record for record in records if record["group"] == "many"]
    parts = [sht_table(some, column) for some in (single, many) if some]
    gains = list(many_rows(many))
    if gains:
        parts.append("Armilla, time per transform one by one over at once:\n\n" +
                     table(["grid", "operator", "gain", "target", ""], gains))
    names = list(result["versions"])
    trips = list(round_trip_rows(records, names))
    if trips:
        parts.append("Error of a round trip (rms over rms):\n\n" + table(["grid"] + names, trips))
    probes = probe_table(records)
    if probes:
        parts.append("First plan (grid included) and memory beyond input and output:\n\n" + probes)
    return "\n\n".join(parts)


# --- Both instruction sets -----------------------------------------------------------------------

def both_text(found, label):
    """found: results, the oldest first, of which the sht runs with one thread on the machine of
    that label count. Markdown."""
    runs = [r for r in found if r["command"] == "sht" and r["machine"]["label"] == label
            and r["threads"] == 1]
    sides = [newest_records(r for r in runs if r["isa"] == isa) for isa, _ in SIDES]
    names = sorted({name for side in sides for name, _ in side},
                   key=lambda name: order_of(sides, name))
    header = ["transform", "armilla, ms", "fastest peer", "ratio", "both",
              "AVX2: armilla", "fastest peer", "ratio", "both"]
    return table(header, [[name] + [cell for side, (_, column) in zip(sides, SIDES)
                                    for cell in cells(side, name, column)] for name in names])


def order_of(sides, name):
    """By scenario and size, as the records say."""
    record = next(r for side in sides for (scenario, _), r in side.items() if scenario == name)
    return record["group"], record["size"]


def pair_of(side, name):
    """Both directions, or None."""
    records = [side[name, operator] for operator in OPERATORS if (name, operator) in side]
    return records if len(records) == 2 and all(map(best_peer, records)) else None


def cells(side, name, column):
    """Times in ms, of the fastest peer of each direction; bold: the target is reached."""
    pair = pair_of(side, name)
    if not pair:
        return ["-"] * 4
    peers = [best_peer(record) for record in pair]
    ours = " / ".join(f"{1e3 * record['seconds'][OURS]:.4g}" for record in pair)
    theirs = " / ".join(f"{1e3 * record['seconds'][peer]:.4g}"
                        for record, peer in zip(pair, peers))
    gain = combined(pair)
    wanted = targets.ratio(pair[0]["group"], pair[0]["lmax"], column)
    reached = targets.at_least(gain, wanted) == "reached"
    return [ours, f"{', '.join(dict.fromkeys(peers))} {theirs}",
            " / ".join(f"{ratio(record):.2f}" for record in pair),
            f"**{gain:.2f}**" if reached else f"{gain:.2f}"]
