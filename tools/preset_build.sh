#!/usr/bin/env bash
# Configures a preset that runs some of the tests and builds their programs. CTest tells which they
# are, so that no list of programs has to follow the preset's filter (CMakePresets.json).
#   tools/preset_build.sh PRESET
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
cmake --preset "$preset"
targets=()
while read -r test; do
    case $test in
    test_*) targets+=("$test") ;;
    flow_test_cli_gpu) targets+=(armilla_command armilla_on_emulation) ;;
    flow_test_cli_*) targets+=(armilla_command) ;;
    *)
        echo "tools/preset_build.sh: which program is $test? It is a test of preset $preset" >&2
        exit 1
        ;;
    esac
done < <(ctest --preset "$preset" -N | sed -n 's/^ *Test *#[0-9]*: *//p')
if [ ${#targets[@]} -eq 0 ]; then
    echo "tools/preset_build.sh: preset $preset has no test" >&2
    exit 1
fi
cmake --build --preset "$preset" --target "${targets[@]}"
