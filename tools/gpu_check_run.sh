#!/usr/bin/env bash
# On a machine with a GPU, from the bundle of tools/gpu_check.sh: small transforms under
# compute-sanitizer, then correctness against the processor and timings.
#   run.sh [RESULTS]    RESULTS/gpu_check.json, gpu_check.md, gpu_check_shapes.md: times by shapes
#                       of kernels (default: results)
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-results}
mkdir -p "$results"
cuda=$(command -v nvcc || true)
[ -z "$cuda" ] || cuda=$(dirname "$(dirname "$(readlink -f "$cuda")")")
cuda=${CUDA_HOME:-${cuda:-/usr/local/cuda}}
export LD_LIBRARY_PATH="$cuda/lib64:$cuda/targets/x86_64-linux/lib:${LD_LIBRARY_PATH:-}"
export PATH="$cuda/bin:$PATH"

status=0
words="compute-sanitizer:"
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck initcheck; do
        log=$results/$tool.log
        if compute-sanitizer --tool $tool --error-exitcode 9 "$here/gpu_check" small \
            >"$log" 2>&1; then
            words="$words $tool clean,"
        else
            words="$words $tool FAILED (see $tool.log),"
            status=1
        fi
    done
    words=${words%,}.
else
    words="$words not there."
fi
echo "$words"
"$here/gpu_check" all "$results" "$words" || status=$?
cat "$results"/gpu_check*.md
exit $status
