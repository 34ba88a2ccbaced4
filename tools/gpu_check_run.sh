#!/usr/bin/env bash
# On a machine with a GPU, from the bundle of tools/gpu_check.sh: what there is to know about this
# library there, step by step. Each step is a process of its own with a limit of its own: one that
# fails, hangs or is killed leaves the results of the others as they are.
#   run.sh OUT first            ceilings, every kernel and transform right, their times: 270 s
#   run.sh OUT second           points, radial, profiles, sanitizers, shapes, lmax 16383: 300 s
#   run.sh OUT --only STEP ...  these steps
#   --small                     sizes for an emulated GPU
#   --seconds N, --limit N      other limits: of the whole, of any step
# OUT/results.jsonl   a row of JSON for each thing found (bench/gpu/check.h), as it is found
# OUT/log.txt         all that the steps said;  OUT/summary.txt  what this script says last: < 10 KB
# OUT/ncu.csv         of the profiler
# Exits with 1 where a step was wrong, failed, hung or was left out for want of time; with 3, after
# one line and without a step, where there is no GPU that these programs can use.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export here
usage="usage: run.sh OUT first|second|--only STEP ... [--small] [--seconds N] [--limit N]"

# name  limit in seconds  does it need cuFFT?  What answers most comes first: ceilings before
# kernels, kernels before transforms, correctness before times, times before sanitizers.
first_steps="
machine 20 no
probe 25 no
ceilings 15 no
kernels-scalar 20 no
kernels-spin-sums 20 no
kernels-spin 20 no
kernels-single 20 no
kernels-rings 15 yes
kernels-theta 15 yes
kernels-points 15 yes
cases 45 yes
times-gauss 60 yes
times-many 25 yes
times-o1280 45 yes
cases-large 45 yes
times-healpix 60 yes
lensing 60 yes
times-host 25 yes
times-grids 45 yes"
second_steps="
machine 20 no
times-points 60 yes
radial 60 no
radial-rings 60 yes
ncu-tensor 25 yes
ncu-legendre 25 yes
ncu-rings 25 yes
ncu-points 25 yes
ncu-radial 25 yes
threads 25 yes
racecheck-scalar 25 yes
memcheck-scalar 25 yes
streams 25 yes
racecheck-points 25 yes
memcheck-points 25 yes
racecheck-spin 25 yes
memcheck-spin 25 yes
shapes 70 yes
times-float 30 yes
arrays 40 yes
layers 40 yes
capture 15 yes
initcheck-scalar 25 yes
synccheck-scalar 25 yes
initcheck-spin 25 yes
synccheck-spin 25 yes
times-huge 80 yes"

# --- Arguments -----------------------------------------------------------------------------------

out=${1:?$usage}
shift
steps= title= small= only= seconds= whole=300 most=600
while [ $# -gt 0 ]; do
    case $1 in
    first) steps=$first_steps whole=270 title="$title first" ;;
    second) steps=$second_steps whole=300 title="$title second" ;;
    --small) small=--small ;;
    --seconds) seconds=${2:?$usage} && shift ;;
    --limit) most=${2:?$usage} && shift ;;
    --only) only=1 ;;
    *)
        line=$(printf '%s\n%s\n' "$first_steps" "$second_steps" | while read -r name rest; do
            [ "$name" != "$1" ] || printf '%s %s\n' "$name" "$rest"
        done | head -n 1)
        [ -n "$line" ] && [ -n "$only" ] || {
            echo "run.sh: no step or option '$1'; $usage" >&2
            exit 2
        }
        steps="$steps
$line" title="$title $1"
        ;;
    esac
    shift
done
[ -n "$steps" ] || {
    echo "$usage" >&2
    exit 2
}
whole=${seconds:-$whole}
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
results=$out/results.jsonl
log=$out/log.txt
export out results small
touch "$results" "$log"

# --- Where CUDA and cuFFT are --------------------------------------------------------------------

folders_of_python() {
    local python folder
    for python in python3 /opt/*/.venv/bin/python3; do
        command -v "$python" >/dev/null || continue
        timeout 10 "$python" -c 'import site, sysconfig
print("\n".join({sysconfig.get_paths()["purelib"], *site.getsitepackages()}))' 2>/dev/null |
            while read -r folder; do
                printf '%s\n' "$folder"/nvidia/*/lib
            done
    done
}

