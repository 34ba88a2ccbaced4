#!/usr/bin/env bash
# The README's commands do what it prints: its lines that begin with `armilla` run as they stand, in
# their order, in a folder with the repository's data.
source "$(dirname "$0")/support.sh"
: "${ARMILLA_SOURCE:?set ARMILLA_SOURCE to the source tree}"

mkdir bin && ln -s "$armilla" bin/armilla && ln -s "$ARMILLA_SOURCE/data" data
PATH=$PWD/bin:$PATH
while read -r line; do
    checks=$((checks + 1))
    bash -c "$line" >said.txt 2>&1 || fail "$line: $(cat said.txt)"
    output=$(sed -n 's/.* -o \([^ ]*\).*/\1/p' <<<"$line")
    [ -s "$output" ] || fail "$line: no $output"
done < <(sed -n 's/^    \(armilla [a-z]* .*\)$/\1/p' "$ARMILLA_SOURCE/README.md")
[ "$checks" -ge 5 ] || fail "README.md has $checks commands"
finish
