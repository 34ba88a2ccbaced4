"""The layers of armilla.torch: transforms as torch.nn.Modules with torch-harmonics' names,
arguments and shapes, on one process or over those of a group."""
from __future__ import annotations

from typing import Any, Dict, Optional, Union

import torch
from numpy.typing import ArrayLike

from ._networks import Layer, Whole
from ._torch_operators import apply_operator
from ._torch_places import factor_at, moved
from ._torch_shards import Shares
from ._types import Norm, Packed, Quadrature, VectorKind
from .grid import Grid

HALF = (torch.float16, torch.bfloat16)
MAPS = (torch.float64, torch.float32, *HALF)
ALMS = (torch.complex128, torch.complex64)


class _Arrays:
    """PyTorch's functions, as `Layer` names them."""

    moved = staticmethod(torch.movedim)

    @staticmethod
    def checked(x: Any, is_alm: bool) -> Any:
        """The input; TypeError."""
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"the input must be a torch.Tensor, not {type(x).__name__}")
        types = ALMS if is_alm else MAPS
        if x.dtype not in types:
            raise TypeError(f"the input has type {x.dtype}, must have one of "
                            f"{', '.join(map(str, types))}")
        return x

    @staticmethod
    def widened(x: Any) -> Any:
        """Half precision as single."""
        return x.to(torch.float32) if x.dtype in HALF else x

    @staticmethod
    def complexed(x: Any) -> Any:
        """Pairs of real numbers as complex ones."""
        return torch.view_as_complex(x.reshape(*x.shape[:-1], x.shape[-1] // 2, 2).contiguous())

    @staticmethod
    def paired(alm: Any) -> Any:
        """The other way."""
        return torch.view_as_real(alm.resolve_conj()).reshape(*alm.shape[:-1], 2 * alm.shape[-1])

    @staticmethod
    def scaled(alm: Any, home: Any) -> Any:
        """Times the factor of a home."""
        return alm if home.factor is None else alm * factor_at(home.factor, alm)


class _Module(Layer, torch.nn.Module):  # type: ignore[misc]
    """What the layers of PyTorch share. The factor of the home goes with the module to its device,
    but is no buffer, since .to(torch.bfloat16) rounds those."""

    _arrays = _Arrays

    def _set(self, given: Dict[str, Any]) -> None:
        torch.nn.Module.__init__(self)
        super()._set(given)
        self._home = home = (Whole(self._frame, apply_operator, self.nthreads)
                             if given["group"] is None else
                             Shares(self._frame, given["group"], self.nthreads))
        self.rows, self.orders, self.pixels = home.rows, home.orders, home.pixels
        home.factor = None if home.factor is None else torch.from_numpy(home.factor)

    def _apply(self, change: Any, *more: Any, **named: Any) -> Any:
        """What Module.to, .cuda and their like call."""
        if self._home.factor is not None:
            self._home.factor = moved(self._home.factor, change)
        return super()._apply(change, *more, **named)

    def extra_repr(self) -> str:
        """Return what print shows of the layer.

        Returns
        -------
        str
            Sizes, grid, and what this process has.
        """
        return self._words()


class RealSHT(_Module):
    """Analysis as a layer: maps to coefficients [l, m].

    Parameters
    ----------
    %(arguments.analysis_layer)s
    %(group)s
    %(nthreads.short)s

    %(Raises.layer.torch)s

    %(Warns.weights)s

    See Also
    --------
    InverseRealSHT : The other direction.

    Notes
    -----
    %(text.no_tables.torch)s

    %(text.shards.torch)s

    Examples
    --------
    >>> import torch
    >>> from armilla import torch as at
    >>> layer = at.RealSHT(33, 64)
    >>> layer(torch.zeros((2, 3, 33, 64))).shape
    torch.Size([2, 3, 17, 17])
    """

    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: Optional[bool] = None, *, quadrature: Quadrature = "weights",
                 layout: Packed = "matrix", channels_last: bool = False, flat: bool = False,
                 south_first: bool = False, latitude: Optional[ArrayLike] = None, group: Any = None,
                 nthreads: int = 0) -> None:
        self._set(locals())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        %(sections.analysis_layer)s
        """
        return self._transformed(x)


class InverseRealSHT(_Module):
    """Synthesis as a layer: coefficients [l, m] to maps.

    Parameters
    ----------
    %(arguments.synthesis_layer)s
    %(group)s
    %(nthreads.short)s

    %(Raises.layer.torch)s

    See Also
    --------
    RealSHT : The other direction.

    Notes
    -----
    %(text.no_tables.torch)s

    %(text.shards.torch)s

    Examples
    --------
    >>> import torch
    >>> from armilla import torch as at
    >>> layer = at.InverseRealSHT(33, 64)
    >>> layer(torch.zeros((2, 3, 17, 17), dtype=torch.complex64)).shape
    torch.Size([2, 3, 33, 64])
    """

    _to_map = True

    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: Optional[bool] = None, *, layout: Packed = "matrix",
                 channels_last: bool = False, flat: bool = False, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, group: Any = None,
                 nthreads: int = 0) -> None:
        self._set(locals())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        %(sections.synthesis_layer)s
        """
        return self._transformed(x)


class RealVectorSHT(_Module):
    """Analysis of vectors as a layer: v_theta and v_phi to S and T, or winds.

    Parameters
    ----------
    %(arguments.vector_analysis_layer)s
    %(group)s
    %(nthreads.short)s

    %(Raises.layer.torch)s

    %(Warns.weights)s

    See Also
    --------
    InverseRealVectorSHT : The other direction.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.winds)s

    %(text.no_tables.torch)s

    %(text.shards.torch)s

    Examples
    --------
    >>> import torch
    >>> from armilla import torch as at
    >>> layer = at.RealVectorSHT(33, 64)
    >>> layer(torch.zeros((2, 3, 2, 33, 64))).shape
    torch.Size([2, 3, 2, 17, 17])
    """

    _is_vector = True

    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: Optional[bool] = None, *, quadrature: Quadrature = "weights",
                 kind: VectorKind = "potentials", radius: Optional[float] = None,
                 layout: Packed = "matrix", channels_last: bool = False, flat: bool = False,
                 south_first: bool = False, latitude: Optional[ArrayLike] = None, group: Any = None,
                 nthreads: int = 0) -> None:
        self._set(locals())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        %(sections.vector_analysis_layer)s
        """
        return self._transformed(x)


class InverseRealVectorSHT(_Module):
    """Synthesis of vectors as a layer: S and T to v_theta and v_phi, or winds.

    Parameters
    ----------
    %(arguments.vector_synthesis_layer)s
    %(group)s
    %(nthreads.short)s

    %(Raises.layer.torch)s

    See Also
    --------
    RealVectorSHT : The other direction.

    Notes
    -----
    %(text.grad_and_curl)s

    %(text.winds)s

    %(text.no_tables.torch)s

    %(text.shards.torch)s

    Examples
    --------
    >>> import torch
    >>> from armilla import torch as at
    >>> layer = at.InverseRealVectorSHT(33, 64)
    >>> layer(torch.zeros((2, 3, 2, 17, 17), dtype=torch.complex64)).shape
    torch.Size([2, 3, 2, 33, 64])
    """

    _is_vector, _to_map = True, True

    def __init__(self, nlat: Optional[int] = None, nlon: Optional[int] = None,
                 lmax: Optional[int] = None, mmax: Optional[int] = None,
                 grid: Union[str, Grid] = "equiangular", norm: Norm = "ortho",
                 csphase: Optional[bool] = None, *, kind: VectorKind = "potentials",
                 radius: Optional[float] = None, layout: Packed = "matrix",
                 channels_last: bool = False, flat: bool = False, south_first: bool = False,
                 latitude: Optional[ArrayLike] = None, group: Any = None,
                 nthreads: int = 0) -> None:
        self._set(locals())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Transform.

        %(sections.vector_synthesis_layer)s
        """
        return self._transformed(x)
