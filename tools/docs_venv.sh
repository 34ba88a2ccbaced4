#!/usr/bin/env bash
# Makes a virtual environment with what builds the documentation site, all from the package index.
#   tools/docs_venv.sh FOLDER        PYTHON=... names another interpreter than python3
set -euo pipefail

folder=$1
needed=("cffi>=1.16" "numpy>=1.22" matplotlib "sphinx>=8.2,<10" "myst-parser>=4,<6"
        "numpydoc>=1.8,<2" "sphinx-gallery>=0.19,<1" "breathe>=4.36,<6"
        "pydata-sphinx-theme>=0.16,<1" "sphinx-design>=0.6,<1" "sphinx-copybutton>=0.5,<1"
        "sphinx-mathjax-offline<1") # the script that draws formulas becomes part of the site
optional=(jax xarray) # examples that need them are left out without them

stamp="${needed[*]} ${optional[*]}"
[ -f "$folder/made-for" ] && [ "$(cat "$folder/made-for")" = "$stamp" ] && exit 0
echo "docs: making $folder" >&2
rm -rf "$folder"
"${PYTHON:-python3}" -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check "${needed[@]}"
for package in "${optional[@]}"; do
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
        "$package" || echo "docs: no $package for this Python; something is left out" >&2
done
echo "$stamp" >"$folder/made-for"
