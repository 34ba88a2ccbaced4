"""Checks every link inside of the built site: the file is there, and the place in it as well.

Usage: docs_check.py SITE        prints what is wrong; exit code 1 if something is

A page may not load a script, a style or a picture from another server, since the site is to be read
without a network. Links to pages of other servers are left to `make docs-links`.
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """Where a page can be entered, and where it leads."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.loaded = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)
                if name == "src" or tag == "link":
                    self.loaded.append(value)


def broken(site):
    """(page, link and what is wrong with it) of all that leads nowhere, or needs a network."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))
             if "_static" not in path.parts}
    for path, page in pages.items():
        for link in page.loaded:
            if urlsplit(link).netloc:
                yield path, f"{link}, which another server has"
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not target.exists():
                yield path, f"{link}, which leads nowhere"
            elif place and target in pages and place not in pages[target].places:
                yield path, f"{link}, which leads nowhere"


if __name__ == "__main__":
    root = Path(sys.argv[1]).resolve()
    found = [f"{path.relative_to(root)}: link to {link}"
             for path, link in broken(root)]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
