#!/usr/bin/env bash
# Unpacks Debian's arm64 libraries into a folder: what `make test-arm64` compiles and runs against.
#   tools/arm64_sysroot.sh FOLDER
# Nothing of this machine changes and no root is needed: apt works on a state and an architecture of
# its own (`dpkg --add-architecture` would change both for everyone), with the machine's sources and
# proxies. It fetches what the list below depends on, some 60 packages of 20 MB; a second call with
# the same list fetches nothing.
set -euo pipefail

packages=(libcfitsio-dev libpng-dev libcmocka-dev libmpfr-dev zlib1g-dev libbz2-dev
          libc6-dev libgomp1)
# other packages for another use: tools/wheel_try_arm64.sh
[ -z "${ARM64_PACKAGES:-}" ] || read -ra packages <<<"$ARM64_PACKAGES"

[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
root=$(cd "$1" && pwd)
stamp=$root/packages.txt # written last: a sysroot with it is whole

if [ "$(cat "$stamp" 2>/dev/null)" = "${packages[*]}" ]; then exit 0; fi
if ! command -v apt-get >/dev/null; then
    echo "arm64_sysroot: needs apt-get, to fetch Debian's packages for arm64" >&2
    exit 1
fi

apt=$root/apt
rm -rf "${root:?}"/*
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$root/usr"
: >"$apt/status"
# #clear: the hooks of this machine clean and index folders that are not ours. The locks are those
# of dpkg, which is not called.
cat >"$apt/apt.conf" <<CONF
APT::Architecture "arm64";
#clear APT::Architectures;
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
#clear APT::Update;
#clear DPkg;
Acquire::Languages "none";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Debug::NoLocking "true";
CONF

apt_get() {
    apt-get -c "$apt/apt.conf" -q "$@" >"$apt/log" 2>&1 && return 0
    cat "$apt/log" >&2
    echo "arm64_sysroot: apt-get $1 failed. The machine's sources (/etc/apt/sources.list*) must" \
         "offer Debian's packages for arm64." >&2
    exit 1
}
echo "arm64_sysroot: fetching Debian's libraries for arm64 into $1" >&2
apt_get update
apt_get install --download-only -y "${packages[@]}"

# As on today's Debian /lib is a link to /usr/lib, so that the dynamic linker is found in both.
mkdir -p "$root/usr/lib"
ln -s usr/lib "$root/lib"
for archive in "$apt"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$archive" | tar -x -C "$root" --keep-directory-symlink \
        --exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale
done
# Links to absolute paths would leave the sysroot.
find "$root/usr" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    ln -sfnr "$root$(readlink "$link")" "$link"
done
rm -rf "$apt"
echo "${packages[*]}" >"$stamp"
