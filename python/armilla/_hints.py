"""Words for first guesses: what the names and arguments that other programs have are called here.

A module says ``__getattr__ = absent(__name__)``, a class ``__getattr__ = absent_of(...)``, and a
constructor that many call with other arguments is decorated with `explained`. Nothing of this is
looked at before a guess has failed, and no list of names (`dir`, `__all__`) has the guesses.
"""
from __future__ import annotations

import functools
import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple, TypeVar

import numpy as np

from ._errors import shown

Function = TypeVar("Function", bound=Callable[..., Any])

_ANALYSIS = "armilla.SHT(grid, lmax).analysis"
_SYNTHESIS = "armilla.SHT(grid, lmax).synthesis"
_LAYERS = "RealSHT, InverseRealSHT, RealVectorSHT and InverseRealVectorSHT"

# Names that other programs have for what has another name here. Names of armilla.healpy, and of
# other modules of Armilla, need no line: `_elsewhere` finds them.
NAMES: Dict[str, str] = {
    "alm2map": f"armilla.healpy.alm2map, or {_SYNTHESIS}",
    "map2alm": f"armilla.healpy.map2alm, or {_ANALYSIS}",
    "alm2map_spin": f"armilla.healpy.alm2map_spin, or {_SYNTHESIS} with spin=",
    "map2alm_spin": f"armilla.healpy.map2alm_spin, or {_ANALYSIS} with spin=",
    "anafast": "armilla.healpy.anafast, or armilla.fields.spectrum(map, grid, lmax)",
    "synfast": "armilla.healpy.synfast, or armilla.alm.random and armilla.SHT(grid, lmax)",
    "synalm": "armilla.alm.random, or armilla.healpy.synalm",
    "alm2cl": "armilla.spectrum.compute(alm)",
    "almxfl": "armilla.alm.multiply_window(alm, window)",
    "beam2cl": "armilla.spectrum.gaussian_beam(fwhm, lmax)",
    "gauss_beam": "armilla.spectrum.gaussian_beam(fwhm, lmax)",
    "smooth": "armilla.convolve(map, armilla.Kernel.gaussian(fwhm)), or armilla.healpy.smoothing",
    "smoothing": "armilla.healpy.smoothing, or "
                 "armilla.convolve(map, armilla.Kernel.gaussian(fwhm))",
    "rotate": "armilla.Rotation(psi, theta, phi).rotate_alm(alm), or "
              "armilla.Rotation.from_coordinates",
    "rotate_alm": "armilla.Rotation(psi, theta, phi).rotate_alm(alm)",
    "rotate_map": "armilla.healpy.Rotator(..).rotate_map_alms, or "
                  "armilla.Rotation(psi, theta, phi).rotate_alm",
    "cl2xi": "armilla.pseudo_cl.correlation(cl, theta)",
    "cl2corr": "armilla.pseudo_cl.correlation(cl, theta)",
    "xi2cl": "armilla.pseudo_cl.correlation_adjoint",
    "ang2pix": "armilla.healpix.ang_to_pixel, or armilla.healpy.ang2pix",
    "pix2ang": "armilla.healpix.pixel_to_ang, or armilla.healpy.pix2ang",
    "vec2pix": "armilla.healpix.vec_to_pixel, or armilla.healpy.vec2pix",
    "pix2vec": "armilla.healpix.pixel_to_vec, or armilla.healpy.pix2vec",
    "query_disc": "armilla.healpix.query_disc, or armilla.healpy.query_disc",
    "ud_grade": "armilla.healpy.ud_grade",
    "mollview": "armilla.plot.map(grid, values), or armilla.healpy.mollview",
    "gnomview": 'armilla.plot.map(grid, values, projection="gnomonic"), or armilla.healpy.gnomview',
    "cartview": 'armilla.plot.map(grid, values, projection="equirectangular"), or '
                "armilla.healpy.cartview",
    "show": "armilla.plot.map(grid, values)",
    "read": "armilla.io.read_map, read_alm or read_cl, by what the file holds",
    "write": "armilla.io.write_map, write_alm or write_cl",
    "load": "armilla.io.read_map, read_alm or read_cl, by what the file holds",
    "save": "armilla.io.write_map, write_alm or write_cl",
    "open": "armilla.io.read_map, read_alm or read_cl, by what the file holds",
    "forward": _ANALYSIS,
    "inverse": _SYNTHESIS,
    "analysis": f"{_ANALYSIS}, or armilla.fields.analysis(values, grid, lmax)",
    "synthesis": f"{_SYNTHESIS}, or armilla.fields.synthesis(alm, grid, lmax)",
    "alm2lenmap": "armilla.lensing.alm2lenmap, or armilla.Lensing(grid, deflection, lmax)",
    "lens": "armilla.Lensing(grid, deflection, lmax).alm2lenmap",
    "lm": "armilla.alm.degrees(lmax) and armilla.alm.orders(lmax); places are "
          "armilla.alm.index(lmax, l, m)",
    "getlm": "armilla.alm.degrees(lmax) and armilla.alm.orders(lmax), or armilla.healpy.Alm.getlm",
    "getidx": "armilla.alm.index(lmax, l, m)",
    "getsize": "armilla.alm.size(lmax, mmax)",
    "getlmax": "armilla.alm.lmax(size)",
    "to_matrix": 'armilla.conventions.convert(alm, "armilla", "torch-harmonics") for a matrix '
                 "[l, m], armilla.alm.to_real(alm) for a line of real numbers",
    "from_matrix": 'armilla.conventions.convert(matrix, "torch-harmonics", "armilla")',
    "to_cilm": 'armilla.conventions.convert(alm, "armilla", "shtools")',
    "from_cilm": 'armilla.conventions.convert(cilm, "shtools", "armilla")',
    "vorticity": "armilla.Wind(grid, lmax).vorticity_divergence(u, v)",
    "divergence": "armilla.Wind(grid, lmax).vorticity_divergence(u, v)",
    "helmholtz": "armilla.Wind(grid, lmax).helmholtz(u, v)",
    "gradient": "armilla.Wind(grid, lmax).gradient(map)",
    "regrid": "armilla.interpolate(map, grid, points); the accessor of "
              "armilla.xarray has regrid",
    **dict.fromkeys(("interp", "remap", "regridder", "Regridder", "resample"),
                    "armilla.interpolate(map, grid, points); the accessor of armilla.xarray has "
                    "regrid"),
    "laplacian": "armilla.Wind(grid, lmax).laplacian(map), or armilla.alm.apply_laplacian(alm)",
    "curl": "armilla.Wind(grid, lmax).vorticity_divergence(u, v)",
    "coupling_matrix": "armilla.pseudo_cl.Coupling",
    "NmtWorkspace": "armilla.pseudo_cl.Coupling",
    **dict.fromkeys(("power_spectrum", "cl"), "armilla.spectrum.compute(alm), or "
                    "armilla.fields.spectrum(map, grid, lmax)"),
    **dict.fromkeys(("SHExpandDH", "SHExpandGLQ"), f"{_ANALYSIS}; armilla.pyshtools has the "
                    "functions of pyshtools by their names"),
    **dict.fromkeys(("MakeGridDH", "MakeGridGLQ"), f"{_SYNTHESIS}; armilla.pyshtools has the "
                    "functions of pyshtools by their names"),
    "read_fits": "armilla.io.read_map, read_alm or read_cl, by what the file holds",
    "open_dataset": "xarray.open_dataset, whose arrays have .armilla after import armilla.xarray",
    "SphericalHarmonicTransform": "armilla.SHT",
    "Spharmt": "armilla.Wind, or armilla.SHT",
    "VectorWind": "armilla.Wind",
    "NmtField": "armilla.pseudo_cl.Field",
    "NmtBin": "armilla.pseudo_cl.Bands",
}

