"""Plans as tables, for notebooks: what `describe` tells of one, a row for each number."""
from __future__ import annotations

from typing import Any, Iterator, Tuple


def _words(name: str, value: Any) -> str:
    if name.endswith("_bytes"):
        return f"{value / 2 ** 20:.3g} MiB"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _rows(plan: Any) -> Iterator[Tuple[str, str]]:
    grid = getattr(plan, "grid", None)
    if grid is not None:
        yield "grid", repr(grid).strip("<>").replace("armilla.Grid ", "")
    for name in ("map_shape", "values_shape", "alm_shape"):
        shape = getattr(plan, name, None)
        if shape is not None:
            yield name.replace("_", " "), str(shape)
    for name, value in plan.describe(1)._asdict().items():
        if value is None or name.startswith("device_") and not value:  # a plan for the CPU
            continue
        yield name.replace("_bytes", " memory").replace("_", " "), _words(name, value)


def table_of(plan: Any) -> str:
    """The _repr_html_ of plans."""
    from html import escape  # here, since only notebooks need it
    rows = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th>"
                   f"<td style='text-align:left'>{escape(words)}</td></tr>"
                   for name, words in _rows(plan))
    return (f"<table><caption>armilla.{type(plan).__name__}</caption><tbody>{rows}</tbody>"
            "</table>")
