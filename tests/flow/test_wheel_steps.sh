#!/usr/bin/env bash
# What `make wheel` says while it works (tools/wheel_steps.sh): each step before it, and how far the
# compiler is; where pip fails, what pip said. pip is made up here.
source "$(dirname "$0")/support.sh"

cp -r "${ARMILLA_SOURCE:?set ARMILLA_SOURCE to the source tree}/tools" tools
mkdir made_up
program() { # NAME: standard input is what it does
    { echo '#!/bin/sh'; cat; } >"made_up/$1" && chmod +x "made_up/$1"
}
program pip <<'EOF'
echo "$*" >asked
for i in $(seq 40); do echo "  [$i/40] Building C object $i.o"; done
exit "${PIP_ENDS:-0}"
EOF
program auditwheel <<<'echo "auditwheel $*" >>asked; exit ${AUDIT_ENDS:-0}'
steps() { # how it ends is $code
    said=$(PATH=$PWD/made_up:$PATH bash -euo pipefail -c "source tools/wheel_steps.sh; $1" 2>&1)
    code=$?
    checks=$((checks + 1))
}

steps 'build_wheel plain -C x=y && repair_wheel repaired a.whl --plat any'
[ $code -eq 0 ] || fail "the steps ended with $code: $said"
says 'wheel: compiling|wheel:     4 of 40 files|wheel:     40 of 40 files|wheel: putting'
[ "$(wc -l <<<"$said")" -eq 12 ] || fail "not a line for each tenth: $said"
grep -q '^wheel .*--wheel-dir plain -C x=y \.$' asked || fail "pip was asked for $(cat asked)"
grep -q '^auditwheel repair --plat any --wheel-dir repaired a.whl$' asked || fail "$(cat asked)"

PIP_ENDS=1 steps 'build_wheel plain; say later'
[ $code -eq 1 ] || fail "a build that failed ended with $code"
says 'Building C object 40.o'
case $said in *later*) fail "it went on: $said" ;; esac
AUDIT_ENDS=3 steps 'repair_wheel repaired a.whl; say later'
[ $code -eq 1 ] || fail "auditwheel failed, and the step ended with $code"
finish