# Prints the folder that has the library; what the loader finds by itself is ".".
find_library() {
    local name=$1 folder found
    found=$({ ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null)
    case $found in *"$name "*)
        echo .
        return
        ;;
    esac
    for folder in "$cuda"/lib64 "$cuda"/targets/x86_64-linux/lib /usr/local/cuda*/lib64 \
        /usr/local/cuda*/targets/x86_64-linux/lib; do
        [ -e "$folder/$name" ] && echo "$folder" && return
    done
    folders_of_python | while read -r folder; do
        [ -e "$folder/$name" ] && echo "$folder" && break
    done
}

compiler=$(command -v nvcc || true)
[ -z "$compiler" ] || compiler=$(dirname "$(dirname "$(readlink -f "$compiler")")")
cuda=${CUDA_HOME:-${compiler:-/usr/local/cuda}}
export PATH="$PATH:$cuda/bin"
ARMILLA_CUFFT="not asked for"
has_cufft=yes
for library in "$here"/no_cufft/*; do
    [ -e "$library" ] || continue
    ARMILLA_CUFFT=$(find_library "$(basename "$library")")
    case $ARMILLA_CUFFT in
    .) ARMILLA_CUFFT="where the loader looks" ;;
    "")
        has_cufft=no
        ARMILLA_CUFFT=
        export LD_LIBRARY_PATH="$here/no_cufft:${LD_LIBRARY_PATH:-}"
        ;;
    *) export LD_LIBRARY_PATH="$ARMILLA_CUFFT:${LD_LIBRARY_PATH:-}" ;;
    esac
done
export ARMILLA_CUFFT

# --- One step ------------------------------------------------------------------------------------

begin=$SECONDS
taken= figures= wrong= bad=0 right=0
declare -A states

# set_command NAME: what a step runs, in the array `command`.
set_command() {
    case $1 in
    machine | ncu-* | arrays | layers | *check-scalar | *check-spin | *check-points | streams | \
        *-memcheck)
        command=(bash "$here/steps.sh" "$1")
        ;;
    probe) command=("$here/gpu_probe" "$results") ;;
    *) command=("$here/gpu_check" ${small:+"$small"} --results "$results" "${1%-blocking}") ;;
    esac
}

# state_of CODE SECONDS LIMIT: how a step has ended.
state_of() {
    case $1 in
    0) echo right ;;
    1) echo WRONG ;;
    3) echo "not here" ;;
    hangs) echo "HANGS, even killed" ;;
    124) echo "TIMED OUT" ;;
    137) [ "${2%.*}" -ge "$3" ] && echo "TIMED OUT" || echo "KILLED (signal 9)" ;;
    12[89] | 1[3-9]?) echo "CRASHED (signal $(($1 - 128)))" ;;
    *) echo "FAILED ($1)" ;;
    esac
}

# What a step said: lines with "= " and "! ". A step that ended badly without a word has its last
# line as its word.
read_words() { # NAME STATE FIRST-BYTE
    local line last= count=0 own= most_lines=3
    case $1 in *-blocking | *-memcheck) most_lines=1 ;; esac
    while IFS= read -r line; do
        case $line in
        "= "*) own="$own
    ${line:2:150}" ;;
        "! "*)
            count=$((count + 1))
            [ $count -gt $most_lines ] || wrong="$wrong
  $1: ${line:2:300}"
            ;;
        ?*) last=$line ;;
        esac
    done < <(tail -c "+$3" "$log" | tr -d '\000-\010')
    [ $count -le $most_lines ] || wrong="$wrong
  $1: and $((count - most_lines)) more, in log.txt"
    case $2 in
    right | "not here") ;;
    *) [ $count -gt 0 ] || wrong="$wrong
  $1: $2; the last it said: ${last:0:300}" ;;
    esac
    [ -z "$own" ] || figures="$figures
  $1:$own"
}

# A step is waited for a little longer than its limit; one that not even SIGKILL ends stays behind.
wait_for() { # PROCESS LIMIT
    local deadline=$((SECONDS + $2 + 9))
    while kill -0 "$1" 2>/dev/null; do
        [ $SECONDS -lt $deadline ] || return 0
        sleep 0.05
    done
    wait "$1"
    code=$?
}

run_step() { # NAME LIMIT
    local name=$1 limit=$2 rest=$((whole - (SECONDS - begin) - 7)) first started process state
    local code=hangs seconds
    if [ $rest -lt 3 ]; then
        note "$name" "LEFT OUT: no time" 0
        return
    fi
    [ "$limit" -le "$rest" ] || limit=$rest
    [ "$limit" -le "$most" ] || limit=$most
    printf '\n--- %s\n' "$name" >>"$log"
    first=$(($(stat -c %s "$log") + 1))
    started=${EPOCHREALTIME/,/.}
    set_command "$name"
    timeout -k 5 "$limit" "${command[@]}" >>"$log" 2>&1 </dev/null &
    process=$!
    wait_for $process "$limit"
    seconds=$(since "$started")
    state=$(state_of "$code" "$seconds" "$limit")
    read_words "$name" "$state" "$first"
    note "$name" "$state" "$seconds"
}

since() {
    local now=${EPOCHREALTIME/,/.} microseconds
    microseconds=$(((${now%.*} - ${1%.*}) * 1000000 + 10#${now#*.} - 10#${1#*.}))
    printf '%d.%02d' $((microseconds / 1000000)) $((microseconds % 1000000 / 10000))
}

note() { # NAME STATE SECONDS
    local line
    states[$1]=$2
    printf '{"step": "run", "name": "%s", "state": "%s", "seconds": %s}\n' "$1" "$2" "$3" \
        >>"$results"
    printf -v line '  %-22s %s, %s s' "$1" "$2" "$3"
    echo "$line"
    taken="$taken
$line"
    case $2 in
    right | "not here") right=$((right + 1)) ;;
    *) bad=$((bad + 1)) ;;
    esac
    summarise >"$out/summary.txt"
}

# --- The summary ---------------------------------------------------------------------------------

# At most 9900 characters: figures are cut first.
summarise() {
    local text line left=0
    text="gpu_check$title: $right steps as they should be, $bad not;"
    text="$text $((SECONDS - begin)) s of $whole"
    [ -z "$wrong" ] || text="$text
WRONG OR FAILED${wrong:0:3500}"
    text="$text
STEPS$taken"
    [ -z "$figures" ] || text="$text
FOUND"
    while IFS= read -r line; do
        [ -n "$line" ] || continue
        if [ $((${#text} + ${#line})) -lt 9700 ]; then
            text="$text
$line"
        else
            left=$((left + 1))
        fi
    done <<<"$figures"
    printf '%s\n' "$text"
    [ $left -eq 0 ] || echo "  ... and $left lines in log.txt"
}

# --- The whole -----------------------------------------------------------------------------------

# Asks the GPU what it is. Where none can be used, nothing can be found out: one line, and the end.
end_without_gpu() {
    local code=hangs first
    first=$(($(stat -c %s "$log") + 1))
    timeout -k 5 30 "$here/gpu_probe" --device >>"$log" 2>&1 </dev/null &
    wait_for $! 30 2>/dev/null
    ARMILLA_GPU=$(tail -c "+$first" "$log" | tail -n 1 | tr -d '\000-\010"\\')
    [ "$code" != 0 ] || return 0
    ARMILLA_GPU=${ARMILLA_GPU#! }
    case $code in
    124 | hangs) ARMILLA_GPU="the GPU gives no answer in 30 s" ;;
    3) ;;
    *) ARMILLA_GPU="gpu_probe: $(state_of "$code" 0 30). $ARMILLA_GPU" ;;
    esac
    printf '{"step": "run", "absent": "%s"}\n' "$ARMILLA_GPU" >>"$results"
    printf 'gpu_check%s: nothing was run: %s\n' "$title" "$ARMILLA_GPU" | tee "$out/summary.txt"
    exit 3
}

end_without_gpu
export ARMILLA_GPU
while read -r name limit needs_cufft; do
    [ -n "$name" ] || continue
    if [ "$needs_cufft" = yes ] && [ $has_cufft = no ]; then
        note "$name" "LEFT OUT: no cuFFT" 0
        continue
    fi
    run_step "$name" "$limit"
    case $name in kernels-*)
        # Once more by itself, launch after launch; and under memcheck.
        case ${states[$name]}-${states[machine]:-right} in
        right-* | LEFT* | *-FAILED*) ;;
        *)
            CUDA_LAUNCH_BLOCKING=1 run_step "$name-blocking" 20
            CUDA_LAUNCH_BLOCKING=1 run_step "$name-memcheck" 40
            ;;
        esac
        ;;
    esac
done <<<"$steps"
summarise | tee "$out/summary.txt"
[ $bad -eq 0 ]
