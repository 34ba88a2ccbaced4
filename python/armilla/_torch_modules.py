"""The layers of armilla.torch: transforms as torch.nn.Modules with torch-harmonics' names,
arguments and shapes."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

import torch
from numpy.typing import ArrayLike

from ._networks import Arguments, Transform
from ._torch_operators import apply_operator
from ._types import Norm, Quadrature
from .grid import Grid

HALF = (torch.float16, torch.bfloat16)
MAPS = (torch.float64, torch.float32, *HALF)
ALMS = (torch.complex128, torch.complex64)


def check_type(x: Any, types: Tuple[Any, ...]) -> None:
    """Is it a tensor of one of these types? TypeError."""
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"the input must be a torch.Tensor, not {type(x).__name__}")
    if x.dtype not in types:
        raise TypeError(f"the input has type {x.dtype}, must have one of "
                        f"{', '.join(map(str, types))}")


class _Module(torch.nn.Module):  # type: ignore[misc]
    """What the layers share. The factor is no buffer, since .to(torch.bfloat16) rounds those."""

    _is_vector = False

    def _set(self, given: Arguments, quadrature: Optional[Quadrature], nthreads: int) -> None:
        super().__init__()
        made = Transform(given, self._is_vector, quadrature)
        self.nlat, self.nlon, self.grid = given.nlat, given.nlon, given.grid
        self.norm, self.csphase, self.nthreads = given.norm, given.csphase, nthreads
        self.lmax, self.mmax = made.lmax, made.mmax
        self._transform = made
        self._factor = None if made.factor is None else torch.from_numpy(made.factor)

    def extra_repr(self) -> str:
        """Return what print shows of the layer.

        Returns
        -------
        str
            Sizes and grid.
        """
        return self._transform.words()

    def _scaled(self, alm: Any) -> Any:
        if self._factor is None:
            return alm
        real = torch.float64 if alm.dtype == torch.complex128 else torch.float32
        return alm * self._factor.to(alm.device, real)

    def _transformed(self, x: Any) -> Any:
        made = self._transform
        check_type(x, ALMS if made.to_map else MAPS)
        line, shape = made.shapes(x.shape)
        if made.to_map:
            return apply_operator(made.plan, "synthesis", self._scaled(x).reshape(line),
                               self.nthreads).reshape(shape)
        x = x.to(torch.float32) if x.dtype in HALF else x
        return self._scaled(apply_operator(made.plan, "analysis", x.reshape(line),
                                        self.nthreads).reshape(shape))


class _Analysis(_Module):
    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: bool = True, *, quadrature: Quadrature = "weights",
                 south_first: bool = False, latitude: Optional[ArrayLike] = None,
                 nthreads: int = 0) -> None:
        self._set(Arguments(nlat, nlon, lmax, mmax, grid, norm, csphase, south_first, latitude),
                  quadrature, nthreads)


class _Synthesis(_Module):
    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: bool = True, *, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, nthreads: int = 0) -> None:
        self._set(Arguments(nlat, nlon, lmax, mmax, grid, norm, csphase, south_first, latitude),
                  None, nthreads)


class RealSHT(_Analysis):
    """Analysis as a layer: maps to coefficients [l, m].

    %(sections.layer)s

    See Also
    --------
    InverseRealSHT : The other direction.

    Notes
    -----
    %(text.no_tables.torch)s

    Examples
    --------
    >>> import torch
    >>> from armilla import torch as at
    >>> layer = at.RealSHT(33, 64)
    >>> layer(torch.zeros((2, 3, 33, 64))).shape
    torch.Size([2, 3, 17, 17])
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        Parameters
        ----------
        x : Tensor, shape (..., nlat, nlon) or (..., npix)
            Maps, float64, float32, float16 or bfloat16.

        Returns
        -------
        Tensor, shape (..., lmax, mmax)
            Coefficients; those with m > l are 0: complex128 for float64, else complex64.

        %(Raises.the_shape+the_type)s
        """
        return self._transformed(x)


class InverseRealSHT(_Synthesis):
    """Synthesis as a layer: coefficients [l, m] to maps.

    %(sections.inverse_layer)s

    See Also
    --------
    RealSHT : The other direction.

    Notes
    -----
    %(text.no_tables.torch)s

    Examples
    --------
    >>> import torch
    >>> from armilla import torch as at
    >>> layer = at.InverseRealSHT(33, 64)
    >>> layer(torch.zeros((2, 3, 17, 17), dtype=torch.complex64)).shape
    torch.Size([2, 3, 33, 64])
    """

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        Parameters
        ----------
        x : Tensor, shape (..., lmax, mmax)
            Coefficients, complex64 or complex128.

        Returns
        -------
        Tensor, shape (..., nlat, nlon) or (..., npix)
            The maps: float64 for complex128, else float32.

        %(Raises.the_shape+the_type)s
        """
        return self._transformed(x)


class RealVectorSHT(_Analysis):
    """Analysis of vectors as a layer: v_theta and v_phi to S and T.

    %(sections.layer)s

    See Also
    --------
    InverseRealVectorSHT : The other direction.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.no_tables.torch)s

    Examples
    --------
    >>> import torch
    >>> from armilla import torch as at
    >>> layer = at.RealVectorSHT(33, 64)
    >>> layer(torch.zeros((2, 3, 2, 33, 64))).shape
    torch.Size([2, 3, 2, 17, 17])
    """

    _is_vector = True

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        Parameters
        ----------
        x : Tensor, shape (..., 2, nlat, nlon) or (..., 2, npix)
            v_theta and v_phi, float64, float32, float16 or bfloat16.

        Returns
        -------
        Tensor, shape (..., 2, lmax, mmax)
            S and T; 0 for m > l and at l = 0: complex128 for float64, else complex64.

        %(Raises.the_shape+the_type)s
        """
        return self._transformed(x)


class InverseRealVectorSHT(_Synthesis):
    """Synthesis of vectors as a layer: S and T to v_theta and v_phi.

    %(sections.inverse_layer)s

    See Also
    --------
    RealVectorSHT : The other direction.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.no_tables.torch)s

    Examples
    --------
    >>> import torch
    >>> from armilla import torch as at
    >>> layer = at.InverseRealVectorSHT(33, 64)
    >>> layer(torch.zeros((2, 3, 2, 17, 17), dtype=torch.complex64)).shape
    torch.Size([2, 3, 2, 33, 64])
    """

    _is_vector = True

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        Parameters
        ----------
        x : Tensor, shape (..., 2, lmax, mmax)
            S and T, complex64 or complex128.

        Returns
        -------
        Tensor, shape (..., 2, nlat, nlon) or (..., 2, npix)
            v_theta and v_phi: float64 for complex128, else float32.

        %(Raises.the_shape+the_type)s
        """
        return self._transformed(x)
