#!/usr/bin/env bash
# Runs the tests of a package from a checkout, with Armilla's modules in the place of its imports.
#   PEERS_SOURCES=FOLDER tests/peers/by_hand.sh PACKAGE
# FOLDER/PACKAGE is the checkout: windspharm, heracles or torch-harmonics. PYTHON names the
# interpreter, and PACKAGE_ROOT the folder with armilla in it (default: build/python).
set -euo pipefail

sources=$(cd "${PEERS_SOURCES:?names the folder of the checkouts}" && pwd)
peers=$(cd "$(dirname "$0")" && pwd)
case ${1:-} in
    windspharm) tests=(windspharm/tests) ;;
    heracles) tests=(tests heracles) ;;
    torch-harmonics) tests=(tests/test_sht.py tests/testutils.py) ;;
    *) echo "by_hand.sh: PACKAGE must be windspharm, heracles or torch-harmonics" >&2; exit 2 ;;
esac
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for each in "${tests[@]}"; do # away from the checkout, so that the swapped packages are imported
    cp -r "$sources/$1/$each" "$place"
done
root=${PACKAGE_ROOT:-$peers/../../build/python}
cd "$place"
export PEERS_SOURCES=$sources MPLBACKEND=Agg
PYTHONPATH=$peers/shim:$root:$place${PYTHONPATH:+:$PYTHONPATH} \
    "${PYTHON:-python3}" -m pytest -q -p no:cacheprovider --rootdir "$place" "$place"
