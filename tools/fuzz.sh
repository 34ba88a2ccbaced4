#!/usr/bin/env bash
# Fuzzes the readers of files, two targets at a time where there are two processors, each for so
# many minutes.
#
# Usage: tools/fuzz.sh MINUTES [SEED] [TARGET ...]   MINUTES may be a fraction; SEED "": a new one
#
# Every run begins with the corpus of the tree, so that the same seed does the same again, as far
# as the time limit lets it. What is found lies in build-fuzz/found/, with the command that repeats
# it; new inputs lie in build-fuzz/work/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=$1
seed=${2:-}
[ -n "$seed" ] || seed=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
shift $(($# > 2 ? 2 : $#))
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(map alm cl_fits cl_text describe raw)
seconds=$(awk -v m="$minutes" 'BEGIN { s = int(60 * m); print (s < 1 ? 1 : s) }')
build=build-fuzz

# Beyond these a reader is out of proportion: memory of the whole process, time for one small file.
limits=(-rss_limit_mb=1024 -malloc_limit_mb=512 -timeout=20 -max_len=40320)

corpora_of() {
    case $1 in
        describe | raw) echo tests/fuzz/corpus/{map,alm,cl_fits} ;;
        *) echo "tests/fuzz/corpus/$1" ;;
    esac
}

dictionary_of() {
    case $1 in
        cl_text) echo tests/fuzz/text.dict ;;
        *) echo tests/fuzz/fits.dict ;;
    esac
}

fuzz() {
    local target=$1 log=$build/$1.log status=0
    local -a corpora
    read -ra corpora <<<"$(corpora_of "$target")"
    rm -rf "$build/work/$target"
    mkdir -p "$build/work/$target" "$build/found"
    "$build/bin/fuzz_$target" "${limits[@]}" -seed="$seed" -max_total_time="$seconds" \
        -dict="$(dictionary_of "$target")" -artifact_prefix="$build/found/$target-" \
        -print_final_stats=1 "$build/work/$target" "${corpora[@]}" >"$log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        grep -v '^#[0-9]*[[:space:]]*\(NEW\|REDUCE\|pulse\|RELOAD\)' "$log" | tail -40 | cut -c1-300
        local input
        input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
        echo "fuzz: $target found something; repeat it with"
        echo "    $build/bin/fuzz_$target ${input:-${corpora[*]}}"
        return 1
    fi
    awk -v target="$target" '
        / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") cov = $(i + 1)
                                              if ($i == "ft:") ft = $(i + 1) } }
        /number_of_executed_units/ { runs = $2 }
        /peak_rss_mb/ { peak = $2 }
        END { printf "fuzz: %-8s %9d runs, coverage %d edges, %d features, %d MB\n", target, runs,
                     cov, ft, peak }' "$log"
}

echo "fuzz: seed $seed, $seconds s for each of: ${targets[*]}" \
    "(again: make fuzz MINUTES=$minutes SEED=$seed)"
failed=0 running=0 together=$(($(nproc) > 1 ? 2 : 1))
for target in "${targets[@]}"; do
    if [ $running -eq $together ]; then
        wait -n || failed=1
        running=$((running - 1))
    fi
    fuzz "$target" &
    running=$((running + 1))
done
for (( ; running > 0; running--)); do
    wait -n || failed=1
done
exit $failed
