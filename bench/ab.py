"""Times an older build of Armilla against a newer one, in one process and in turns, and makes the
table of both. The libraries export the same names; ctypes loads each for itself (RTLD_LOCAL), so
that each finds its own."""
import gc
import hashlib
import os
import statistics

import problems
import timing
from libraries import Armilla, common_result
from results import by_problem, table
from timing import FAILURES

AGREE = 1e-12  # rms of the difference over rms: rounding, however it is summed
SLOWER_BELOW = 0.98  # old over new, below which a ratio is marked
# Where memory happens to lie changes times of small problems by a few per cent: both libraries have
# the same input and output, and plans are made anew in every part, the other library's first (not
# of long calls, which do not feel it).
PARTS = (("old", "new"), ("new", "old"))
TRIES, APART = 3, 0.02  # all again, so often at most, while minima and pairs differ by so much


def version(library):
    """With a part of the file's hash: two builds of one version are told apart."""
    with open(library.library.path, "rb") as file:
        return f"{library.version} ({hashlib.sha256(file.read()).hexdigest()[:8]})"


def load_libraries(options):
    if not options.old:
        raise SystemExit("run.py: ab needs --old, the shared library to compare with")
    return {"old": Armilla(os.path.realpath(options.old)),
            "new": Armilla(os.path.realpath(options.library))}


class Duel:
    """One problem and operator."""

    def __init__(self, problem, operator, source, libraries):
        self.problem, self.operator, self.source = problem, operator, source
        self.libraries, self.clock = libraries, timing.clock_for(1)
        self.target = problems.outputs(problem, operator)
        self.turns = {name: [] for name in libraries}

    def runs(self, order):
        """Plans, made and used once."""
        made = {}
        for name in order:
            bind = self.libraries[name].prepare(self.problem, self.operator, "plan")
            made[name] = bind(self.source, self.target)
        for run in made.values():
            timing.trial(run, self.clock)
        return made

    def error(self, runs):
        found = {}
        for name, run in runs.items():
            self.target[:] = 0.0
            run.run()
            found[name] = common_result(run, self.problem, self.operator)
        return problems.relative_error(found["new"], found["old"])

    def paired(self):
        """Median over the rounds of old over new. Where other programs run it is often nearer to
        the truth than the ratio of minima, which are of different moments."""
        return statistics.median(old / new
                                 for old, new in zip(self.turns["old"], self.turns["new"]))

    def doubtful(self, best):
        ratio = best["old"] / best["new"]
        return ratio < SLOWER_BELOW or abs(ratio - self.paired()) > APART

    def hold(self, rounds, budget):
        """The record. rounds, budget: of one try, both parts together."""
        best, error, info, done = {}, 0.0, {}, 0
        for number, order in enumerate(PARTS * TRIES, 1):
            runs = self.runs(order)
            seconds, some = timing.alternate(runs, -(-rounds // len(PARTS)), budget / len(PARTS),
                                             self.clock, turns=self.turns)
            best = {name: min(s, best.get(name, s)) for name, s in seconds.items()}
            error, done = max(error, self.error(runs)), done + some
            info = {name: run.info for name, run in runs.items()}
            del runs
            gc.collect()
            tried = number % len(PARTS) == 0 or min(best.values()) > timing.LONG_CALL
            if tried and not self.doubtful(best):
                break
        return {"group": self.problem.group, "scenario": self.problem.name,
                "key": self.problem.key, "lmax": self.problem.lmax, "operator": self.operator,
                "seconds": {name: best[name] for name in ("old", "new")}, "error": error,
                "paired": self.paired(), "rounds": done, "info": info}


def source_of(problem, operator, library):
    """For analysis a map that the library made."""
    if operator != "analysis":
        return problems.source_for(problem, operator)
    sky = problems.outputs(problem, "synthesis")
    library.prepare(problem, "synthesis", "plan")(problems.random_alm(problem), sky).run()
    return sky


def solve(problem, operator, libraries, rounds, budget):
    """The record of one operator."""
    return Duel(problem, operator, source_of(problem, operator, libraries["old"]),
                libraries).hold(rounds, budget)


def line(record):
    old, new = record["seconds"]["old"], record["seconds"]["new"]
    return (f"{record['scenario']} {record['operator']}: old {1e3 * old:.4g} ms  "
            f"new {1e3 * new:.4g} ms  old / new {old / new:.3f}, in pairs "
            f"{record['paired']:.3f}  rms {record['error']:.0e}")


def check_resumed(kept, versions):
    if kept.list("records") and kept.result["versions"] != versions:
        raise SystemExit("run.py: the newest run compared other builds; run without --resume")
    kept.result["versions"] = versions


def enter(problem, seconds, libraries, options, kept, say):
    """Both operators. seconds: for all of it, or None."""
    done = {(one["scenario"], one["operator"]) for one in kept.list("records")}
    share = (seconds or 1e9) / (2 * len(problem.operators))  # half is for plans and comparison
    for operator in problem.operators:
        if (problem.name, operator) in done:
            continue
        try:
            record = solve(problem, operator, libraries, options.repeat,
                           min(options.budget, share))
        except FAILURES as error:
            say(f"  {problem.name} {operator} skipped: {error}")
            continue
        kept.add("records", record)
        say(line(record))


def run(options, say, kept):
    if options.threads != 1:
        raise SystemExit("run.py: ab uses one thread")
    libraries = load_libraries(options)
    check_resumed(kept, {name: version(library) for name, library in libraries.items()})
    every = problems.problems_of("ab", options)
    purse = timing.Purse(options.minutes, every)
    for problem in every:
        seconds = purse.open()
        if seconds == 0.0:
            say(f"  {problem.name} left out: no time left")
            continue
        enter(problem, seconds, libraries, options, kept, say)


# --- The table -----------------------------------------------------------------------------------

def pair(records, name):
    """Milliseconds of the first operator / the second."""
    return " / ".join(f"{1e3 * record['seconds'][name]:.4g}" for record in records)


def gain(records):
    old, new = (sum(record["seconds"][name] for record in records) for name in ("old", "new"))
    return old / new


def marked(value):
    return f"**{value:.3f}**" if value < SLOWER_BELOW else f"{value:.3f}"


def slower(record):
    return gain([record]) < SLOWER_BELOW


def differs(record):
    return not record["error"] <= AGREE


def remarks(records):
    """unsure: the minima say slower, the median of the rounds does not."""
    doubts = [record["paired"] >= SLOWER_BELOW for record in records if slower(record)]
    found = ["unsure" if all(doubts) else "slower"] if doubts else []
    return ", ".join(found + (["DIFFERS"] if any(map(differs, records)) else []))


def row(records):
    gains = [marked(gain([record])) for record in records] + ["-"] * (2 - len(records))
    return ([records[0]["scenario"], pair(records, "old"), pair(records, "new")] + gains
            + [marked(gain(records)), " / ".join(f"{one['paired']:.3f}" for one in records),
               f"{max(r['error'] for r in records):.0e}", remarks(records)])


def text(result):
    """analysis: on HEALPix adjoint synthesis."""
    groups = by_problem(result["records"])
    header = ["problem", "old synthesis / analysis, ms", "new", "old / new synthesis", "analysis",
              "both", "median of pairs", "rms", ""]
    records = result["records"]
    return (table(header, [row(group) for group in groups]) +
            f"\n\n{len(records)} transforms, {sum(map(slower, records))} below {SLOWER_BELOW}, "
            f"{sum(map(differs, records))} beyond rms {AGREE:.0e}")
