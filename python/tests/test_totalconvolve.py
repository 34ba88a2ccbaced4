"""armilla.totalconvolve against ducc0.totalconvolve."""
import numpy as np
import pytest

import armilla
from armilla import totalconvolve
from test_beams import coefficients, dot, pointings

LMAX, KMAX = 30, 3


def peer():
    return pytest.importorskip("ducc0").totalconvolve


def scene(ncomp):
    rng = np.random.default_rng(5)
    return (coefficients(rng, LMAX, LMAX, ncomp), coefficients(rng, LMAX, KMAX, ncomp),
            pointings(rng, 60), rng)


def close(one, other, bound):
    assert one.dtype == other.dtype and one.shape == other.shape
    return np.linalg.norm(one - other) < bound * np.linalg.norm(other)


@pytest.mark.parametrize("ncomp, separate", [(1, False), (3, False), (3, True)])
@pytest.mark.parametrize("single", [False, True])
def test_samples_and_their_adjoint(ncomp, separate, single):
    sky, beam, ptg, rng = scene(ncomp)
    name, bound = ("Interpolator_f", 1e-5) if single else ("Interpolator", 1e-9)
    if single:
        sky, beam, ptg = sky.astype("c8"), beam.astype("c8"), ptg.astype("f4")
    made = []
    for module in (totalconvolve, peer()):
        kind = getattr(module, name)
        values = kind(sky, beam, separate, LMAX, KMAX, epsilon=bound / 10, nthreads=1).interpol(ptg)
        back = kind(LMAX, KMAX, len(values), epsilon=bound / 10, nthreads=1)
        data = np.cos(np.arange(values.size)).reshape(values.shape).astype(values.dtype)
        back.deinterpol(ptg[:20], np.ascontiguousarray(data[:, :20]))
        back.deinterpol(ptg[20:], np.ascontiguousarray(data[:, 20:]))
        made.append((values, back.getSlm(beam)))
    assert close(made[0][0], made[1][0], bound) and close(made[0][1], made[1][1], bound)


def test_forms_of_arguments():
    sky, beam, ptg, _ = scene(1)
    kind = totalconvolve.Interpolator
    want = kind(sky, beam, False, LMAX, KMAX, epsilon=1e-6).interpol(ptg)
    for other in (kind(sky, beam, False, LMAX, KMAX, 100, 1.2, 2.0, 1e-6, 1),
                  kind(sky, beam, False, LMAX, KMAX, 1e-6, 1.5, 1),
                  kind(sky=sky, beam=beam, separate=False, lmax=LMAX, kmax=KMAX, npoints=5,
                       epsilon=1e-6)):
        assert np.array_equal(other.interpol(ptg), want)
    assert totalconvolve.ConvolverPlan(LMAX, KMAX, 1.5, 1e-6).Npsi() == 7
    assert kind(sky, beam, False, LMAX, KMAX, epsilon=1e-6).interpol(ptg[:0]).shape == (1, 0)
    for wrong in (lambda: kind(sky, beam, False, LMAX, KMAX),
                  lambda: kind(sky, beam, False, LMAX, KMAX, epsilon=1e-6, factor=1),
                  lambda: kind(sky, beam, False, LMAX, KMAX, 1, 1, 1, 1, 1, 1)):
        with pytest.raises(TypeError, match="incompatible"):
            wrong()


def test_cubes():
    sky, beam, ptg, rng = scene(1)
    plan = totalconvolve.ConvolverPlan(LMAX, KMAX, epsilon=1e-8, nthreads=1)
    cube = np.empty((plan.Npsi(), plan.Ntheta(), plan.Nphi()))
    for k in range(KMAX + 1):
        plan.getPlane(sky, beam, k, cube[2 * k - 1:2 * k + 1] if k else cube[:1])
    plan.prepPsi(cube)
    low, high, left, right = plan.getPatchInfo(0.1, 0.2, 0.1, 0.2)
    made = np.empty(60)
    plan.interpol(cube[:, low:high, left:right], low, left, *ptg.T, made)
    beams = armilla.Beams(LMAX, KMAX, ptg, epsilon=1e-12)
    assert close(made, beams.convolve(sky[0], beam[0]), 1e-8)
    samples, back, found = rng.uniform(-1, 1, 60), np.zeros_like(cube), np.zeros_like(sky)
    plan.deinterpol(back, 0, 0, *ptg.T, samples)
    plan.deprepPsi(back)
    for k in range(KMAX + 1):
        plan.updateSlm(found, beam, k, back[2 * k - 1:2 * k + 1] if k else back[:1])
    assert close(found[0], beams.adjoint(samples, beam[0]), 1e-8)
    product = made @ samples
    assert abs(product - dot(LMAX, sky, found)) < 1e-13 * np.linalg.norm(made) * 60


def test_what_is_wrong_is_named():
    sky, beam, ptg, _ = scene(3)
    error = armilla.sht.Error
    forward = totalconvolve.Interpolator(sky, beam, False, LMAX, KMAX, epsilon=1e-6)
    back = totalconvolve.Interpolator(LMAX, KMAX, 3, epsilon=1e-6)
    plan = totalconvolve.ConvolverPlan(LMAX, KMAX, epsilon=1e-6)
    cube = np.zeros((plan.Npsi(), plan.Ntheta(), plan.Nphi()))
    for call, text in (
            (lambda: totalconvolve.Interpolator(sky, beam[:1], False, LMAX, KMAX, epsilon=1e-6),
             "sky: has 3"),
            (lambda: totalconvolve.Interpolator(LMAX, LMAX + 1, 1, epsilon=1e-6), "kmax"),
            (lambda: totalconvolve.Interpolator(beam, beam, False, LMAX, KMAX, epsilon=1e-6),
             "sky: has shape"),
            (lambda: forward.getSlm(beam), "getSlm"), (lambda: back.interpol(ptg), "interpol"),
            (lambda: forward.interpol(ptg[:, :2]), "ptg: has shape"),
            (lambda: forward.interpol(ptg * np.nan), "theta of pointing 0"),
            (lambda: back.deinterpol(ptg, np.zeros((1, 60))), "data: has shape"),
            (lambda: back.getSlm(beam[:2]), "beam: has 2"),
            (lambda: plan.getPlane(sky, beam, KMAX + 1, cube[:2]), "mbeam"),
            (lambda: plan.getPlane(sky, beam, 0, cube[:2]), "planes"),
            (lambda: plan.prepPsi(cube[:, 1:]), "subcube"),
            (lambda: plan.interpol(cube, 1, 0, *ptg.T, np.zeros(60)), "itheta0 = 1"),
            (lambda: plan.interpol(cube, 0, 0, *ptg.T, np.zeros(6)), "signal")):
        with pytest.raises(error, match=text):
            call()
