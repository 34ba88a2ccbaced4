"""Times transforms to arbitrary points, and makes the table: Armilla's first call (plan and
transform) and repeated ones (the plan is there) next to ducc0, which sorts the points in each call.
N = 2 (lmax + 1)^2 points, uniform over the sphere; with --patches, over patches of it, as many as
there would be on that part of the sphere."""
import gc
import time

import numpy as np

import problems
import targets
import timing
from libarmilla import Points, aligned_zeros
from libraries import Armilla, Ducc, Run
from results import number, table

LMAX, QUICK_LMAX = (1023, 2047), (255,)
SPINS, EPSILONS = (0, 2), (1e-2, 1e-6, 1e-10)
PATCH_LMAX, PATCH_EPSILONS = (5000,), (1e-6,)
OPERATORS = ("synthesis", "adjoint_synthesis")
FIRST, REPEATED, PEER = "armilla, first call", "armilla", "ducc0"
JUDGE_EPSILON = 1e-13


# Name: colatitudes in degrees, part of the sky.
PATCHES = {
    "4 % around a pole": (0.0, 23.0739, 0.04),
    "4 % at colatitude 45": (25.55, 64.45, 0.04),
    "4 % at the equator": (70.45, 109.55, 0.04),
    "0.5 % around a pole": (0.0, 8.1096, 0.005),
    "0.5 % at colatitude 45": (37.95, 52.05, 0.005),
    "0.5 % at the equator": (82.84, 97.16, 0.005),
    "1500 square degrees, -42 to -70": (132.0, 160.0, 0.03636),
}
SPHERE = "sphere"


class PointsProblem(problems.Problem):
    """spin, accuracy and points: the same for every spin and accuracy."""

    def __init__(self, lmax, spin, epsilon, loc, patch=SPHERE):
        where = "" if patch == SPHERE else f", {patch}"
        super().__init__("points", lmax, f"points, lmax {lmax}{where}", spin, 1)
        self.lmax, self.epsilon, self.loc, self.npix = lmax, epsilon, loc, len(loc)
        self.patch = patch

    @property
    def name(self):
        return f"{super().name}, epsilon {self.epsilon:.0e}"


def random_points(lmax, patch):
    rng = np.random.default_rng(problems.SEED + 2)
    north, south, share = PATCHES.get(patch, (0.0, 180.0, 1.0))
    count = round(2 * (lmax + 1) ** 2 * share)
    high, low = np.cos(np.radians(north)), np.cos(np.radians(south))
    loc = aligned_zeros((count, 2), np.float64)
    loc[:, 0] = np.arccos(rng.uniform(low, high, count))
    loc[:, 1] = rng.uniform(0.0, min(1.0, 2.0 * share / (high - low)) * 2.0 * np.pi, count)
    return loc


# --- Calls ----------------------------------------------------------------------------------------


def first_call(library, problem, operator, source, threads):
    target = problems.outputs(problem, operator)
    return Run(lambda: Points(library, problem, nthreads=threads).bind(operator, source, target,
                                                                       threads)(),
               lambda: target)


def repeated_call(library, problem, operator, source, threads):
    target, plan = problems.outputs(problem, operator), Points(library, problem)
    return Run(plan.bind(operator, source, target, threads), lambda: target,
               info=plan.describe(threads))


def peer_call(peer, problem, operator, source):
    """ducc0's own choice of oversampling."""
    target = problems.outputs(problem, operator)
    common = {"spin": problem.spin, "lmax": problem.lmax, "loc": problem.loc,
              "epsilon": problem.epsilon, "nthreads": peer.threads}
    if operator == "synthesis":
        return Run(lambda: peer.sht.synthesis_general(alm=source[0], map=target[0], **common),
                   lambda: target)
    return Run(lambda: peer.sht.adjoint_synthesis_general(map=source[0], alm=target[0], **common),
               lambda: target)


def judge_of(library, problem, operator, source):
    """Nearly exact."""
    target = problems.outputs(problem, operator)
    Points(library, problem, JUDGE_EPSILON).bind(operator, source, target)()
    return target


# --- Records --------------------------------------------------------------------------------------


