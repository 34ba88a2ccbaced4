"""Names of healpy 1.20 that armilla.healpy has not, each with the reason and what to use.

Asking for one raises an AttributeError that says so. A test walks through healpy and allows only
these to be missing.
"""
from __future__ import annotations

from typing import Any, Callable, Dict

_LEAK = "healpy only imports or keeps it for its own use"
_DEPRECATION = "it belongs to healpy's own deprecations; nothing here is deprecated"
_AXES = ("the axes of healpy's pictures, for matplotlib; here pictures have ordinary axes; "
         "directions and pixels of an image: healpy.projector")
_ZOOM = "it is a part of mollzoom's figure, which mollzoom makes"
_SCALES = "a scale of healpy's axes; here norm is None, 'log', 'hist', or of matplotlib.colors"
_NO_DATA = ("nothing is shipped or downloaded; give datapath, the folder of a copy of healpy-data, "
            "to the functions that take it")
_TICKS = "texts of healpy's tick marks; projview sets its own"

ABSENT: Dict[str, Dict[str, str]] = {
    "": {
        "deprecated": _DEPRECATION,
        "line_integral_convolution": "textures of polarisation; draw lines with projplot",
    },
    "cookbook": {},
    "fitsfunc": {"deprecated": _DEPRECATION, "deprecated_renamed_argument": _DEPRECATION,
                 "division": _LEAK, "log": _LEAK},
    "newvisufunc": {
        "CreateRotatedGraticule": "projview draws these lines itself: rot_graticule=True",
        "ThetaFormatterClockwisePhi": _TICKS, "ThetaFormatterCounterclockwisePhi": _TICKS,
        "ThetaFormatterSymmetricPhi": _TICKS, "ThetaFormatterTheta": _TICKS,
        "get_color_table": "colours are norm and cmap of matplotlib", "update_dictionary": _LEAK,
        "GeoAxes": _LEAK, "MultipleLocator": _LEAK},
    "pixelfunc": {"deprecated_renamed_argument": _DEPRECATION, "log": _LEAK, "wraps": _LEAK},
    "projaxes": {name: _AXES for name in (
        "AzimuthalAxes", "CartesianAxes", "GnomonicAxes", "HpxAzimuthalAxes", "HpxCartesianAxes",
        "HpxGnomonicAxes", "HpxMollweideAxes", "HpxOrthographicAxes", "MollweideAxes",
        "OrthographicAxes", "SphericalProjAxes")},
    "projector": {},
    "rotator": {
        "SkyCoord": _LEAK, "astropy_ecliptic_frame": _LEAK, "log": _LEAK, "x": _LEAK, "y": _LEAK,
        "z": _LEAK, "deprecated_renamed_argument": _DEPRECATION},
    "sphtfunc": {
        "DATAPATH": _NO_DATA, "DATAURL": _NO_DATA, "DATAURL_MIRROR": _NO_DATA,
        "load_sample_spectra": _NO_DATA + "; spectra of a file: read_cl", "log": _LEAK,
        "deprecated_renamed_argument": _DEPRECATION},
    "utils": {},
    "utils.deprecation": {"deprecated": _DEPRECATION, "deprecated_attribute": _DEPRECATION,
                          "deprecated_renamed_argument": _DEPRECATION},
    "version": {"commit_id": "a checkout of healpy; see armilla.info()"},
    "visufunc": {},
    "zoomtool": {"ZoomTool": _ZOOM, "log": _LEAK},
}
ABSENT["projaxes"].update(
    {name: _SCALES for name in ("BoundaryLocator", "LinNorm2", "LogNorm2", "get_color_table",
                                "symlog_backward", "symlog_forward")},
    log=_LEAK, deprecated_renamed_argument=_DEPRECATION)


def explains(module: str) -> Callable[[str], Any]:
    """The __getattr__ of a module of armilla.healpy."""
    reasons = ABSENT[module[len("armilla.healpy"):].lstrip(".")]

    def missing(name: str) -> Any:
        reason = f": {reasons[name]}" if name in reasons else ""
        raise AttributeError(f"{module} has no {name}{reason}")

    return missing
