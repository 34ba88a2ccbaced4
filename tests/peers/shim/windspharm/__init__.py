"""windspharm with the classes of armilla.windspharm in the place of its own.

PEERS_SOURCES/windspharm is a checkout, of which only the package of tests is used.
"""
import os
import sys

import armilla.windspharm
from armilla.windspharm import standard, tools, xarray

__path__ = [os.path.join(os.environ["PEERS_SOURCES"], "windspharm", "windspharm")]
for _name in armilla.windspharm.__all__:
    sys.modules[f"{__name__}.{_name}"] = getattr(armilla.windspharm, _name)
