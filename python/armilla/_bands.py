"""Bands of degrees, over which power spectra are averaged."""
from __future__ import annotations

import math
from typing import Any, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import leading_shape, plain, pointer, reals
from ._errors import check, choice, degree, shown, whole
from ._native import ffi, lib
from ._types import BandQuantity

_QUANTITIES = {"cl": 0, "dl": 1}


def _degrees(name: str, values: ArrayLike) -> np.ndarray:
    """int64 (n,), a copy that nobody writes to."""
    given = plain(values, name)
    if given.dtype.kind not in "iu" and given.size:
        raise TypeError(f"{name}: must hold integers, not {given.dtype}")
    if given.ndim != 1:
        raise ValueError(f"{name}: has shape {given.shape}, must have one dimension")
    return _kept(given.astype(np.int64))


def _kept(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _by_degree(name: str, values: Optional[ArrayLike], size: int) -> Optional[np.ndarray]:
    """float64 (n,), n >= size, a copy that nobody writes to."""
    if values is None:
        return None
    given = np.array(reals(plain(values, name), name))
    if given.ndim != 1 or given.size < size:
        raise ValueError(f"{name}: has shape {given.shape}, must have one number for each degree "
                         f"up to {size - 1}")
    return _kept(given)


class Bands:
    """Bands of degrees: which degrees a band power is the mean of, and with which weights.

    A band power is the mean of factor_l C_l over the degrees begin <= l < end, with the weights
    weights_l. Bands may leave degrees out, and may overlap. Objects are immutable.

    Parameters
    ----------
    begin : array_like of int, shape (nbands,)
        First degree of each band.
    end : array_like of int, shape (nbands,)
        The degree behind the last one of each band.
    weights : array_like, shape (n,), optional
        Weights of the degrees 0 to n - 1, 0 or more. By default they are equal; 2 l + 1 counts
        modes.
    factor : array_like, shape (n,), optional
        What C_l is multiplied by. By default it is 1.
    quantity : {"cl", "dl"}, optional
        "dl" means the factor l (l + 1) / (2 pi); l = 0 can then be in no band.

    Raises
    ------
    ValueError
        If there is no band, or a band is empty, has a negative degree or no degree with a weight,
        or a factor in a band is 0 or not finite.
    TypeError
        If degrees are not integers.

    See Also
    --------
    armilla.pseudo_cl.Coupling : Spectra of masked fields in bands.

    Examples
    --------
    >>> import numpy as np
    >>> from armilla import pseudo_cl
    >>> bands = pseudo_cl.Bands([2, 5], [5, 10], weights=2 * np.arange(10) + 1)
    >>> bands.nbands, bands.centres.round(2)
    (2, array([3.19, 7.27]))
    >>> bands.average(np.ones(20))
    array([1., 1.])
    """

    __slots__ = ("_begin", "_end", "_weights", "_factor", "_quantity")

    def __init__(self, begin: ArrayLike, end: ArrayLike, weights: Optional[ArrayLike] = None,
                 factor: Optional[ArrayLike] = None, *, quantity: BandQuantity = "cl") -> None:
        self._begin, self._end = _degrees("begin", begin), _degrees("end", end)
        if self._begin.shape != self._end.shape:
            raise ValueError(f"end: has {self._end.size} numbers, begin has {self._begin.size}")
        if choice("quantity", quantity, _QUANTITIES) and factor is not None:
            raise ValueError('quantity = "dl": is a factor, so that factor must not be given')
        last = degree("end", int(self._end.max(initial=1)) - 1) if self._end.size else 0
        self._weights = _by_degree("weights", weights, last + 1)
        if quantity == "dl":
            l = np.arange(last + 1.0)
            factor = l * (l + 1) / (2 * math.pi)
        self._factor = _by_degree("factor", factor, last + 1)
        self._quantity = "cl" if factor is None else "dl" if quantity == "dl" else "factor"
        self.average(np.zeros(last + 1))  # the library checks all

    @classmethod
    def linear(cls, lmax: int, width: int, first: int = 2, *, weights: Optional[ArrayLike] = None,
               quantity: BandQuantity = "cl") -> "Bands":
        """Make bands of equal width.

        Parameters
        ----------
        lmax : int
            Largest degree of the spectra. Degrees that would make a narrower last band are in none.
        width : int
            Number of degrees of a band, 1 or more.
        first : int, optional
            First degree of the first band.
        weights : array_like, shape (n,), optional
            As in `Bands`.
        quantity : {"cl", "dl"}, optional
            As in `Bands`.

        Returns
        -------
        Bands
            The bands.

        Raises
        ------
        ValueError
            If a number is out of range, or no band fits.

        Examples
        --------
        >>> from armilla import pseudo_cl
        >>> pseudo_cl.Bands.linear(20, 5).begin
        array([ 2,  7, 12])
        """
        lmax, width = degree("lmax", lmax), degree("width", width, 1)
        first = degree("first", first)
        count = (lmax + 1 - first) // width
        if count < 1:
            raise ValueError(f"width = {width}: no band fits between first = {first} and lmax = "
                             f"{lmax}")
        begin = first + width * np.arange(count)
        return cls(begin, begin + width, weights, quantity=quantity)

    @classmethod
    def edges(cls, edges: ArrayLike, *, weights: Optional[ArrayLike] = None,
              quantity: BandQuantity = "cl") -> "Bands":
        """Make bands that follow one another.

        Parameters
        ----------
        edges : array_like of int, shape (nbands + 1,)
            Band b has the degrees edges[b] <= l < edges[b + 1].
        weights : array_like, shape (n,), optional
            As in `Bands`.
        quantity : {"cl", "dl"}, optional
            As in `Bands`.

        Returns
        -------
        Bands
            The bands.

        Raises
        ------
        ValueError
            If the edges do not rise.

        Examples
        --------
        >>> from armilla import pseudo_cl
        >>> pseudo_cl.Bands.edges([2, 5, 10, 20], quantity="dl").nbands
        3
        """
        given = _degrees("edges", edges)
        if given.size < 2:
            raise ValueError(f"edges: has {given.size} numbers, must have two or more")
        return cls(given[:-1], given[1:], weights, quantity=quantity)

    @property
    def begin(self) -> np.ndarray:
        """First degree of each band."""
        return self._begin

    @property
    def end(self) -> np.ndarray:
        """The degree behind the last one of each band."""
        return self._end

    @property
    def nbands(self) -> int:
        """Number of bands."""
        return self._begin.size

    @property
    def lmax(self) -> int:
        """Largest degree in any band: spectra must have that many."""
        return int(self._end.max()) - 1

    @property
    def quantity(self) -> str:
        """What is averaged: "cl", "dl", or "factor" where a factor was given."""
        return self._quantity

    @property
    def centres(self) -> np.ndarray:
        """Mean degree of each band, with the weights of its degrees; float64, (nbands,)."""
        return Bands(self._begin, self._end, self._weights).average(np.arange(self.lmax + 1.0))

    def average(self, cl: ArrayLike) -> np.ndarray:
        """Average spectra over the bands, without a mask.

        Parameters
        ----------
        cl : array_like, shape (..., lmax + 1)
            Spectra from degree 0 on.

        Returns
        -------
        ndarray, shape (..., nbands)
            Weighted means of factor_l C_l, float64.

        Raises
        ------
        ValueError
            If a band ends beyond lmax.
        TypeError
            If the spectra are not real.
        """
        given = reals(plain(cl, "cl"), "cl")
        if given.ndim == 0 or not given.shape[-1]:
            raise ValueError(f"cl: has shape {given.shape}, must have (..., lmax + 1)")
        lmax = given.shape[-1] - 1
        lead = leading_shape(given, (lmax + 1,), "cl")
        powers = np.empty((*lead, self.nbands))
        struct, _alive = self._struct(lmax)
        if math.prod(lead):
            check(lib.armilla_bands_average(struct, lmax, math.prod(lead), pointer(given),
                                            pointer(powers)))
        return powers

    # --- For this package -------------------------------------------------------------------------

    def _struct(self, lmax: int) -> Tuple[Any, Any]:
        """An armilla_bands for spectra up to lmax, and what must live as long. Degrees without a
        weight or a factor are in no band, and the library does not read them."""
        struct = ffi.new("armilla_bands *")
        lib.armilla_bands_init(struct)
        struct.nbands = self.nbands
        struct.begin = ffi.cast("int64_t *", self._begin.ctypes.data)
        struct.end = ffi.cast("int64_t *", self._end.ctypes.data)
        alive = [self._begin, self._end]
        for name, values in (("weights", self._weights), ("factor", self._factor)):
            if values is not None:
                filled = np.ones(max(lmax + 1, values.size))
                filled[:values.size] = values
                setattr(struct, name, ffi.cast("double *", filled.ctypes.data))
                alive.append(filled)
        return struct, alive

    def _shares(self, lmax: int) -> np.ndarray:
        """(nbands, lmax + 1): the weights of each mean, whose sum is 1, without the factor."""
        shares = np.zeros((self.nbands, lmax + 1))
        for share, begin, end in zip(shares, self._begin.tolist(), self._end.tolist()):
            share[begin:end] = 1 if self._weights is None else self._weights[begin:end]
            share /= share.sum()
        return shares

    def _factors(self, lmax: int) -> np.ndarray:
        """(lmax + 1,): 1 where there is none."""
        factor = np.ones(lmax + 1)
        if self._factor is not None:
            size = min(lmax + 1, self._factor.size)
            factor[:size] = self._factor[:size]
        return factor

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bands):
            return NotImplemented
        return all(np.array_equal(one, two) if isinstance(one, np.ndarray) and two is not None
                   else one is two for one, two in zip(self._state(), other._state()))

    def __hash__(self) -> int:
        return hash((self._begin.tobytes(), self._end.tobytes()))

    def _state(self) -> Tuple[Any, ...]:
        is_dl = self._quantity == "dl"
        return self._begin, self._end, self._weights, None if is_dl else self._factor, is_dl

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, self._state()

    def __repr__(self) -> str:
        return (f"<armilla.pseudo_cl.Bands {self.nbands} of degrees {int(self._begin.min())} to "
                f"{self.lmax}, of {self._quantity}>")


def _rebuild(begin: np.ndarray, end: np.ndarray, weights: Optional[np.ndarray],
             factor: Optional[np.ndarray], is_dl: bool) -> Bands:
    return Bands(begin, end, weights, factor, quantity="dl" if is_dl else "cl")


def chosen_bands(bands: Union[Bands, int], lmax: int) -> Bands:
    """Bands of spectra up to lmax: what is given, or so wide ones from degree 2 on."""
    if not isinstance(bands, Bands):
        try:
            width = whole("bands", bands)
        except TypeError:
            raise TypeError(f"bands = {shown(bands)}: must be Bands, or the width of "
                            "Bands.linear") from None
        if not 1 <= width <= lmax - 1:
            raise ValueError(f"bands = {width}: no band of so many degrees fits between 2 and lmax "
                             f"= {lmax}")
        return Bands.linear(lmax, width)
    bands.average(np.zeros(lmax + 1))  # the library names a band beyond lmax
    return bands
