"""armilla.torch in programs of torch.compile and torch.export: PyTorch 2.4 or newer."""
import numpy as np
import pytest

import armilla
import positions
from couplings import COUPLINGS, random_spectra
from gradients import (LAYOUT, OPERATORS, POINTS, RADIAL, plan, random_input, random_output,
                       sight)

torch = pytest.importorskip("torch")
if not hasattr(torch.library, "custom_op"):
    pytest.skip("PyTorch before 2.4", allow_module_level=True)
from armilla import torch as at  # noqa: E402
from armilla._positions import field_of  # noqa: E402
from armilla._torch_positions import _gradients as pulled_op  # noqa: E402
from armilla._torch_positions import _in_program as positions_op  # noqa: E402
from armilla._torch_programs import token_of  # noqa: E402
from armilla._torch_operators import _in_program as operator_op  # noqa: E402


@pytest.fixture(autouse=True)
def nothing_compiled():
    torch.compiler.reset()


def compiled(function, **options):
    """One program without a break, run as PyTorch's own steps."""
    return torch.compile(function, fullgraph=True, backend="aot_eager", **options)


def leaf(values):
    return torch.tensor(values).requires_grad_()


def gradients(function, *given):
    leaves = [leaf(values) for values in given]
    made = function(*leaves)
    factor = torch.from_numpy(np.random.default_rng(5).standard_normal(made.shape))
    (made.abs() ** 2 * factor).sum().backward()
    return made.detach().numpy(), *(x.grad.resolve_conj().numpy() for x in leaves)


def assert_same(function, *given):
    """Compiled as without, values and gradients."""
    for made, judge in zip(gradients(compiled(function), *given), gradients(function, *given)):
        np.testing.assert_allclose(made, judge, rtol=1e-12, atol=1e-12)


PLANS = {"spin 2": plan(2), "layout": plan(1, layout=LAYOUT), "points": POINTS[2, "standard"],
         "iqu": armilla.IQU(armilla.Grid.healpix(2), 4)}


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("kind", PLANS)
def test_operators(kind, name):
    sht = PLANS[kind]
    if kind == "points" and "analysis" in name:
        pytest.skip("points have none")
    assert_same(lambda x: 2 * getattr(at, name)(sht, 3 * x), random_input(sht, name, (2,)))


@pytest.mark.parametrize("name", ["convolve", "adjoint_convolve"])
def test_convolutions(name):
    radial = RADIAL["healpix"]
    sky = np.random.default_rng(1).standard_normal((2, *radial.map_shape)).astype("f")
    assert_same(lambda x: getattr(at, name)(radial, x), sky)


def test_couplings():
    coupling = COUPLINGS[2, 2]
    assert_same(lambda x: at.couple(coupling, x), random_spectra((2, 2), (2,)))


def test_beams():
    beams, sky, beam, _ = sight()
    fixed = torch.from_numpy(beam)
    assert_same(lambda x: at.convolve_beams(beams, x, fixed), sky)


@pytest.mark.parametrize("kind, spin", [("points", 2), ("lens", 0)])
def test_positions(kind, spin):
    alm, places, values = positions.inputs(kind, spin, (2,))
    more, options = positions.options(kind, spin)
    if kind == "points":
        places, values = places[1:], values[..., 1:]
    for function, given in zip(positions.functions(at, kind), (alm, values)):
        assert_same(lambda x, y, function=function: function(x, y, *more, **options), given, places)


def test_each_plan_has_its_program():
    """Plans of the same shapes are told apart."""
    grids = [armilla.Grid.gauss_legendre(6, 12), armilla.Grid.equidistant("F1", 6, 12)]
    plans = [armilla.SHT(grid, 4) for grid in grids]
    function = compiled(lambda sht, x: at.synthesis(sht, x))
    alm = random_input(plans[0], "synthesis")
    for sht in plans + plans:
        np.testing.assert_array_equal(function(sht, torch.from_numpy(alm)), sht.synthesis(alm))


