"""Functions on the rotation group: coefficients as s2fft has them, and wavelets with directions.

`RotationGroup` transforms functions f(alpha, beta, gamma). Its coefficients are those of real
functions, triangles with m >= 0 for each n; `to_full` and `from_full` convert them to and from the
arrays of s2fft, which have both signs of m, and take complex functions apart.

`DirectionalWavelets` takes maps apart by scale and by direction: the coefficients of a scale are a
function of the rotation that brings the wavelet to its place.

    >>> import armilla, numpy as np
    >>> wavelets = armilla.so3.DirectionalWavelets(lmax=32, nmax=2)
    >>> sky = armilla.alm.random(32, np.ones(33), seed=1)
    >>> scaling, samples = wavelets.analysis(sky)
    >>> [one.shape[0] for one in samples]            # angles gamma of each scale
    [3, 5, 5, 5, 5, 5]
    >>> bool(np.allclose(wavelets.synthesis(scaling, samples), sky))
    True
"""
from __future__ import annotations

from typing import List

from ._directional import DirectionalWavelets
from ._full_coefficients import from_full, to_full
from ._rotation_group import RotationGroup, RotationGroupDescription

__all__ = ["DirectionalWavelets", "RotationGroup", "RotationGroupDescription", "from_full",
           "to_full"]


def __dir__() -> List[str]:
    return __all__
