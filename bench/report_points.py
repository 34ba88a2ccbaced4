"""Table of run.py points (Markdown)."""
import targets
from report import number, table
from scenario_points import FIRST, PATCHES, PEER, REPEATED, SPHERE


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


def points_text(result):
    records, column = result.get("points", []), result["machine"]["column"]
    wanted = "/".join(f"{targets.POINTS[spin].get(column, 0)}" for spin in targets.POINTS)
    if any(record.get("patch", SPHERE) != SPHERE for record in records):
        wanted = "5 or 10"
    header = ["points", "lmax", "spin", "epsilon", "operator", "first, s", "repeated, s",
              "ducc0, s", "ducc0 / first", f"at least {targets.POINTS_FIRST}", "ducc0 / repeated",
              f"at least {wanted}", "error", "ducc0's error", "memory, of in + out"]
    return "Arbitrary points:\n\n" + table(header, [row(record, column) for record in records])
