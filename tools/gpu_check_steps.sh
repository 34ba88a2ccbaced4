#!/usr/bin/env bash
# The steps of run.sh that are no programs of ours: what the machine is, profiles, sanitizers, and
# arrays of other libraries. steps.sh NAME, with here, out, results and small in the environment.
# Exits as bench/gpu/check.h says: 1 wrong, 2 failed, 3 not on this machine.
set -uo pipefail
: "${here:?run by run.sh}" "${out:?run by run.sh}" "${results:?run by run.sh}"
step=$1

say() { # a headline
    printf '= %s\n' "$*"
}

row() { # MEMBERS of a row
    printf '{"step": "%s", %s}\n' "$step" "${1//[$'\n\r\t']/ }" >>"$results"
}

absent() {
    say "$*"
    row "\"key\": \"$step\", \"absent\": \"${*//[\"\\]/}\""
    exit 3
}

# --- The machine ---------------------------------------------------------------------------------

processor() {
    local name value
    while IFS=: read -r name value; do
        case $name in model\ name*) echo "${value# }" && return ;; esac
    done </proc/cpuinfo
}

query=name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,power.draw,power.limit
query=$query,temperature.gpu,memory.total,memory.used,mig.mode.current

machine() {
    local gpu found name cores
    cores="$(nproc) cores, $(processor)"
    say "$cores; $(uname -r)"
    if found=$(nvidia-smi "--query-gpu=$query" --format=csv,noheader 2>&1); then
        gpu=${found%%,*}
        say "$found"
    else
        say "nvidia-smi: ${found%%$'\n'*}"
        nvidia-smi -L 2>/dev/null && nvidia-smi
        gpu=
        found=
    fi
    if [ -n "$ARMILLA_CUFFT" ]; then
        say "libcufft: $ARMILLA_CUFFT"
    else
        say "libcufft: nowhere (loader, CUDA, Python's site-packages): steps with FFTs are left out"
    fi
    row "\"gpu\": \"$gpu\", \"date\": \"$(date -u +%Y-%m-%d)\", \"state\": \"${found//[\"\\]/}\", \
\"cufft\": \"${ARMILLA_CUFFT:-nowhere}\", \"processor\": \"$cores\""
    printf '%s\n' "$ARMILLA_GPU"
    [ -n "$gpu" ] || {
        name=${ARMILLA_GPU#= }
        row "\"gpu\": \"${name%%, compute*}\", \"date\": \"$(date -u +%Y-%m-%d)\""
    }
}

# --- Profiles ------------------------------------------------------------------------------------

# What each step looks at.
kernels_of() {
    case $1 in
    legendre)
        echo 'legendre_synthesis|legendre_analysis|spin_synthesis|spin_analysis|fill|gather'
        ;;
    tensor) echo 'tensor_synthesis|tensor_analysis' ;;
    rings) echo 'write_rings|read_rings|write_smooth|read_smooth|interpolate|spread' ;;
    points) echo 'interpolate_points|spread_points' ;;
    radial) echo 'gather_uniform|mix_rings|mix_turned_rings' ;;
    esac
}

stall=smsp__average_warps_issue_stalled
metrics=gpu__time_duration.sum,sm__cycles_elapsed.max,smsp__inst_executed.sum
metrics=$metrics,sm__inst_executed_pipe_fp64.sum
metrics=$metrics,sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active
metrics=$metrics,smsp__issue_active.avg.pct_of_peak_sustained_active
for reason in long_scoreboard short_scoreboard math_pipe_throttle mio_throttle barrier \
    not_selected wait no_instruction lg_throttle dispatch_stall; do
    metrics=$metrics,${stall}_${reason}_per_issue_active.ratio
done
metrics=$metrics,dram__bytes_read.sum,dram__bytes_write.sum,l1tex__t_sector_hit_rate.pct
metrics=$metrics,lts__t_sector_hit_rate.pct,l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
metrics=$metrics,sm__warps_active.avg.pct_of_peak_sustained_active,launch__registers_per_thread

