#!/usr/bin/env bash
# Makes a virtual environment with the packages that docs/site/coming_from compares with.
#   tools/coming_from_venv.sh FOLDER       1.1 GB on disk; SHTns is compiled, which needs FFTW
set -euo pipefail

folder=$1
needed=("cffi>=1.16" "numpy>=1.22" scipy pytest pytest-timeout matplotlib)
peers=("ducc0==0.42.*" "healpy==1.20.*" pyshtools s2fft jax "jax-healpy==0.8.*" pyssht shtns
       torch-harmonics eccodes)

stamp="${needed[*]} ${peers[*]} lenspyx==2.0.52"
[ -f "$folder/made-for" ] && [ "$(cat "$folder/made-for")" = "$stamp" ] && exit 0
echo "coming_from: making $folder" >&2
rm -rf "$folder"
"${PYTHON:-python3}" -m venv "$folder"
pip=("$folder/bin/python" -m pip install --quiet --disable-pip-version-check)
"${pip[@]}" "${needed[@]}"
for peer in "${peers[@]}"; do
    "${pip[@]}" "$peer" || echo "coming_from: no $peer here; its examples will be skipped" >&2
done
"${pip[@]}" --no-deps lenspyx==2.0.52 || echo "coming_from: no lenspyx here" >&2
echo "$stamp" >"$folder/made-for"
