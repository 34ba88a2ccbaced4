#!/usr/bin/env bash
# Checks the rules of the house (docs/style.md) that a machine can check. Takes a few seconds.
#   tools/check.sh            all rules, and clang-format where the right version is installed
#   tools/check.sh RULE ...   only these (includes folders sizes parameters columns dead api calls
#                             paths openings oracles links choices raises)
set -euo pipefail
cd "$(dirname "$0")/.."

format_version=14 # other versions break lines differently

check_format() {
    local version
    version=$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p' || true)
    if [ "$version" != "$format_version" ]; then
        echo "check: clang-format $format_version is not installed; formatting not checked" >&2
        return 0
    fi
    find . \( -path './build*' -o -path './bench/.venv*' \) -prune -o \
        -regex '.*\.\(c\|h\|cu\|cpp\|hpp\)' -print0 |
        xargs -0 -r -n 8 -P 2 clang-format --dry-run -Werror --ferror-limit=1
}

status=0
python3 tools/check_source.py --root . "$@" || status=1
if [ $# -eq 0 ]; then
    check_format || status=1
fi
[ $status -eq 0 ] || echo "check: the tree breaks rules of docs/style.md, see above" >&2
exit $status
