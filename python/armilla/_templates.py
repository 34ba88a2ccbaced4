"""Templates that are projected out of masked fields, and noise without correlations: what both add
to pseudo-spectra (Elsner, Leistedt & Peiris 2017; Alonso, Sanchez & Slosar 2019)."""
from __future__ import annotations

import math
from typing import Callable, NamedTuple, Optional

import numpy as np

from .alm import multiply_window
from .spectrum import compute

Analysis = Callable[[np.ndarray], np.ndarray]  # (ncomp, npix) -> (ncomp, size)
Synthesis = Callable[[np.ndarray], np.ndarray]  # and back
_LEAST = 1e-10  # eigenvalues of the templates' products that count, as parts of the largest


class Templates(NamedTuple):
    """Templates of a field, times its mask. Numbers of the same templates with other amplitudes
    are combinations of these, so that all have the mean square 1 over the sphere."""

    masked: np.ndarray  # (n, ncomp, npix)
    inverse: np.ndarray  # (n, n), of their scalar products


def project(masked: np.ndarray, weights: np.ndarray) -> Templates:
    """Templates (n, ncomp, npix) times the mask, which may depend on one another. weights: (npix,),
    of a rule on the sphere."""
    squares = np.einsum("icp,icp,p->i", masked, masked, weights)
    nothing = ~(squares > 0)
    if nothing.any():
        raise ValueError(f"templates: template {int(np.argmax(nothing))} is 0 wherever the mask is "
                         "not")
    made = masked / np.sqrt(squares / (4 * math.pi))[:, np.newaxis, np.newaxis]
    products = np.einsum("icp,jcp,p->ij", made, made, weights)
    made.flags.writeable = False
    return Templates(made, np.linalg.pinv(products, rcond=_LEAST, hermitian=True))


def cleaned(values: np.ndarray, templates: Templates, weights: np.ndarray) -> np.ndarray:
    """A map times the mask, (ncomp, npix), without what it has of the templates."""
    amounts = templates.inverse @ np.einsum("icp,cp,p->i", templates.masked, values, weights)
    return (values - np.tensordot(amounts, templates.masked, 1)).astype(values.dtype)


class Projected(NamedTuple):
    """A field whose templates are projected out, in both spaces. analysis: of a map times the mask,
    as the field has it, pure or not; functional: by quadrature alone; synthesis: of the field. All
    go up to the degree of its spectra."""

    mask: np.ndarray  # (npix,)
    templates: Optional[Templates]
    analysis: Analysis
    functional: Analysis
    synthesis: Synthesis
    spin: int

    def alm(self) -> np.ndarray:
        """(n, ncomp, size), of the templates times the mask."""
        assert self.templates is not None
        return np.stack([self.analysis(one) for one in self.templates.masked])

    def functionals(self) -> np.ndarray:
        """(n, ncomp, size): the scalar product with a field is that of their coefficients."""
        assert self.templates is not None
        return np.stack([self.functional(one * self.mask) for one in self.templates.masked])

    def seen(self, alm: np.ndarray) -> np.ndarray:
        """(ncomp, size) of a field that has these coefficients, times the mask."""
        return self.analysis(self.synthesis(alm) * self.mask)


def spectra(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """(ncl, lmax + 1) of each component of coefficients (ncomp, size) with each of the other."""
    return np.stack([compute(a, b) for a in one for b in two])


def _weighed(alm: np.ndarray, cl: np.ndarray) -> np.ndarray:
    """Coefficients (ncomp2, size) of what has the cross spectra cl (ncomp1, ncomp2, lmax + 1) with
    a field whose coefficients, (ncomp1, size), are given."""
    return np.stack([sum(multiply_window(a, cl[i, j]) for i, a in enumerate(alm))
                     for j in range(cl.shape[1])])


def _product(one: np.ndarray, two: np.ndarray, lmax: int) -> float:
    """The scalar product over the sphere of real fields, by coefficients (ncomp, size)."""
    twice = np.full(one.shape[-1], 2.0)
    twice[:lmax + 1] = 1
    return float(((one * two.conj()).real * twice).sum())


def bias(one: Projected, two: Projected, cl: np.ndarray) -> np.ndarray:
    """(ncl, lmax + 1): what projection adds to the mean of the pseudo-spectra of two fields.

    cl: (ncomp1, ncomp2, lmax + 1), what the fields have in common before it. With f_i the templates
    times the mask w, F the inverse of their products, and T_i the functional of w f_i,

        d_1 = w_1 s_1 - sum over i, j of F_ij f_i (T_j, s_1)

    and the same of field 2; in the mean, s_1 (T, s_2) is the field with C_l T_lm.
    """
    lmax = cl.shape[-1] - 1
    made = np.zeros((cl.shape[0] * cl.shape[1], lmax + 1))
    if two.templates is not None:
        second, functional = two.alm(), two.functionals()
        for j, part in enumerate(functional):
            share = one.seen(_weighed(part, cl.swapaxes(0, 1)))
            made -= spectra(share, np.tensordot(two.templates.inverse[j], second, 1))
    if one.templates is not None:
        first, own = one.alm(), one.functionals()
        for j, part in enumerate(own):
            share = two.seen(_weighed(part, cl))
            made -= spectra(np.tensordot(one.templates.inverse[j], first, 1), share)
    if one.templates is not None and two.templates is not None:
        mixed = np.array([[_product(_weighed(a, cl), b, lmax) for b in functional] for a in own])
        mixed = one.templates.inverse @ mixed @ two.templates.inverse
        for i, a in enumerate(first):
            made += spectra(a, np.tensordot(mixed[i], second, 1))
    return made


def white_noise(field: Projected, lmax: int, variance: np.ndarray, weights: np.ndarray
                ) -> np.ndarray:
    """(ncl, lmax + 1): the mean pseudo-spectra of noise that has no correlations.

    variance: (npix,), of each component of the map; weights: (npix,), of the rule of the analysis.
    """
    ncomp = 2 if field.spin else 1
    made = np.zeros((ncomp * ncomp, lmax + 1))
    spread = weights * variance * field.mask
    made[::ncomp + 1, field.spin:] = (weights * variance * field.mask ** 2 @ weights) / (
        4 * math.pi)
    if field.templates is not None:
        alm, inverse = field.alm(), field.templates.inverse
        for j, one in enumerate(field.templates.masked):
            share = field.analysis(one * spread * field.mask)
            mixed = np.tensordot(inverse[j], alm, 1)
            made -= spectra(share, mixed) + spectra(mixed, share)
        products = np.einsum("icp,jcp,p->ij", field.templates.masked, field.templates.masked,
                             weights * spread * field.mask)
        products = inverse @ products @ inverse
        for i, one in enumerate(alm):
            made += spectra(one, np.tensordot(products[i], alm, 1))
    return made