def test_a_model_by_the_default_compiler():
    """A module with a filter of degrees that is learnt."""
    sht = plan()

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.factor = torch.nn.Parameter(torch.linspace(0.5, 1, sht.alm_shape[-1],
                                                            dtype=torch.float64))

        def forward(self, sky):
            return torch.tanh(at.synthesis(sht, self.factor * at.analysis(sht, sky)))

    sky = torch.from_numpy(random_input(sht, "analysis", (2,)))
    seen = []
    for make in (lambda model: model, lambda model: torch.compile(model, fullgraph=True)):
        model = Model()
        made = make(model)(sky)
        (made ** 2).sum().backward()
        seen.append((made.detach(), model.factor.grad))
    for made, judge in zip(*seen):
        torch.testing.assert_close(made, judge, rtol=1e-12, atol=1e-12)

    program = torch.export.export(Model(), (sky,))
    assert "armilla.operator" in str(program)
    torch.testing.assert_close(program.module()(sky), seen[0][0], rtol=1e-12, atol=1e-12)


@pytest.mark.skipif(not hasattr(torch.library, "register_vmap"), reason="PyTorch before 2.5")
def test_vmap_in_a_program():
    sht, (alm, places, _) = plan(2), positions.inputs("points", 0, (3,))
    given = random_input(sht, "synthesis", (3, 2))
    function = compiled(torch.vmap(lambda x: at.synthesis(sht, x), in_dims=1, out_dims=1))
    np.testing.assert_array_equal(function(torch.from_numpy(given)), sht.synthesis(given))
    options = positions.options("points", 0)[1]
    several = torch.from_numpy(np.stack([places, 0.99 * places]))
    call = torch.vmap(lambda x, y: at.synthesis_general(x, y, **options), (None, 0))
    np.testing.assert_array_equal(compiled(call)(torch.from_numpy(alm), several),
                                  call(torch.from_numpy(alm), several))


def test_what_pytorch_says_of_the_steps():
    """opcheck: schemas, shapes that are told without data, and gradients agree with what runs."""
    for sht, name in [(plan(2), name) for name in OPERATORS] + [(RADIAL["gauss"], "convolve")]:
        given = (random_input(sht, name, (2,)) if name in OPERATORS else
                 np.random.default_rng(1).standard_normal(sht.map_shape))
        torch.library.opcheck(operator_op, (leaf(given), token_of(sht), name, 0))
    for kind in ("points", "lens"):
        alm, places, values = positions.inputs(kind, 1)
        grid = positions.GRID if kind == "lens" else None
        field = field_of(positions.LMAX, 1, 1e-9, positions.MMAX, 0, grid)
        for given, other, to_map in ((alm, values, True), (values, alm, False)):
            arguments = leaf(given), leaf(places)
            torch.library.opcheck(positions_op, (*arguments, token_of(field), to_map))
            torch.library.opcheck(pulled_op, (*(x.detach() for x in arguments),
                                              torch.tensor(other), token_of(field), to_map))


def test_errors_in_programs():
    """PyTorch 2.4 says that there was one, and not which."""
    sht, tells = plan(), hasattr(torch.library, "register_vmap")
    for given, text in ((torch.zeros(sht.alm_shape, dtype=torch.float64),
                         "float64, must have torch.complex64 or torch.complex128"),
                        (torch.zeros(3, dtype=torch.complex128),
                         r"has shape \(3,\), must have \(\.\.\., 20\)")):
        torch.compiler.reset()
        with pytest.raises(Exception, match=text if tells else "Observed exception"):
            compiled(lambda x: at.synthesis(sht, x))(given)
    alm, places, _ = positions.inputs("points", 0)
    for given, options, text in ((places[:, :1], {}, r"loc: has shape \(6, 1\), must have"),
                                 (places, {"spin": 9}, "spin = 9: must be 0 to lmax = 6")):
        torch.compiler.reset()
        options = {**positions.options("points", 0)[1], **options}
        with pytest.raises(Exception, match=text if tells else ""):
            compiled(lambda x, y: at.synthesis_general(x, y, **options))(
                torch.from_numpy(alm), torch.from_numpy(given))
    with pytest.raises(RuntimeError, match="the program is of another process"):
        operator_op(torch.zeros(sht.alm_shape, dtype=torch.complex128), "other-0", "synthesis", 0)
