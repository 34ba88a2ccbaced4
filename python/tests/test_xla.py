"""armilla.jax as functions that XLA calls: one processor, several devices, lifetimes of plans,
XLA's header. What the operators compute is tested by test_jax.py, wrong calls by
test_xla_calls.py."""
import gc
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import armilla
import positions
from armilla._held import number_of
from armilla._native import lib
from gradients import LAYOUT, LMAX, RADIAL, plan, random_input
from helpers import relative
from xla_stand_in import BINDINGS

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
from armilla import _jax_positions, _xla  # noqa: E402
from armilla._jax_operators import Primitive  # noqa: E402
from armilla import jax as aj  # noqa: E402

HERE = Path(__file__).resolve().parent
needs_ffi = pytest.mark.skipif(not _xla.AVAILABLE, reason="JAX before 0.5")


# --- One processor --------------------------------------------------------------------------------

ONE_PROCESSOR = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import numpy as np, jax, armilla
from armilla import jax as aj
sht = armilla.SHT(armilla.Grid.gauss_legendre(256, 512), 255)
sky = np.random.default_rng(1).standard_normal((4, *sht.map_shape)).astype("f4")
smooth = lambda x: aj.synthesis(sht, aj.analysis(sht, x))
judge = sht.synthesis(sht.analysis(sky))
scan = lambda x: jax.lax.scan(lambda y, _: (smooth(y), None), x, None, length=2)[0]
for call in (jax.jit(smooth), jax.jit(scan), smooth, jax.jit(jax.grad(lambda x: smooth(x).sum()))):
    np.asarray(call(sky))
assert abs(np.asarray(jax.jit(smooth)(sky)) - judge).max() < 1e-5
loc = np.random.default_rng(2).uniform(0.1, 3, (40000, 2)).astype("f4")
alm = sht.analysis(sky)
np.asarray(jax.jit(lambda x, y: aj.synthesis_general(x, y, lmax=255, epsilon=1e-4))(alm, loc))
print("done")
"""


@needs_ffi
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs Linux")
def test_one_processor_is_enough():
    done = subprocess.run([sys.executable, "-c", ONE_PROCESSOR], timeout=120, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.stdout.endswith("done\n"), done.stdout


def test_callbacks_are_refused_on_one_processor(monkeypatch):
    """With an older JAX, and on a GPU by a plan for the processor."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3})
    with pytest.raises(NotImplementedError, match="has one processor, where jax.pure_callback can"):
        _xla.callback(lambda x: x, jax.ShapeDtypeStruct((3,), np.float64), np.zeros(3))
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 3})
    made = _xla.callback(lambda x: x + 1, jax.ShapeDtypeStruct((3,), np.float64), np.zeros(3))
    np.testing.assert_array_equal(made, np.ones(3))


# --- Programs -------------------------------------------------------------------------------------

@needs_ffi
def test_no_python_in_a_program():
    sht, (alm, places, _) = plan(), positions.inputs("lens", 2)
    for call, given in ((lambda x: aj.synthesis(sht, x), random_input(sht, "synthesis")),
                        (lambda x: aj.lens(x, places, positions.GRID, **positions.options(
                            "lens", 2)[1]), alm)):
        for function in (call, jax.grad(lambda x, call=call: abs(call(x)).sum())):
            text = jax.jit(function).lower(given).as_text()
            assert "@armilla_" in text and "callback" not in text