# ncu_once OPTION ...: OUT/ncu.csv gets its table as well, after those of earlier steps.
ncu_once() {
    local code
    "${base[@]}" "$@" "${program[@]}" >"$out/ncu-now.csv" 2>&1 &&
        python3 "$here/gpu_ncu.py" "$out/ncu-now.csv" "$results"
    code=$?
    cat "$out/ncu-now.csv" >>"$out/ncu.csv"
    last=$(tail -n 1 "$out/ncu-now.csv")
    rm "$out/ncu-now.csv"
    return $code
}

# The clocks stay as they are. Where the profiler does not know one of the metrics, its own sections
# give the same in other words.
profile() { # KIND
    local last
    local base=(ncu --csv --page raw --clock-control none --launch-count 24
                --kernel-name "regex:^($(kernels_of "$1"))\$")
    local program=("$here/gpu_check" "profile-$1")
    [ -z "$small" ] || program+=("$small")
    command -v ncu >/dev/null || absent "ncu is not on this machine"
    command -v python3 >/dev/null || absent "python3, which reads ncu's table, is not there"
    ncu_once --metrics "$metrics" && return
    printf '%s\n' "$last"
    ncu_once --section SpeedOfLight --section WarpStateStats --section Occupancy \
        --section ComputeWorkloadAnalysis --section LaunchStats && return
    absent "ncu does not work here: $last"
}

# --- Sanitizers ----------------------------------------------------------------------------------

# sanitize TOOL STEP OPTION ...: 9 is what the sanitizer found; anything else that fails is its own
# refusal, unless the program says what is wrong.
sanitize() {
    local tool=$1 program=$2 code said
    shift 2
    command -v compute-sanitizer >/dev/null || absent "compute-sanitizer is not on this machine"
    # shellcheck disable=SC2086
    said=$(compute-sanitizer --tool "$tool" "$@" --error-exitcode 9 --print-limit 20 \
        "$here/gpu_check" $small --results "$results" "$program" 2>&1)
    code=$?
    printf '%s\n' "$said"
    case $said in
    *"Device not supported"* | *"not supported on"*) absent "compute-sanitizer refuses this GPU" ;;
    esac
    case $code-$said in 0-"! "* | 0-*"
! "*) exit 1 ;; esac
    case $code in
    0) say "$tool, $program: nothing found" && row "\"key\": \"$tool, $program\", \"value\": 0" ;;
    9)
        printf '! %s, %s: %s\n' "$tool" "$program" "$(first_finding "$said")"
        row "\"key\": \"$tool, $program\", \"wrong\": \"see log.txt\""
        exit 1
        ;;
    *)
        case $said in *"! "*) exit $code ;; esac
        absent "compute-sanitizer ($tool $*) does not work here, it ended with $code:" \
            "$(first_finding "$said")"
        ;;
    esac
}

first_finding() {
    local line count=0 text=
    while IFS= read -r line; do
        case $line in
        "========= COMPUTE-SANITIZER"* | "=========") ;;
        "========= "*) text="$text ${line#========= }" && count=$((count + 1)) ;;
        esac
        [ $count -lt 3 ] || break
    done <<<"$1"
    echo "${text:0:280}"
}

# --- Arrays of other libraries -------------------------------------------------------------------

layers() {
    command -v python3 >/dev/null || absent "python3 is not on this machine"
    # shellcheck disable=SC2086
    exec python3 "$here/gpu_layers.py" $small "$results"
}

arrays() {
    command -v python3 >/dev/null || absent "python3 is not on this machine"
    # shellcheck disable=SC2086
    exec python3 "$here/gpu_arrays.py" $small "$here/libgpu_check.so" "$results"
}

case $step in
machine) machine ;;
ncu-*) profile "${step#ncu-}" ;;
arrays) arrays ;;
layers) layers ;;
*check-scalar) sanitize "${step%-scalar}" sanitize-scalar ;;
*check-spin) sanitize "${step%-spin}" sanitize-spin ;;
*check-points) sanitize "${step%-points}" sanitize-points ;;
# Memory that is used before its stream has it, or after: streams that share a plan's pool.
streams) sanitize memcheck sanitize-streams --track-stream-ordered-races all ;;
*-memcheck) sanitize memcheck "${step%-memcheck}" ;;
*)
    echo "steps.sh: no step $step" >&2
    exit 2
    ;;
esac
