"""The native layer reaches what the installed headers offer."""
import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import armilla
from armilla import _distribution
from armilla._native import ffi, lib
from armilla.radial import RadialDescription
from armilla.transform import Description

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(Path(armilla.__file__).parent.rglob("*.py"))

# What Python does not call, and why.
NOT_CALLED = {
    "armilla_map_write": "armilla_map_write_with does the same, and more",
    "armilla_map_load": "armilla_map_read does the same, and more",
    "armilla_alm_write": "armilla_alm_write_with does the same, and more",
    "armilla_cl_read": "armilla_cl_read_hdu does the same, and more",
    "armilla_cl_write": "armilla_cl_write_with does the same, and more",
    "armilla_grid_read_name": "for programs that need sizes before they make a grid",
    "armilla_grid_kind_name": "Grid.kind answers with the words that Grid's methods take",
    "armilla_healpix_neighbours": "armilla_healpix_neighbours_with does the same, and more",
    "armilla_healpix_nest_to_ring": "one pixel a call; armilla.healpy.nest2ring takes arrays",
    "armilla_healpix_ring_to_nest": "one pixel a call; armilla.healpy.ring2nest takes arrays",
    "armilla_picture_write": "armilla_picture_write_map does the same, on any grid, and more",
    "armilla_picture_write_spectra": "armilla.plot.spectrum draws them on matplotlib",
    "armilla_plot_options_init": "options of armilla_picture_write_spectra",
    "armilla_radial_many_bytes": "for callers that plan memory; describe is for one plan",
    "armilla_alm_size_mres": "Layout.size is the number",
    "armilla_alm_index_mres": "Layout.index is the place",
    "armilla_alm_layout_new": "armilla_alm_layout_new_mres does the same, and more",
    "armilla_complex_index": "l * l + l + m",
    "armilla_coupling_ncl": "component_names has their names",
    "armilla_status_record": "for transports in C; here what a callback raises is raised",
    "armilla_healpix_ang_to_ring": "one pixel a call; armilla.healpy.ang2pix takes arrays",
}
NOT_CALLED.update({f"armilla_radial_{what}": "Radial.convolve takes a numpy.memmap, out= as well"
                   for what in ("stream_init", "stream_bytes", "convolve_stream")})
NOT_CALLED.update({f"armilla_map_{what}": "ranges of pixels: astropy and numpy.memmap do that"
                   for what in ("input_open", "input_free", "input_map", "input_read",
                                "output_new", "output_write", "output_finish", "output_free",
                                "output_temporary")})
NOT_CALLED.update({f"armilla_alm_{what}": "for programs with some of the orders, as armilla-mpi"
                   for what in ("input_open", "input_free", "input_alm", "input_read",
                                "output_new", "output_write", "output_finish", "output_free",
                                "output_temporary")})
NOT_CALLED.update({f"armilla_{what}": "armilla_gaussian_covariance makes the terms, and sums them"
                   for what in ("coupling_covariance", "covariance_problem_init")})
NOT_CALLED.update({f"armilla_distribution_{what}": "for callers who compare distributions"
                   for what in ("nranks", "ring_offset", "order_cost", "ring_cost")})


def declared():
    """The functions of the installed headers; of those that fill a struct with defaults the macros
    that call them."""
    found = set()
    for header in (ROOT / "include" / "armilla").glob("*.h"):
        if header.name == "mpi.h":  # a library of its own; Python's transport goes through mpi4py
            continue
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        found |= set(re.findall(r"ARMILLA_API[^;(]*?(armilla_\w+)\s*\(", text))
    return {name.replace("_init_sized", "_init") for name in found}


def nouns(modules):
    """What classes put into the hole of f"armilla_{self._noun}_new"."""
    return {value._noun for module in modules for value in vars(module).values()
            if inspect.isclass(value) and hasattr(value, "_noun")}


def named(tree, nouns):
    """Functions that a source names: lib.armilla_x; f"armilla_{noun}_x" for each noun; or
    "armilla_x" for a call of both precisions, which adds "_float" to the name."""
    both = "_float" in {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "lib":
                yield node.attr
        elif isinstance(node, ast.JoinedStr):
            parts = [getattr(part, "value", None) for part in node.values]
            if len(parts) == 3 and parts[0] == "armilla_" and isinstance(parts[2], str):
                yield from (f"armilla_{noun}{parts[2]}" for noun in nouns)
        elif isinstance(node, ast.Call):
            for value in node.args:
                if isinstance(value, ast.Constant) and str(value.value).startswith("armilla_"):
                    yield value.value
                    if both:
                        yield value.value + "_float"


def modules():
    return [importlib.import_module(info.name)
            for info in pkgutil.walk_packages(armilla.__path__, "armilla.")
            # long to import, maybe not there; refused
            if not re.search(r"torch|jax|mpi|windspharm\.(cdms|iris)", info.name)]


def tabled(owner):
    """Functions that a module, or a class in it, keeps in tables: their names are put together."""
    for value in vars(owner).values():
        if isinstance(value, dict):
            yield from (entry.__name__ for entry in value.values() if inspect.isbuiltin(entry))
        elif inspect.isclass(value) and inspect.ismodule(owner):
            yield from tabled(value)


def called():
    everything = modules()
    found = {name for module in everything for name in tabled(module)}
    for source in SOURCES:
        tree = ast.parse(source.read_text(encoding="utf-8"))
        found |= set(named(tree, nouns(everything)))
    return found


def test_every_function_is_called_or_said_why_not():
    functions = declared()
    assert len(functions) > 90 and functions <= set(dir(lib))
    missing = functions - called()
    assert missing == set(NOT_CALLED), missing ^ set(NOT_CALLED)



@pytest.mark.parametrize("struct, told", [
    ("sht", Description), ("radial", RadialDescription), ("points", armilla.PointsDescription),
    ("beams", armilla.BeamsDescription), ("so3", armilla.RotationGroupDescription),
    ("distributed", _distribution.Description)])
def test_descriptions_tell_all_that_the_library_does(struct, told):
    fields = [name for name, _ in ffi.typeof(f"armilla_{struct}_description").fields]
    assert set(told._fields) == set(fields) - {"size"}
