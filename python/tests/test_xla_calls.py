"""The functions that XLA calls, called by a stand-in: each version of its interface, right calls
and wrong ones. JAX is not needed."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import armilla
import positions
import xla_stand_in as stand_in
from armilla._held import number_of
from armilla._native import lib
from gradients import LAYOUT, OPERATORS, RADIAL, plan, random_input, random_output
from xla_stand_in import EXECUTE, INSTANTIATE, OPERATOR, POSITIONS, StandIn, XlaError, of_numpy

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name, single):
    for sht in (plan(2), plan(1, layout=LAYOUT), armilla.IQU(armilla.Grid.healpix(2), 4)):
        given = random_input(sht, name, (3,), single=single)
        made = np.full_like(random_output(sht, name, (3,), single=single), np.nan)
        StandIn(3).call(OPERATOR, EXECUTE, [of_numpy(given)], [of_numpy(made)],
                        plan=number_of(sht), operator=stand_in.OPERATORS.index(name),
                        is_dense=int(sht.layout is None), nthreads=2)
        np.testing.assert_array_equal(made, getattr(sht, name)(given))


@pytest.mark.parametrize("number, name", [(0, "convolve"), (1, "adjoint")])
def test_convolutions(number, name):
    for radial in RADIAL.values():
        sky = np.random.default_rng(1).standard_normal((2, *radial.map_shape))
        made = np.full_like(sky, np.nan)
        StandIn(3).call(OPERATOR, EXECUTE, [of_numpy(sky)], [of_numpy(made)], is_dense=1,
                        plan=number_of(radial), operator=number, nthreads=1)
        np.testing.assert_array_equal(made, getattr(radial, name)(sky))


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("spin", [0, 2])
def test_points(spin, single):
    alm, loc, values = positions.inputs("points", spin, (2,), single=single)
    options = positions.options("points", spin)[1]
    points = armilla.Points(options["lmax"], loc, spin, options["epsilon"], options["mmax"])
    assert_positions(alm, loc, values, 0, options, points.synthesis, points.adjoint_synthesis)


@pytest.mark.parametrize("spin", [0, 3])
def test_lensed_maps(spin):
    """Against a plan for the deflected directions, turned here; places that are no pixels."""
    grid, (alm, alpha, values) = positions.GRID, positions.inputs("lens", spin, (2,))
    options = positions.options("lens", spin)[1]
    rings = grid.rings
    loc = np.array([[ring["theta"], ring["phi0"] + 2 * np.pi * j / ring["nphi"]]
                    for ring in rings for j in range(ring["nphi"])])
    places = np.concatenate([ring["offset"] + ring["stride"] * np.arange(ring["nphi"])
                             for ring in rings])
    moved, gamma = armilla.lensing.deflect(loc, alpha[:, places])
    points = armilla.Points(options["lmax"], moved, spin, options["epsilon"], options["mmax"])

    def turned(seen, sign):
        if not spin:
            return seen
        z = (seen[..., 0, :] + 1j * seen[..., 1, :]) * np.exp(1j * sign * spin * gamma)
        return np.stack([z.real, z.imag], -2)

    def to_map(given):
        made = np.zeros(values.shape)
        made[..., places] = turned(points.synthesis(given), 1)
        return made

    assert_positions(alm, alpha, values, number_of(grid), options, to_map,
                     lambda given: points.adjoint_synthesis(turned(given[..., places], -1)))


def assert_positions(alm, places, values, grid, options, *judges):
    for to_map, given, like, judge in zip((1, 0), (alm, values), (values, alm), judges):
        made = np.full_like(like, np.nan)
        StandIn(2).call(POSITIONS, EXECUTE, [of_numpy(given), of_numpy(places)], [of_numpy(made)],
                        to_map=to_map, grid=grid, pure=0, nthreads=1, **options)
        np.testing.assert_allclose(made, judge(given), rtol=1e-12, atol=1e-12)


def test_versions_that_functions_tell():
    for minor in (1, 2, 3):
        assert lib.armilla_python_xla_answer(minor) == 0
        assert {stand_in.version_told(number) for number in range(3)} == {(0, minor)}
    assert lib.armilla_python_xla_answer(4) == lib.armilla_python_xla_answer(0) == 1
    assert stand_in.version_told(0) == (0, 3)


@pytest.mark.parametrize("minor", [3, 2, 1])
def test_states_of_each_version(minor):
    """Another XLA's first call: a type of states is registered once for the process, so in a
    process of its own."""
    done = subprocess.run([sys.executable, "-c", STATES.format(minor=minor, here=str(HERE))],
                          cwd=HERE.parents[1], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert done.returncode == 0 and done.stdout == "done\n", done.stdout


STATES = """
import sys
sys.path.insert(0, {here!r})
import numpy as np, armilla
from armilla._held import number_of
from armilla._native import lib
from xla_stand_in import *
xla, sht = StandIn({minor}), armilla.SHT(armilla.Grid.healpix(2), 4)
options = dict(plan=number_of(sht), operator=0, is_dense=1, nthreads=1)
for _ in range(2):
    xla.call(OPERATOR, INSTANTIATE, **options)
