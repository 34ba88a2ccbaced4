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
cp "$source"/bench/gpu/gpu_{arrays,layers,ncu}.py "$bundle/"
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

# A profiler that has a line for each kernel that it looks for and that the program launches: where
# the launch fails the program does.
cat >"$tools/ncu" <<'END'
#!/usr/bin/env bash
while [ "${1#*/gpu_check}" = "$1" ]; do
    case $1 in regex:*) kernels=${1#regex:^(} && kernels=${kernels%)\$} ;; esac
    shift
done
"$@" >/dev/null || exit 1
sed 's/STALLS/smsp__average_warps_issue_stalled_wait_per_issue_active.ratio/' <<'TABLE'
==PROF== Connected to process 1
"ID","Kernel Name","gpu__time_duration.sum","dram__bytes_read.sum","STALLS"
"","","nsecond","Mbyte","inst"
TABLE
for kernel in ${kernels//|/ }; do
    ARMILLA_EMULATION_PLANT=fail:$kernel "$@" >/dev/null ||
        echo "\"0\",\"void $kernel(int)\",\"1,500,000.0\",\"12.5\",\"0.75\""
done
END

# A sanitizer that finds nothing but in one step; and one that refuses.
cat >"$tools/compute-sanitizer" <<END
#!/usr/bin/env bash
echo "\$*" >>"$work/sanitized"
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
    [ "$step" = layers ] && continue # there is no armilla beside the bundle
    has "$work/second/results.jsonl" "\"name\": \"$step\", \"state\": \"right\""
done
has "$work/second/summary.txt" "legendre_synthesis: ms 1.5, read MB 12.5; stalled: wait 0.75" \
    "racecheck, sanitize-spin: nothing found"
has "$work/sanitized" "--tool memcheck --track-stream-ordered-races all"
# Every kernel that the tables ask for is launched, and is one of the library's.
profiled=$(sed -n 's/^| ncu, \([a-z_]*\) |.*/\1/p' "$source/docs/gpu-figures.md")
for kernel in $profiled; do
    has "$work/second/results.jsonl" "\"key\": \"ncu, $kernel\""
    grep -qE "(^| )$kernel\(" "$source"/src/cuda/kernels/*.cu ||
        fail "the library has no kernel $kernel"
done
[ ! -e "$library" ] ||
    has "$work/second/summary.txt" "arrays of Torch, analysis, a stream of its own: the same bits"

# --- Some steps are not ---------------------------------------------------------------------------

cat >"$bundle/plants" <<'END'
cases skip:tensor_synthesis
times-o1280 fail:write_rings
kernels-scalar skip:legendre_synthesis
kernels-spin fail:spin_analysis
times-gauss stop:legendre_analysis
times-many kill:read_smooth
END
# A step that hangs must take no minute, one that does not may take longer under a sanitizer.
longest=$(sed -n 's/.*"seconds": \([0-9]*\).*/\1/p' "$work/first/results.jsonl" | sort -n |
    tail -n 1)
run 1 planted first --limit $((5 + 3 * longest))
has "$work/planted/summary.txt" "kernels-scalar: Legendre stage, synthesis" "first wrong: m " \
    "got nan" \
    "kernels-scalar         WRONG" "kernels-scalar-blocking WRONG" "kernels-scalar-memcheck WRONG" \
    "kernels-spin           FAILED (2)" "unspecified launch failure" \
    "times-gauss            TIMED OUT" "times-many             KILLED" \
    "times-o1280: O8 lmax 7, 3 at once, v4w4t" "cases: GL lmax 12, 11 at once, v4w4t, synthesis"
for step in $(steps_of first_steps); do
    case $step in
    kernels-scalar | kernels-spin | cases | times-gauss | times-many | times-o1280) ;;
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

# alone OUT WORDS: one line, and no step.
alone() {
    [ "$(cat "$work/$1.txt")" = "gpu_check first: nothing was run: $2" ] ||
        fail "$1: $(cat "$work/$1.txt")"
    cmp -s "$work/$1.txt" "$work/$1/summary.txt" || fail "$1: another summary"
    has "$work/$1/results.jsonl" "{\"step\": \"run\", \"absent\": \"$2\"}"
    [ "$(wc -l <"$work/$1/results.jsonl")" -eq 1 ] || fail "$1: there are other rows"
}

ARMILLA_EMULATION_DEVICES=0 run 3 no_gpu first
alone no_gpu "no GPU can be used: no driver of NVIDIA is installed"
ARMILLA_EMULATION_PLANT=fail:nothing run 3 no_code first
alone no_code \
    "no GPU can be used: CUDA emulation has compute capability 9.0: unspecified launch failure"
mv "$bundle/gpu_probe" "$bundle/probe"
printf '#!/bin/sh\nkill -9 $$\n' >"$bundle/gpu_probe" && chmod +x "$bundle/gpu_probe"
run 3 no_answer first
alone no_answer "gpu_probe: KILLED (signal 9). "
mv "$bundle/probe" "$bundle/gpu_probe"

