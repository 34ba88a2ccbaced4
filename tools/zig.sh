#!/usr/bin/env bash
# Makes an environment with the Python package ziglang, and in FOLDER/bin the programs that
# cmake/zig.cmake takes for a compiler.
#   tools/zig.sh FOLDER       PYTHON=... names another interpreter than python3
set -euo pipefail

needed="ziglang" # 0.17.1 was tried
folder=$(mkdir -p "$1" && cd "$1" && pwd)
if [ "$(cat "$folder/made-for" 2>/dev/null)" = "$needed" ]; then exit 0; fi
echo "zig: making $1" >&2
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$needed"
zig=$("$folder/venv/bin/python" -c \
    'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / "zig")')

mkdir -p "$folder/bin"
make_program() { # NAME COMMAND: what FOLDER/bin/NAME runs
    printf '#!/bin/sh\n%s\n' "$2" >"$folder/bin/$1"
    chmod +x "$folder/bin/$1"
}
make_program cc "exec '$zig' cc \"\$@\""
make_program ar "exec '$zig' ar \"\$@\""
make_program ranlib "exec '$zig' ranlib \"\$@\""
make_program no_install_name_tool "echo 'no install_name_tool: the linker sets names' >&2"
echo "$needed" >"$folder/made-for"
