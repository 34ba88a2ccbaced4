#!/usr/bin/env bash
# A bundle for a machine that has an NVIDIA GPU, its driver and CUDA, but neither network nor FFTW,
# CFITSIO or cmocka: gpu_check and gpu_probe (bench/gpu/) with everything linked in but cuFFT, and a
# script that runs their steps.
#   tools/gpu_check.sh FOLDER              builds in FOLDER, writes FOLDER/gpu_check.tar.gz
#   ARMILLA_CUDA_ARCHITECTURES=90-real     for these GPUs only (default: from 7.5 on all that CUDA
#                                          knows, but those that run the code of an older one)
# There: tar xzf gpu_check.tar.gz && gpu_check/run.sh OUT first
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:?usage: tools/gpu_check.sh FOLDER}

command -v nvcc >/dev/null || {
    echo "gpu_check: CUDA's compiler (nvcc) is not on PATH" >&2
    exit 1
}
options=(-DCMAKE_BUILD_TYPE=Release -DARMILLA_CUDA=ON -DARMILLA_THREADS=pthread
         -DARMILLA_FILES=OFF -DBUILD_SHARED_LIBS=OFF)
# Processors beside a GPU have AVX2 at least; the plain set is what plans fall back on.
[ "$(uname -m)" != x86_64 ] || options+=("-DARMILLA_ISAS=scalar;avx2;avx512")

# 8.8 runs the code of 8.6, 10.3 that of 10.0, 12.1 that of 12.0: a quarter of the bundle.
known=$(nvcc --list-gpu-code | sed -n 's/^sm_\([0-9]*\)$/\1/p' | sort -n)
chosen=
for number in $known; do
    case $number in
    [1-6]? | 7[0-4] | 88 | 103 | 121) ;;
    *) chosen+="$number-real;" ;;
    esac
done
chosen+="$(tail -n 1 <<<"$known")-virtual"
chosen=${ARMILLA_CUDA_ARCHITECTURES:-$chosen}
options+=("-DCMAKE_CUDA_ARCHITECTURES=$chosen")
most=$((60 * 1000 * 1000)) # bytes of the bundle
[[ $chosen == *[\;,]* ]] || most=$((12 * 1000 * 1000))
cmake -S . -B "$folder" -G Ninja "${options[@]}" >/dev/null
cmake --build "$folder" --target gpu_check gpu_probe gpu_no_cufft

bundle=$folder/gpu_check
rm -rf "$bundle"
mkdir -p "$bundle/no_cufft"
for program in gpu_check gpu_probe libgpu_check.so; do
    strip -o "$bundle/$program" "$folder/bench/$program"
done
cp tools/gpu_check_run.sh "$bundle/run.sh"
cp tools/gpu_check_steps.sh "$bundle/steps.sh"
cp bench/gpu/gpu_arrays.py bench/gpu/gpu_layers.py bench/gpu/gpu_ncu.py LICENSE "$bundle/"
needed=$(readelf -d "$bundle"/gpu_check "$bundle"/gpu_probe "$bundle"/libgpu_check.so |
    sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort -u)
for library in $needed; do
    case $library in
    libcufft.so.*)
        strip -o "$bundle/no_cufft/$library" "$folder/bench/libgpu_no_cufft.so"
        ;;
    libgpu_check.so | libc.so.* | libm.so.* | libstdc++.so.* | libgcc_s.so.* | ld-linux* | \
        libdl.so.* | librt.so.* | libpthread.so.*) ;;
    *)
        echo "gpu_check: the program needs $library, which a GPU machine may not have" >&2
        exit 1
        ;;
    esac
done
tar -C "$folder" -czf "$folder/gpu_check.tar.gz" gpu_check
bytes=$(stat -c %s "$folder/gpu_check.tar.gz")
[ "$bytes" -lt $most ] || {
    echo "gpu_check: $bytes bytes; at most $most" >&2
    exit 1
}
echo "$folder/gpu_check.tar.gz: $bytes bytes"
