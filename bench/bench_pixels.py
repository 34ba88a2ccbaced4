#!/usr/bin/env python3
"""Times HEALPix pixel functions of armilla.healpy beside those of healpy, in one process, by turns.

Usage: PYTHONPATH=build/python bench_pixels.py [--nside N ...] [--threads N] [--only TEXT]

Needs healpy. For each function and nside the least of several calls of each, alternated; the ratio
is ours over healpy's. --threads 1 sets OMP_NUM_THREADS for both, ties the process to one processor
and counts its time there, not that of the clock. Prints a table in Markdown.
"""
import argparse
import os
import sys
import time
import warnings


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nside", type=int, nargs="+", default=[64, 512, 2048, 8192])
    parser.add_argument("--threads", type=int, default=0, help="0: all, the default of both")
    parser.add_argument("--points", type=int, default=10 ** 6, help="pixels of a call")
    parser.add_argument("--largest-map", type=int, default=4096, help="nside of whole maps, most")
    parser.add_argument("--seconds", type=float, default=0.4, help="spent on each cell, at least")
    parser.add_argument("--only", default="", help="functions whose name contains this")
    return parser.parse_args()


def least(calls, seconds, clock):
    """The shortest time of each of some calls, in turns: at least 3 rounds, and `seconds`. Short
    calls are timed many at once."""
    best, begin, rounds = [float("inf")] * len(calls), time.perf_counter(), 0
    start = time.perf_counter()
    calls[0]()
    many = max(1, int(2e-4 / max(time.perf_counter() - start, 1e-7)))
    while rounds < 3 or (time.perf_counter() - begin < seconds and rounds < 10000):
        for i, call in enumerate(calls):
            start = clock()
            for _ in range(many):
                call()
            best[i] = min(best[i], (clock() - start) / many)
        rounds += 1
    return best


def small(np, nside, _):
    """Calls with one pixel or direction: the price of a call."""
    v = np.array([0.3, 0.4, 0.7])
    return {
        "one ang2pix": lambda h: h.ang2pix(nside, 1.0, 2.0),
        "one ang2pix nest": lambda h: h.ang2pix(nside, 1.0, 2.0, nest=True),
        "one pix2ang": lambda h: h.pix2ang(nside, 100),
        "one vec2pix": lambda h: h.vec2pix(nside, 0.3, 0.4, 0.7),
        "one pix2vec": lambda h: h.pix2vec(nside, 100),
        "one nest2ring": lambda h: h.nest2ring(nside, 100),
        "one ring2nest": lambda h: h.ring2nest(nside, 100),
        "one get_all_neighbours": lambda h: h.get_all_neighbours(nside, 100),
        "one boundaries": lambda h: h.boundaries(nside, 100),
        "one get_interp_weights": lambda h: h.get_interp_weights(nside, 1.0, 2.0),
        "one query_disc": lambda h: h.query_disc(nside, v, 1 / nside),
        "one query_disc inclusive": lambda h: h.query_disc(nside, v, 1 / nside, inclusive=True),
    }


def large(np, nside, points):
    """Calls with many pixels."""
    rng, npix = np.random.default_rng(nside), 12 * nside ** 2
    theta, phi = np.arccos(rng.uniform(-1, 1, points)), rng.uniform(0, 2 * np.pi, points)
    pix, few = rng.integers(0, npix, points), rng.integers(0, npix, points // 10)
    rising = np.arange(min(npix, 8 * points))
    x, y, z = np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)
    face = [rng.integers(0, nside, points), rng.integers(0, nside, points),
            rng.integers(0, 12, points)]
    v, corners = np.array([0.3, 0.4, 0.7]), np.array([[1, 0, 0.1], [0, 1, 0.1], [0.5, 0.5, 1]])
    calls = {}
    for nest in (False, True):
        more, word = {"nest": nest}, " nest" if nest else ""
        calls.update({
            "ang2pix" + word: lambda h, m=more: h.ang2pix(nside, theta, phi, **m),
            "ang2pix lonlat" + word: lambda h, m=more: h.ang2pix(
                nside, phi * 50, theta * 50 - 80, lonlat=True, **m),
            "pix2ang" + word: lambda h, m=more: h.pix2ang(nside, pix, **m),
            "pix2ang rising" + word: lambda h, m=more: h.pix2ang(nside, rising, **m),
            "vec2pix" + word: lambda h, m=more: h.vec2pix(nside, x, y, z, **m),
            "pix2vec" + word: lambda h, m=more: h.pix2vec(nside, pix, **m),
            "pix2vec rising" + word: lambda h, m=more: h.pix2vec(nside, rising, **m),
            "pix2xyf" + word: lambda h, m=more: h.pix2xyf(nside, pix, **m),
            "xyf2pix" + word: lambda h, m=more: h.xyf2pix(nside, *face, **m),
            "get_all_neighbours" + word: lambda h, m=more: h.get_all_neighbours(nside, pix, **m),
            "boundaries" + word: lambda h, m=more: h.boundaries(nside, few, **m),
            "boundaries step 4" + word: lambda h, m=more: h.boundaries(nside, few, 4, **m),
            "get_interp_weights" + word: lambda h, m=more: h.get_interp_weights(
                nside, theta, phi, **m),
        })
        for radius in (0.01, 0.3, 1.0):
            calls[f"query_disc {radius}{word}"] = lambda h, m=more, r=radius: h.query_disc(
                nside, v, r, **m)
            calls[f"query_disc {radius} inclusive{word}"] = (
                lambda h, m=more, r=radius: h.query_disc(nside, v, r, inclusive=True, **m))
        calls[f"query_disc 1.0 ranges{word}"] = lambda h, m=more: h.query_disc(
            nside, v, 1.0, return_ranges=True, **m)
        calls[f"query_polygon{word}"] = lambda h, m=more: h.query_polygon(nside, corners, **m)
        calls[f"query_polygon inclusive{word}"] = lambda h, m=more: h.query_polygon(
            nside, corners, inclusive=True, **m)
    calls.update({
        "query_strip": lambda h: h.query_strip(nside, 1.0, 1.2),
        "nest2ring": lambda h: h.nest2ring(nside, pix),
        "nest2ring rising": lambda h: h.nest2ring(nside, rising),
        "ring2nest": lambda h: h.ring2nest(nside, pix),
        "ring2nest rising": lambda h: h.ring2nest(nside, rising),
    })
    return calls