@needs_ffi
@pytest.mark.parametrize("kind", ["points", "lens"])
def test_positions_in_programs_for_a_gpu(kind, monkeypatch):
    """Functions of the library, on doubles where it takes nothing else; gradients, too. Where there
    are places of no pixel, or no GPU, arrays go by way of the host."""
    asked = []
    monkeypatch.setattr(_jax_positions, "callback", lambda run, result, *arrays: (
        asked.append(run), jax.numpy.zeros(result.shape, result.dtype))[1])
    alm, places, _ = positions.inputs(kind, 2, single=True)
    more = {**positions.options(kind, 2)[1], "epsilon": 1e-5}
    grid = [armilla.Grid.healpix(1)] * (kind == "lens")
    places = np.zeros((2, 12), "f4") if grid else places.astype("f4")

    def program(function, *grid):
        def loss(alm, places):
            return abs(function(alm, places, *grid, **more)).sum()

        return jax.jit(jax.grad(loss, argnums=(0, 1))).trace(alm, places).lower(
            lowering_platforms=("cuda",)).as_text()

    assert "@armilla" not in program(positions.functions(aj, kind)[0], *grid) and asked
    asked.clear()
    monkeypatch.setattr(_xla, "_has_gpu", lambda: True)
    text = program(positions.functions(aj, kind)[0], *grid)
    assert "@armilla_positions" in text and not asked
    assert re.search(r"stablehlo.convert %.*f32>\) -> tensor<.*xf64>", text)
    assert ("complex<f64>" in text) == (kind == "lens")
    if kind == "lens":
        places = np.zeros((2, positions.GRID.npix), "f4")
        assert "@armilla" not in program(aj.lens, positions.GRID) and asked


@needs_ffi
@pytest.mark.parametrize("name, single", [("synthesis", True), ("analysis", False)])
def test_loops(name, single):
    sht = plan(2)
    given = random_input(sht, name, (3,), single=single)
    judge = getattr(sht, name)(given)

    def function(x):
        return getattr(aj, name)(sht, x)

    np.testing.assert_array_equal(jax.lax.map(function, given), judge)
    scanned = jax.jit(lambda x: jax.lax.scan(lambda carry, y: (carry + 1, function(y)), 0, x)[1])
    np.testing.assert_array_equal(scanned(given), judge)
    assert jax.jit(function)(given[:0]).shape == (0, *judge.shape[1:])


@needs_ffi
def test_donated_arrays():
    """The result may lie where the input was, but not while that is read."""
    radial = RADIAL["healpix"]
    sky = np.random.default_rng(1).standard_normal(radial.map_shape)
    donated = jax.jit(lambda x: aj.convolve(radial, x), donate_argnums=0)
    given = jax.numpy.array(sky)
    np.testing.assert_array_equal(donated(given), radial.convolve(sky))
    assert given.is_deleted()


@needs_ffi
def test_what_the_grid_has_no_pixels_for_is_zero():
    grid = armilla.Grid.custom([0.7, 1.5, 2.9], 12, offset=[0, 15, 30], weight=0.3)
    sht = armilla.SHT(grid, LMAX)
    alm = random_input(sht, "synthesis", (2,))
    radial = armilla.Radial(grid, armilla.Kernel.gaussian(0.9), 1.3, normalization="sum")
    sky = sht.synthesis(alm)
    for _ in range(3):  # XLA's memory has held something else
        np.testing.assert_array_equal(jax.jit(lambda x: aj.synthesis(sht, x))(alm), sky)
        np.testing.assert_array_equal(jax.jit(lambda x: aj.convolve(radial, x))(sky),
                                      radial.convolve(sky))
        np.ones(1000)


@needs_ffi
def test_results_on_zeros():
    """What a GPU's programs do where a plan leaves places out, as a program of the processor: XLA
    makes the zeros, and the function clears nothing."""
    sht = plan(2, layout=LAYOUT)
    sky = random_input(sht, "analysis", (2,))
    constants = {"plan": number_of(sht), "operator": 2, "is_dense": 1, "nthreads": 0}
    primitive = Primitive("on_zeros")
    primitive.def_abstract_eval(lambda x: x.update(shape=(2, *sht.alm_shape),
                                                   dtype=np.dtype(complex)))
    jax.interpreters.mlir.register_lowering(primitive, lambda context, x: _xla._on_zeros(
        "armilla_operator", "cpu", context, x, sht,
        {name: np.int64(value) for name, value in constants.items()}))
    judge, call = sht.analysis(sky), jax.jit(lambda x: (primitive.bind(x), primitive.bind(2 * x)))
    for _ in range(3):  # XLA's memory has held something else
        once, twice = call(sky)
        np.testing.assert_array_equal(once, judge)
        np.testing.assert_allclose(twice, 2 * judge, rtol=1e-14)
        np.ones(1000)


