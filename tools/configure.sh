#!/usr/bin/env bash
# Configures a build for the Makefile.
#   tools/configure.sh plain|tests PRESET FOLDER [OPTION OF CMAKE ...]
# plain: in a new folder the library and the command alone, and a warning is no error there: other
#        compilers than those that the project is tested with have other warnings.
# tests: with tests, examples and benchmarks; in a new folder a warning is an error.
# In a folder that is there both keep what it has, so that nothing is compiled twice.
set -euo pipefail
form=$1 preset=$2 folder=$3
shift 3

# cached NAME DEFAULT: -DNAME=value, as the folder has it.
cached() {
    local value
    value=$(sed -n "s/^$1:[A-Z]*=//p" "$folder/CMakeCache.txt" 2>/dev/null || true)
    echo "-D$1=${value:-$2}"
}
if [ "$form" = tests ]; then
    options=("$(cached ARMILLA_WERROR ON)" -DARMILLA_BUILD_TESTS=ON -DARMILLA_BUILD_BENCH=ON)
else
    options=("$(cached ARMILLA_WERROR OFF)" "$(cached ARMILLA_BUILD_TESTS OFF)"
             "$(cached ARMILLA_BUILD_BENCH OFF)")
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset "$preset" "${options[@]}" "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
