"""Skies seen through beams as a form that is linear in three things: what automatic differentiation
needs.

With T(sky, beam, samples) = samples . convolve(sky, beam), the three operators of `Beams` make one
of the three from the others:

    samples = convolve(sky, beam)
    sky = adjoint(samples, beam)
    beam = beam_adjoint(samples, sky)

In the inner product of coefficients that counts m > 0 twice (weights c of _linear.py; for samples c
is 1), with the gradient g at what was made, the gradient at each of the others is c times the
operator that makes it, of g / c and of the third.
"""
from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from ._arrays import COMPLEX_OF, REAL_OF, common_lead, leading_axes
from ._beams import Beams
from ._linear import order_weights

ROLES = "sky", "beam", "samples"


def others(role: str) -> Tuple[str, str]:
    """What an operator takes to make it, in the sequence of ROLES."""
    first, second = (each for each in ROLES if each != role)
    return first, second


def tail(plan: Beams, role: str) -> Tuple[int, ...]:
    """Shape of one transform's."""
    return {"sky": plan.sky_shape, "beam": plan.beam_shape,
            "samples": (len(plan.pointings),)}[role]


def weights(plan: Beams, role: str) -> np.ndarray:
    """c, float64: of one component."""
    if role == "samples":
        return np.ones(1)
    return order_weights(plan.lmax, plan.mmax if role == "sky" else plan.kmax)


def dtype_of(role: str, given: Any) -> np.dtype:
    """The type of what is made of an array of this type."""
    real = REAL_OF.get(np.dtype(given), np.dtype(given))
    return real if role == "samples" else COMPLEX_OF[real]


def run(plan: Beams, made: str, first: np.ndarray, second: np.ndarray,
        nthreads: int) -> np.ndarray:
    """The operator that makes one of the roles, of NumPy's arrays."""
    if made == "samples":
        return plan.convolve(first, second, nthreads=nthreads)
    operator = plan.adjoint if made == "sky" else plan.beam_adjoint
    return operator(second, first, nthreads=nthreads)


def check(plan: Any, made: str, shapes: Tuple[Tuple[int, ...], ...],
          dtypes: Tuple[Any, ...]) -> Tuple[int, ...]:
    """Shape of the leading axes that both arrays are broadcast to. TypeError and ValueError by the
    name of the array that is wrong."""
    if not isinstance(plan, Beams):
        raise TypeError(f"plan: must be a Beams, not {type(plan).__name__}")
    leads = []
    for role, shape, dtype in zip(others(made), shapes, dtypes):
        types = tuple(COMPLEX_OF) if role == "samples" else tuple(REAL_OF)
        if np.dtype(dtype) not in types:
            wanted = " or ".join(str(t) for t in types)
            raise TypeError(f"{role}: has type {np.dtype(dtype)}, must have {wanted}")
        leads.append(leading_axes(shape, tail(plan, role), role))
    if dtype_of("samples", dtypes[0]) != dtype_of("samples", dtypes[1]):
        raise TypeError(f"{others(made)[1]}: has type {np.dtype(dtypes[1])}, must have the "
                        f"precision of {others(made)[0]}, {np.dtype(dtypes[0])}")
    return common_lead(leads, others(made))
