"""Long names in the list of a page's contents break behind an underscore or a full stop."""
import re

CODE = re.compile(r'(?<=<span class="pre">)[^<]*(?=</span>)')


def breakable(contents):
    """The list with places in its names where lines may break."""
    return CODE.sub(lambda name: re.sub(r"([_.])(?=\w)", r"\1<wbr/>", name[0]), contents)


def process(app, page, template, context, doctree):
    """Sphinx is about to write a page."""
    if "toc" in context:
        context["toc"] = breakable(context["toc"])


def setup(app):
    app.connect("html-page-context", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
