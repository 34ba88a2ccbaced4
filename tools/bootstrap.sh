#!/usr/bin/env bash
# Installs Debian packages that are missing: what the library and the command are built with, and
# more where it is asked for. It says which, and what for, before it installs anything. Where it may
# not install, or ARMILLA_BOOTSTRAP=no, it prints the command that would, and ends with 1.
#   tools/bootstrap.sh [--tests] [--python] [PACKAGE ...]
#       --tests    and what the tests need
#       --python   and what the Python package is built with
#       PACKAGE    and these: what one command of the Makefile alone needs
set -euo pipefail

packages=(gcc make cmake ninja-build pkg-config libcfitsio-dev libpng-dev zlib1g-dev
          libbz2-dev)
tests=(g++ gfortran libcmocka-dev libmpfr-dev python3)
python=(python3 python3-dev python3-venv)

reason() {
    case $1 in
    gcc) echo "the compiler of the library" ;;
    make | cmake | ninja-build | pkg-config) echo "the build" ;;
    libcfitsio-dev) echo "FITS files" ;;
    libpng-dev) echo "pictures" ;;
    zlib1g-dev | libbz2-dev) echo "packed files" ;;
    g++) echo "tests in C++, and of the kernels for GPUs" ;;
    gfortran) echo "tests of the module for Fortran" ;;
    libcmocka-dev) echo "the framework of the tests in C" ;;
    libmpfr-dev) echo "high precision, for judges in tests" ;;
    python3) echo "checks of the sources, and the Python package" ;;
    python3-*) echo "the Python package" ;;
    *) echo "this command of the Makefile" ;;
    esac
}

while [ $# -gt 0 ]; do
    case $1 in
    --tests) packages+=("${tests[@]}") ;;
    --python) packages+=("${python[@]}") ;;
    *) packages+=("$1") ;;
    esac
    shift
done

installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null || true)" = "ii " ]; }

if ! command -v dpkg-query >/dev/null; then
    echo "bootstrap: no Debian packages here; needed are: ${packages[*]}" >&2
    exit 0
fi
missing=()
for package in "${packages[@]}"; do
    installed "$package" || [[ " ${missing[*]} " == *" $package "* ]] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "bootstrap: Debian packages that are missing here, and what they are for:" >&2
for package in "${missing[@]}"; do
    printf '    %-18s %s\n' "$package" "$(reason "$package")" >&2
done
run=()
allowed=yes
if [ "$(id -u)" -ne 0 ]; then
    run=(sudo -n)
    sudo -n true 2>/dev/null || allowed=no
fi
if [ $allowed = no ] || [ "${ARMILLA_BOOTSTRAP:-yes}" = no ]; then
    echo "bootstrap: please install them, then call make again:" >&2
    echo "    sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
fi
echo "bootstrap: ${run[*]+${run[*]} }apt-get installs them now (ARMILLA_BOOTSTRAP=no: never)" >&2
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -qq
"${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
