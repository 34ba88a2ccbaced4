#!/usr/bin/env python3
"""Predicts how long transforms over many ranks take, from exact counts of what each rank does and
sends (bench_balance) and a few constants (mpi_constants.json), and draws it.

    mpi_model.py table                tables of imbalance, strong scaling and weak scaling, Markdown
    mpi_model.py plot                 docs/figures/mpi_scaling.png
    mpi_model.py measure              measures this machine's constants, prints them as JSON

A rank is a core. One synthesis of a scalar field takes

    first / c  +  (1 - 1 / c) max(first, exchange)  +  exchange / c  +  second

first      Legendre stage (HEALPix: theta stage, too) and packing, of the rank that has most
exchange   messages times latency, and bytes through the network of a node or through its memory
second     unpacking, and the ring stage, of the rank that has most
c          chunks: the exchange of one is under way while the next is computed

`--alone` lets nothing overlap: the sum of the three. Latencies of a rank add up, and the network
has no other traffic, the same bandwidth between any two nodes, and no ceiling above that.

--measured FILE has a line of JSON for each measured point, as bench_ranks prints it."""
import argparse
import json
import math
import os
import subprocess
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
MOST_RANKS = 16384
MOST_CHUNKS = 64  # of a piece
GRIDS = {"gl": "Gauss-Legendre", "healpix": "HEALPix"}
STRONG = (4095, 16383)  # the problems of strong scaling
BALANCED = (4095, 16383, 65535)
WEAK = ((4095, 16), (8191, 64), (16383, 256), (32767, 1024), (65535, 4096), (131071, 16384))
LIBSHARP_WEAK = ((4095, 1), (8191, 8), (16383, 64), (32767, 512), (65535, 4096))
# ECMWF's cycles of spectral transforms, as published: (truncation, nodes, seconds)
ECTRANS = ((1279, 16, 0.306), (2559, 80, 0.422), (5119, 200, 1.110))
# Cores where libsharp's text says that scaling changes (Reinecke & Seljebotn 2013, 5.2)
LIBSHARP_NODE, LIBSHARP_STRONG_END, LIBSHARP_WEAK_END = 16, 1024, 4096

# Of one rank: the largest of any, in seconds.
Prediction = namedtuple("Prediction", "ranks first exchange second chunks")


# --- Counts --------------------------------------------------------------------------------------


def powers(last):
    return [1 << k for k in range(last.bit_length()) if 1 << k <= last]


def count(options, grid, lmax, ranks):
    """{ranks: {quantity: {"mean": ..., "largest": ...}}} of bench_balance."""
    command = [options.balance, grid, str(lmax)] + [str(n) for n in ranks]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {one["ranks"]: one for one in map(json.loads, lines.splitlines())}


def imbalance(one, quantity):
    """largest / mean - 1"""
    mean = one[quantity]["mean"]
    return one[quantity]["largest"] / mean - 1 if mean else 0.0


# --- The model -----------------------------------------------------------------------------------


class Model:
    """Seconds from counts."""

    def __init__(self, constants, options):
        self.constants, self.options = constants, options
        cores = constants["cores"]
        whole = {grid: count(options, grid, cores[grid]["lmax"], [1])[1] for grid in GRIDS}
        gl, rings = cores["gl"], whole["gl"]["ring_work"]["mean"]
        self.ring_second = gl["ring_share"] * gl["seconds"] / rings
        self.order_second = {  # HEALPix: what the ring stage leaves
            grid: (cores[grid]["seconds"] - self.ring_second * one["ring_work"]["mean"])
            / one["work"]["mean"] for grid, one in whole.items()}

    def exchange(self, one, chunks):
        """Bytes of a node's ranks: to its own ranks through memory, to others by the network."""
        node, network, ranks = self.constants["node"], self.constants["network"], one["ranks"]
        if ranks == 1:
            return 0.0
        here = min(ranks, node["cores"])
        within = (here - 1) / (ranks - 1)
        sent = here * one["sent"]["largest"]
        memory = node["crossings"] * within * sent / node["memory_bytes_per_second"]
        outside = (1 - within) * sent / network["bytes_per_second"]
        return chunks * (ranks - 1) * network["latency_seconds"] + memory + outside

    def chunks(self, one, orders):
        """As src/ranks/schedule.c cuts, where a way has one piece: by all pairs of the orders, of
        which a chunk has eight or a multiple."""
        pairs = (one["lmax"] + 1) // (2 if one["grid"] == "gl" else 1)
        cuts = math.ceil(32 * one["orders"]["largest"] * pairs / self.constants["chunk_bytes"])
        return max(1, min(cuts, MOST_CHUNKS, math.ceil(orders / 8)))

    def copy_second(self, ranks):
        """Of a byte that a rank packs or unpacks: it is read and written."""
        node = self.constants["node"]
        share = node["memory_bytes_per_second"] / min(ranks, node["cores"])
        return max(1 / self.constants["copies"]["bytes_per_second"], 2 / share)

    def predict(self, one):
        """Messages are those of the rank that has most chunks; as many as all have overlap."""
        copy = self.copy_second(one["ranks"])
        most, common = (self.chunks(one, one["orders"][which]) for which in ("largest", "mean"))
        return Prediction(
            one["ranks"],
            self.order_second[one["grid"]] * one["work"]["largest"] + copy * one["sent"]["largest"],
            self.exchange(one, most),
            self.ring_second * one["ring_work"]["largest"] + copy * one["received"]["largest"],
            common)

    def seconds(self, one):
        p = self.predict(one)
        if self.options.alone:
            return p.first + p.exchange + p.second
        share = 1 / p.chunks
        return (share * (p.first + p.exchange) + (1 - share) * max(p.first, p.exchange)
                + p.second)

    def efficiency(self, counts, ranks):
        return self.seconds(counts[1]) / (ranks * self.seconds(counts[ranks]))


