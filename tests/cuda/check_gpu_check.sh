#!/usr/bin/env bash
# The bundle that checks GPUs, on the emulated one: every step of both calls runs and leaves its
# rows; where steps are wrong, fail, hang or are killed, all other steps' rows are there, and the
# summary names the bad ones. The profiler, the sanitizer and PyTorch are stand-ins.
#   check_gpu_check.sh SOURCE PROGRAMS LIBRARIES
set -uo pipefail
source=$1 programs=$2 library=$3/libgpu_check.so
work=$(mktemp -d)/"with blanks"
mkdir "$work"
trap 'rm -rf "$(dirname "$work")"' EXIT
failures=0

fail() {
    failures=$((failures + 1))
    printf 'FAIL: %s\n' "$*"
}

# --- A bundle of emulated programs ---------------------------------------------------------------

bundle=$work/bundle
tools=$work/tools
mkdir "$bundle" "$tools"
cp "$source/tools/gpu_check_run.sh" "$bundle/run.sh"
cp "$source/tools/gpu_check_steps.sh" "$bundle/steps.sh"
cp "$source"/bench/gpu/gpu_arrays.py "$source"/bench/gpu/gpu_ncu.py "$bundle/"
[ ! -e "$library" ] || ln -s "$library" "$bundle/libgpu_check.so"
ln -s "$programs/gpu_probe_emulated" "$bundle/gpu_probe"
touch "$bundle/plants" # lines: a step, and what goes wrong in it

cat >"$bundle/gpu_check" <<END
#!/usr/bin/env bash
for step; do :; done
while read -r planted_step plant; do
    [ "\$planted_step" != "\$step" ] || export ARMILLA_EMULATION_PLANT=\$plant
done <"$bundle/plants"
exec "$programs/gpu_check_emulated" "\$@"
END

# A profiler that runs the program and knows the time of two launches.
cat >"$tools/ncu" <<'END'
#!/usr/bin/env bash
while [ "${1#*/gpu_check}" = "$1" ]; do shift; done
"$@" >/dev/null || exit 1
sed 's/STALLS/smsp__average_warps_issue_stalled_wait_per_issue_active.ratio/' <<'TABLE'
==PROF== Connected to process 1
"ID","Kernel Name","gpu__time_duration.sum","dram__bytes_read.sum","STALLS"
"","","nsecond","Mbyte","inst"
"0","legendre_synthesis","1,500,000.0","12.5","0.75"
"1","void fill(armilla_cuda_ring_slots)","250,000.0","3.5","1.25"
TABLE
END

# A sanitizer that finds nothing but in one step; and one that refuses.
cat >"$tools/compute-sanitizer" <<END
#!/usr/bin/env bash
tool=\$2
[ ! -e "$work/refuse" ] || { echo "========= Error: Device not supported."; exit 1; }
while [ "\${1#*/gpu_check}" = "\$1" ]; do shift; done
echo "========= COMPUTE-SANITIZER"
"\$@"
code=\$?
case \$tool-\$* in racecheck*spin)
    [ -e "$work/no_race" ] || {
        echo "========= Error: Race reported between a write and a read"
        exit 9
    } ;;
esac
exit \$code
END

cat >"$tools/nvidia-smi" <<'END'
#!/usr/bin/env bash
echo "CUDA emulation, 580.1, 345 MHz, 1980 MHz, 2619 MHz, 70.1 W, 700 W, 30, 81559 MiB, 0 MiB"
END
chmod +x "$tools"/* "$bundle"/gpu_check
export PATH="$tools:$PATH" ARMILLA_TEST_LIBRARY=$library

# --- What is looked at ---------------------------------------------------------------------------

# has FILE WORDS ...: each in a line.
has() {
    local file=$1 word
    shift
    for word; do
        grep -qF -- "$word" "$file" || fail "no \"$word\" in ${file#"$work"/}"
    done
}

# keys_of OUT STEP: what a step has found, without the numbers.
keys_of() {
    sed -n "s/^{\"step\": \"$2\", \"key\": \"\([^\"]*\)\".*/\1/p" "$1/results.jsonl"
}

# run CODE OUT ARGUMENT...
run() {
    local code=$1 out=$2 ended
    shift 2
    bash "$bundle/run.sh" "$work/$out" "$@" --small >"$work/$out.txt" 2>&1
    ended=$?
    [ $ended -eq "$code" ] ||
        fail "run.sh $* ended with $ended instead of $code: $(cat "$work/$out.txt")"
    [ "$(stat -c %s "$work/$out/summary.txt")" -lt 10000 ] || fail "$out: the summary is too long"
    [ "$(find "$work/$out" -type f | wc -l)" -le 8 ] || fail "$out: more than 8 files"
    python3 - "$work/$out/results.jsonl" <<'END' || fail "$out: a row is no JSON"
import json, sys
[json.loads(line) for line in open(sys.argv[1])]
END
}

steps_of() { # first_steps, second_steps
    sed -n "/^$1=\"/,/\"\$/p" "$bundle/run.sh" | sed -n 's/^\([a-z-]*\) [0-9]* .*/\1/p'
}

