#!/usr/bin/env bash
# Makes a virtual environment in which PyTorch's part of the Python package is tested.
#   tools/torch_venv.sh FOLDER       TORCH=pip  takes PyTorch from the package index
# Without TORCH: Debian's PyTorch for the system's Python, which knows no CUDA: 150 MB to download,
# 630 MB on disk. The package index has for Linux only builds with CUDA: 540 MB for PyTorch itself,
# several times as much with the libraries that it asks for.
set -euo pipefail

folder=$1
from=${TORCH:-debian}
needed=("cffi>=1.16" pytest pytest-timeout)

[ "$from" = pip ] || "$(dirname "$0")/bootstrap.sh" python3-torch
stamp="$from ${needed[*]}"
[ -f "$folder/made-for" ] && [ "$(cat "$folder/made-for")" = "$stamp" ] && exit 0
echo "torch: making $folder" >&2
rm -rf "$folder"
if [ "$from" = pip ]; then
    "${PYTHON:-python3}" -m venv "$folder"
    needed+=("numpy>=1.22" torch torch-harmonics) # which the layers are compared with
else
    /usr/bin/python3 -m venv --system-site-packages "$folder"
fi
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check "${needed[@]}"
"$folder/bin/python" -c 'import torch; print("torch: PyTorch", torch.__version__)' >&2
echo "$stamp" >"$folder/made-for"
