#!/usr/bin/env bash
# Fetches the sources of the libraries that a wheel carries (CFITSIO, libpng, zlib, bzip2), as the
# distribution of this machine has them, and builds them as archives (cmake/carried).
#   tools/carried_libraries.sh sources SOURCES                 needs apt-get
#   tools/carried_libraries.sh build SOURCES PREFIX [OPTION...]    for cmake; needs no network
# Nothing of this machine changes and no root is needed: apt works on a state of its own with the
# machine's sources, to which it adds source packages. libpng and zlib are taken with the
# distribution's corrections, most of which are for security.
set -euo pipefail
cd "$(dirname "$0")/.."

fetch() { # SOURCES
    local root apt package
    mkdir -p "$1"
    root=$(cd "$1" && pwd)
    if [ -f "$root/versions.txt" ]; then return 0; fi # written last: the folder with it is whole
    command -v apt-get >/dev/null || { echo "carried_libraries: needs apt-get" >&2; exit 1; }
    apt=$root/apt
    rm -rf "${root:?}"/*
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/parts"
    : >"$apt/status"
    # one-line sources, and those of the newer form
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n 's/^deb /deb-src /p' >"$apt/sources.list" || true
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] || continue
        sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/parts/$(basename "$file")"
    done
    cat >"$apt/apt.conf" <<CONF
Acquire::Languages "none";
#clear APT::Update;
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "$apt/parts";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Debug::NoLocking "true";
APT::Sandbox::User "root";
CONF
    echo "carried_libraries: fetching sources into $1" >&2
    apt-get -c "$apt/apt.conf" -q update >"$apt/log" 2>&1 || true # a source without source packages
    for package in cfitsio:cfitsio: libpng1.6:libpng:patched zlib:zlib:patched bzip2:bzip2:; do
        fetch_one "$root" "$apt" ${package//:/ }
    done
    mv "$apt/versions.txt" "$root/versions.txt"
    rm -rf "$apt"
    cat "$root/versions.txt" >&2
}

# The newest version whose files the servers have: some of them drop old files before their lists.
fetch_one() { # ROOT APT PACKAGE FOLDER [patched]
    local root=$1 apt=$2 package=$3 folder=$4 wanted=${5:-} archive version only=()
    [ -n "$wanted" ] || only=(--tar-only)
    for version in $(apt-cache -c "$apt/apt.conf" showsrc --only-source "$package" |
        sed -n 's/^Version: //p' | sort -Vru); do
        rm -rf "${apt:?}/$folder"
        mkdir -p "$apt/$folder" "$root/$folder"
        (cd "$apt/$folder" && apt-get -c "$apt/apt.conf" -q source --download-only \
            "${only[@]}" "$package=$version") >"$apt/log" 2>&1 && break
        version=
    done
    if [ -z "${version:-}" ]; then
        cat "$apt/log" >&2
        echo "carried_libraries: no source of $package" >&2
        exit 1
    fi
    for archive in "$apt/$folder"/*.orig.tar.*; do
        case $archive in *.asc) continue ;; esac
        tar -x -f "$archive" -C "$root/$folder" --strip-components 1
    done
    if [ -n "$wanted" ]; then apply_patches "$root/$folder" "$apt/$folder"; fi
    echo "$folder $version${wanted:+, patched}" >>"$apt/versions.txt"
}

apply_patches() { # FOLDER DOWNLOADS
    local patch
    mkdir "$2/changes"
    tar -x -f "$(echo "$2"/*.debian.tar.*)" -C "$2/changes"
    grep -v '^#' "$2/changes/debian/patches/series" | while read -r patch _; do
        [ -z "$patch" ] || patch -s -p 1 -d "$1" <"$2/changes/debian/patches/$patch"
    done
}

build() { # SOURCES PREFIX [OPTION...]
    local sources prefix stamp
    sources=$(cd "$1" && pwd)
    mkdir -p "$2"
    prefix=$(cd "$2" && pwd)
    shift 2
    stamp=$prefix/share/licenses/versions.txt # written last
    if [ "$stamp" -nt "$sources/versions.txt" ] &&
        [ "$stamp" -nt cmake/carried/CMakeLists.txt ]; then return 0; fi
    cmake -S cmake/carried -B "$prefix/build" -G Ninja -DSOURCES="$sources" \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_MESSAGE=NEVER "$@" >"$prefix/log" 2>&1 &&
        cmake --build "$prefix/build" >>"$prefix/log" 2>&1 &&
        cmake --install "$prefix/build" >>"$prefix/log" 2>&1 ||
        { cat "$prefix/log" >&2; exit 1; }
    cp "$sources/versions.txt" "$stamp"
}

case "${1:-} $#" in
    "sources 2") fetch "$2" ;;
    "build "*) [ $# -ge 3 ] || exit 2; shift; build "$@" ;;
    *) echo "usage: $0 sources FOLDER | build SOURCES PREFIX [OPTION...]" >&2; exit 2 ;;
esac
