#!/usr/bin/env bash
# Distributed transforms on three hosts of one machine (hosts.sh): the bits of one rank over TCP,
# also where packets are lost or the network is slow; an end with an error in bounded time where a
# host dies or its cable is drawn. Needs a build with MPI=1; takes about two minutes.
#   tests/mpi/hosts_transforms.sh [BUILD]      BUILD: folder of the build; default build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
failed=0

# One run: MPI, name of the case, options of hosts.sh, then --, program and arguments.
run() {
    local mpi=$1 name=$2 code=0
    shift 2
    "$here/hosts.sh" --mpi "$mpi" --hosts 3 --per-host 1 "$@" >"$log" 2>&1 || code=$?
    printf '%-8s %-22s %s\n' "$mpi" "$name" "$(grep '^hosts:' "$log" | tail -1)"
    [ "$code" -eq 0 ] || { failed=1 && sed 's/^/    /' "$log"; }
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for mpi in openmpi mpich; do
    cases=$build/tests/test_ranks_mpi_$mpi
    endless=("$build/bench/bench_ranks_$mpi" "healpix 256" 511 0 1000000)
    [ -x "$cases" ] || continue
    run $mpi "bits" --bound 120 -- "$cases" --long
    run $mpi "bits, packets lost" --fault loss --after 0 --bound 120 -- "$cases" --long --step=4
    run $mpi "bits, slow network" --fault slow --after 0 --bound 120 -- "$cases" --long --step=4
    run $mpi "a host dies" --fault kill-host --bound 60 -- "${endless[@]}"
    run $mpi "a cable is drawn" --fault link-down --bound 60 -- "${endless[@]}"
done
exit $failed
