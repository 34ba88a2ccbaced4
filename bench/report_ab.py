"""Table of run.py ab (Markdown)."""
from ratios import by_problem
from report import table
from scenario_ab import AGREE, SLOWER_BELOW


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


def ab_text(result):
    """analysis: on HEALPix adjoint synthesis."""
    groups = by_problem(result["records"])
    header = ["problem", "old synthesis / analysis, ms", "new", "old / new synthesis", "analysis",
              "both", "median of pairs", "rms", ""]
    records = result["records"]
    return (table(header, [row(group) for group in groups]) +
            f"\n\n{len(records)} transforms, {sum(map(slower, records))} below {SLOWER_BELOW}, "
            f"{sum(map(differs, records))} beyond rms {AGREE:.0e}")