# --- All is right --------------------------------------------------------------------------------

run 0 first first
for step in $(steps_of first_steps); do
    has "$work/first/results.jsonl" "\"name\": \"$step\", \"state\": \"right\""
    [ "$step" = machine ] || [ -n "$(keys_of "$work/first" "$step")" ] || fail "$step found nothing"
done
has "$work/first/results.jsonl" '"gpu": "CUDA emulation"' '"rings_ms"' 'processor' \
    'GPU over CPU' '"GL lmax 15, synthesis, legendre"' '"GL lmax 15, synthesis, rings"' \
    '"CC lmax 15, analysis, theta"' '"HEALPix nside 8 resampled lmax 15, synthesis, theta"'

touch "$work/no_race"
PYTHONPATH="$source/tests/cuda/stand_in" run 0 second second
for step in $(steps_of second_steps); do
    [ "$step" = arrays ] && [ ! -e "$library" ] && continue
    has "$work/second/results.jsonl" "\"name\": \"$step\", \"state\": \"right\""
done
has "$work/second/summary.txt" "legendre_synthesis: ms 1.5, read MB 12.5; stalled: wait 0.75" \
    "fill: ms 0.25" "racecheck, sanitize-spin: nothing found"
[ ! -e "$library" ] ||
    has "$work/second/summary.txt" "arrays of Torch, analysis, a stream of its own: the same bits"

# --- Some steps are not ---------------------------------------------------------------------------

cat >"$bundle/plants" <<'END'
kernels-scalar skip:legendre_synthesis
kernels-spin fail:spin_analysis
times-gauss stop:legendre_analysis
times-many kill:gather
END
# A step that hangs must take no minute, one that does not may take longer under a sanitizer.
longest=$(sed -n 's/.*"seconds": \([0-9]*\).*/\1/p' "$work/first/results.jsonl" | sort -n |
    tail -n 1)
run 1 planted first --limit $((8 + 3 * longest))
has "$work/planted/summary.txt" "kernels-scalar: Legendre stage, synthesis" "first wrong: m " \
    "got nan" \
    "kernels-scalar         WRONG" "kernels-scalar-blocking WRONG" "kernels-scalar-memcheck WRONG" \
    "kernels-spin           FAILED (2)" "unspecified launch failure" \
    "times-gauss            TIMED OUT" "times-many             KILLED"
for step in $(steps_of first_steps); do
    case $step in
    kernels-scalar | kernels-spin | times-gauss | times-many) ;;
    *) [ "$(keys_of "$work/planted" "$step")" = "$(keys_of "$work/first" "$step")" ] ||
        fail "planted: the rows of $step are not those of a right run" ;;
    esac
done
has "$work/planted/results.jsonl" '"key": "GL lmax 15, synthesis"' # before it hung
: >"$bundle/plants"

rm "$work/no_race"
run 1 race --only racecheck-spin memcheck-spin
has "$work/race/summary.txt" "racecheck-spin         WRONG" "Race reported between" \
    "memcheck-spin          right"

# --- What a machine may not have ------------------------------------------------------------------

touch "$work/refuse"
printf '#!/bin/sh\necho "==ERROR== LibraryNotLoaded"; exit 1\n' >"$tools/ncu"
run 0 refused --only ncu memcheck-scalar arrays machine
has "$work/refused/summary.txt" "ncu does not work here" "compute-sanitizer refuses this GPU" \
    "CuPy is not there" "machine                right"
mkdir "$bundle/no_cufft"
touch "$bundle/no_cufft/libcufft.so.999"
run 1 no_cufft --only machine ceilings times-many
has "$work/no_cufft/summary.txt" "libcufft: nowhere" "ceilings               right" \
    "times-many             LEFT OUT: no cuFFT"
rm -r "$bundle/no_cufft"
run 1 no_time --only ceilings cases --seconds 8
has "$work/no_time/summary.txt" "LEFT OUT: no time"

# --- Tables ---------------------------------------------------------------------------------------

cp "$source/docs/gpu-figures.md" "$work/figures.md"
printf '| GL lmax 15, synthesis | 1 | | not measured yet |\n' >>"$work/figures.md"
python3 "$source/tools/gpu_figures.py" "$work/figures.md" "$work/first/results.jsonl" >/dev/null ||
    fail "gpu_figures.py"
filled='[0-9.e+-]+ ms \(CUDA emulation, 20..-..-..\)'
grep -qE "^\| GL lmax 15, synthesis \| 1 \| \| $filled \|$" "$work/figures.md" ||
    fail "gpu_figures.py did not fill its row: $(tail -n 1 "$work/figures.md")"
grep -qE '^\| FP64 multiply-adds alone .*CUDA emulation' "$work/figures.md" ||
    fail "gpu_figures.py did not fill a row of docs/gpu-figures.md"
has "$work/figures.md" "not measured yet" "**Asked: CUDA emulation, "

[ $failures -eq 0 ] || exit 1
echo "every step runs, and what was planted was found"
