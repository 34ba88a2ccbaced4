"""Errors name the argument that the caller gave, in Python's words, not the library's."""
import re

import numpy as np
import pytest

import armilla
import armilla.sht

Grid, SHT, Layout, Rotation = armilla.Grid, armilla.SHT, armilla.Layout, armilla.Rotation
Kernel, Radial = armilla.Kernel, armilla.Radial
GRID = Grid.gauss_legendre(5, 9)
PLAN = SHT(GRID, 4)
MAP, ALM = np.ones(45), np.ones(15, complex)
FOREIGN = re.compile(r"->|\boptions\b|\bexec\b|\bproblem\b|armilla_|ARMILLA_|\bNULL\b|struct"
                     r"|GRADIENT_ONLY|DERIVATIVES|_rad\b|\bSUM\b|\bNONE\b")

NATIVE = [
    (lambda: SHT(4, 4), TypeError, "grid: must be an armilla.Grid or its name, not int"),
    (lambda: SHT("x", 4), ValueError, 'name = "x": no grid has such a name'),
    (lambda: SHT(GRID, 4.5), TypeError, "lmax = 4.5: must be an integer"),
    (lambda: SHT(GRID, 2 ** 63), ValueError, "lmax = 9223372036854775808: does not fit"),
    (lambda: SHT(GRID, 4, "a"), TypeError, "mmax = 'a': must be an integer"),
    (lambda: SHT(GRID, 4, spin=0.5), TypeError, "spin = 0.5: must be an integer"),
    (lambda: SHT(GRID, 4, spin=9), ValueError, "spin = 9: "),
    (lambda: SHT(GRID, 4, mode="gradient_only"), ValueError, "spin = 0: .*'gradient_only'"),
    (lambda: SHT(GRID, 4, spin=3, mode="derivatives"), ValueError, "spin = 3: .*'derivatives'"),
    (lambda: SHT(GRID, 3, layout=Layout(4, 3)), ValueError, "lmax = 3: differs .* of layout"),
    (lambda: SHT(GRID, 4, 2, layout=Layout(4)), ValueError, "mmax = 2: differs .* of layout"),
    (lambda: SHT(GRID, 4, isa="x"), NotImplementedError, "isa = \"x\""),
    (lambda: Grid.healpix(2.5), TypeError, "nside = 2.5"),
    (lambda: Grid.healpix(4, weights_lmax="x"), TypeError, "weights_lmax = 'x'"),
    (lambda: Grid.equidistant("CC", 5, None), TypeError, "nphi = None"),
    (lambda: Grid.custom([1, 2], [4, 0]), ValueError, r"^nphi\[1\]: "),
    (lambda: Grid.custom([1, 9.0], [4, 4]), ValueError, r"^theta\[1\]: "),
    (lambda: Grid.custom([1, 2], [4, 4], stride=[1, 0]), ValueError, r"^stride\[1\]: "),
    (lambda: Grid.custom([1, 2], [4, 4], offset=[-1, 4]), ValueError, r"^offset\[0\]: "),
    (lambda: GRID.subset(1.5, 2), TypeError, "first = 1.5"),
    (lambda: PLAN.synthesis(ALM, nthreads=-1), ValueError, "nthreads = -1"),
    (lambda: PLAN.synthesis(ALM, nthreads="a"), TypeError, "nthreads = 'a'"),
    (lambda: PLAN.pseudo_analysis(MAP, max_iterations=-1), ValueError, "^max_iterations = -1"),
    (lambda: PLAN.pseudo_analysis(MAP, max_iterations=0.5), TypeError, "^max_iterations = 0.5"),
    (lambda: PLAN.pseudo_analysis(MAP, tolerance=-1), ValueError, "^tolerance = -1"),
    (lambda: PLAN.pseudo_analysis(MAP, tolerance="x"), TypeError, "^tolerance = 'x'"),
    (lambda: PLAN.pseudo_analysis(MAP * np.nan), ValueError, r"^map\[0\] = nan"),
    (lambda: Layout(2.5), TypeError, "lmax = 2.5"),
    (lambda: armilla.alm.random(3, [1.0], -1), ValueError, "seed = -1"),
    (lambda: Rotation("x", 0, 0), TypeError, "psi = 'x'"),
    (lambda: Rotation(0, np.inf, 0), ValueError, "theta = inf"),
    (lambda: Rotation.from_coordinates("X", "G"), ValueError, "source = 'X'"),
    (lambda: Rotation.from_coordinates("G", "X"), ValueError, "target = 'X'"),
    (lambda: Kernel.gaussian(7), ValueError, "^fwhm = 7"),
    (lambda: Kernel.table([0, 9], [1, 2]), ValueError, r"^theta\[1\] = 9"),
    (lambda: Radial(GRID, Kernel.gaussian(1), 4), ValueError, "^support = 4"),
    (lambda: Radial(GRID, Kernel.gaussian(1), truncation_error=2), ValueError,
     "^truncation_error = 2"),
    (lambda: Radial(GRID, Kernel.mexican_hat(1), np.pi, normalization="sum"), ValueError,
     "^normalization = 'sum': .* 'none'"),
    (lambda: Radial(GRID, Kernel.gaussian(1), isa="x"), NotImplementedError, "isa = \"x\""),
    (lambda: Radial(GRID, Kernel.gaussian(1)).convolve(MAP, weights=-MAP), ValueError,
     r"^weights\[0\] = -1"),
    (lambda: Radial(GRID, Kernel.gaussian(1)).convolve(MAP, nthreads=-1), ValueError,
     "nthreads = -1"),
]

