"""Checks every link inside of the built site: the file is there, and the place in it, too.

Usage: docs_check.py SITE        prints links that lead nowhere; exit code 1 where there is one

Links to other servers are left to `make docs-links`.
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """Where a page can be entered, and where it leads."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def broken(site):
    """(page, link) of all that leads nowhere."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))
             if "_static" not in path.parts}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not target.exists():
                yield path, link
            elif place and target in pages and place not in pages[target].places:
                yield path, link


if __name__ == "__main__":
    root = Path(sys.argv[1]).resolve()
    found = [f"{path.relative_to(root)}: link to {link}, which leads nowhere"
             for path, link in broken(root)]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
