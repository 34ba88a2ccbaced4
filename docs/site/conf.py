"""Sphinx' configuration of the documentation site: how its pages are built, and how they look.

tools/docs.sh builds it in two parts, for users and, with `-t developers`, for developers.
tools/docs_stage.py lays out the sources of each part in a folder of the build, so that nothing is
written into the repository.
"""
import importlib.util
import logging
import os
import re
import sys
from pathlib import Path

import matplotlib
from sphinx.ext.autodoc.mock import _MockObject

SITE = Path(__file__).resolve().parent
ROOT = SITE.parents[1]
BUILT = Path(os.environ.get("ARMILLA_DOCS_BUILT", ROOT / "build"))
sys.path.insert(0, str(SITE / "_ext"))
matplotlib.use("Agg")

from repository_links import SCHEMES  # noqa: E402
from stand_in_torch import import_with_stand_in  # noqa: E402

for_developers = tags.has("developers")  # noqa: F821 (Sphinx defines tags)

project = "Armilla for developers" if for_developers else "Armilla"
author = "the Armilla developers"
copyright = author
version = release = re.search(r"project\(armilla VERSION ([0-9.]+)",
                              (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser", "sphinx.ext.mathjax", "sphinx_design", "sphinx_copybutton",
              "repository_links", "page_contents", "formulas"]
if not for_developers:
    import_with_stand_in()
    extensions += ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.viewcode",
                   "numpydoc", "sphinx_gallery.gen_gallery", "breathe", "plain_docstrings",
                   "docstring_order", "notebook_cells", "source_pages"]
if for_developers:  # the site has one copy of the script that draws formulas
    mathjax_path = "../../_static/mathjax/tex-chtml.js"
else:
    extensions.append("sphinx-mathjax-offline")
root_doc = "index"
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
templates_path = [str(SITE / "_templates")]
exclude_patterns = ["gallery/*.py", "**/GALLERY_HEADER.rst"]
default_role = "code"
smartquotes = False  # quotes in docstrings are code more often than not
highlight_language = "text"
pygments_style = "tango"

# Markdown: the anchors of headings are those of the repository's page
myst_heading_anchors = 6
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath",
                          "substitution"]
myst_substitutions = {"version": version}
myst_dmath_double_inline = True
myst_url_schemes = {"http": None, "https": None, "mailto": None, **SCHEMES}

# Python: what is documented is the package that was built
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
autodoc_mock_imports = [name for name in ("jax", "mpi4py", "xarray")
                        if importlib.util.find_spec(name) is None]
_MockObject.__setitem__ = lambda *_: None  # armilla.jax enters its rules into tables of JAX
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
numpydoc_use_plots = False

# C: Doxygen reads the headers, tools/docs.sh runs it
breathe_projects = {"armilla": str(BUILT / "docs-doxygen" / "xml")}
breathe_default_project = "armilla"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

# Gallery: the programs run when the site is built; those that need what is absent are left out
_optional = [name for name in ("jax", "torch", "xarray") if importlib.util.find_spec(name) is None]
sphinx_gallery_conf = {
    "examples_dirs": [str(SITE / "gallery")],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"[/\\]plot_",
    "ignore_pattern": "|".join([r"__init__\.py"] + [rf"_{name}\.py" for name in _optional]),
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    "abort_on_example_error": False,
    "plot_gallery": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 5,
    "image_srcset": ["2x"],
    "thumbnail_size": (480, 300),
    "capture_repr": (),
    "write_computation_times": False,
}

# A folder of pages may be empty for a while.
logging.getLogger("sphinx.sphinx.directives.other").addFilter(
    lambda record: "glob pattern" not in str(record.msg))

html_theme = "pydata_sphinx_theme"
html_title = project
html_context = {"for_developers": for_developers}
html_static_path = [str(SITE / "_static")]
html_css_files = ["site.css"]
html_js_files = ["formulas.js"]
html_favicon = str(SITE / "_static" / "logo.svg")
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": project, "image_light": "_static/logo.svg",
             "image_dark": "_static/logo.svg"},
    "header_links_before_dropdown": 8,
    "navbar_align": "left",
    "show_toc_level": 2,
    "show_nav_level": 1,
    "navigation_with_keys": False,
    "footer_start": ["copyright", "other-part"],
    "footer_end": ["sphinx-version"],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}
html_sidebars = {"index": [], "install": []}
if for_developers:  # too many pages for the header: all are in the sidebar
    html_theme_options["navbar_center"] = []
    html_sidebars = {"index": [], "**": ["globaltoc"]}

# `make docs-links` asks the servers of external links
linkcheck_timeout = 20
linkcheck_retries = 2
linkcheck_anchors = False
