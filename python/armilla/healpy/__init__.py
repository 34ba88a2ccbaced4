"""The names of healpy for what Armilla does: ``import armilla.healpy as hp``.

Arguments, defaults, shapes, types and signs are those of healpy 1.20. What a call cannot honour
raises an error that names the argument. Results are those of healpy to rounding, with these
exceptions: ring weights are others, as good; pixel weights (up to nside 128) and pixel windows are
computed, where healpy downloads files, unless datapath tells where such files are; map2alm_lsq
solves by another method; ud_grade of integers makes floats; dist2holes is exact; pictures have
ordinary axes of matplotlib. Where healpy is wrong, the docstring of the function or its test says
so.

Inputs are written only by functions that do so by their contract: rotate_alm, and smoothalm,
almxfl, remove_monopole and remove_dipole where they are asked to. Plans of the last calls are kept
(kept_plans, limit_plans, clear_plans). The number of threads is `ARMILLA_NUM_THREADS`, else
`OMP_NUM_THREADS`, else that of all processors. healpy itself is not used. Its submodules are here
by their names (armilla.healpy.pixelfunc, ...); the few names that are missing say why, and what to
use instead.

    >>> import numpy as np
    >>> import armilla.healpy as hp
    >>> sky = hp.synfast(1 / np.arange(1, 97.0) ** 2, nside=32)
    >>> hp.smoothing(sky, fwhm=np.radians(5)).shape
    (12288,)
"""
from . import (_absent, cookbook, fitsfunc, newvisufunc, pixelfunc, projaxes, projector, rotator,
               sphtfunc, utils, visufunc, zoomtool)
from ._inputs import UNSEEN, Error, clear_plans, kept_plans, limit_plans
from ._masktools import dist2holes
from .alms import Alm, resize_alm, rotate_alm
from .files import read_alm, read_cl, read_map, write_alm, write_cl, write_map
from .interpolation import (boundaries, get_all_neighbours, get_interp_val, get_interp_weights,
                            hotspots)
from .maps import (fit_dipole, fit_monopole, ma, mask_bad, mask_good, remove_dipole,
                   remove_monopole, reorder, ud_grade)
from .overlays import delgraticules, graticule, projplot, projscatter, projtext
from .pixels import (ang2pix, ang2vec, max_pixrad, nest2ring, pix2ang, pix2ring, pix2vec, pix2xyf,
                     ring2nest, ringinfo, vec2ang, vec2pix, xyf2pix)
from .regions import query_disc, query_polygon, query_strip
from .resolution import effective_resolution_fwhm, harmonic_ud_grade
from .rotator import Rotator, dir2vec, vec2dir
from .sizes import (check_max_nside, get_map_size, get_nside, isnpixok, isnsideok, maptype,
                    npix2nside, npix2order, nside2npix, nside2order, nside2pixarea, nside2resol,
                    order2npix, order2nside)
from .smoothing import smoothing
from .spectra import alm2cl, anafast, synalm, synfast
from .transforms import (alm2map, alm2map_der1, alm2map_spin, map2alm, map2alm_lsq, map2alm_spin)
from .projview import newprojplot, projview
from .version import __version__
from .views import azeqview, cartview, gnomview, mollview, orthview
from .windows import (almxfl, beam2bl, bl2beam, blm_gauss, gauss_beam, pixwin, smoothalm)
from .zoom import mollzoom, set_g_clim


def disable_warnings() -> None:
    """Do nothing, as in healpy."""


def enable_warnings() -> None:
    """Do nothing, as in healpy."""


__getattr__ = _absent.explains(__name__)
