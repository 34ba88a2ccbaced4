r"""Formulas of several lines keep the environment in which they are written.

Sphinx puts a formula with a break of lines into `split`, where MathJax refuses the number that
\tag gives to it.
"""
from docutils import nodes


def process(app, doctree):
    """Sphinx has read a page."""
    for formula in doctree.findall(nodes.math_block):
        text = formula.astext()
        if r"\\" in text and r"\begin{" in text:
            formula.clear()
            formula += nodes.Text(rf"\[{text}\]")
            formula["no-wrap"] = formula["nowrap"] = True


def setup(app):
    app.connect("doctree-read", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
