#!/usr/bin/env bash
# The headers for C++17: each stands on its own, and their calls do what those of C do.
set -euo pipefail
cd "$(dirname "$0")/../.."
source_tree=${ARMILLA_SOURCE:-$PWD}
build=${ARMILLA_BUILD:-$source_tree/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -e "$build/libarmilla.so" ] || ! command -v c++ >/dev/null ||
    grep -Eq '^(ARMILLA_SANITIZE|CMAKE_TOOLCHAIN_FILE):[A-Z]*=.' "$build/CMakeCache.txt"; then
    echo "no shared library, a sanitized one, that of another machine, or no compiler: skipped"
    exit 77
fi
cxx=(c++ -std=c++17 -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror
     "-I$source_tree/include")
python3 "$source_tree/languages/generate.py" --check
for header in base objects transforms; do
    echo "#include <armilla/$header.hpp>" | "${cxx[@]}" -fsyntax-only -x c++ -
done
# every member of every generated class
(
    echo "#include <armilla/armilla.hpp>"
    cd "$source_tree/include/armilla"
    sed -n 's/.* class \([A-Za-z0-9]*\)Members : .*/\1/p' objects.hpp |
        sed 's/.*/template class armilla::&Members<armilla::&>;/'
) >"$work/members.cpp"
[ "$(grep -c "template class" "$work/members.cpp")" -ge 30 ]
"${cxx[@]}" -c "$work/members.cpp" -o "$work/members.o"
"${cxx[@]}" "$source_tree/tests/languages/calls.cpp" -L"$build" -larmilla_files -larmilla \
    "-Wl,-rpath,$build" -o "$work/calls"
"$work/calls" "$work/map.fits"