# The same where the module says what is meant.
_IN_MODULES: Dict[str, Dict[str, str]] = {
    name: {
        "SHT": f"armilla.{name}.RealSHT, or synthesis and analysis with an armilla.SHT; layers are "
               f"{_LAYERS}",
        "InverseSHT": f"armilla.{name}.InverseRealSHT; layers are {_LAYERS}",
        "VectorSHT": f"armilla.{name}.RealVectorSHT; layers are {_LAYERS}",
        "forward": f"armilla.{name}.analysis, or RealSHT",
        "inverse": f"armilla.{name}.synthesis, or InverseRealSHT",
        "alm2map": f"armilla.{name}.synthesis", "map2alm": f"armilla.{name}.analysis",
        "ISHT": f"armilla.{name}.InverseRealSHT", "sht": f"armilla.{name}.RealSHT",
    } for name in ("torch", "jax")}
for _name, _word, _place in (("torch", "Distributed", "group='world'"),
                             ("jax", "Sharded", "axis=.., shards=..")):
    _IN_MODULES[_name].update({
        f"{_word}{layer}": f"armilla.{_name}.{layer}(.., {_place})"
        for layer in ("RealSHT", "InverseRealSHT", "RealVectorSHT", "InverseRealVectorSHT")})
_IN_MODULES["alm"] = {"smooth": "armilla.alm.multiply_window(alm, "
                                "armilla.spectrum.gaussian_beam(fwhm, lmax))",
                      "lmax_of": "armilla.alm.lmax(size)",
                      "zeros": "numpy.zeros(armilla.alm.size(lmax), complex)",
                      "rotate": NAMES["rotate_alm"], "cl": NAMES["alm2cl"],
                      "spectrum": NAMES["alm2cl"]}

