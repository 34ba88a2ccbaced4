"""Spectra of regions: what armilla.xarray makes of fields and winds times a mask, in bands.

With dask each field is a task; what all of them share, the mask's coefficients and the windows of
the bands, is made once, before them.
"""
from __future__ import annotations

import math
from typing import Any, Dict, NamedTuple, Tuple, Union

import numpy as np

from ._bands import Bands, chosen_bands
from ._coordinates import Found
from ._couplings import Coupling
from ._labelled import default_lmax
from ._masked import Field, cross_spectra


class Region(NamedTuple):
    """A mask and bands. field: any, whose mask others share."""

    field: Field
    coupling: Coupling
    naxes: int  # of the grid
    decouples: bool
    nthreads: int

    def powers(self, values: np.ndarray) -> np.ndarray:
        """(ncl, nbands) of one field, or of two components."""
        given = self.field.with_map(values, nthreads=self.nthreads)
        spectrum = self.coupling.decouple(pseudo=cross_spectra(given, given))
        return spectrum.powers if self.decouples else spectrum.plain()


    @property
    def sizes(self) -> Dict[str, int]:
        """Dimensions of the powers of a field."""
        return {"band": self.coupling.bands.nbands}

    def banded(self, made: Any) -> Any:
        """An array of powers, with coordinates that tell the bands."""
        bands = self.coupling.bands
        told = {"degree": (bands.centres, "mean degree of the band"),
                "begin": (bands.begin, "first degree of the band"),
                "end": (bands.end, "degree behind the last one of the band")}
        return made.assign_coords({
            name: ("band", values, {"long_name": words, "units": "1"})
            for name, (values, words) in told.items()})


def _power_per_degree(bands: Union[Bands, int], lmax: int) -> Bands:
    """Bands that are given, or of a width: then of the parts of the mean square that degrees
    have."""
    chosen = chosen_bands(bands, lmax)
    if isinstance(bands, Bands):
        return chosen
    return Bands(chosen.begin, chosen.end, factor=(2 * np.arange(lmax + 1) + 1) / (4 * math.pi))


def _mask_values(mask: Any, data: Any, found: Found) -> np.ndarray:
    """As the pixels of the data lie."""
    sizes = tuple(data.sizes[name] for name in found.dims)
    if not hasattr(mask, "dims"):
        values = np.asarray(mask)
        if values.shape != sizes:
            raise ValueError(f"mask: has shape {values.shape}, the grid of the field has {sizes}")
        return values
    if set(mask.dims) != set(found.dims):
        raise ValueError(f"mask: has the dimensions {mask.dims}, must have those of the grid, "
                         f"{found.dims}")
    for name in found.dims:
        if mask.sizes[name] != data.sizes[name] or (
                name in mask.coords and name in data.coords
                and not mask[name].equals(data[name])):
            raise ValueError(f"mask: its coordinates {name} are not those of the field")
    return np.asarray(mask.transpose(*found.dims).values)


def region_of(mask: Any, bands: Union[None, Bands, int], decouple: bool, arrays: Any,
              found: Found, options: Any) -> Region:
    """The region of a scalar, or of a wind's two arrays. options: those of an accessor."""
    if mask is None or bands is None:
        name, other = ("mask", "bands") if mask is None else ("bands", "mask")
        raise TypeError(f"{name}: is needed with {other}")
    if options.missing != "error":
        raise ValueError(f'missing = "{options.missing}": is not for masked spectra; let the mask '
                         "be 0 where values are missing, which are not looked at there")
    spin = len(arrays) - 1
    lmax = default_lmax(found.grid) if options.lmax is None else options.lmax
    nothing = np.zeros((2,) * spin + tuple(arrays[0].sizes[name] for name in found.dims))
    iterations = 0 if options.iterations == "auto" else options.iterations
    field = Field.from_map(nothing, _mask_values(mask, arrays[0], found), found.grid, spin=spin,
                           lmax=lmax, iterations=iterations, nthreads=options.nthreads)
    coupling = Coupling(field, bands=_power_per_degree(bands, lmax), nthreads=options.nthreads)
    coupling.matrix  # pylint: disable=pointless-statement
    is_lazy = any(one.chunks is not None for one in arrays)
    return Region(field, coupling, len(found.dims), bool(decouple),
                  1 if is_lazy else options.nthreads)


def _each(arrays: Tuple[np.ndarray, ...], region: Region) -> np.ndarray:
    """(..., ncl, nbands), one field after the other."""
    lead = arrays[0].shape[:arrays[0].ndim - region.naxes]
    ncl, nbands = len(region.coupling.components), region.coupling.bands.nbands
    made = np.zeros((*lead, ncl, nbands))
    for index in np.ndindex(*lead):
        parts = [one[index] for one in arrays]
        made[index] = region.powers(np.ma.stack(parts) if len(parts) > 1 else parts[0])
    return made


def band_powers(values: np.ndarray, *, region: Region) -> np.ndarray:
    """(..., nbands) of scalars."""
    return _each((values,), region)[..., 0, :]


def kinetic_bands(u: np.ndarray, v: np.ndarray, *, region: Region
                  ) -> Tuple[np.ndarray, np.ndarray]:
    """Kinetic energy in bands: of the rotational and of the divergent wind, (..., nbands). E and B
    of the wind along e_theta and e_phi are its divergent and its rotational part."""
    u, v = np.broadcast_arrays(u, v, subok=True)
    both = 0.5 * _each((-v, u), region)
    return both[..., 3, :], both[..., 0, :]