def strong(options, grid, lmax):
    return count(options, grid, lmax, powers(min(MOST_RANKS, (lmax + 1) // 2)))


def weak(model, grid, cases):
    """[(lmax, ranks, seconds, efficiency against one rank)]"""
    found = []
    for lmax, ranks in cases:
        counts = count(model.options, grid, lmax, sorted({1, ranks}))
        found.append((lmax, ranks, model.seconds(counts[ranks]), model.efficiency(counts, ranks)))
    return found


# --- Tables --------------------------------------------------------------------------------------


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def imbalance_table(options):
    quantities = ("work", "ring_work", "alm", "pixels", "sent", "received")
    rows = []
    for lmax in BALANCED:
        for grid in GRIDS:
            ranks = [n for n in powers((lmax + 1) // 4) if n >= (lmax + 1) // 256]
            for n, one in count(options, grid, lmax, ranks).items():
                rows.append([GRIDS[grid], str(lmax), str(n), str((lmax + 1) // n)]
                            + [f"{100 * imbalance(one, name):.2f}" for name in quantities])
    return table(("grid", "lmax", "ranks", "orders a rank", "work of orders", "of rings",
                  "coefficients", "pixels", "sent", "received"), rows)


def milliseconds(value):
    return f"{1e3 * value:.3g}"


def strong_table(model):
    rows = []
    for lmax in STRONG:
        for grid in GRIDS:
            counts = strong(model.options, grid, lmax)
            for n, one in counts.items():
                if n == 1 or n >= (lmax + 1) // 512:
                    p = model.predict(one)
                    rows.append([GRIDS[grid], str(lmax), str(n), str(p.chunks)] + [
                        milliseconds(value) for value in (p.first, p.exchange, p.second,
                                                          model.seconds(one))]
                                + [f"{model.efficiency(counts, n):.2f}"])
    return table(("grid", "lmax", "ranks", "chunks", "first, ms", "exchange", "second", "all",
                  "efficiency"), rows)


def weak_table(model):
    rows = [[GRIDS[grid], str(lmax), str(ranks), milliseconds(seconds), f"{efficiency:.2f}"]
            for grid in GRIDS for lmax, ranks, seconds, efficiency in weak(model, grid, WEAK)]
    return table(("grid", "lmax", "ranks", "all, ms", "efficiency"), rows)


def print_tables(model):
    print("Largest above the mean, per cent:\n")
    print(imbalance_table(model.options))
    print("Strong scaling, predicted:\n")
    print(strong_table(model))
    print("Weak scaling, predicted:\n")
    print(weak_table(model))


# --- Measuring -----------------------------------------------------------------------------------


def seconds_of(run, rounds=5):
    import time
    run()
    found = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return min(found)


def copy_rate():
    """Bytes a second, of entries of 32 bytes to every other place, as a rank's rows have them."""
    import numpy as np
    entries = np.zeros((1 << 18, 4))
    spread = np.zeros((1 << 19, 4))[::2]

    def run():
        spread[:] = entries
    return entries.nbytes / seconds_of(run)


def measure(options):
    """The constants of this machine, on one core."""
    import results
    results.pin(None, 1)
    import problems
    from libarmilla import Library, Plan
    library, found, lmax = Library(options.library), {}, options.lmax
    for grid, problem in (("gl", problems.GaussLegendre(lmax)),
                          ("healpix", problems.Healpix((lmax + 1) // 2))):
        source = problems.random_alm(problem)
        plan = Plan(library, problem)
        run = plan.bind("synthesis", source, problems.outputs(problem, "synthesis"))
        found[grid] = {"lmax": problem.lmax, "seconds": seconds_of(run)}
    kernels = os.path.join(os.path.dirname(options.balance), "bench_kernels")
    isa = library.instruction_sets()[0]
    lines = subprocess.run([kernels, "5", "0", "1", isa, str(lmax)], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    stage = next(one["seconds"] for one in map(json.loads, lines.splitlines())
                 if one.get("operator") == "synthesis")
    found["gl"]["ring_share"] = 1 - stage / found["gl"]["seconds"]
    facts = {"status": "measured", "what": "One core of " + results.cpu_facts()[0],
             "source": "mpi_model.py measure"}
    print(json.dumps({"cores": {**facts, **found},
                      "copies": {**facts, "bytes_per_second": copy_rate()}}, indent=2))


# --- All -----------------------------------------------------------------------------------------


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("command", choices=("table", "plot", "measure"))
    build = os.path.join(ROOT, "build")
    parser.add_argument("--constants", default=os.path.join(HERE, "mpi_constants.json"))
    parser.add_argument("--balance", default=os.path.join(build, "bench", "bench_balance"))
    parser.add_argument("--library", default=os.path.join(build, "libarmilla.so"))
    parser.add_argument("--measured", help="points for the picture, lines of bench_ranks")
    parser.add_argument("--alone", action="store_true", help="no overlap")
    parser.add_argument("--lmax", type=int, default=2047, help="of measure")
    parser.add_argument("--folder", default=os.path.join(ROOT, "docs", "figures"))
    return parser.parse_args()


def main():
    options = parse()
    if options.command == "measure":
        measure(options)
        return
    with open(options.constants, encoding="utf-8") as file:
        model = Model(json.load(file), options)
    if options.command == "table":
        print_tables(model)
    else:
        import mpi_plot
        print(mpi_plot.draw(model, options))


if __name__ == "__main__":
    main()
