#!/usr/bin/env bash
# Compiles the library and the command for macOS on Apple silicon, on this machine, by the Clang of
# the package ziglang, and links them; then compiles them for this machine by its own Clang. Both
# with -Wpedantic, and warnings are errors. Nothing of macOS runs here (docs/platforms.md).
#   tools/macos_compile.sh FOLDER       PYTHON=... names another interpreter than python3
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mkdir -p "$1" && cd "$1" && pwd)
export ARMILLA_ZIG=$PWD/build-wheels/zig/bin ARMILLA_ZIG_TARGET=aarch64-macos
common=(-S . -GNinja -DARMILLA_WERROR=ON -DCMAKE_C_FLAGS=-Wpedantic -DARMILLA_THREADS=pthread
        -DARMILLA_FFT=own -DARMILLA_BUILD_TESTS=OFF -DARMILLA_BUILD_BENCH=OFF)

quietly() { "$@" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }; }

tools/zig.sh build-wheels/zig
tools/carried_libraries.sh sources build-wheels/sources
tools/carried_libraries.sh build build-wheels/sources "$PWD/build-wheels/$ARMILLA_ZIG_TARGET" \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/zig.cmake"

ARMILLA_CARRIED=$PWD/build-wheels/$ARMILLA_ZIG_TARGET quietly \
    cmake "${common[@]}" -B "$folder/macos" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/zig.cmake"
quietly cmake --build "$folder/macos" --target armilla_core armilla_files armilla_command
file -L "$folder"/macos/libarmilla*.dylib "$folder/macos/bin/armilla" 2>/dev/null || true

if command -v clang >/dev/null; then
    quietly cmake "${common[@]}" -B "$folder/clang" -DCMAKE_C_COMPILER=clang
    quietly cmake --build "$folder/clang" --target armilla_core armilla_files armilla_command
    echo "macos_compile: nothing to complain about, and neither for Clang here"
else
    echo "macos_compile: nothing to complain about; no Clang for this machine"
fi