@needs_ffi
@pytest.mark.parametrize("two_dimensional", [False, True])
def test_rows_with_gaps(two_dimensional):
    """Lines of npix values have places of no pixel; arrays of two dimensions have none."""
    grid = armilla.Grid.equidistant("CC", 9, 16).laid_out(ring_stride=20)
    sht = armilla.SHT(grid, 7, two_dimensional=two_dimensional)
    alm = random_input(sht, "synthesis", (2,))
    sky = sht.synthesis(alm)
    for _ in range(3):
        np.testing.assert_array_equal(jax.jit(lambda x: aj.synthesis(sht, x))(alm), sky)
        np.ones(1000)
    np.testing.assert_array_equal(jax.jit(lambda x: aj.analysis(sht, x))(sky), sht.analysis(sky))


@needs_ffi
def test_no_points():
    plan = armilla.Points(4, np.zeros((0, 2)))
    assert jax.jit(lambda x: aj.synthesis(plan, x))(np.ones(15, complex)).shape == (0,)
    assert not jax.jit(lambda x: aj.adjoint_synthesis(plan, x))(np.zeros(0)).any()


@needs_ffi
@pytest.mark.parametrize("kind", ["points", "lens"])
@pytest.mark.parametrize("spin", [0, 2])
def test_positions_in_single_precision(kind, spin):
    alm, places, values = positions.inputs(kind, spin, (2,), single=True)
    more, options = positions.options(kind, spin)
    for function, given in zip(positions.functions(aj, kind), (alm, values)):
        made = jax.jit(lambda x, y, function=function: function(x, y, *more, **options))(
            given, places.astype("f"))
        judge = function(given.astype(np.result_type(given, np.float64)),
                         places.astype("f").astype("d"), *more, **options)
        assert made.dtype == (np.float32 if given is alm else np.complex64)
        assert relative(np.asarray(made), np.asarray(judge)) < 1e-6


@needs_ffi
def test_several_programs_at_once():
    """One plan, executed by many threads."""
    sht = armilla.SHT(armilla.Grid.healpix(16), 32, spin=2)
    alm = random_input(sht, "synthesis")
    judge, call, wrong = sht.synthesis(alm), jax.jit(lambda x: aj.synthesis(sht, x)), []

    def work():
        for _ in range(5):
            if not np.array_equal(call(alm), judge):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@needs_ffi
def test_errors_have_the_text_of_the_library():
    loc = np.full((2, 2), 4.0)
    call = jax.jit(lambda x, y: aj.synthesis_general(x, y, lmax=LMAX))
    with pytest.raises(Exception, match="theta of point 0 = 4: must be 0 to pi"):
        call(np.ones(armilla.alm.size(LMAX), complex), loc).block_until_ready()
    with pytest.raises(ValueError, match="loc: theta of point 0 = 4: must be 0 to pi"):
        aj.synthesis_general(np.ones(armilla.alm.size(LMAX), complex), loc, lmax=LMAX)


@needs_ffi
def test_several_devices():
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider",
                           str(HERE / "xla_devices.py")], cwd=HERE.parents[1], text=True,
                          env={**os.environ,
                               "XLA_FLAGS": "--xla_force_host_platform_device_count=2"},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout


# --- How long plans live --------------------------------------------------------------------------

def held():
    gc.collect()
    return lib.armilla_python_held_count()


@needs_ffi
def test_programs_own_their_plans():
    """A program works when Python has forgotten the plan, and frees it with itself."""
    def compiled():
        sht = armilla.SHT(armilla.Grid.gauss_legendre(LMAX + 1, 2 * LMAX + 2), LMAX)
        sky = random_input(sht, "analysis")
        return jax.jit(lambda x: aj.analysis(sht, x)).lower(sky), sky, sht.analysis(sky)

    jax.clear_caches()
    before = held()
    lowered, sky, judge = compiled()
    jax.clear_caches()
    assert held() == before + 1
    program = lowered.compile()
    del lowered
    jax.clear_caches()
    assert held() == before + 1
    np.testing.assert_array_equal(program(sky), judge)
    del program
    jax.clear_caches()
    assert held() == before


