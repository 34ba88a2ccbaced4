#!/usr/bin/env bash
# Makes a virtual environment with what the Python package needs to be built and tested.
#   tools/python_venv.sh FOLDER        PYTHON=... names another interpreter than python3
set -euo pipefail

folder=$1
needed=("cffi>=1.16" "numpy>=1.22" pytest pytest-timeout pytest-xdist hypothesis mypy)
# tests that compare with one of these are skipped where it cannot be had
peers=("ducc0==0.42.*" "healpy==1.20.*" matplotlib jax mpi4py eccodes cfgrib
       healsparse xarray "dask[array]" netCDF4 zarr)

stamp="${needed[*]} ${peers[*]}"
[ -f "$folder/made-for" ] && [ "$(cat "$folder/made-for")" = "$stamp" ] && exit 0
echo "python: making $folder" >&2
rm -rf "$folder"
"${PYTHON:-python3}" -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check "${needed[@]}"
for peer in "${peers[@]}"; do
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
        "$peer" || echo "python: no $peer for this Python; its tests will be skipped" >&2
done
echo "$stamp" >"$folder/made-for"
