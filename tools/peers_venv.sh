#!/usr/bin/env bash
# Makes what tests/peers/run.py needs: other packages at fixed versions, their sources with tests.
#   tools/peers_venv.sh FOLDER       FOLDER/venv, FOLDER/sources; 260 MB to download, ten minutes
# All comes from Python's package index, but for SHTOOLS' programs and their data (from GitHub).
# pymaster and SHTns are compiled; pymaster's build would fetch chealpix, in whose place it gets
# Debian's. What cannot be had (a compiler's error, no packages, no network) is left out.
set -euo pipefail

folder=$1
# with wheels, and what their tests import
wheels=("numpy<3" scipy astropy matplotlib pytest cffi h5py pyyaml healpy==1.20.1 ducc0==0.42.0
        pixell==0.32.9 pyshtools==4.14.1)
sources=(healpy==1.20.1 ducc0==0.42.0 pixell==0.32.9 lenspyx==2.0.52 pymaster==3.0.1 shtns==3.7.5)

pip=("$folder/venv/bin/python" -m pip --quiet --disable-pip-version-check)
stamp="${wheels[*]} ${sources[*]}"

packages() {
    echo "peers: making $folder" >&2
    rm -rf "$folder"
    mkdir -p "$folder/archives" "$folder/sources"
    "${PYTHON:-python3}" -m venv "$folder/venv"
    "${pip[@]}" install "${wheels[@]}"
    for peer in "${sources[@]}"; do
        "${pip[@]}" download --no-deps --no-binary "${peer%%=*}" -d "$folder/archives" "$peer"
        tar xf "$folder/archives/${peer%%=*}-${peer##*=}.tar.gz" -C "$folder/sources"
    done
    "${pip[@]}" install --no-deps "$folder/archives"/lenspyx-*.tar.gz
    echo "$stamp" >"$folder/made-for"
}

pymaster() {
    local place="$folder/pymaster-build" library
    "$(dirname "$0")/bootstrap.sh" libgsl-dev libchealpix-dev automake autoconf libtool || return 1
    library=$("${CC:-cc}" -print-file-name=libchealpix.so)
    [ -e "$library" ] || { echo "there is no libchealpix.so"; return 1; }
    rm -rf "$place"
    cp -r "$folder/sources/pymaster-3.0.1" "$place"
    mkdir -p "$place/_deps/lib" "$place/_deps/include"
    # a script for the linker, since Debian's archive has no position-independent code
    echo "INPUT($library)" >"$place/_deps/lib/libchealpix.a"
    "${pip[@]}" install setuptools wheel fitsio &&
        "${pip[@]}" install --no-build-isolation --no-deps "$place"
}

shtns() {
    "$(dirname "$0")/bootstrap.sh" libfftw3-dev || return 1
    "${pip[@]}" install "$folder/archives/shtns-3.7.5.tar.gz"
}

shtools_programs() {
    git clone --quiet --depth 1 --branch v4.14.1 https://github.com/SHTOOLS/SHTOOLS \
        "$folder/sources/pyshtools-4.14.1"
}

[ -f "$folder/made-for" ] && [ "$(cat "$folder/made-for")" = "$stamp" ] || packages
"$folder/venv/bin/python" -c 'import importlib.util as i; exit(not i.find_spec("pymaster"))' ||
    pymaster >"$folder/pymaster.log" 2>&1 ||
    echo "peers: pymaster could not be built, see $folder/pymaster.log" >&2
"$folder/venv/bin/python" -c 'import importlib.util as i; exit(not i.find_spec("shtns"))' ||
    shtns >"$folder/shtns.log" 2>&1 ||
    echo "peers: SHTns could not be built, see $folder/shtns.log" >&2
[ -d "$folder/sources/pyshtools-4.14.1" ] || shtools_programs ||
    echo "peers: the programs of SHTOOLS could not be had, their tests are skipped" >&2