@needs_ffi
def test_eager_calls_keep_no_plan():
    before = held()
    for _ in range(3):
        sht = armilla.SHT(armilla.Grid.healpix(2), LMAX)
        aj.synthesis(sht, random_input(sht, "synthesis"))
    del sht
    assert held() == before


def test_plans_of_positions_are_kept():
    """For the way back, and within the limits of armilla.sht."""
    alm, places, _ = positions.inputs("points", 0)
    options = positions.options("points", 0)[1]
    armilla.sht.clear_plans()
    call = jax.jit(lambda x, y: aj.synthesis_general(x, y, **options))
    for factor in (1.0, 0.9, 1.0):
        call(alm, factor * places).block_until_ready()
    assert armilla.sht.kept_plans().plans == 2 and armilla.sht.kept_plans().bytes > 0
    armilla.sht.limit_plans(1)
    assert armilla.sht.kept_plans().plans == 1
    armilla.sht.limit_plans(1, 100)
    assert armilla.sht.kept_plans() == (0, 0)
    np.testing.assert_array_equal(call(alm, places), call(alm, places))
    armilla.sht.limit_plans()
    call(alm, places).block_until_ready()
    assert armilla.sht.kept_plans().plans == 1
    armilla.sht.clear_plans()
    assert armilla.sht.kept_plans() == (0, 0)


def test_python_alone_owns_what_was_never_shared():
    before = held()
    sht = armilla.SHT(armilla.Grid.healpix(2), LMAX)
    first, again = number_of(sht), number_of(sht)
    assert first == again and held() == before + 1
    other = number_of(sht.grid)
    assert other != first and held() == before + 2
    sht.synthesis(random_input(sht, "synthesis"))
    del sht
    assert held() == before
    with pytest.raises(TypeError, match="must be an SHT, .*, Grid or LegPlan, not int"):
        number_of(3)


# --- XLA's interface ------------------------------------------------------------------------------

PAIRS = """
xla_extension XLA_FFI_Extension_Base size=struct_size type next
xla_version XLA_FFI_Api_Version size=struct_size major=major_version minor=minor_version
xla_buffer XLA_FFI_Buffer size=struct_size dtype data rank dims
xla_arrays XLA_FFI_Args size=struct_size count=size types arrays=args
xla_arrays XLA_FFI_Rets size=struct_size count=size types arrays=rets
xla_name XLA_FFI_ByteSpan text=ptr length=len
xla_scalar XLA_FFI_Scalar dtype value
xla_attributes XLA_FFI_Attrs size=struct_size count=size types names values=attrs
xla_error_request XLA_FFI_Error_Create_Args size=struct_size message code=errc
xla_error_release XLA_FFI_Error_Destroy_Args size=struct_size error
xla_stream_request XLA_FFI_Stream_Get_Args size=struct_size context=ctx stream
xla_type XLA_FFI_TypeId number=type_id
xla_api - size=struct_size version=api_version internal=internal_api
xla_call XLA_FFI_CallFrame size=struct_size api context=ctx stage
xla_call XLA_FFI_CallFrame arguments=args results=rets attributes=attrs
xla_metadata XLA_FFI_Metadata size=struct_size version=api_version traits
xla_metadata_request XLA_FFI_Metadata_Extension extension=extension_base metadata
"""
FUNCTIONS = {"new_error": "Error_Create", "error_message": "Error_GetMessage",
             "free_error": "Error_Destroy", "new_handler": "Handler_Register",
             "get_stream": "Stream_Get", "get_context": "ExecutionContext_Get",
             "set_state": "State_Set"}
