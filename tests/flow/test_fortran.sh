#!/usr/bin/env bash
# The module for Fortran: it is what languages/generate.py makes of the headers, has every function
# that the libraries export, lays out structs as C does, and its calls return the same bits as those
# of C. The declarations for Julia: they look for each function in the library that has it.
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
names() { # --defined-only|--undefined-only LIBRARY
    nm -D "$1" "$build/$2.so" | awk '{print $NF}' | grep '^armilla_' | sort
}
sed -n 's/^        \(function\|subroutine\) \(armilla_[a-z0-9_]*\)(.*/\2/p' "$module" |
    sed 's/_long$//' | grep -v '^armilla_mpi_' | sort >"$work/declared"
# Beside these, the core exports what libarmilla_files alone calls.
names --undefined-only libarmilla_files | comm -23 - "$work/declared" >"$work/internal"
names --defined-only libarmilla | comm -23 - "$work/internal" >"$work/libarmilla"
names --defined-only libarmilla_files >"$work/libarmilla_files"
sort "$work/libarmilla" "$work/libarmilla_files" | diff - "$work/declared" ||
    fail "exported (<) and declared (>) functions differ"
for name in libarmilla libarmilla_files; do
    sed -n "s/.*@ccall $name\.\(armilla_[a-z0-9_]*\)(.*/\1/p" \
        "$source_tree/languages/julia/declarations.jl" | sort | diff "$work/$name" - ||
        fail "what $name exports (<) and what Julia looks for in it (>) differ"
done

command -v gfortran >/dev/null || skip "no gfortran; the module is up to date"
libraries=(-L"$build" -larmilla_files -larmilla "-Wl,-rpath,$build")
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
