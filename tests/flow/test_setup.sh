#!/usr/bin/env bash
# What `make` does before it compiles: tools/bootstrap.sh says which packages it installs and why
# before it does, and asks for those of tests only where there are tests; tools/configure.sh makes
# warnings errors for tests alone, and keeps what a folder has. apt-get and cmake are made up here.
source "$(dirname "$0")/support.sh"

tools=${ARMILLA_SOURCE:?set ARMILLA_SOURCE to the source tree}/tools
mkdir made_up
program() { # NAME: standard input is what it does
    { echo '#!/bin/sh'; cat; } >"made_up/$1" && chmod +x "made_up/$1"
}
program dpkg-query <<<'exit 1'
program apt-get <<<'echo "apt-get $*" >&2'
program id <<<'echo ${USER_ID:-0}'
program sudo <<<'exit 1'
program cmake <<<'echo "$*" >asked'
export PATH=$PWD/made_up:$PATH

# bootstrap NAME VALUE ARGUMENTS: runs it with an environment variable; $said, $code.
bootstrap() {
    said=$(env "$1=$2" bash "$tools/bootstrap.sh" "${@:3}" 2>&1)
    code=$?
}
with() { # PATTERN: what was said has such a line
    checks=$((checks + 1))
    grep -Eq "$1" <<<"$said" || fail "no '$1' in: $said"
}
without() { # PATTERN: ... has none
    checks=$((checks + 1))
    ! grep -Eq "$1" <<<"$said" || fail "'$1' in: $said"
}
bootstrap USER_ID 0
[ $code -eq 0 ] || fail "bootstrap ended with $code: $said"
with 'libcfitsio-dev +FITS files'
with 'gcc +the compiler of the library'
without 'cmocka|mpfr|g\+\+|gfortran|python'
first=$(grep -n -m 1 'libcfitsio-dev  *FITS' <<<"$said" | cut -d: -f1)
second=$(grep -n -m 1 '^apt-get' <<<"$said" | cut -d: -f1)
is "lines of the reasons and of apt-get" "${first:-99} < ${second:-0}"
bootstrap USER_ID 0 --tests swig
with 'libcmocka-dev +the framework'
with 'swig +this command of the Makefile'
with '^apt-get install .* swig$'
for refused in "USER_ID 1000" "ARMILLA_BOOTSTRAP no"; do
    # shellcheck disable=SC2086
    bootstrap $refused
    [ $code -eq 1 ] || fail "bootstrap where it may not install ended with $code"
    with 'sudo apt-get install -y .*libcfitsio-dev'
    without '^apt-get'
done

# configured FORM WORDS: what cmake is asked for has these.
configured() {
    local word
    bash "$tools/configure.sh" "$1" release folder -DMORE=ON || fail "configure.sh $1"
    for word in --preset -DMORE=ON "${@:2}"; do
        checks=$((checks + 1))
        grep -q -- "$word" asked || fail "configure.sh $1: no $word in: $(cat asked)"
    done
}
configured plain -DARMILLA_WERROR=OFF -DARMILLA_BUILD_TESTS=OFF -DARMILLA_BUILD_BENCH=OFF
configured tests -DARMILLA_WERROR=ON -DARMILLA_BUILD_TESTS=ON
mkdir folder
printf 'ARMILLA_WERROR:BOOL=OFF\nARMILLA_BUILD_TESTS:BOOL=OFF\n' >folder/CMakeCache.txt
configured tests -DARMILLA_WERROR=OFF -DARMILLA_BUILD_TESTS=ON
printf 'ARMILLA_WERROR:BOOL=ON\nARMILLA_BUILD_TESTS:BOOL=ON\n' >folder/CMakeCache.txt
configured plain -DARMILLA_WERROR=ON -DARMILLA_BUILD_TESTS=ON

finish