_IN_MODULES["beam"] = {"gaussian": "armilla.spectrum.gaussian_beam(fwhm, lmax)"}

# What modules say when they are called.
_CALLS: Dict[str, str] = {
    "armilla.plot": "armilla.plot.map(grid, values) draws a map, armilla.plot.spectrum(cl) spectra",
    "armilla.spectrum": "armilla.spectrum.compute(alm) is that of coefficients, "
                        "armilla.fields.spectrum(map, grid, lmax) that of maps",
    "armilla.lensing": "armilla.Lensing(grid, deflection, lmax) is a plan, "
                       "armilla.lensing.alm2lenmap a call",
    "armilla.wind": "armilla.Wind(grid, lmax) is a plan",
    "armilla.alm": "armilla.alm.random(lmax, cl) draws coefficients",
}

# Modules that are imported when they are first asked for: what they need, or their size, makes
# them too dear for `import armilla`.
LAZY = ("healpy", "jax", "libsharp", "mpi", "pyshtools", "shtns", "torch", "xarray")
_SEARCHED = ("alm", "beam", "conventions", "fields", "filters", "healpix", "io", "lensing", "plot",
             "pseudo_cl", "spectrum", "wind", "healpy")


def _elsewhere(name: str) -> Optional[str]:
    """The modules of Armilla in which a name is found."""
    found = [f"armilla.{module}.{name}" for module in _SEARCHED
             if name in _public(importlib.import_module(f"armilla.{module}"))]
    if name in _public(sys.modules["armilla"]):
        found.insert(0, f"armilla.{name}")
    return " or ".join(found) or None


def _public(module: ModuleType) -> Any:
    return getattr(module, "__all__", None) or vars(module)


def hint(module: str, name: str) -> Optional[str]:
    """What to use in the place of a name that a module has not; None: nobody knows."""
    short = module[len("armilla"):].lstrip(".")
    known = _IN_MODULES.get(short, {}).get(name) or NAMES.get(name)
    return known or (None if name.startswith("_") else _elsewhere(name))


