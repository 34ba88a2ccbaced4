#!/usr/bin/env bash
# Checks that a version can be released, and makes its tag. Pushes nothing: it prints the command.
#   tools/release.sh VERSION       such as 0.3.0; docs/releasing.md has the steps before and after
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:-}
wrong=0
complain() {
    echo "release: $1" >&2
    wrong=1
}
expect() { # FILE PATTERN: a line of the file matches
    grep -qE "$2" "$1" || complain "$1 has no line that matches $2"
}

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { complain "give VERSION=x.y.z"; exit 2; }
dots=${version//./\\.}
expect CMakeLists.txt "^project\(armilla VERSION $dots "
expect CHANGELOG.md "^## $dots\$"
expect docs/changes.md "^## $dots\$"
expect CITATION.cff "^version: $dots\$"
expect packaging/conda/meta.yaml "^\{% set version = \"$dots\" %\}\$"
expect packaging/spack/package.py "^    version\(\"$dots\", "
released=$(sed -n 's/^date-released: //p' CITATION.cff)
[ "$released" = "$(date -u +%F)" ] || complain "CITATION.cff was released on $released, not today"
[ -z "$(sed -n '/^## Unreleased/,/^## [0-9]/{/^- /p;}' CHANGELOG.md)" ] ||
    complain "CHANGELOG.md has lines under Unreleased"
[ -z "$(git status --porcelain)" ] || complain "the working tree has changes that are not committed"
[ "$(git rev-parse --abbrev-ref HEAD)" = main ] || complain "this is not the branch main"
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && complain "there is a tag v$version"
if grep -q example.org packaging/addresses.txt; then
    complain "packaging/addresses.txt has placeholders: tools/addresses.py puts real ones in"
fi
[ $wrong -eq 0 ] || exit 1

git tag -a "v$version" -m "Armilla $version"
echo "release: v$version is tagged. To publish it: git push origin main v$version"
