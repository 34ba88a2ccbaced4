#!/usr/bin/env bash
# The README's commands do what it prints: its lines that begin with `armilla` run as they stand, in
# their order, in a folder with the repository's data. Its first commands try a clone, and pip
# installs in a virtual environment, since Debian and Ubuntu protect their own Python.
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

readme=$ARMILLA_SOURCE/README.md
first=$(sed -n 's/^    \([a-z][^#]*[a-z]\).*/\1/p' "$readme" | head -n 2 | paste -s -d ,)
[ "$first" = "make demo,make test" ] || fail "README.md begins with the commands $first"
for page in "$readme" "$ARMILLA_SOURCE/docs/site/install.md"; do
    checks=$((checks + 1))
    pip=$(grep -c '^ *pip install' "$page")
    behind=$(grep -B 1 '^ *pip install' "$page" | grep -c 'venv .*activate')
    [ "$pip" -gt 0 ] && [ "$pip" -eq "$behind" ] ||
        fail "$page: $pip times pip, $behind times in a virtual environment"
done
finish
