#!/usr/bin/env bash
# Which lines of src/ and cli/ the tests of library, command and Python package run.
#   tools/coverage.sh FOLDER     build folder; PYTHON=... has what the Python tests need
# Sizes are those of ARMILLA_TEST_QUICK. Ends with a table; lines in colour: FOLDER/coverage/.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
python=${PYTHON:-python3}

cmake --preset coverage -B "$folder" -DARMILLA_BUILD_PYTHON=ON -DPython_EXECUTABLE="$PWD/$python" \
    >/dev/null
cmake --build "$folder"
find "$folder" -name '*.gcda' -delete
ctest --test-dir "$folder" --output-on-failure -j 2 \
    -E 'flow_test_(house|install)' ||
    echo "coverage: some tests failed; their lines count all the same" >&2
PYTHONPATH="$folder/python" OMP_WAIT_POLICY=passive "$python" -m pytest -p no:cacheprovider ||
    echo "coverage: some Python tests failed; their lines count all the same" >&2

mkdir -p "$folder/coverage"
gcovr --root . --filter src/ --filter cli/ --exclude-throw-branches --object-directory "$folder" \
    --exclude-directories '.*CompilerId.*' --html-details "$folder/coverage/index.html" \
    --json-summary "$folder/coverage/summary.json" --txt "$folder/coverage/files.txt"
"$python" - "$folder/coverage/summary.json" <<'END'
import collections
import json
import sys

folders = collections.defaultdict(lambda: [0, 0])
for entry in json.load(open(sys.argv[1]))["files"]:
    parts = entry["filename"].split("/")
    for name in ("/".join(parts[:2 if parts[0] == "src" else 1]), "all"):
        folders[name][0] += entry["line_covered"]
        folders[name][1] += entry["line_total"]
print("folder            lines      run")
for name, (run, total) in sorted(folders.items(), key=lambda item: (item[0] == "all", item[0])):
    print(f"{name:14} {total:8d} {100 * run / total:7.1f} %")
END
