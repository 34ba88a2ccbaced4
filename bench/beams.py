"""Skies through beams beside ducc0's totalconvolve: processor seconds of one thread, in turns.

    PYTHONPATH=build/python python bench/beams.py             # (1000, 4), (2000, 4), (1000, 14)
    PYTHONPATH=build/python python bench/beams.py 500,4       # another lmax and kmax

Build ducc0 from its source (pip install --no-binary ducc0 ducc0), so that it uses all that the
machine has. It is told the number of pointings. With the plan kept, ducc0 keeps its plan and the
memory of its cube, and armilla its sorted pointings; with it, both make their plans anew.
"""
import sys
import time

import ducc0
import numpy as np

import armilla

POINTINGS, EPSILON, ROUNDS = 2_000_000, 1e-5, 5


def seconds(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def random_pointings():
    rng = np.random.default_rng(1)
    angles = rng.uniform([-1, 0, 0], [1, 2 * np.pi, 2 * np.pi], (POINTINGS, 3))
    angles[:, 0] = np.arccos(angles[:, 0])
    return angles


class Peer:
    """ducc0's plan and its cube."""

    def __init__(self, lmax, kmax, pointings):
        self.kmax, self.columns = kmax, np.ascontiguousarray(pointings.T)
        self.plan = ducc0.totalconvolve.ConvolverPlan(lmax=lmax, kmax=kmax, npoints=POINTINGS,
                                                      epsilon=EPSILON, nthreads=1)
        self.cube = np.zeros((self.plan.Npsi(), self.plan.Ntheta(), self.plan.Nphi()))
        self.samples = np.zeros(POINTINGS)

    def planes(self, k):
        return self.cube[2 * k - 1 if k else 0:2 * k + 1]

    def convolve(self, sky, beam):
        for k in range(self.kmax + 1):
            self.plan.getPlane(sky, beam, k, self.planes(k))
        self.plan.prepPsi(self.cube)
        self.plan.interpol(self.cube, 0, 0, *self.columns, self.samples)
        return self.samples

    def adjoint(self, samples, beam, sky):
        self.cube[...] = 0
        sky[...] = 0
        self.plan.deinterpol(self.cube, 0, 0, *self.columns, samples)
        self.plan.deprepPsi(self.cube)
        for k in range(self.kmax + 1):
            self.plan.updateSlm(sky, beam, k, self.planes(k))
        return sky


def compare(lmax, kmax, pointings):
    sky = armilla.alm.random(lmax, np.ones(lmax + 1), seed=1)
    beam = armilla.alm.random(lmax, np.ones(lmax + 1), seed=2)[:armilla.alm.size(lmax, kmax)]

    def plan():
        return armilla.Beams(lmax, kmax, pointings, epsilon=EPSILON, nthreads=1)

    ours, theirs = plan(), Peer(lmax, kmax, pointings)
    samples, back, other = np.empty(POINTINGS), np.empty_like(sky), np.empty_like(sky)
    calls = {
        "convolve": (lambda: ours.convolve(sky, beam, out=samples, nthreads=1),
                     lambda: theirs.convolve(sky, beam)),
        "adjoint": (lambda: ours.adjoint(samples, beam, out=back, nthreads=1),
                    lambda: theirs.adjoint(samples, beam, other)),
        "plan": (plan, lambda: Peer(lmax, kmax, pointings))}
    least = {name: [np.inf, np.inf] for name in calls}
    for _ in range(ROUNDS):
        for name, pair in calls.items():
            for i, call in enumerate(pair):
                least[name][i] = min(least[name][i], seconds(call))
    apart = [np.linalg.norm(a - b) / np.linalg.norm(b)
             for a, b in ((samples, theirs.samples), (back, other))]
    plans = least.pop("plan")
    for name, (mine, peer) in least.items():
        with_plan = (peer + plans[1]) / (mine + plans[0])
        print(f"({lmax}, {kmax}) {name:8}: {mine:6.2f} of {peer:6.2f} s, {peer / mine:.2f} times "
              f"as fast; with plan {with_plan:.2f}", flush=True)
    print(f"    plans {plans[0]:.2f} and {plans[1]:.2f} s; results differ by {apart[0]:.1e} and "
          f"{apart[1]:.1e} (rms)", flush=True)


def main():
    sizes = [tuple(map(int, text.split(","))) for text in sys.argv[1:]]
    pointings = random_pointings()
    print(f"ducc0 {ducc0.__version__}, armilla {armilla.__version__}")
    for lmax, kmax in sizes or [(1000, 4), (2000, 4), (1000, 14)]:
        compare(lmax, kmax, pointings)


if __name__ == "__main__":
    main()
