#!/usr/bin/env bash
# Tries a wheel for aarch64 under QEMU: its command, and its module in Debian's Python for arm64
# with NumPy and cffi from the package index.
#   tools/wheel_try_arm64.sh WHEEL       after tools/wheels.sh has made build-wheels/venv
set -euo pipefail
cd "$(dirname "$0")/.."

wheel=$1 root=$PWD/build-wheels/arm64 packages=$PWD/build-wheels/arm64-packages
ARM64_PACKAGES="libc6 libgcc-s1 libstdc++6 python3-minimal libpython3-stdlib" \
    tools/arm64_sysroot.sh "$root"
rm -rf "$packages"
version=$(find "$root/usr/bin" | sed -n 's/.*python3\.\([0-9]*\)$/\1/p' | head -n 1)
build-wheels/venv/bin/pip install --quiet --target "$packages" --only-binary :all: \
    --python-version "3.$version" --platform manylinux_2_28_aarch64 \
    --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
    --implementation cp --abi "cp3$version" --abi abi3 "$wheel"

emulate() { qemu-aarch64 -L "$root" -cpu cortex-a72 "$@"; }
emulate "$packages/bin/armilla" --version
cd "$packages"
PYTHONPATH=$packages emulate "$root/usr/bin/python3.$version" - <<'EOF'
import numpy as np, armilla
sht = armilla.SHT(armilla.Grid.gauss_legendre(33, 66), 32)
alm = armilla.alm.random(32, np.ones(33), seed=1)
assert np.abs(sht.analysis(sht.synthesis(alm)) - alm).max() < 1e-12
print(armilla.info())
EOF