class _Module(ModuleType):
    """A module whose call is an error that says what to call."""

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"{self.__name__} is a module: {_CALLS[self.__name__]}")

    def __reduce__(self) -> Any:  # cloudpickle knows plain modules only, and so dask's processes
        return importlib.import_module, (self.__name__,)


def absent(module: str) -> Callable[[str], Any]:
    """The __getattr__ of a module."""
    if module in _CALLS:
        sys.modules[module].__class__ = _Module

    def missing(name: str) -> Any:
        if module == "armilla" and name in LAZY:
            try:
                return importlib.import_module(f"armilla.{name}")
            except ImportError as error:
                raise AttributeError(f"armilla.{name} cannot be imported: {error}") from error
        words = None if name.startswith("_") else hint(module, name)
        raise AttributeError(f"module {module!r} has no attribute {name!r}"
                             + (f"; use {words}" if words else ""))

    return missing


# Names that objects of other programs have for methods and attributes which objects here have.
_TO_ALM, _TO_MAP = "analysis(map)", "synthesis(alm)"
MEMBERS: Dict[str, Dict[str, str]] = {
    "transform": {
        **dict.fromkeys(("forward", "map2alm", "analyse", "analyze", "analys", "spat_to_SH",
                         "grdtospec", "expand"), _TO_ALM),
        **dict.fromkeys(("inverse", "backward", "alm2map", "synthesize", "synth", "SH_to_spat",
                         "spectogrd"), _TO_MAP),
        "adjoint": "adjoint_synthesis(map) or adjoint_analysis(alm)",
        "nside": "grid", "npix": "grid.npix", "rings": "grid.rings",
        "theta": "grid.theta", "lmax_exact": "grid.exact_lmax", "alm_size": "alm_shape",
        **dict.fromkeys(("alm2cl", "spectrum", "cl"), "armilla.spectrum.compute(alm)"),
        **dict.fromkeys(("smooth", "smoothing", "almxfl"),
                        "armilla.alm.multiply_window(alm, window)"),
        **dict.fromkeys(("rotate", "rotate_alm"),
                        "armilla.Rotation(psi, theta, phi).rotate_alm(alm)"),
        **dict.fromkeys(("grad", "gradient"), "armilla.Wind(grid, lmax).gradient(map)"),
        "lsq": "pseudo_analysis(map)", "map2alm_lsq": "pseudo_analysis(map)", "nlm": "alm_shape"},
    "points": {**dict.fromkeys(("forward", "evaluate", "alm2map", "inverse"), _TO_MAP),
               "adjoint": "adjoint_synthesis(values)", "analysis": "pseudo_analysis(values)",
               "map2alm": "pseudo_analysis(values)"},
    "radial": {"smooth": "convolve(map)", "apply": "convolve(map)", "forward": "convolve(map)"},
    "lensing": {"synthesis": "alm2lenmap(alm)", "lens": "alm2lenmap(alm)",
                "forward": "alm2lenmap(alm)", "adjoint_synthesis": "adjoint(map)"},
    "wind": {"vorticity": "vorticity_divergence(u, v)", "divergence": "vorticity_divergence(u, v)",
             "vrtdiv": "vorticity_divergence(u, v)", "sfvp": "potentials(u, v)",
             "streamfunction": "potentials(u, v)", "velocitypotential": "potentials(u, v)",
             "irrotationalcomponent": "helmholtz(u, v)", "nondivergentcomponent": "helmholtz(u, v)",
             "rotational": "helmholtz(u, v)", "divergent": "helmholtz(u, v)",
             "spectrum": "energy_spectrum(u, v)"},
    "grid": {
        **dict.fromkeys(("area", "cell_area", "cell_areas", "gridarea", "pixarea", "pixel_area",
                         "pixel_areas"), "areas()"),
        **dict.fromkeys(("weight", "quadrature_weights"), "weights()"),
        **dict.fromkeys(("latitude", "latitudes", "lats"), "lat"),
        **dict.fromkeys(("longitude", "longitudes", "lons"), "lon"),
        **dict.fromkeys(("colat", "colatitude", "colatitudes"), "theta"),
        **dict.fromkeys(("coords", "lonlat", "latlon", "points"), "pixels()"),
        **dict.fromkeys(("size", "npoints", "ncells"), "npix"), "nlat": "nrings",
        "nlon": "shape_2d", "shape": "shape_2d or npix", "lmax": "exact_lmax",
        **dict.fromkeys(("order", "ordering", "nest", "nested"), "layout"),
        "plot": "armilla.plot.map(grid, values)"},
    "grids": {
        **dict.fromkeys(("latlon", "lonlat", "regular", "equiangular"),
                        'equidistant("CC", nlat, nlon), or named("0.25") by degrees'),
        **dict.fromkeys(("gaussian", "full_gaussian", "gauss"), "gauss_legendre(nrings, nphi)"),
        "reduced_gaussian": "octahedral(n), classic(n) or reduced(nphi)",
        **dict.fromkeys(("from_nside", "hpx"), "healpix(nside)"),
        **dict.fromkeys(("from_name", "from_string", "parse"), "named(name)"),
        **dict.fromkeys(("era5", "ERA5"), 'named("0.25") or named("N320")')},
    "accessor": {
        "area": "grid.areas()", "areas": "grid.areas()", "weights": "grid.weights()",
        "power": "spectrum()", "remap": "regrid(grid)", "to_healpix": 'regrid("H64")',
        "analysis": "spectrum() for powers, or armilla.fields.analysis(values, grid, lmax, axis)",
        "synthesis": "truncate, smooth or regrid, or armilla.fields.synthesis",
        "alm": "spectrum() for powers, or armilla.fields.analysis(values, grid, lmax, axis)",
        "power_spectrum": "spectrum()", "convolve": "smooth(fwhm)", "filter": "smooth or truncate",
        "interp": "regrid(grid)", "interpolate": "regrid(grid)", "anafast": "spectrum()"},
}


