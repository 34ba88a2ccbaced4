#!/usr/bin/env bash
# The module for Fortran: it is what languages/generate.py makes of the headers, has every function
# that the library exports, lays out structs as C does, and its calls return the same bits as those
# of C.
set -euo pipefail
cd "$(dirname "$0")/../.."
source_tree=${ARMILLA_SOURCE:-$PWD}
build=${ARMILLA_BUILD:-$source_tree/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
skip() {
    echo "$*: skipped"
    exit 77
}

python3 "$source_tree/languages/generate.py" --check || fail "languages/generate.py --check"
[ -e "$build/libarmilla.so" ] || skip "the library is not shared"
! grep -q '^ARMILLA_SANITIZE:[A-Z]*=.' "$build/CMakeCache.txt" || skip "a sanitized library"
! grep -q '^CMAKE_TOOLCHAIN_FILE:[A-Z]*=.' "$build/CMakeCache.txt" ||
    skip "a library of another machine"
module=$source_tree/languages/fortran/armilla.f90
nm -D --defined-only "$build/libarmilla.so" | awk '{print $3}' | sort >"$work/exported"
sed -n 's/^        \(function\|subroutine\) \(armilla_[a-z0-9_]*\)(.*/\2/p' "$module" |
    grep -v '^armilla_mpi_' | sort >"$work/declared"
diff "$work/exported" "$work/declared" || fail "exported (<) and declared (>) functions differ"

command -v gfortran >/dev/null || skip "no gfortran; the module is up to date"
libraries=(-L"$build" -larmilla "-Wl,-rpath,$build")
python3 "$source_tree/languages/generate.py" --layouts "$work"
cp "$source_tree"/tests/languages/results.* "$work"
cd "$work"
cc=(cc -std=c11 -I"$source_tree/include" -Wall -Wextra -Werror)
fortran=(gfortran -std=f2018 -Wall -Wextra -Werror)
"${fortran[@]}" -c "$module" -o module.o || fail "the module does not compile"
for program in layouts results; do
    "${cc[@]}" $program.c "${libraries[@]}" -o ${program}_c
    "${fortran[@]}" -fcheck=all $program.f90 module.o "${libraries[@]}" -o ${program}_fortran ||
        fail "$program.f90 does not compile"
    ./${program}_c >$program.c.out || fail "${program}_c"
    ./${program}_fortran >$program.fortran.out || fail "${program}_fortran"
    diff $program.c.out $program.fortran.out || fail "$program of C (<) and Fortran (>) differ"
done
echo "Fortran: $(wc -l <declared) functions, $(wc -l <layouts.c.out) sizes and offsets," \
    "$(wc -l <results.c.out) results as in C"