assert len(xla.types) == 1 and len(xla.states) == 2
alm = np.random.default_rng(1).standard_normal((3, 15)) + 0j
sky = np.empty((3, 48))
judge = sht.synthesis(alm)
del sht
assert lib.armilla_python_held_count() == 1
xla.call(OPERATOR, EXECUTE, [of_numpy(alm)], [of_numpy(sky)], **options)
np.testing.assert_array_equal(sky, judge)
for state, release in xla.states:
    assert lib.armilla_python_held_count() == 1
    (release or xla.types[0])(state)
assert lib.armilla_python_held_count() == 0
try:
    xla.call(OPERATOR, EXECUTE, [of_numpy(alm)], [of_numpy(sky)], **options)
except XlaError as error:
    assert error.args == (3, "the plan is gone")
    print("done")
"""


def test_wrong_calls():
    """What no call of armilla.jax says is an error, not a crash."""
    xla, sht = StandIn(3), plan(2)
    alm, sky = random_input(sht, "synthesis", (2,)), np.empty((2, *sht.map_shape))
    right = dict(plan=number_of(sht), operator=0, is_dense=1, nthreads=1)

    def message(arguments, results, number=OPERATOR, stage=EXECUTE, **changes):
        options = {name: value for name, value in {**right, **changes}.items()
                   if value is not None}
        with pytest.raises(XlaError) as found:
            xla.call(number, stage, [of_numpy(x) for x in arguments],
                     [of_numpy(x) for x in results], **options)
        return found.value.args

    shapes = "the arrays do not have the shapes of the plan"
    types = "the arrays must be float32 with complex64, or float64 with complex128"
    assert message([alm[:, :, 1:]], [sky]) == (3, shapes)
    assert message([alm], [sky[..., 1:]]) == (3, shapes)
    assert message([alm[:1]], [sky]) == (3, "the arrays have different numbers of transforms")
    assert message([alm.astype("F")], [sky]) == (3, types)
    assert message([sky], [sky]) == (3, types)
    assert message([alm], [sky], operator=4) == (3, "operator: this plan has no such one")
    assert message([alm], [sky], operator=None) == (3, "a constant of the call is missing")
    assert message([alm], [sky], operator=0.5) == (3, "a constant of the call is missing")
    assert message([], [sky]) == (3, "an array of the call is missing")
    assert message([alm], [sky], plan=10**9) == (3, "the plan is gone")
    assert message([alm], [sky], plan=number_of(sht.grid)) == (
        3, "operator: this plan has no such one")
    assert message([alm], [sky], stage=INSTANTIATE, plan=10**9) == (
        3, "the plan of this program is gone, or of another process")
    field = dict(lmax=4, mmax=4, spin=0, pure=0, epsilon=1e-7, to_map=1, grid=0, plan=None)
    alm, loc, seen = np.ones(15, complex), np.ones((6, 2)), np.ones(6)
    of_points = dict(number=POSITIONS, **field)
    assert message([alm, loc[:, :1]], [seen], **of_points) == (
        3, "the positions must be real, with two coordinates each")
    assert message([alm[1:], loc], [seen], **of_points) == (
        3, "the arrays do not have the shapes of the field")
    assert message([alm, loc], [seen.astype("f")], **of_points) == (3, types)
    of_grid = {**of_points, "grid": number_of(sht.grid)}
    assert message([alm, loc.T.copy()], [seen], **of_grid) == (
        3, "deflection: has another number of pixels than the grid")
    assert message([alm, loc.T.copy()], [seen], **{**of_grid, "grid": number_of(sht)}) == (
        3, "grid: is gone, or is none")
    assert message([alm, 4 * loc], [seen], **of_points)[1].startswith(
        "points: theta of point 0 = 4: must be 0 to pi")