def absent_of(noun: str) -> Callable[[Any, str], Any]:
    """The __getattr__ of a class, with a table of MEMBERS."""

    def missing(self: Any, name: str) -> Any:
        own = getattr(type(self), name, None)
        if isinstance(own, property):  # which has raised an error that says more
            return own.__get__(self)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}"
                             + _use(MEMBERS[noun].get(name), ""))

    return missing


def _use(words: Optional[str], owner: str) -> str:
    if words is None:
        return ""
    return f"; use {words}" if words.startswith("armilla.") else f"; use {owner}.{words}"


class Hinted(type):
    """The class of Grid, whose makers have other names in other programs."""

    if not TYPE_CHECKING:
        def __getattr__(cls, name: str) -> Any:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}"
                                 + _use(MEMBERS["grids"].get(name), cls.__name__))


Check = Callable[[Tuple[Any, ...], Dict[str, Any]], Optional[str]]


def explained(check: Optional[Check], keywords: Dict[str, str]) -> Callable[[Function], Function]:
    """A decorator of constructors that are called with arguments of other programs: what to write
    in the place of a keyword, or what `check` says of all arguments if it says anything."""

    def around(function: Function) -> Function:
        called = function.__qualname__.replace(".__init__", "")
        code = function.__code__
        own = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
        foreign = {name: words for name, words in keywords.items() if name not in own}

        @functools.wraps(function)
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            words = check(args, kwargs) if check else None
            name = next((one for one in kwargs if one in foreign), None)
            if name is not None:
                words = f"{name}: {called} has no such argument; {foreign[name]}"
            if words:
                raise TypeError(words)
            return function(self, *args, **kwargs)

        return call  # type: ignore[return-value]

    return around