def measure(options, ours, peer, problem, operator, source, judge):
    """The record of one problem and operator."""
    library, threads = ours.library, options.threads
    runs = {FIRST: first_call(library, problem, operator, source, threads),
            REPEATED: repeated_call(library, problem, operator, source, threads)}
    if peer:
        runs[PEER] = peer_call(peer, problem, operator, source)
    clock = timing.clock_for(threads)
    errors = {}
    for name in runs:
        runs[name].run()  # touches memory
        result = runs[name].result().copy()
        if operator != "synthesis":
            problems.forget_low_degrees(result, problem)
        errors[name] = problems.relative_error(result, judge)
    seconds, rounds = timing.alternate(runs, options.repeat, options.budget, clock)
    info = runs[REPEATED].info
    in_out = source.nbytes + judge.nbytes
    return {"scenario": problem.name, "kind": "points", "lmax": problem.lmax, "spin": problem.spin,
            "epsilon": problem.epsilon, "npoints": problem.npix, "operator": operator,
            "patch": problem.patch,
            "seconds": seconds, "error": errors, "rounds": rounds, "info": info,
            "memory_share": (info["plan_bytes"] + info["workspace_bytes"]) / in_out}


def all_of(options, ours, peer, lmax, patch, done):
    """Records of one size and patch."""
    loc = random_points(lmax, patch)
    usual = EPSILONS if patch == SPHERE else PATCH_EPSILONS
    for spin in SPINS if options.spin is None else options.spin:
        for operator in OPERATORS:
            chosen = [PointsProblem(lmax, spin, epsilon, loc, patch)
                      for epsilon in options.epsilon or usual]
            chosen = [one for one in chosen if (one.name, operator) not in done]
            if not chosen:
                continue
            source = problems.source_for(chosen[0], operator)
            judge = judge_of(ours.library, chosen[0], operator, source)
            if operator != "synthesis":
                problems.forget_low_degrees(judge, chosen[0])
            for problem in chosen:
                yield measure(options, ours, peer, problem, operator, source, judge)
                gc.collect()


def line(record):
    times = "  ".join(f"{name} {record['seconds'][name]:.4g} s, error {record['error'][name]:.1e}"
                      for name in record["seconds"])
    return f"{record['scenario']}, {record['operator']}: {times}"


def run(options, say, kept):
    ours, peer = Armilla(options.library, options.threads), None
    if options.peers:
        try:
            peer = Ducc(options.threads)
        except ImportError as error:
            say(f"{PEER} skipped: {error}")
    kept.result["versions"] = {one.name: one.version for one in (ours, peer) if one}
    done = {(record["scenario"], record["operator"]) for record in kept.list("points")}
    begin = time.monotonic()
    usual = QUICK_LMAX if options.quick else PATCH_LMAX if options.patches else LMAX
    for lmax in options.lmax or usual:
        for patch in PATCHES if options.patches else (SPHERE,):
            for record in all_of(options, ours, peer, lmax, patch, done):
                kept.add("points", record)
                say(line(record))
    say(f"run.py: took {(time.monotonic() - begin) / 60.0:.1f} minutes")


# --- The table -----------------------------------------------------------------------------------

def gain(record, name):
    """ducc0's time over ours."""
    peer = record["seconds"].get(PEER)
    return peer / record["seconds"][name] if peer else None


def wanted_gain(record, column):
    patch = record.get("patch", SPHERE)
    if patch != SPHERE:
        return targets.patch(PATCHES[patch][2])
    return targets.POINTS.get(record["spin"], {}).get(column)


def row(record, column):
    seconds, errors = record["seconds"], record["error"]
    first, repeated = gain(record, FIRST), gain(record, REPEATED)
    wanted = wanted_gain(record, column)
    return [record.get("patch", SPHERE), str(record["lmax"]), str(record["spin"]),
            f"{record['epsilon']:.0e}", record["operator"].replace("_synthesis", "")] + [
        number(seconds.get(name), "{:.3g}") for name in (FIRST, REPEATED, PEER)] + [
        number(first, "{:.2f}"), targets.at_least(first, targets.POINTS_FIRST),
        number(repeated, "{:.2f}"), targets.at_least(repeated, wanted),
        number(errors.get(REPEATED), "{:.1e}"), number(errors.get(PEER), "{:.1e}"),
        f"{record['memory_share']:.2f}"]


def text(result):
    records, column = result.get("points", []), result["machine"]["column"]
    wanted = "/".join(f"{targets.POINTS[spin].get(column, 0)}" for spin in targets.POINTS)
    if any(record.get("patch", SPHERE) != SPHERE for record in records):
        wanted = "5 or 10"
    header = ["points", "lmax", "spin", "epsilon", "operator", "first, s", "repeated, s",
              "ducc0, s", "ducc0 / first", f"at least {targets.POINTS_FIRST}", "ducc0 / repeated",
              f"at least {wanted}", "error", "ducc0's error", "memory, of in + out"]
    return "Arbitrary points:\n\n" + table(header, [row(record, column) for record in records])
