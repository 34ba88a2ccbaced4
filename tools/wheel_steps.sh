# What the scripts that build wheels share: they say each step before they take it, and how far the
# compiler is, since that takes minutes. Source this file.
# shellcheck shell=bash

say() { printf 'wheel: %s\n' "$*" >&2; }

# Of Ninja's lines "[40/400] Building ...", one for each tenth of the files.
tenths() {
    local line tenth=0
    while read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        [ $((10 * BASH_REMATCH[1] / BASH_REMATCH[2])) -gt $tenth ] || continue
        tenth=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
        say "    ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} files"
    done
}

# build_wheel FOLDER ARGUMENT...: pip builds the wheel into FOLDER. What pip says is kept in
# FOLDER.log, and its end is shown if it fails.
build_wheel() {
    local folder=$1
    shift
    say "compiling the library, the module and the command (all that pip says: $folder.log)"
    pip wheel --verbose --no-deps --wheel-dir "$folder" "$@" . 2>&1 | tee "$folder.log" | tenths ||
        { tail -n 60 "$folder.log" >&2; return 1; }
}

# repair_wheel FOLDER WHEEL ARGUMENT...: auditwheel puts in the libraries that WHEEL needs.
repair_wheel() {
    local folder=$1 wheel=$2
    shift 2
    say "putting the libraries that it needs into it"
    auditwheel repair "$@" --wheel-dir "$folder" "$wheel" >"$folder.log" 2>&1 ||
        { cat "$folder.log" >&2; return 1; }
}

# try_wheel FOLDER PYTHON WHEEL: installs it into an empty environment in FOLDER, and uses it there.
try_wheel() {
    local empty=$1 python=$2 wheel=$3 script
    script=$(realpath tools/wheel_try.py)
    say "trying it in an empty environment"
    "$python" -m venv "$empty"
    "$empty/bin/pip" install --quiet "$wheel"
    (cd "$empty" && PATH="$empty/bin:$PATH" python "$script")
}
