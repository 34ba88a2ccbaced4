"""The first cell of a notebook of the gallery installs what its program imports."""
import re

IMPORT = re.compile(r"^(?:import|from) (\w+)", re.MULTILINE)
NOT_INSTALLED = {"armilla", "numpy"}  # a wheel needs NumPy, so that pip installs it
WORDS = """\
# Needs Python 3.9 or newer. The package index does not have Armilla yet: `make wheel` in a clone of
# its repository builds the wheel. Put it into the folder of this notebook.
%pip install --quiet armilla_sht-*.whl {packages}"""


def packages_of(source):
    """The packages that a program imports, in alphabetical order, without those of a wheel."""
    return sorted(set(IMPORT.findall(source)) - NOT_INSTALLED)


def with_install(notebook):
    """The notebook of a program with a cell before all others."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    source = "\n".join("".join(cell["source"]) for cell in code)
    text = WORDS.format(packages=" ".join(packages_of(source)))
    first = {"cell_type": "code", "execution_count": None, "outputs": [],
             "metadata": {"collapsed": False}, "source": [text]}
    return {**notebook, "cells": [first] + notebook["cells"]}


def setup(app):
    """Sphinx-Gallery has no setting for a cell that differs between notebooks."""
    from sphinx_gallery import gen_rst

    save = gen_rst.save_notebook
    gen_rst.save_notebook = lambda notebook, path: save(with_install(notebook), path)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
