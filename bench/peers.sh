#!/usr/bin/env bash
# Installs the peers that bench/run.py compares with into a virtual environment: bench/.venv, or
# $ARMILLA_PEERS_VENV; libsharp, where the distribution has it, into the system. ducc0 and SHTns are
# built here with this machine's instruction set, because their packaged builds are slower; that
# takes ten minutes or more.
#   bench/peers.sh [--isa native|avx2]
# avx2: ducc0 and SHTns for AVX2 and FMA alone, into bench/.venv-avx2, to be compared with Armilla
# under ARMILLA_ISA=avx2; FFTW, healpy and libsharp choose their instructions when they run, so that
# run.py leaves libsharp out where the processor has AVX-512.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
isa=native
while [ $# -gt 0 ]; do
    case $1 in
    --isa) isa=${2:-} && shift 2 || shift ;;
    *) echo "peers: $1: usage: peers.sh [--isa native|avx2]" >&2 && exit 2 ;;
    esac
done
case $isa in
native) march=native venv=${ARMILLA_PEERS_VENV:-$here/.venv} ;;
avx2) march=haswell venv=${ARMILLA_PEERS_VENV:-$here/.venv-avx2} ;;
*) echo "peers: --isa $isa: must be native or avx2" >&2 && exit 2 ;;
esac

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
# no cache: pip would take a wheel that was built for other instructions
echo "peers: building ducc0 for $march" >&2
DUCC0_OPTIMIZATION=native SKBUILD_CMAKE_DEFINE="DUCC0_ARCH_FLAGS=-march=$march" \
    "${pip[@]}" --no-cache-dir --no-binary ducc0 'ducc0==0.42.*' ||
    echo "peers: ducc0 could not be built; it will be skipped" >&2
echo "peers: building SHTns for $march" >&2
# enable_march: its configure puts -march=native behind CFLAGS, unless told otherwise
export enable_march=$march CFLAGS="-march=$march -O3"
"${pip[@]}" --no-cache-dir --no-binary shtns 'shtns==3.7.5' ||
    echo "peers: SHTns could not be built; it will be skipped" >&2
echo "peers: ready in $venv" >&2
