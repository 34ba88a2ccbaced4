"""Tables of run.py scaling."""
import targets
from report import number, table


def pairs(records):
    """{(library, scenario): {number: seconds of both operators}}, where both are there."""
    parts = {}
    for record in records:
        both = parts.setdefault((record["library"], record["scenario"]), [])
        both.append(dict(zip(record["numbers"], record["seconds"])))
    return {key: {n: first[n] + second[n] for n in first if n in second}
            for key, (first, second) in ((k, v) for k, v in parts.items() if len(v) == 2)}


def strong_rows(records):
    for (library, scenario), seconds in pairs(records).items():
        for threads, value in seconds.items():
            gain = seconds[1] / value
            target = targets.TWO_THREADS if threads == 2 else None
            yield [scenario, library, str(threads), f"{value:.3e}", f"{gain:.2f}",
                   f"{100.0 * gain / threads:.0f} %", number(target, "{:.2f}"),
                   targets.at_least(gain, target)]


def strong_text(records):
    header = ["grid", "library", "threads", "s", "over one", "efficiency", "target", ""]
    return ("Strong scaling, both operators together:\n\n" +
            table(header, list(strong_rows(records))))


def cost_text(records):
    lmax = {record["scenario"]: record["lmax"] for record in records}
    rows = []
    for (library, scenario), seconds in pairs(records).items():
        for threads, value in seconds.items():
            cube = 1e12 * value * threads / (lmax[scenario] + 1.0) ** 3
            rows.append([scenario, library, str(threads), f"{value:.3e}", f"{cube:.2f}",
                         f"{100.0 * seconds[1] / value / threads:.0f} %"])
    header = ["grid", "library", "threads", "s", "core ps / (lmax + 1)^3", "efficiency"]
    return "Cost, synthesis + analysis:\n\n" + table(header, rows)


def weak_points(records):
    """{library: [(threads, lmax, seconds of the pair, efficiency)]}; the work for each thread is
    not quite the same, for the sake of good ring lengths: efficiency allows for it."""
    works = {record["scenario"]: (record["work"], record["lmax"]) for record in records}
    found = {}
    for (library, scenario), seconds in pairs(records).items():
        work, lmax = works[scenario]
        for threads, value in seconds.items():
            found.setdefault(library, []).append((threads, lmax, value, work))
    result = {}
    for library, points in found.items():
        one = points[0][2] / points[0][3]
        result[library] = [(n, lmax, t, one * work / t) for n, lmax, t, work in points]
    return result


def weak_text(records):
    rows = [[library, str(threads), str(lmax), f"{seconds:.3e}", f"{100.0 * efficiency:.0f} %"]
            for library, points in weak_points(records).items()
            for threads, lmax, seconds, efficiency in points]
    return ("Weak scaling, synthesis + analysis, Gauss-Legendre, spin 0:\n\n" +
            table(["library", "threads", "lmax", "s", "efficiency"], rows))


def many_text(records):
    spins = {record["scenario"]: record["spin"] for record in records}
    rows = []
    for (library, scenario), seconds in pairs(records).items():
        gains = {n: n * seconds[1] / value for n, value in seconds.items()}
        target = targets.MANY if spins[scenario] == 0 else None
        rows.append([scenario, library, "  ".join(f"{n}: {g:.2f}" for n, g in gains.items()),
                     number(target, "{:.2f}"), targets.at_least(gains[max(gains)], target)])
    header = ["grid", "library", "transforms at once: gain", "target for all", ""]
    return "Several transforms at once, both operators:\n\n" + table(header, rows)


def memory_text(records):
    rows = []
    for record in records:
        rows.append([record["scenario"], record["operator"], record["library"],
                     f"{1e-6 * record['in_out_bytes']:.1f}",
                     f"{1e-6 * record['overhead_bytes']:.1f}", f"{100.0 * record['share']:.1f}",
                     targets.at_most(record["share"], targets.memory(record["lmax"]))])
    header = ["grid", "operator", "library", "in + out, MB", "beyond, MB", "%",
              f"at most {100.0 * targets.MEMORY:.0f}"]
    return "Memory beyond input and output:\n\n" + table(header, rows)


def accuracy_text(records):
    rows = [[record["scenario"], record["library"], f"{record['rms']:.1e}",
             f"{record['largest']:.1e}"] for record in records]
    return ("Round trips alm -> map -> alm:\n\n" +
            table(["grid", "library", "rms", "largest error"], rows))


def peak_text(records):
    rows = [[record["what"], str(record["spin"]), str(record["lmax"]), record["isa"],
             record["operator"], f"{record['seconds']:.3e}", f"{record['gflops']:.1f}",
             f"{100.0 * record['share']:.1f}"] for record in records]
    header = ["what", "spin", "lmax", "isa", "operator", "s", "useful GFlop/s", "% of the peak"]
    return "Share of the measured peak:\n\n" + table(header, rows)


TEXTS = {"strong": strong_text, "weak": weak_text, "cost": cost_text, "many": many_text,
         "memory": memory_text, "accuracy": accuracy_text, "peak": peak_text}


def scaling_text(result):
    return "\n\n".join(text(result[name]) for name, text in TEXTS.items() if result.get(name))
