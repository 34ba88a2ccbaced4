"""Tables for people (Markdown) and JSON for machines."""
import json
import os

from ratios import best_peer, ratio


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


def sht_rows(records, names):
    for record in records:
        row = [record["scenario"], record["operator"]]
        row += [number(record["seconds"].get(name), "{:.3e}") for name in names]
        gain = ratio(record)
        worst = max(record["error"].values())
        yield row + [number(gain, "{:.2f}"), best_peer(record) or "-", f"{worst:.0e}"]


def round_trip_rows(records, names):
    for record in records:
        if record.get("round_trip"):
            errors = record["round_trip"]
            yield [record["scenario"]] + [number(errors.get(n), "{:.1e}") for n in names]


def probe_rows(records):
    for record in records:
        for name, found in record.get("probe", {}).items():
            seconds = record["seconds"].get(name)
            overhead = found["overhead_bytes"]
            share = None if overhead is None else 100.0 * overhead / found["in_out_bytes"]
            yield [record["scenario"], record["operator"], name,
                   number(100.0 * found["plan_seconds"] / seconds, "{:.1f}"),
                   number(share, "{:.1f}")]


def sht_text(result):
    names = list(result["versions"])
    records = result["records"]
    parts = [table(["grid", "operator"] + [f"{name}, s" for name in names]
                   + ["ratio", "fastest peer", "agree"], list(sht_rows(records, names)))]
    trips = list(round_trip_rows(records, names))
    if trips:
        parts.append("Error of a round trip (rms over rms):\n\n" + table(["grid"] + names, trips))
    probes = list(probe_rows(records))
    if probes:
        parts.append("First plan (grid included) and memory beyond input and output:\n\n" +
                     table(["grid", "operator", "library", "plan, % of a call",
                            "memory, % of in + out"], probes))
    return "\n\n".join(parts)


def kernels_text(result):
    peak = [[isa, f"{value:.1f}"] for isa, value in result["peak"].items()]
    stage = [[str(r["lmax"]), r["isa"], r["operator"], f"{r['seconds']:.3e}",
              f"{r['gflops']:.1f}", f"{100.0 * r['share']:.0f} %"] for r in result["stage"]]
    return (table(["instruction set", "peak, GFlop/s"], peak) + "\n\n" +
            table(["lmax", "isa", "operator", "s", "useful GFlop/s", "share of peak"], stage))


def heading(machine):
    return (f"{machine['cpu']}, {machine['cores']} cores, one used (cpu {machine['pinned_to']}), "
            f"{' '.join(machine['flags'])}, load {machine['load']}, {machine['date']}")


def save(result, folder, name):
    os.makedirs(folder, exist_ok=True)
    stamp = result["machine"]["date"].replace(":", "").replace("+0000", "Z")
    path = os.path.join(folder, f"{name}-{stamp}.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump(result, out, indent=1)
    return path
