#!/usr/bin/env python3
"""Values at arbitrary points: the error that one gets for the epsilon that one asks for, and where
the time goes.

Errors are those of all values together, against sums over all harmonics at each point. They must
lie below epsilon, but not far below: what is more accurate than asked for is paid for. Times of the
stages are differences: of plans for many points and for few, which share the grid of samples and
the way to it; and of that way and its Legendre functions alone.

Usage: points_figures.py [FOLDER [LMAX]]     writes points_error.png, points_stages.png there
LMAX: of the times, 255 if not given; the figure in docs/figures is of 1023.
"""
import sys
import time
from pathlib import Path
from typing import Callable

import matplotlib
import numpy as np

import armilla

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

SPINS, EXPONENTS = range(4), range(1, 14)
STAGES = ("sorting (first call)", "Legendre functions", "theta and phi to samples", "interpolation")


def random_points(count: int) -> np.ndarray:
    """Uniform over the sphere, (count, 2)."""
    rng = np.random.default_rng(7)
    return np.stack([np.arccos(rng.uniform(-1, 1, count)), rng.uniform(0, 2 * np.pi, count)], 1)


def field(lmax: int, spin: int) -> np.ndarray:
    """Coefficients of one field."""
    alm = [armilla.alm.random(lmax, np.ones(lmax + 1), seed) for seed in (1, 2)]
    return alm[0] if spin == 0 else np.stack(alm)


# --- Errors ---------------------------------------------------------------------------------------


def errors(spin: int, lmax: int = 300, count: int = 2000) -> np.ndarray:
    """Of each epsilon: norm of the error over the norm of the values."""
    loc, alm = random_points(count), field(lmax, spin)
    exact = armilla.evaluate(alm, lmax, loc, spin)
    made = (armilla.Points(lmax, loc, spin, 10.0**-n).synthesis(alm) for n in EXPONENTS)
    return np.array([np.linalg.norm(values - exact) / np.linalg.norm(exact) for values in made])


def draw_errors(path: Path) -> None:
    epsilons = 10.0 ** -np.array(EXPONENTS)
    figure, panel = plt.subplots(figsize=(7, 5), layout="constrained")
    panel.loglog(epsilons, epsilons, color="black", linewidth=0.8, label="what is asked for")
    panel.loglog(epsilons, epsilons / 100, ":", color="black", linewidth=0.8, label="a hundredth")
    for spin, marker in zip(SPINS, "osD^"):
        got = errors(spin)
        panel.loglog(epsilons, got, marker, markersize=5, fillstyle="none", label=f"spin {spin}")
        print(f"spin {spin}: error / epsilon " + " ".join(f"{x:.2f}" for x in got / epsilons))
        assert (got <= epsilons).all() and (got >= epsilons / 100).all()
    panel.invert_xaxis()
    panel.set_xlabel("epsilon")
    panel.set_ylabel("error of values at points, relative")
    panel.legend()
    figure.savefig(path, dpi=80)
    plt.close(figure)


# --- Times ----------------------------------------------------------------------------------------


def seconds(call: Callable[[], object], rounds: int = 3) -> float:
    """Processor time, the least of some rounds after a first one."""
    call()
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


def legendre_seconds(lmax: int, spin: int, near_rings: int, adjoint: bool) -> float:
    """Legendre functions of a field on equidistant rings, one thread."""
    alm = np.atleast_2d(field(lmax, spin))
    theta = (np.arange(near_rings) + 0.5) * np.pi / near_rings
    leg = armilla.sht.alm2leg(alm=alm, lmax=lmax, theta=theta, spin=spin, nthreads=1)
    if adjoint:
        return seconds(lambda: armilla.sht.leg2alm(leg=leg, lmax=lmax, theta=theta, spin=spin,
                                                   nthreads=1, alm=alm))
    return seconds(lambda: armilla.sht.alm2leg(alm=alm, lmax=lmax, theta=theta, spin=spin,
                                               nthreads=1, leg=leg))


def transform_seconds(points: armilla.Points, alm: np.ndarray, adjoint: bool) -> float:
    """A repeated call, one thread."""
    values = points.synthesis(alm, nthreads=1)
    if adjoint:
        return seconds(lambda: points.adjoint_synthesis(values, nthreads=1, out=alm))
    return seconds(lambda: points.synthesis(alm, nthreads=1, out=values))


def stages(loc: np.ndarray, lmax: int, spin: int, epsilon: float, adjoint: bool) -> list:
    """Seconds of each stage."""
    plan = armilla.Points(lmax, loc, spin, epsilon, nthreads=1)
    few = plan.with_points(loc[:max(2000, lmax)])  # some in every strip of the grid of samples
    sorting = seconds(lambda: plan.with_points(loc)) - seconds(lambda: few.with_points(few.loc))
    legendre = legendre_seconds(lmax, spin, plan.describe().near_rings, adjoint)
    to_samples = transform_seconds(few, field(lmax, spin), adjoint)
    everything = transform_seconds(plan, field(lmax, spin), adjoint)
    return [sorting, legendre, to_samples - legendre, everything - to_samples]


def draw_stages(path: Path, lmax: int) -> None:
    loc = random_points(2 * (lmax + 1) ** 2)
    problems = [(spin, epsilon, adjoint) for spin in (0, 2) for adjoint in (False, True)
                for epsilon in (1e-2, 1e-6, 1e-10)]
    names = [f"spin {spin}, {epsilon:.0e}, {'adjoint' if adjoint else 'synthesis'}"
             for spin, epsilon, adjoint in problems]
    table = np.array([stages(loc, lmax, *problem) for problem in problems]) / len(loc) * 1e9
    figure, panel = plt.subplots(figsize=(9, 5), layout="constrained")
    left = np.zeros(len(problems))
    for stage, width in zip(STAGES, np.maximum(table, 0).T):
        panel.barh(names, width, left=left, label=stage)
        left += width
    panel.invert_yaxis()
    panel.set_xlabel(f"nanoseconds a point (lmax {lmax}, {len(loc)} points, one core)")
    panel.legend()
    figure.savefig(path, dpi=80)
    plt.close(figure)
    for name, row in zip(names, table):
        print(f"{name}: " + ", ".join(f"{stage} {x:.0f} ns" for stage, x in zip(STAGES, row)))
    assert (table[:, 0] + table[:, 3] > 0).all()  # of thousands of points: not lost in noise


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    lmax = int(sys.argv[2]) if len(sys.argv) > 2 else 255
    draw_errors(folder / "points_error.png")
    draw_stages(folder / "points_stages.png", lmax)


if __name__ == "__main__":
    main()
