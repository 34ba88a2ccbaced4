"""Takes the links back to the reference out of the pages with the package's source.

Sphinx makes them of the name of a module, but classes and functions are documented under the names
by which they are imported, such as armilla.Layout of armilla.alm, so that they would lead nowhere.
"""
import re
from pathlib import Path

BACK = re.compile(r'<a class="viewcode-back"[^>]*>.*?</a>')


def strip(app, exception):
    """The site has been written."""
    if exception is None and app.builder.name == "html":
        for path in (Path(app.outdir) / "_modules").rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            stripped = BACK.sub("", text)
            if stripped != text:
                path.write_text(stripped, encoding="utf-8")


def setup(app):
    app.connect("build-finished", strip, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
