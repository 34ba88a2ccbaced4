"""One table of the newest results of both kinds: the machine's best instruction set, and AVX2 alone
(Armilla forced to it, peers built for it)."""
import targets
from ratios import OURS, best_peer, combined, ratio
from report import table
from results import newest_records

SIDES = ((None, "AVX-512"), ("avx2", "AVX2"))  # --isa of the runs; the column of their targets
OPERATORS = ("synthesis", "analysis", "adjoint_synthesis")  # of which a problem has two


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