CONSTANTS = {"XLA_CANCELLED": "Error_Code_CANCELLED",
             "XLA_INVALID_ARGUMENT": "Error_Code_INVALID_ARGUMENT",
             "XLA_RESOURCE_EXHAUSTED": "Error_Code_RESOURCE_EXHAUSTED",
             "XLA_FAILED_PRECONDITION": "Error_Code_FAILED_PRECONDITION",
             "XLA_UNIMPLEMENTED": "Error_Code_UNIMPLEMENTED",
             "XLA_INTERNAL": "Error_Code_INTERNAL", "XLA_S64": "DataType_S64",
             "XLA_F32": "DataType_F32", "XLA_F64": "DataType_F64", "XLA_C64": "DataType_C64",
             "XLA_C128": "DataType_C128", "XLA_INSTANTIATE": "ExecutionStage_INSTANTIATE",
             "XLA_EXECUTE": "ExecutionStage_EXECUTE", "1": "Extension_Metadata",
             "3": "AttrType_SCALAR"}


def comparisons(minor):
    """Assertions in C that our declarations are those of XLA's header."""
    def same(what):
        return f'_Static_assert({what}, "{what}");'

    for line in PAIRS.strip().splitlines():
        ours, theirs, *fields = line.split()
        if theirs == "-":
            theirs = "XLA_FFI_Api"
        else:
            if ours != "xla_call":  # which goes on behind
                yield same(f"sizeof({ours}) <= sizeof({theirs})")
        for field in fields:
            a, _, b = field.partition("=")
            yield same(f"offsetof({ours}, {a}) == offsetof({theirs}, {b or a})")
            yield same(f"sizeof((({ours} *)0)->{a}) == sizeof((({theirs} *)0)->{b or a})")
    for ours, theirs in FUNCTIONS.items():
        yield same(f"offsetof(xla_api, {ours}) == offsetof(XLA_FFI_Api, XLA_FFI_{theirs})")
    for ours, theirs in CONSTANTS.items():
        yield same(f"{ours} == (int)XLA_FFI_{theirs}")
    kind = "TypeId" if minor < 2 else "Type"
    yield same(f"offsetof(xla_api, new_type) == offsetof(XLA_FFI_Api, XLA_FFI_{kind}_Register)")
    last = "type_id" if minor < 2 else "type_info"
    yield same(f"XLA_SIZE(xla_type_request, {'type' if minor < 2 else 'info'}) == "
               f"XLA_FFI_STRUCT_SIZE(XLA_FFI_{kind}_Register_Args, {last})")
    state = "xla_state_request_3" if minor > 2 else "xla_state_request_1"
    for field, theirs in (("context", "ctx"), ("type", "type_id"), ("state", "state")):
        yield same(f"offsetof({state}, {field}) == offsetof(XLA_FFI_State_Set_Args, {theirs})")
    if minor < 2:
        yield same(f"offsetof({state}, release) == offsetof(XLA_FFI_State_Set_Args, deleter)")
    else:
        yield same("offsetof(xla_type_info, release) == offsetof(XLA_FFI_TypeInfo, deleter)")


@needs_ffi
def test_declarations_are_those_of_the_header(tmp_path):
    header = Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h"
    lines = header.read_text().splitlines()
    major, minor = (next(int(line.split()[2]) for line in lines
                         if line.startswith(f"#define XLA_FFI_API_{part}"))
                    for part in ("MAJOR", "MINOR"))
    assert major == 0 and 1 <= minor
    source = tmp_path / "compare.c"
    source.write_text("\n".join(['#include "xla/ffi/api/c_api.h"', '#include "xla_abi.h"',
                                 *comparisons(min(minor, 3))]) + "\n")
    compiler = os.environ.get("CC", "cc")
    try:
        done = subprocess.run([compiler, "-std=c11", "-fsyntax-only", f"-I{BINDINGS}",
                               f"-I{header.parents[3]}", str(source)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except FileNotFoundError:
        pytest.skip("no C compiler")
    assert done.returncode == 0, done.stdout
