#!/usr/bin/env bash
# Builds the documentation site in its two parts, for users and for developers. Warnings are errors,
# and so is a broken link inside of the site.
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
theirs=$output/developers # the developers' part of the site has contents and a search of its own

export ARMILLA_DOCS_BUILT=$built PYTHONPATH=$built/python OMP_WAIT_POLICY=passive
"$venv/bin/python" tools/docs_stage.py "$built/bin/armilla" "$source"

figures=$source/users/figures-of-performance
"$venv/bin/python" tools/docs_figures.py "$figures"

mkdir -p "$built/docs-doxygen"
DOXYGEN_OUTPUT=$built/docs-doxygen DOXYGEN_FILTER="$venv/bin/python tools/docs_comments.py" \
    doxygen docs/site/Doxyfile

build=("$venv/bin/python" -m sphinx -b "$builder" -c docs/site -q -W --keep-going)
"${build[@]}" -d "$built/docs-doctrees/users" "$source/users" "$output"
"${build[@]}" -d "$built/docs-doctrees/developers" -t developers "$source/developers" "$theirs"
if [ "$builder" = html ]; then
    "$venv/bin/python" tools/docs_check.py "$output"
fi
