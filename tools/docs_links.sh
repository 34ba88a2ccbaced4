#!/usr/bin/env bash
# Asks the servers of the site's external links whether the pages are there; make docs checks links
# inside of the site. Without a network it says so and checks nothing.
#   tools/docs_links.sh BUILT VENV
set -euo pipefail
cd "$(dirname "$0")/.."

reach='import urllib.request as u; u.urlopen("https://arxiv.org/", timeout=15)'
if ! timeout 20 "$2/bin/python" -c "$reach" 2>/dev/null; then
    echo "docs-links: no network here; external links were not checked" >&2
    exit 0
fi
tools/docs.sh "$1" "$2" linkcheck
