"""Docstrings: their examples run, and they name the parameters that functions have."""
import ast
import contextlib
import doctest
import importlib
import inspect
import io
import pkgutil
import subprocess
import sys

import pytest

import armilla
import docstrings
import mpi_start

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PUBLIC = docstrings.public()
WITHOUT_RETURN = ("None", "NoReturn")


def check_text(text, names, returns):
    """A docstring has a summary of one line, and the parameters and results of its function."""
    assert text, "no docstring"
    told = docstrings.sections(text)
    assert told[""][0].endswith(".") and not any(told[""][1:2]), "no summary of one line"
    have = docstrings.entries(told.get("Parameters", []))
    assert have == names, f"documented are {have}, the signature has {names}"
    assert ("Returns" in told) == returns, "Returns"


def check_function(function, is_method=False):
    decorators = [ast.unparse(one) for one in function.decorator_list]
    if "property" in decorators:
        check_text(ast.get_docstring(function), [], False)
        return
    names = docstrings.parameters(function, is_method)
    returns = function.returns is not None and ast.unparse(function.returns) not in WITHOUT_RETURN
    check_text(ast.get_docstring(function), names, returns)


def check_class(path, node):
    text = ast.get_docstring(node)
    if any(ast.unparse(base) == "NamedTuple" for base in node.bases):
        fields = [one.target.id for one in node.body if isinstance(one, ast.AnnAssign)]
        assert docstrings.entries(docstrings.sections(text)["Attributes"]) == fields
        text = text.split("\nAttributes\n")[0]
    has_init = docstrings.members(path, node).get("__init__")
    is_error = any("Error" in ast.unparse(base) or "Warning" in ast.unparse(base)
                   for base in node.bases)
    names = docstrings.parameters(has_init, True) if has_init and not is_error else []
    check_text(text, names, False)


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_public_names_are_documented(name):
    path, node = PUBLIC[name]
    if isinstance(node, docstrings.FUNCTIONS):
        check_function(node)
        return
    check_class(path, node)
    for member, function in docstrings.members(path, node).items():
        if not member.startswith("_"):
            try:
                check_function(function, True)
            except AssertionError as error:
                raise AssertionError(f"{member}: {error}") from error


def test_most_names_are_found():
    assert len(PUBLIC) > 250 and "Grid" in PUBLIC and "healpy.smoothing" in PUBLIC


MODULES = [armilla.__name__] + [found.name for found in pkgutil.walk_packages(
    armilla.__path__, "armilla.") if not found.name.endswith("._native")]
OVER_RANKS = [name for name in MODULES if "mpi" in name]


@pytest.mark.parametrize("name", [name for name in MODULES if name not in OVER_RANKS])
def test_examples(name, tmp_path, monkeypatch):
    """The examples of a module, in an empty folder, with matplotlib that draws nowhere."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(str(error))
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        failed, _ = doctest.testmod(module, optionflags=OPTIONS)
    assert not failed, told.getvalue()


@pytest.mark.skipif(mpi_start.launcher()[0] is None, reason=str(mpi_start.launcher()[1]))
def test_examples_over_ranks():
    """Those of modules that start MPI, in a process of their own."""
    program = ("import doctest, importlib, sys\n"
               "told = [doctest.testmod(importlib.import_module(name)) for name in sys.argv[1:]]\n"
               "print(sum(one.failed for one in told), sum(one.attempted for one in told) > 20)")
    done = subprocess.run([sys.executable, "-c", program, *OVER_RANKS], text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.stdout.endswith("0 True\n"), done.stdout


def test_classes_and_functions_of_quick_starts_have_examples():
    """Each public class, and each function that the quick starts name."""
    named = """alm.random alm.size alm.multiply_window spectrum.compute spectrum.gaussian_beam
               io.read_map io.write_map convolve evaluate interpolate info lensing.alm2lenmap
               healpix.ang_to_pixel healpix.query_disc sht.synthesis sht.synthesis_2d
               sht.analysis_2d sht.adjoint_synthesis torch.synthesis jax.synthesis mpi.smoothing
               libsharp.analysis"""
    named = named.split() + ["healpy." + name for name in """map2alm alm2map anafast synfast
                             smoothing read_map write_map ud_grade query_disc mollview""".split()]
    plain = ("Error", "Warning", "Kept", "Cancelled", "Card", "MapFile", "AlmFile", "ClFile",
             "Report", "Description", "Choice", "Info", "GridLayout", "Proj", "HistEqNorm",
             "BeamFile", "KernelFit", "Sources")
    for name, (_, node) in sorted(PUBLIC.items()):
        is_class = isinstance(node, docstrings.CLASSES) and not node.name.endswith(plain)
        if is_class or name in named:
            assert "\nExamples\n--------\n" in inspect.cleandoc(ast.get_docstring(node)), name
            named = [one for one in named if one != name]
    assert not named
