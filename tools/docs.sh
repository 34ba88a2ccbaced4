#!/usr/bin/env bash
# Builds the documentation site; warnings are errors, and a broken link inside of the site is one.
#   tools/docs.sh BUILT VENV [BUILDER]     BUILT/site; or BUILDER's output in BUILT/BUILDER
# BUILT is where the library, the command and the Python package were built; VENV is made by
# docs_venv.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

built=$(realpath "$1")
venv=$(realpath "$2")
builder=${3:-html}
source=$built/docs-source
case $builder in html) output=$built/site ;; *) output=$built/$builder ;; esac

export ARMILLA_DOCS_BUILT=$built PYTHONPATH=$built/python OMP_WAIT_POLICY=passive
"$venv/bin/python" tools/docs_stage.py "$built/bin/armilla" "$source"

figures=$source/figures-of-performance
"$venv/bin/python" tools/docs_figures.py "$figures"

mkdir -p "$built/docs-doxygen"
DOXYGEN_OUTPUT=$built/docs-doxygen DOXYGEN_FILTER="$venv/bin/python tools/docs_comments.py" \
    doxygen docs/site/Doxyfile

"$venv/bin/python" -m sphinx -b "$builder" -c docs/site -d "$built/docs-doctrees" \
    -q -W --keep-going "$source" "$output"
if [ "$builder" = html ]; then
    "$venv/bin/python" tools/docs_check.py "$output"
fi