def maps(np, nside, points):
    """Calls with whole maps."""
    rng, npix = np.random.default_rng(nside), 12 * nside ** 2
    m = rng.standard_normal(npix)
    f, i = m.astype(np.float32), np.arange(npix, dtype=np.int32)
    theta, phi = np.arccos(rng.uniform(-1, 1, points)), rng.uniform(0, 2 * np.pi, points)
    calls = {}
    for word, given in (("", m), (" float32", f), (" int32", i)):
        calls["reorder r2n" + word] = lambda h, g=given: h.reorder(g, r2n=True)
        calls["reorder n2r" + word] = lambda h, g=given: h.reorder(g, n2r=True)
    for order in ("RING", "NEST"):
        for word, given in (("", m), (" float32", f)):
            name = f" {order.lower()}{word}"
            calls["ud_grade / 2" + name] = lambda h, g=given, o=order: h.ud_grade(
                g, nside // 2, order_in=o)
            calls["ud_grade / 16" + name] = lambda h, g=given, o=order: h.ud_grade(
                g, nside // 16, order_in=o)
            if nside < 8192:
                calls["ud_grade * 2" + name] = lambda h, g=given, o=order: h.ud_grade(
                    g, nside * 2, order_in=o)
    for nest in (False, True):
        word = " nest" if nest else ""
        calls["get_interp_val" + word] = lambda h, n=nest: h.get_interp_val(m, theta, phi, nest=n)
        calls["get_interp_val float32" + word] = lambda h, n=nest: h.get_interp_val(
            f, theta, phi, nest=n)
    return calls


def in_words(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def main():
    told = arguments()
    if told.threads:
        os.environ["OMP_NUM_THREADS"] = str(told.threads)
        if told.threads == 1 and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    import healpy
    import numpy as np

    import armilla.healpy as ours
    warnings.simplefilter("ignore")
    clock = time.process_time if told.threads == 1 else time.perf_counter
    print(f"healpy {healpy.__version__}, numpy {np.__version__}, python "
          f"{sys.version.split()[0]}, threads {told.threads or 'all'}\n")
    print("| function | nside | healpy | armilla | ratio |\n|---|---|---|---|---|")
    worst = []
    for nside in told.nside:
        for make in (small, large, maps):
            if make is maps and nside > told.largest_map:  # 6.4 GB each at 8192
                continue
            for name, call in make(np, nside, told.points).items():
                if told.only not in name:
                    continue
                judge, mine = least([lambda: call(healpy), lambda: call(ours)], told.seconds,
                                    clock)
                worst.append((mine / judge, name, nside))
                print(f"| {name} | {nside} | {in_words(judge)} | {in_words(mine)} | "
                      f"{mine / judge:.2f} |", flush=True)
    slow = [w for w in sorted(worst, reverse=True) if w[0] > 1.5]
    print(f"\n{len(worst)} cells, {len(slow)} above 1.5:",
          "; ".join(f"{name} at {nside}: {ratio:.2f}" for ratio, name, nside in slow))


if __name__ == "__main__":
    main()
