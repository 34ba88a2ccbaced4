#!/usr/bin/env bash
# Runs a test with the memory of the emulated GPU as on processors without protection keys. On such
# a processor every test runs like that, and there is nothing else to run: the script says so, and
# CTest takes the test for skipped.
#   without_keys.sh TEST
set -euo pipefail
if ! grep -qw ospke /proc/cpuinfo; then
    echo "no protection keys on this processor: all tests of the emulated GPU run without them"
    exit 77
fi
ARMILLA_EMULATION_KEYS=0 exec "$@"
