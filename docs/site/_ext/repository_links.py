"""Relative links of Markdown files, which work on the repository's page, made to work on the site.

A page of the site may come from anywhere in the repository, so that a relative link in it is read
relative to the file itself. A link to a file that is a page of the site becomes a link to that
page, one to a header of the C library becomes one to its page, and one to any other file of the
repository becomes a download. A link to nothing stays, and Sphinx complains about it.
"""
import json
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
CODE = re.compile(r"^( *)(```+|~~~+)(?!\{).*?^\1\2 *$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
HEADERS = ROOT / "include" / "armilla"
FOLDERS = {ROOT / "docs" / "results": "/developers.md",
           ROOT / "docs" / "figures": "/developers.md",
           ROOT / "docs" / "site" / "gallery": "/gallery/index.rst"}


def files_by_page(source_folder):
    """The file of the repository behind each page that is a copy of one; docs_stage.py tells."""
    told = json.loads((source_folder / "sources.json").read_text())
    return {page: ROOT / file for page, file in told.items()}


class Links:
    """Translates the links of one page."""

    def __init__(self, folder, page, files):
        self.folder = (folder / page).parent
        self.file = files[page]
        self.pages = {file: page for page, file in files.items()}

    def translated(self, link):
        """The link as the site needs it."""
        target, anchor = (link.split("#", 1) + [""])[:2]
        if not target or re.match(r"[a-z]+:|/", target):
            return link
        found = (self.file.parent / target).resolve()
        place = self.place_of(found)
        return link if place is None else place + ("#" + anchor if anchor else "")

    def place_of(self, found):
        """Where a file of the repository is on the site, or None where there is no such file."""
        if found in self.pages:
            return "/" + self.pages[found]
        if found.parent == HEADERS and found.suffix == ".h":
            return f"/api/c/{found.stem}.md"
        if found.is_dir() and found / "index.md" in self.pages:
            return "/" + self.pages[found / "index.md"]
        if found in FOLDERS:
            return FOLDERS[found]
        if found.is_file():
            return os.path.relpath(found, self.folder)
        return None


def rewritten(text, links):
    """A page's text with all of its links translated, but for those in code."""
    done, parts = 0, []
    for code in list(CODE.finditer(text)) + [None]:
        prose = text[done:code.start() if code else len(text)]
        parts.append(LINK.sub(lambda found: links.translated(found[0]), prose))
        if code:
            parts.append(code[0])
            done = code.end()
    return "".join(parts)


def read(app, docname, content):
    """Sphinx has read a page."""
    folder = Path(app.srcdir)
    files = files_by_page(folder)
    if docname + ".md" in files:
        content[0] = rewritten(content[0], Links(folder, docname + ".md", files))


def setup(app):
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
