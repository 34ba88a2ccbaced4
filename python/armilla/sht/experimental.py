"""The functions of armilla.sht under the name that older programs for ducc0 have for the module.

    >>> from armilla.sht.experimental import synthesis, alm2leg
"""
from . import (Error, adjoint_analysis_2d, adjoint_synthesis, adjoint_synthesis_2d,
               adjoint_synthesis_general, alm2leg, alm2leg_deriv1, analysis_2d, get_gridweights,
               leg2alm, leg2map, map2leg, maximum_safe_l, pseudo_analysis, pseudo_analysis_general,
               synthesis, synthesis_2d, synthesis_2d_deriv1, synthesis_deriv1, synthesis_general)

__all__ = ["Error", "adjoint_analysis_2d", "adjoint_synthesis", "adjoint_synthesis_2d",
           "adjoint_synthesis_general", "alm2leg", "alm2leg_deriv1", "analysis_2d",
           "get_gridweights", "leg2alm", "leg2map", "map2leg", "maximum_safe_l", "pseudo_analysis",
           "pseudo_analysis_general", "synthesis", "synthesis_2d", "synthesis_2d_deriv1",
           "synthesis_deriv1", "synthesis_general"]
