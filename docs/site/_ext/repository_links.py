"""Relative links of Markdown files, which work on the repository's page, made to work on the site.

A page of the site may come from anywhere in the repository, so that a relative link in it is read
relative to the file itself. A link to a file that is a page of the site becomes a link to that
page, one to a header of the C library becomes one to its page, and one to any other file of the
repository becomes a download. The developers' pages are a part of the site that Sphinx builds by
itself, so that a link into the other part is an address, which tools/docs_check.py checks. A link
to nothing stays, and Sphinx complains about it.
"""
import json
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
CODE = re.compile(r"^( *)(```+|~~~+)(?!\{).*?^\1\2 *$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
HEADERS = ROOT / "include" / "armilla"
FOLDERS = {ROOT / "docs" / "results": ("developers", "index.md"),
           ROOT / "docs" / "figures": ("developers", "index.md"),
           ROOT / "docs" / "site" / "gallery": ("users", "gallery/index.rst")}
PLACES = {"users": "", "developers": "developers/"}  # where each part is on the site
# how Markdown writes an address in the other part, without and with a place in the page
SCHEMES = {"part": "{{path}}", "part-at": "{{path}}#{{fragment}}"}


def files_by_page(source_folder):
    """The file of the repository behind each page that is a copy of one, by docs_stage.py."""
    told = json.loads((source_folder / "sources.json").read_text())
    return {page: ROOT / file for page, file in told.items()}


def pages_by_file(folder):
    """(part, page) of each file of the repository that is a page of the site."""
    return {file: (part, page) for part in PLACES
            for page, file in files_by_page(folder.parent / part).items()
            if page.endswith(".md") or part == folder.name}


class Links:
    """Translates the links of one page."""

    def __init__(self, folder, page, files, pages):
        self.folder = (folder / page).parent
        self.part, self.page = folder.name, page
        self.file, self.pages = files[page], pages

    def translated(self, link):
        """The link as the site needs it."""
        target, anchor = (link.split("#", 1) + [""])[:2]
        if not target or re.match(r"[a-z]+:|/", target):
            return link
        found = (self.file.parent / target).resolve()
        place = self.page_of(found)
        if place is None:
            if not found.is_file():
                return link
            written = os.path.relpath(found, self.folder)
        elif place[0] == self.part:
            written = "/" + place[1]
        else:
            written = ("part-at:" if anchor else "part:") + self.address(*place)
        return written + ("#" + anchor if anchor else "")

    def page_of(self, found):
        """(part, page) of a file of the repository, or None where it is no page of the site."""
        if found in self.pages:
            return self.pages[found]
        if found.parent == HEADERS and found.suffix == ".h":
            return "users", f"api/c/{found.stem}.md"
        if found.is_dir() and found / "index.md" in self.pages:
            return self.pages[found / "index.md"]
        return FOLDERS.get(found)

    def address(self, part, page):
        """A page of the other part as seen from this one."""
        there = PLACES[part] + str(Path(page).with_suffix(".html"))
        return os.path.relpath(there, (PLACES[self.part] + self.page).rpartition("/")[0] or ".")


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
        links = Links(folder, docname + ".md", files, pages_by_file(folder))
        content[0] = rewritten(content[0], links)


def setup(app):
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
