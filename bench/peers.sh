#!/usr/bin/env bash
# Installs the peers that bench/run.py compares with into a virtual environment: bench/.venv, or
# $ARMILLA_PEERS_VENV; libsharp, where the distribution has it, into the system. ducc0 and SHTns are
# built here with this machine's instruction set, because their packaged builds are slower; that
# takes ten minutes or more.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
venv=${ARMILLA_PEERS_VENV:-$here/.venv}

need() { # package  file or command that shows it is there
    [ -e "$2" ] || command -v "$2" >/dev/null || missing+=("$1")
}
sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo"
missing=()
need python3-venv /usr/share/doc/python3-venv
need python3-dev python3-config
need g++ g++
need libfftw3-dev /usr/include/fftw3.h
if [ ${#missing[@]} -gt 0 ]; then
    $sudo apt-get install -y --no-install-recommends "${missing[@]}" ||
        { echo "peers: please install: ${missing[*]}" >&2; exit 1; }
fi

# One failing peer does not take the others away: run.py skips what is missing.
if ! ldconfig -p | grep -q 'libsharp\.so'; then
    $sudo apt-get install -y --no-install-recommends libsharp-dev ||
        echo "peers: libsharp could not be installed; it will be skipped" >&2
fi

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
pip=("$venv/bin/pip" install --quiet --disable-pip-version-check)

"${pip[@]}" numpy matplotlib
"${pip[@]}" healpy || echo "peers: healpy could not be installed; it will be skipped" >&2
echo "peers: building ducc0 for this machine" >&2
DUCC0_OPTIMIZATION=native "${pip[@]}" --no-binary ducc0 'ducc0==0.42.*' ||
    echo "peers: ducc0 could not be built; it will be skipped" >&2
echo "peers: building SHTns for this machine" >&2
CFLAGS="-march=native -O3" "${pip[@]}" --no-binary shtns 'shtns==3.7.5' ||
    echo "peers: SHTns could not be built; it will be skipped" >&2
echo "peers: ready in $venv" >&2
