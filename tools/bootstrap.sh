#!/usr/bin/env bash
# Installs what the build and the tests need from Debian's packages, if anything is missing, and the
# packages named as arguments: those that only one command of the Makefile needs.
# As an ordinary user without sudo it prints the exact command instead.
#   tools/bootstrap.sh [PACKAGE ...]    and these
set -euo pipefail

packages=(gcc g++ make cmake ninja-build pkg-config libcfitsio-dev libpng-dev
          libcmocka-dev libmpfr-dev zlib1g-dev libbz2-dev python3 python3-dev python3-venv "$@")

installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null || true)" = "ii " ]; }

if ! command -v dpkg-query >/dev/null; then
    echo "bootstrap: no Debian packages here; needed are: ${packages[*]}" >&2
    exit 0
fi
missing=()
for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

run=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        echo "bootstrap: please install what is missing, then call make again:" >&2
        echo "    sudo apt-get install -y ${missing[*]}" >&2
        exit 1
    fi
    run=(sudo -n)
fi
echo "bootstrap: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -qq
"${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