def _grid_first(args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Optional[str]:
    grid = args[0] if args else kwargs.get("grid")
    if not isinstance(grid, (int, np.integer)):
        return None
    return (f"grid: must be an armilla.Grid or its name, not int: \"H{grid}\" is HEALPix with "
            f"nside {grid}, \"O{grid}\" an octahedral grid, armilla.Grid.gauss_legendre(nrings, "
            "nphi) a rectangle")


_BY_ROWS = ("a grid is the first argument: armilla.Grid.gauss_legendre(nlat, nlon), or "
            "armilla.Grid.equidistant(kind, nlat, nlon)")
on_grid = explained(_grid_first, {
    "nside": "HEALPix is a grid: its name, \"H64\" with nside 64, or armilla.Grid.healpix(64), is "
             "the first argument",
    "nlat": _BY_ROWS, "nlon": _BY_ROWS,
    **dict.fromkeys(("iter", "niter"), "it is an argument of calls: analysis(map, iterations=3)"),
    "nthreads": "it is an argument of calls: synthesis(alm, nthreads=2)",
    "dtype": "calls keep the precision of their arrays: complex64 gives float32",
    **dict.fromkeys(("norm", "normalization", "csphase"),
                    "order_scale and degree_scale change norm and sign, and "
                    "armilla.conventions.convert coefficients"),
    **dict.fromkeys(("use_weights", "use_pixel_weights"), "weights are those of the grid: "
                    "armilla.Grid.healpix(nside, weights_lmax=lmax)"),
    "pol": "IQU is the plan of polarised maps"})

_LOC = ("points are loc, an array (npoints, 2) of colatitude and longitude: np.stack([np.pi / 2 - "
        "latitude, longitude], -1) in radians")
at_points = explained(None, dict.fromkeys(
    ("lonlat", "ra", "dec", "lon", "lat", "theta", "phi", "latitude", "longitude", "coords",
     "points"), _LOC))


def _kernel(args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Optional[str]:
    return (f"Kernel{'(' + shown(args[0]) + ')' if args else ''}: use Kernel.gaussian(fwhm), "
            "Kernel.tophat(radius), Kernel.mexican_hat(fwhm), Kernel.window(bl), ...")


made_by_methods = explained(_kernel, {})


def _one_name(args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Optional[str]:
    if len(args) < 2:
        return None
    return (f"Grid({', '.join(map(shown, args))}): takes one name, such as \"H64\" or "
            "\"cc:181x360\"; Grid.healpix(nside), Grid.gauss_legendre(nrings, nphi) and "
            "Grid.equidistant(kind, nrings, nphi) take numbers")


by_name = explained(_one_name, {
    "nside": "Grid.healpix(nside) is HEALPix, and so is \"H64\"",
    "nlat": "Grid.equidistant(kind, nlat, nlon) has so many rows, and Grid.gauss_legendre(nlat, "
            "nlon)"})


def _three_angles(args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Optional[str]:
    if len(args) == 1 and np.shape(args[0]) == (3, 3):
        return "psi: must be an angle; a matrix is Rotation.from_matrix(matrix)"
    if len(args) == 2 and not kwargs and all(isinstance(one, str) for one in args):
        return ("psi, theta, phi: must be three angles; between systems of coordinates turns "
                f"Rotation.from_coordinates({args[0]!r}, {args[1]!r}), of \"C\", \"G\" and \"E\"")
    return None


_BY_COORD = 'between systems of coordinates turns Rotation.from_coordinates("G", "C")'
_BY_EULER = ("the angles are psi, theta, phi, z-y-z in radians; armilla.healpy.Rotator takes those "
             "of healpy")
by_angles = explained(_three_angles, {
    "coord": _BY_COORD, "rot": _BY_EULER, "deg": _BY_EULER,
    "matrix": "Rotation.from_matrix(matrix) has one"})


def kernel_wanted(kernel: Any) -> str:
    """What to say of a kernel that is none."""
    words = f"kernel: must be an armilla.Kernel, not {type(kernel).__name__}"
    is_width = isinstance(kernel, (int, float, str)) or hasattr(kernel, "to_value")
    return words + ("; a beam is armilla.Kernel.gaussian(fwhm)" if is_width else "")