RINGS = dict(theta=np.array([1.0, 2.0]), nphi=np.array([4, 4]), phi0=np.zeros(2),
             ringstart=np.array([0, 4]))
ROW = ALM[None]


def rings(**changed):
    return armilla.sht.synthesis(**{**dict(alm=ROW, spin=0, lmax=4), **RINGS, **changed})


def legs(**changed):
    return armilla.sht.alm2leg(**{**dict(alm=ROW, lmax=4, theta=np.ones(1)), **changed})


def solved(**changed):
    return armilla.sht.pseudo_analysis(**{**dict(map=np.ones((1, 8)), spin=0, lmax=1, maxiter=3,
                                                 epsilon=1e-3), **RINGS, **changed})


DUCC0 = [
    (lambda: rings(theta=np.array([1.0, 9.0])), r"^theta\[1\]: "),
    (lambda: rings(nphi=np.array([4, 0])), r"^nphi\[1\]: "),
    (lambda: rings(ringstart=np.array([-1, 4])), r"^ringstart\[0\] = -1"),
    (lambda: rings(pixstride=0), r"^pixstride\[0\]: "),
    (lambda: rings(lstride=0), "^lstride = 0"),
    (lambda: rings(mstart=np.array([-5, 0, 0, 0, 0])), r"^mstart\[0\] = -5"),
    (lambda: rings(spin=5), "^spin = 5"),
    (lambda: armilla.sht.get_gridweights("GL", 0), "^ntheta = 0"),
    (lambda: armilla.sht.synthesis_2d(alm=ROW, spin=0, lmax=4, geometry="CC", ntheta=1, nphi=9),
     "^ntheta = 1"),
    (lambda: legs(theta=np.array([9.0])), r"^theta\[0\] = 9"),
    (lambda: legs(lstride=0), "^lstride = 0"),
    (lambda: legs(mval=np.array([9]), mstart=np.array([0])), r"^mval\[0\] = 9"),
    (lambda: solved(epsilon=-1.0), "^epsilon = -1"),
    (lambda: solved(map=np.full((1, 8), np.nan)), r"^map\[0\] = nan"),
]


@pytest.mark.parametrize("call, kind, text", NATIVE)
def test_native(call, kind, text):
    with pytest.raises(kind, match=text) as found:
        call()
    assert type(found.value) is kind and not FOREIGN.search(str(found.value))


@pytest.mark.parametrize("call, text", DUCC0)
def test_names_of_ducc0(call, text):
    with pytest.raises(armilla.sht.Error, match=text) as found:
        call()
    assert not FOREIGN.search(str(found.value))
