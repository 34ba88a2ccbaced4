"""Tables of run.py radial (Markdown)."""
import scenario_radial_model
import targets
from report import number, table
from scenario_radial import HARMONIC, RADIAL


def fastest_peer(record):
    return min((name for name in record["seconds"] if not name.startswith(RADIAL)),
               key=record["seconds"].get, default=None)


def gain_over_peer(record):
    peer = fastest_peer(record)
    return record["seconds"][peer] / record["seconds"][RADIAL] if peer else None


def gain_over_harmonic(record):
    return record["seconds"][HARMONIC] / record["seconds"][RADIAL]


def times_of(record, names):
    return [number(record["seconds"].get(name), "{:.3e}") for name in names]


def names_of(records):
    return list(dict.fromkeys(name for record in records for name in record["seconds"]))


def gain_row(record, names, column):
    peer, own = gain_over_peer(record), gain_over_harmonic(record)
    wanted = targets.RADIAL.get(record["nside"], {}).get(column, (None, None))
    return ([record["scenario"], f"{record['support']:.2f}"] + times_of(record, names)
            + [number(peer, "{:.2f}"), number(wanted[0], "{:.0f}"),
               targets.at_least(peer, wanted[0]), f"{own:.2f}", number(wanted[1], "{:.1f}"),
               targets.at_least(own, wanted[1])])


def gain_table(records, column):
    names = names_of(records)
    header = (["problem", "support, degrees"] + [f"{name}, s" for name in names]
              + ["peer / radial", "target", "", "own harmonic / radial", "target", ""])
    return table(header, [gain_row(record, names, column) for record in records])


def cost_row(record):
    seconds, info = record["seconds"][RADIAL], record["info"]
    plan = record["plan_seconds"] / seconds
    plan_target, memory_target = targets.radial_costs(record["nside"])
    return [record["scenario"], info["method"], f"{info['pairs']:.3e}",
            f"{2e-9 * info['pairs'] / seconds:.1f}" if info["method"] == "pixels" else "-",
            number(record.get("ring_ffts"), "{:.3e}"),
            f"{100.0 * plan:.1f}", targets.at_most(plan, plan_target),
            f"{100.0 * record['memory_share']:.1f}",
            targets.at_most(record["memory_share"], memory_target),
            number(record.get("error"), "{:.0e}")]


def cost_table(records):
    header = ["problem", "method", "products", "GFlop/s of them", "ring FFTs there and back, s",
              "plan, % of a call", f"at most {100.0 * targets.RADIAL_PLAN:.0f}",
              "memory, % of in + out", f"at most {100.0 * targets.RADIAL_MEMORY:.0f}",
              "rms to harmonic"]
    return table(header, [cost_row(record) for record in records])


def model_row(record):
    ratio = record["predicted"] / record["seconds"]
    low, high = scenario_radial_model.WITHIN
    return [record["problem"], record["case"], record["method"], f"{record['predicted']:.3e}",
            f"{record['seconds']:.3e}", f"{ratio:.2f}", "yes" if low <= ratio <= high else "no"]


def model_table(records):
    low, high = scenario_radial_model.WITHIN
    return table(["problem", "case", "method", "predicted, s", "measured, s",
                  "predicted / measured", f"{low} to {high}"], [model_row(r) for r in records])


def radial_text(result):
    parts = []
    if result.get("model"):
        parts += ["Model of the cost, one core:", model_table(result["model"])]
    for name, title in (("smoothing", "Narrow beams"), ("supports", "Supports")):
        records = result.get(name)
        if records:
            parts += [f"{title}: seconds, and harmonic smoothing over radial convolution:",
                      gain_table(records, result["machine"]["column"]), cost_table(records)]
    return "\n\n".join(parts)
