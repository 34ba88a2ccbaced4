"""Tables for people (Markdown)."""
import targets
from scenario_kernels import disturbance
from ratios import OURS, best_peer, by_problem, combined, gain_at_once, ratio, total


def table(header, rows):
    """Markdown, columns aligned."""
    cells = [header] + rows
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
             for row in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def number(value, pattern):
    return "-" if value is None else pattern.format(value)


# --- Transforms ---------------------------------------------------------------------------------


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


def sht_text(result):
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


# --- Kernels ------------------------------------------------------------------------------------


def kernels_text(result):
    peak = [[isa, f"{value:.1f}"] for isa, value in result["peak"].items()]
    rows = [stage_row(record) for record in result["stage"]]
    header = ["lmax", "spin", "at once", "isa", "operator", "s", "useful GFlop/s", "% of the peak",
              "% of the highest peak", "target", "", "disturbed"]
    return table(["instruction set", "peak, GFlop/s"], peak) + "\n\n" + table(header, rows)


def stage_row(record):
    target = targets.kernel(record)
    return [str(record["lmax"]), str(record["spin"]), str(record["ntrans"]), record["isa"],
            record["operator"], f"{record['seconds']:.3e}", f"{record['gflops']:.1f}",
            f"{100.0 * record['share_beside']:.1f}", f"{100.0 * record['share']:.1f}",
            number(target and 100.0 * target, "{:.0f}"),
            targets.at_least(record["share_beside"], target), disturbance(record) or "no"]


# --- All ----------------------------------------------------------------------------------------


def heading(machine, versions):
    cores = machine["pinned_to"]
    libraries = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (f"{machine['cpu']}, {machine['cores']} cores, {len(cores)} used "
            f"({', '.join(str(core) for core in cores)}), {' '.join(machine['flags'])}, "
            f"load {machine['load']}, {machine['date']}" + (f"\n\n{libraries}" if versions else ""))