touch "$work/refuse"
printf '#!/bin/sh\necho "==ERROR== LibraryNotLoaded"; exit 1\n' >"$tools/ncu"
run 0 refused --only ncu-rings memcheck-scalar arrays layers machine
has "$work/refused/summary.txt" "ncu does not work here" "compute-sanitizer refuses this GPU" \
    "CuPy is not there" "machine                right" \
    "layers of armilla.torch cannot be checked: "
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
printf '\n| Figure | Predicted | Target | Scaled | Measured |\n|---|---|---|---|---|\n' \
    >>"$work/figures.md"
printf '| GL lmax 15, synthesis | 1 | | | not measured yet |\n' >>"$work/figures.md"
python3 "$source/tools/gpu_figures.py" "$work/figures.md" "$work/first/results.jsonl" \
    "$work/second/results.jsonl" >/dev/null || fail "gpu_figures.py"
filled='[0-9.e+-]+ ms \(CUDA emulation, 20..-..-..\)'
grep -qE "^\| GL lmax 15, synthesis \| 1 \|  \|  \| $filled \|$" "$work/figures.md" ||
    fail "gpu_figures.py did not fill its row: $(tail -n 1 "$work/figures.md")"
grep -qE '^\| FP64 multiply-adds alone .*CUDA emulation' "$work/figures.md" ||
    fail "gpu_figures.py did not fill a row of docs/gpu-figures.md"
has "$work/figures.md" "not measured yet" "**Asked: CUDA emulation, "
for kernel in $profiled; do
    has "$work/figures.md" "| ncu, $kernel |  |  | 1.5 ms (CUDA emulation, "
done

# Ceilings twice as high as assumed halve what they bound; those of another GPU do not count.
cat >"$work/half.jsonl" <<'END'
{"step": "machine", "gpu": "Half", "date": "2026-01-02"}
{"step": "ceilings", "key": "FP64 multiply-adds alone", "value": 59.4, "unit": "Tflop/s"}
{"step": "probe", "key": "copies on the device, read and written", "value": 3000, "unit": "GB/s"}
{"step": "probe", "key": "empty launches", "value": 4.5, "unit": "us"}
{"step": "times-gauss", "key": "GL lmax 4095, synthesis", "value": 2.5, "unit": "ms"}
{"step": "times-many", "key": "GL lmax 255, 64 at once, synthesis", "value": 0.25, "unit": "ms"}
{"step": "times-gauss", "key": "GL lmax 4095, plan, copies", "value": 0.125, "unit": "s"}
{"step": "ncu", "key": "ncu, mix_rings", "value": 2.5, "unit": "ms"}
{"step": "ncu", "key": "ncu, mix_rings", "value": 1.5, "unit": "ms"}
END
sed 's/Half/Other/; s/59.4/1/; /times/d' "$work/half.jsonl" >"$work/other.jsonl"
cp "$source/docs/gpu-figures.md" "$work/figures.md"
python3 "$source/tools/gpu_figures.py" "$work/figures.md" "$work/half.jsonl" \
    "$work/other.jsonl" >/dev/null || fail "gpu_figures.py"
has "$work/figures.md" "| 0.25 ms (Half, 2026-01-02) |" \
    "| GL lmax 4095, plan, copies |  |  | 0.125 s (Half, 2026-01-02) |" \
    "| ncu, mix_rings |  |  | 2.5 ms (Other, 2026-01-02) |"

python3 - "$work/figures.md" <<'END' || fail "a prediction is not scaled as its bounds say"
import re, sys
page = open(sys.argv[1]).read()
time = r"(\S+) to (\S+) ms"
low, high, scaled, most = map(float, re.search(
    rf"^\| GL lmax 4095, synthesis \| {time} \| 4.0 ms \| {time} \| 2.5 ms \(Half", page,
    re.M).groups())
share = float(re.search(r"^\| GL lmax 4095, synthesis \| (0\.\d+) \|  \| 0", page, re.M).group(1))
assert 0.5 < share < 1
for before, after in ((low, scaled), (high, most)):
    assert abs(after - before * (1 - share / 2)) < 0.01 * before, (before, after, share)
END

# Rows of the tables are those that steps write with the sizes of a real GPU.
python3 - "$source" <(bash "$bundle/gpu_check" --keys) <<'END' || fail "docs/gpu-figures.md"
import re, sys
source, listed = sys.argv[1], set(open(sys.argv[2]).read().splitlines())
probe = open(source + "/bench/gpu/probe.cu").read()
tables = open(source + "/docs/gpu-figures.md").read().split("## What predictions rest on")[0]
parts = ("legendre|rings|theta|processor|GPU over CPU|pageable host arrays|pinned host arrays|"
         "tables on the host|copies|cuFFT plans|rest")
for key in re.findall(r"^\| (.*?) \|.*not measured yet \|$", tables, re.M):
    found = re.sub(f"(, ({parts}))+$", "", key) in listed
    if key.endswith(" warps"):
        found = f'"{re.sub(", [0-9]+ warps$", "", key)}"' in probe
    elif not re.match("GL|CC|MW|HEALPix|O1280", key):
        continue
    if not found:
        sys.exit(f"no step finds: {key}")
END

[ $failures -eq 0 ] || exit 1
echo "every step runs, and what was planted was found"
