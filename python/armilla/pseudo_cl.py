"""Power spectra of masked maps: decoupled band powers, their windows, theory and gradients.

    >>> import armilla, numpy as np
    >>> from armilla import pseudo_cl
    >>> l = np.arange(65.0)
    >>> sky = armilla.SHT(armilla.Grid.healpix(32), 64).synthesis(
    ...     armilla.alm.random(64, 1 / (10 + l) ** 2, seed=1))
    >>> mask = np.abs(np.linspace(-1, 1, sky.size)) > 0.2     # a band around the equator is hidden
    >>> result = pseudo_cl.spectrum(sky, mask, bands=8)
    >>> result["TT"].shape, result.centres.shape
    ((7,), (7,))

`spectrum` does all in one call. Behind it are `Field`, a map times a mask; `Bands`, of degrees;
`Coupling`, what the masks of two fields do to their spectra; and `Spectrum`, the result.
`covariance` makes Gaussian covariances of band powers, as `Coupling.covariance` does.
`correlation` makes two-point functions of spectra, and means of them over bins of angles.

Fields of any spin, on all grids: CMB maps with holes (spin 0 and 2), winds of a region (spin 1).
The mathematics is that of MASTER (Hivon et al. 2002), without a matrix over degrees:
docs/mathematics.md, section 14.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from ._band_powers import Spectrum
from ._bands import Bands
from ._correlation import correlation, correlation_adjoint
from ._couplings import Coupling
from ._covariance import Spectra, Wanted, covariance_blocks
from ._errors import degree, threads
from ._hints import absent
from ._masked import Field, cross_spectra
from ._progress import Progress
from ._types import Iterations
from .grid import GridLike

__all__ = ["Bands", "Coupling", "Field", "Spectrum", "correlation", "correlation_adjoint",
           "covariance", "pseudo", "spectrum"]


def __dir__() -> List[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = absent(__name__)


def pseudo(field1: Field, field2: Optional[Field] = None) -> np.ndarray:
    """Compute the spectra of masked fields as they are: coupled, with their noise.

    Parameters
    ----------
    field1 : Field
        The first field.
    field2 : Field, optional
        The second one. By default it is the first.

    Returns
    -------
    ndarray, shape (ncl, lmax + 1)
        Each component of the first field with each of the second: `Coupling.pseudo`.

    Raises
    ------
    TypeError
        If an argument is no Field.
    ValueError
        If the fields differ in lmax.

    Examples
    --------
    Simulations share the windows of one coupling:

    >>> import numpy as np
    >>> from armilla import pseudo_cl
    >>> noise = np.random.default_rng(1)
    >>> field = pseudo_cl.Field.from_map(np.ones(768), np.arange(768) > 100)
    >>> coupling = pseudo_cl.Coupling(field, bands=5)
    >>> skies = (field.with_map(noise.standard_normal(768)) for _ in range(10))
    >>> powers = [coupling.decouple(pseudo=pseudo_cl.pseudo(sky)).powers for sky in skies]
    >>> np.shape(powers)
    (10, 1, 3)
    """
    two = field1 if field2 is None else field2
    for name, field in (("field1", field1), ("field2", two)):
        if not isinstance(field, Field):
            raise TypeError(f"{name}: must be a Field, not {type(field).__name__}")
    if field1.lmax != two.lmax:
        raise ValueError(f"field2: has lmax = {two.lmax}, field1 has {field1.lmax}")
    return cross_spectra(field1, two)


def covariance(couplings: Sequence[Coupling], cl: Optional[Spectra] = None, *,
               noise: Optional[Spectra] = None, nthreads: int = 0, progress: Progress = None
               ) -> List[List[np.ndarray]]:
    """Compute the Gaussian covariance of the band powers of several couplings, all with all.

    Each product of two masks is transformed once, and products with a spectrum are shared by all
    blocks, so that many blocks take little more than one.

    Parameters
    ----------
    couplings : sequence of Coupling
        Couplings with the same lmax, bands and grid.
    cl : array_like or dict, optional
        As in `Coupling.covariance`: spectra of each pair of fields of all couplings. By default
        they are measured.
    noise : array_like or dict, optional
        As in `Coupling.covariance`.
    %(nthreads.same_results)s
    progress : bool or callable, optional
        As in `SHT.analysis`.

    Returns
    -------
    list of list of ndarray
        ``blocks[i][j]``, (ncl of i, nbands, ncl of j, nbands), is the covariance of the powers of
        couplings i and j. ``blocks[j][i]`` is a view of it.

    Raises
    ------
    ValueError
        As `Coupling.covariance` does.
    %(TypeError)s
    %(Cancelled)s

    Examples
    --------
    The matrix of a likelihood of TT, TE, TB, EE, EB, BE and BB, in this sequence:

    >>> import numpy as np
    >>> from armilla import pseudo_cl
    >>> i, q, u = np.random.default_rng(1).standard_normal((3, 768))
    >>> mask = np.arange(768) > 100
    >>> t = pseudo_cl.Field.from_map(i, mask)
    >>> p = pseudo_cl.Field.from_map([q, u], mask, spin=2)
    >>> couplings = [pseudo_cl.Coupling(*pair, bands=5) for pair in ((t, t), (t, p), (p, p))]
    >>> blocks = pseudo_cl.covariance(couplings)
    >>> rows = [[block.reshape(np.prod(block.shape[:2]), -1) for block in row] for row in blocks]
    >>> np.block(rows).shape
    (21, 21)
    """
    given = list(couplings)
    for number, coupling in enumerate(given):
        if not isinstance(coupling, Coupling):
            raise TypeError(f"couplings[{number}]: must be a Coupling, not "
                            f"{type(coupling).__name__}")
    if not given:
        raise ValueError("couplings: has none")
    pairs = [(i, j) for i in range(len(given)) for j in range(i, len(given))]
    made = covariance_blocks(Wanted(
        given, [f"couplings[{number}]" for number in range(len(given))], pairs, cl, noise,
        threads(nthreads), progress))
    found = dict(zip(pairs, made))
    return [[found[i, j] if i <= j else found[j, i].transpose(2, 3, 0, 1)
             for j in range(len(given))] for i in range(len(given))]


def spectrum(map: ArrayLike, mask: ArrayLike, bands: Union[Bands, int] = 50, *,
             map2: Optional[ArrayLike] = None, mask2: Optional[ArrayLike] = None,
             grid: Optional[GridLike] = None, spin: int = 0, spin2: Optional[int] = None,
             lmax: Optional[int] = None, lmask: Optional[int] = None,
             beam: Optional[ArrayLike] = None, beam2: Optional[ArrayLike] = None,
             pixwin: Union[None, bool, ArrayLike] = None,
             pixwin2: Union[None, bool, ArrayLike] = None, purify_e: bool = False,
             purify_b: bool = False, noise: Optional[ArrayLike] = None, covariance: bool = False,
             iterations: Iterations = 0, nthreads: int = 0, progress: Progress = None) -> Spectrum:
    """Compute the power spectrum of a masked map, or the cross spectrum of two, in bands.

    Parameters
    ----------
    map : array_like, shape (npix,), or (2, npix) where `spin` is not 0
        As in `Field.from_map`: pixels where the mask is 0 are not looked at.
    mask : array_like, shape (npix,)
        What the map is multiplied by, 0 or more.
    bands : Bands or int, optional
        Bands of degrees; a number is the width in ``Bands.linear(lmax, width)``.
    map2 : array_like, shape (npix,), or (2, npix) where `spin2` is not 0, optional
        The second map. By default it is the first: an auto spectrum.
    mask2 : array_like, shape (npix,), optional
        Mask of the second map. By default it is `mask`.
    grid : Grid or str, optional
        Where the pixels of both are. By default it is HEALPix in RING order.
    spin : int, optional
        Spin of the first map.
    spin2 : int, optional
        Spin of the second map. By default it is `spin`.
    lmax : int, optional
        Largest degree: see `Field.from_map`.
    lmask : int, optional
        Largest degree of the masks: see `Field.from_map`.
    beam : array_like, shape (n,), optional
        Window of the beam of the first map, which is divided out.
    beam2 : array_like, shape (n,), optional
        That of the second map. By default it is `beam`.
    pixwin : array_like, shape (n,), or bool, optional
        Window of the pixels of the first map, which is divided out; True means that of HEALPix.
    pixwin2 : array_like, shape (n,), or bool, optional
        That of the second map. By default it is `pixwin`.
    purify_e : bool, optional
        Whether to make E pure, of each map of spin 2: see `Field.from_map`.
    purify_b : bool, optional
        Whether to make B pure, in the same way.
    noise : array_like, shape (ncl, lmax + 1), optional
        Mean pseudo-spectra of the noise: see `Coupling.decouple`.
    covariance : bool, optional
        Whether to compute the Gaussian covariance of the powers as well, from the spectra of the
        maps: `Coupling.covariance`.
    iterations : int or "auto", optional
        Steps that follow the quadrature: see `Field.from_map`.
    %(nthreads)s
    progress : bool or callable, optional
        As in `SHT.analysis`, while windows of the bands are made.

    Returns
    -------
    Spectrum
        Band powers.

    Raises
    ------
    ValueError
        As `Field.from_map`, `Coupling` and `Coupling.decouple` do.
    TypeError
        If an argument has a wrong type, or something of a second map is given without one.
    %(Cancelled)s

    See Also
    --------
    Coupling : With windows, theory and gradients.
    armilla.healpy.anafast : Spectra of maps without masks.

    Examples
    --------
    The cross spectrum of two maps with the same signal and independent noise:

    >>> import armilla, numpy as np
    >>> from armilla import pseudo_cl
    >>> rng, l = np.random.default_rng(1), np.arange(33.0)
    >>> signal = armilla.SHT(armilla.Grid.healpix(16), 32).synthesis(
    ...     armilla.alm.random(32, 1 / (l + 10), seed=1))
    >>> one, two = (signal + 0.5 * rng.standard_normal(signal.size) for _ in range(2))
    >>> mask = np.arange(signal.size) > 500
    >>> cross = pseudo_cl.spectrum(one, mask, 8, map2=two)
    >>> cross.components, cross.powers.shape
    (('TT',), (1, 3))
    """
    if map2 is None:
        for name, given in (("mask2", mask2), ("spin2", spin2), ("beam2", beam2),
                            ("pixwin2", pixwin2)):
            if given is not None:
                raise TypeError(f"{name}: is of a second map, and map2 is not given")
    spin = degree("spin", spin)
    other = spin if spin2 is None else degree("spin2", spin2)
    first = spin == 2 or other != 2  # next to a field of spin 2 others stay as they are
    one = Field.from_map(map, mask, grid, spin=spin, lmax=lmax, lmask=lmask, beam=beam,
                         pixwin=pixwin, iterations=iterations, nthreads=nthreads,
                         purify_e=purify_e and first, purify_b=purify_b and first)
    two = None
    if map2 is not None:
        two = Field.from_map(
            map2, mask if mask2 is None else mask2, grid, lmax=one.lmax, lmask=lmask, spin=other,
            purify_e=purify_e and other == 2, purify_b=purify_b and other == 2,
            beam=beam if beam2 is None else beam2, pixwin=pixwin if pixwin2 is None else pixwin2,
            iterations=iterations, nthreads=nthreads)
    coupling = Coupling(one, two, bands, nthreads=nthreads, progress=progress)
    result = coupling.decouple(noise)
    return result.with_covariance(coupling.covariance()) if covariance else result
