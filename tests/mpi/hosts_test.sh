#!/usr/bin/env bash
# Tests tests/mpi/hosts.sh with both MPIs and every fault, and shows what came of each. It takes 72
# seconds, and ends with 77 where hosts cannot be made or there is neither MPI.
#
#   tests/mpi/hosts_test.sh [openmpi|mpich]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# Runs the probe for $1 seconds under hosts.sh with the remaining options; sets status.
run_probe() {
    local seconds=$1
    shift
    rm -f "$work/result" "$work/result.part"
    status=0
    "$here/hosts.sh" --mpi "$mpi" --after 1 "$@" -- \
        "$work/probe.$mpi" --seconds "$seconds" --file "$work/result" \
        >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status != 77 ] || { cat "$work/err" && exit 77; }
}

# Adds a line to the table: the fault $1, and whether the command $2 ... finds all as expected.
tell() {
    local fault=$1 verdict=ok ended bytes
    shift
    "$@" || verdict=FAILED
    ended=$(sed -nE 's/^hosts: .*: (ended|still running) after ([0-9.]*) s.*/\2 \1/p' "$work/err")
    bytes=$(sed -n 's/^hosts: .* \([0-9]*\) bytes crossed.*/\1/p' "$work/err")
    printf '%-8s %-14s %-14s %7s %12s  %s\n' \
        "$mpi" "$fault" "${ended#* }" "${ended%% *}" "$bytes" "$verdict"
    [ $verdict = ok ] || { failures=$((failures + 1)) && cat "$work/out" "$work/err" >&2; }
}

# The job did what it does without a fault, and its file is whole.
is_success() {
    [ "$status" = 0 ] && [ -s "$work/result" ] && cmp -s "$work/out" "$work/result"
}

# The job ended in time with an error, and there is no file, not even half of one.
is_clean_failure() {
    [ "$status" = 0 ] && grep -q 'ended after' "$work/err" && [ ! -e "$work/result" ]
}

# hosts.sh itself refused, with the message $1.
is_refusal() {
    [ "$status" = 1 ] && grep -q "$1" "$work/err"
}

# All faults with one MPI, and three runs that hosts.sh has to refuse.
test_mpi() {
    mpi=$1
    "mpicc.$mpi" -std=c11 -O2 -o "$work/probe.$mpi" "$here/exchange_probe.c" 2>"$work/err" ||
        { cat "$work/err" && exit 1; }
    run_probe 1 && tell none is_success
    run_probe 1 --hosts 2 --per-host 2 && tell "2 x 2 ranks" is_success
    run_probe 3 --fault loss && tell loss is_success
    run_probe 3 --fault slow --after 0 && tell slow is_success
    run_probe 60 --fault kill-host && tell kill-host is_clean_failure
    run_probe 60 --fault kill-host --victim 1 && tell "kill rank 0" is_clean_failure
    run_probe 60 --fault link-down --bound 20 && tell link-down is_clean_failure
    run_probe 60 --fault link-down --bound 3 && tell "  bound 3 s" is_refusal 'still running'
    run_probe 0 && tell "  few bytes" is_refusal 'nothing was tested'
    run_probe 0 --fault loss --after 3 && tell "  fault late" is_refusal 'over before the fault'
}

printf '%-8s %-14s %-14s %7s %12s\n' mpi fault end seconds bytes
for mpi in ${1:-openmpi mpich}; do
    if [ -n "$(type -P "mpirun.$mpi")" ]; then test_mpi "$mpi"; fi
done
[ -n "$(find "$work" -name 'probe.*')" ] || exit 77
[ $failures = 0 ] || exit 1
