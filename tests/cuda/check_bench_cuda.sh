#!/usr/bin/env bash
# What calls take on the emulated GPU: bench/run.py cuda-many, cuda-points and cuda-radial count the
# launches, the memory and the bytes of each call of the small sizes, as many as there have to be.
# Where gpu_check finds a GPU, here the emulated one, its steps time calls instead.
#   check_bench_cuda.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for name in cuda-many cuda-points cuda-radial; do
    python3 "$source/bench/run.py" "$name" --quick --library "$build/libarmilla.so" \
        --output "$work/$name" >"$work/$name.txt" 2>"$work/$name.log" || {
        cat "$work/$name.log"
        exit 1
    }
    grep -q "milliseconds are predictions" "$work/$name.txt"
done
python3 - "$work" <<'END'
import glob
import json
import sys

calls = {}
for path in glob.glob(sys.argv[1] + "/*/*.json"):
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    calls[result["command"]] = result["counted"]
assert sorted(calls) == ["cuda-many", "cuda-points", "cuda-radial"], sorted(calls)
for command, found in calls.items():
    for call in found:
        where = f"{command}: {call}"
        if "launches" not in call:  # larger than what runs here
            assert call["model_ms"] > 0, where
            continue
        assert call["launches"] > 0 and call["kernel_bytes"] > 0, where
        assert (call["flops"] > 0) == (command == "cuda-many"), where
        assert (call["model_ms"] > 0) == (command != "cuda-many"), where
        assert call["counted_plan_bytes"] <= 1.1 * call["told_plan_bytes"], where
one, _, many, _ = calls["cuda-many"]
assert many["ntrans"] == 64 and many["launches"] <= 12, many  # not 64 times those of one
# Each of 64 transforms moves what one does, but for tables; and rings of 64 samples need no cuFFT.
assert 32 < many["kernel_bytes"] / one["kernel_bytes"] <= 66, (one, many)
assert many["cufft_bytes"] == one["cufft_bytes"] == 0, (one, many)
pixels, rings = calls["cuda-radial"]
assert pixels["launches"] == 2 and pixels["cufft_bytes"] == 0, pixels
assert rings["launches"] > 2 and rings["cufft_bytes"] == 0, rings
assert len([call for call in calls["cuda-points"] if "launches" in call]) == 4
END

mkdir -p "$work/tree/build" "$work/tree/build-gpu-90/bench"
ln -s "$build/tests/gpu_check_emulated" "$work/tree/build-gpu-90/bench/gpu_check"
for row in "many GL lmax 7, 9 at once, synthesis" \
    "points points lmax 32, 6e+02 points, 1e-06, adjoint" \
    "radial radial by pixels, nside 8, 600 arcmin, spin 0, pinned host arrays"; do
    python3 "$source/bench/run.py" "cuda-${row%% *}" --quick --output "$work/timed" \
        --library "$work/tree/build/libarmilla.so" >"$work/timed.txt" 2>"$work/timed.log"
    grep -F "| ${row#* } " "$work/timed.txt" | grep -q "| ms" || {
        echo "no \"${row#* }\" of milliseconds:"
        cat "$work/timed.log" "$work/timed.txt"
        exit 1
    }
done
