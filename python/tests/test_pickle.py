"""Every public class whose objects can be pickled: each protocol, 0 to 5, and copies."""
import copy
import importlib
import inspect
import pickle

import numpy as np
import pytest

import armilla
import armilla.healpy
import armilla.libsharp
import armilla.shtns

GRID, SKY = armilla.Grid.gauss_legendre(8, 16), armilla.Grid.healpix(4)
ALM = armilla.alm.random(7, np.ones(8), seed=1)
SEEN = np.arange(SKY.npix) > 20
PAIR = np.stack([0 * ALM, ALM]).reshape(2, -1) * (np.arange(ALM.size) > 0)
MAP = armilla.SHT(SKY, 7).synthesis(ALM)

# an object of each class, and something that it does
EXAMPLES = {
    "Grid": (lambda: SKY.laid_out(phi0=0.1), lambda one: one.rings["theta"]),
    "Layout": (lambda: armilla.Layout(7, 3), lambda one: one.convert(np.ones(one.size), one)),
    "SHT": (lambda: armilla.SHT(GRID, 7), lambda one: one.synthesis(ALM)),
    "IQU": (lambda: armilla.IQU(GRID, 7), lambda one: one.synthesis([ALM, 0 * ALM, 0 * ALM])),
    "VectorSHT": (lambda: armilla.VectorSHT(GRID, 7, radius=2.0), lambda one: one.synthesis(PAIR)),
    "ComplexSHT": (lambda: armilla.ComplexSHT(GRID, 7), lambda one: one.synthesis(np.ones(64))),
    "Wind": (lambda: armilla.Wind(GRID, 7, radius=2.0),
             lambda one: one.helmholtz(*one.transform.synthesis(PAIR)).u_divergent),
    "Points": (lambda: armilla.Points(7, [[1.0, 2.0]]), lambda one: one.synthesis(ALM)),
    "Kernel": (lambda: armilla.Kernel.gaussian(0.5), lambda one: one.harmonic_window(7)),
    "Radial": (lambda: armilla.Radial(SKY, armilla.Kernel.gaussian(0.5)),
               lambda one: one.convolve(MAP)),
    "Asymmetric": (lambda: armilla.Asymmetric(SKY, armilla.Kernel.gaussian(0.5), [[0.3, 1]], [2]),
                   lambda one: one.convolve(MAP)),
    "Lensing": (lambda: armilla.Lensing(SKY, 1e-3 * ALM, 7), lambda one: one.alm2lenmap(ALM)),
    "Beams": (lambda: armilla.Beams(7, 1, [[0.1, 0.2, 0.3]]),
              lambda one: one.convolve(ALM, ALM[:15])),
    "RotationGroup": (lambda: armilla.RotationGroup(GRID, 7, 1, ngamma=4),
                      lambda one: one.synthesis(np.ones(one.alm_shape))),
    "DirectionalWavelets": (lambda: armilla.so3.DirectionalWavelets(7, 1, 1.5, 1, "mw"),
                            lambda one: one.synthesis(*one.analysis(ALM))),
    "Rotation": (lambda: armilla.Rotation(0.1, 0.2, 0.3), lambda one: one.rotate_alm(ALM)),
    "Healpix_Base": (lambda: armilla.healpix.Healpix_Base(4, "NEST"),
                     lambda one: one.ang2pix(np.ones((3, 2)))),
    "Table": (lambda: armilla.io.Table([armilla.io.Card("TFIELDS", 0, "")], np.zeros((2, 0), "u1")),
              lambda one: one.said("TFIELDS")),
    "Rotator": (lambda: armilla.healpy.Rotator(coord=["C", "G"]), lambda one: one(0.3, 0.4)),
    "sht": (lambda: armilla.shtns.sht(7), lambda one: one.nlm),
    "rotation": (lambda: armilla.shtns.rotation(7), lambda one: one.lmax),
    "Bands": (lambda: armilla.pseudo_cl.Bands([2], [5], quantity="dl"),
              lambda one: one.average(np.ones(8))),
    "Field": (lambda: armilla.pseudo_cl.Field.from_map(MAP, SEEN, lmax=7),
              lambda one: one.with_map(MAP).alm),
    "Coupling": (lambda: armilla.pseudo_cl.Coupling.from_masks([3.0, 0.2], 7, 3),
                 lambda one: one.windows),
    "Spectrum": (lambda: armilla.pseudo_cl.spectrum(MAP, SEEN, 3, lmax=7),
                 lambda one: one.knox_errors()),
    "healpix_grid": (lambda: armilla.libsharp.healpix_grid(4), lambda one: one._pixels),
    "packed_real_order": (lambda: armilla.libsharp.packed_real_order(7), lambda one: one.mval()),
}
MODULES = ("armilla", "armilla.healpix", "armilla.io", "armilla.geo", "armilla.conventions",
           "armilla.pseudo_cl", "armilla.so3",
           "armilla.shtns", "armilla.healpy", "armilla.libsharp")
OTHERS = ("Alm", "ComplexCalls", "OrderCalls")  # static methods, and what classes inherit


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", EXAMPLES)
def test_each_protocol(name, protocol):
    make, use = EXAMPLES[name]
    one = make()
    again = pickle.loads(pickle.dumps(one, protocol))
    assert type(again) is type(one)
    np.testing.assert_array_equal(use(again), use(one))


@pytest.mark.parametrize("name", EXAMPLES)
def test_copies(name):
    make, use = EXAMPLES[name]
    one = make()
    for again in (copy.copy(one), copy.deepcopy(one)):
        np.testing.assert_array_equal(use(again), use(one))


def test_no_class_is_left_out():
    classes = {one for name in MODULES
               for module in [importlib.import_module(name)]
               for one in vars(module).values()
               if inspect.isclass(one) and one.__module__.startswith("armilla")
               and not one.__name__.startswith("_")}
    plain = {one for one in classes if issubclass(one, (tuple, BaseException))}
    assert {one.__name__ for one in classes - plain} - set(OTHERS) <= set(EXAMPLES)
