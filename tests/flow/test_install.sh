#!/usr/bin/env bash
# The library as an installed package: headers alone, C and C++ through pkg-config, CMake through
# find_package, the README's example by the core alone, programs with OpenMP, with older and newer
# headers, what each library needs and exports, the installed command.
set -euo pipefail
cd "$(dirname "$0")/../.."
source_tree=${ARMILLA_SOURCE:-$PWD}
build=${ARMILLA_BUILD:-$source_tree/build}

if grep -q '^ARMILLA_SANITIZE:[A-Z]*=.' "$build/CMakeCache.txt"; then
    echo "a sanitized library is not meant to be installed: skipped"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

cmake --install "$build" --prefix "$prefix" >"$work/install.log" || fail "cmake --install"
library=$(dirname "$(find "$prefix" -name 'libarmilla*' | head -n 1)")
export LD_LIBRARY_PATH=$library PKG_CONFIG_PATH=$library/pkgconfig
static=()
[ -e "$library/libarmilla.so" ] || static=(--static)
flags() { pkg-config --define-variable=prefix="$prefix" "${static[@]}" "$@"; }
read -ra cflags <<<"$(flags --cflags armilla)"
read -ra libs <<<"$(flags --libs armilla)"
read -ra core <<<"$(flags --cflags --libs armilla-core)"

# Every header stands on its own, in both languages.
for header in "$prefix"/include/armilla/*.h; do
    [ "$(basename "$header")" != mpi.h ] || continue # needs a compiler wrapper of MPI
    echo "#include <armilla/$(basename "$header")>" >"$work/header.c"
    cc -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only "${cflags[@]}" "$work/header.c" ||
        fail "$(basename "$header") in C"
    c++ -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only "${cflags[@]}" "$work/header.c" ||
        fail "$(basename "$header") in C++"
done

# The README's example compiles with the core alone, and does what the README says.
sed -n '/^```c$/,/^```$/p' "$source_tree/README.md" | sed '/^```/d' >"$work/example.c"
[ -s "$work/example.c" ] || fail "README.md has no C example"
cc -std=c11 -Wall -Wextra -Werror "$work/example.c" "${core[@]}" -o "$work/example" ||
    fail "the README's example does not compile"
(cd "$work" && ./example) >"$work/example.out" || fail "the README's example does not run"
[ "$(cat "$work/example.out")" = 1.000000000000000 ] ||
    fail "the README's example prints $(cat "$work/example.out")"

# A program that writes a file needs libarmilla_files.
! cc "$source_tree/examples/c/sky.c" "${core[@]}" -lm -o "$work/sky" 2>"$work/sky.log" ||
    fail "the core writes files"
grep -q armilla_map_write "$work/sky.log" || fail "not for lack of files: $(cat "$work/sky.log")"
cc "${cflags[@]}" "$source_tree/examples/c/sky.c" "${libs[@]}" -lm -o "$work/sky" ||
    fail "a program with files does not compile"
"$work/sky" "$work/sky.fits" >"$work/sky.log" || fail "a program with files ended with $?"
[ -s "$work/sky.fits" ] || fail "a program with files wrote none"

# A C++ program.
cat >"$work/program.cpp" <<'END'
#include <armilla/armilla.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
int main()
{
    armilla_grid *grid = nullptr;
    armilla_sht *sht = nullptr;
    if (std::strlen(armilla_version()) == 0) return 1;
    if (armilla_grid_new_healpix(4, &grid) != ARMILLA_OK) return 2;
    if (armilla_sht_new(grid, 8, 8, nullptr, &sht) != ARMILLA_OK) return 3;
    std::vector<double> alm(2 * armilla_alm_size(8, 8)), map(armilla_grid_npix(grid));
    alm[0] = 1;
    if (armilla_sht_synthesis(sht, alm.data(), map.data(), nullptr) != ARMILLA_OK) return 4;
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    for (double value : map)
        if (std::fabs(value - 0.28209479177387814) > 1e-15) return 5;
    if (armilla_grid_new_healpix(0, &grid) != ARMILLA_ERROR_ARGUMENT) return 6;
    std::puts(armilla_status_message());
    return std::strstr(armilla_status_message(), "nside = 0") ? 0 : 7;
}
END
c++ -std=c++11 -Wall -Wextra -Werror "${cflags[@]}" "$work/program.cpp" "${libs[@]}" \
    -o "$work/program" || fail "the C++ program does not compile"
"$work/program" || fail "the C++ program ended with $?"

# A program whose own OpenMP threads call the library, each for itself, then together.
cat >"$work/region.c" <<'END'
#include <armilla/armilla.h>
#include <string.h>
enum { NPIX = 3072 };
int main(void)
{
    static double alm[2 * 33 * 34 / 2], judge[NPIX], maps[4][NPIX];
    armilla_exec exec;
    armilla_grid *grid;
    armilla_sht *sht;
    int wrong = 0;
    for (int i = 0; i < 2 * 33 * 34 / 2; i++) alm[i] = i % 5 - 2;
    armilla_exec_init(&exec);
    exec.nthreads = 3;
    if (armilla_grid_new_healpix(16, &grid) || armilla_sht_new(grid, 32, 32, NULL, &sht)) return 1;
    if (armilla_sht_synthesis(sht, alm, judge, &exec)) return 2;
    for (int round = 0; round < 20; round++) {
#pragma omp parallel for num_threads(4) reduction(+ : wrong)
        for (int i = 0; i < 4; i++) {
            wrong += armilla_sht_synthesis(sht, alm, maps[i], &exec) != ARMILLA_OK;
            wrong += memcmp(maps[i], judge, sizeof judge) != 0;
        }
        wrong += armilla_sht_synthesis(sht, alm, maps[0], &exec) != ARMILLA_OK;
        wrong += memcmp(maps[0], judge, sizeof judge) != 0;
    }
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return wrong ? 3 : 0;
}
END
cc -std=c11 -fopenmp -Wall -Wextra -Werror "${cflags[@]}" "$work/region.c" "${libs[@]}" -lm \
    -o "$work/region" || fail "a program with OpenMP does not compile"
timeout 60 "$work/region" || fail "a program with OpenMP ended with $?"

# A program compiled with the headers of another version, whose armilla_exec has one field less or
# one more: the defaults stay within its struct; what the library does not know is refused by name.
cat >"$work/version.c" <<'END'
#include <armilla/armilla.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    struct {
        armilla_exec exec;
        char behind[32];
    } mine = {.behind = "what lies behind the struct"};
    armilla_grid *grid;
    armilla_sht *sht;
    double alm[2] = {1, 0}, map[48];
    armilla_exec_init(&mine.exec);
    if (mine.exec.size != sizeof mine.exec || mine.exec.ntrans != 1) return 1;
    if (strcmp(mine.behind, "what lies behind the struct")) return 2;
    if (armilla_grid_new_healpix(2, &grid) || armilla_sht_new(grid, 0, 0, NULL, &sht)) return 3;
    if (armilla_sht_synthesis(sht, alm, map, &mine.exec)) puts(armilla_status_message());
    else puts("ok");
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return 0;
}
END
for version in older newer; do
    mkdir "$work/$version"
    cp -r "$prefix/include/armilla" "$work/$version/"
    header=$work/$version/armilla/sht.h
    if [ $version = older ]; then
        sed -i '/^ *armilla_missing missing;/,/\*\//d' "$header" # the last field
    else
        sed -i 's/^} armilla_exec;/    double added;\n&/' "$header"
    fi
    ! cmp -s "$header" "$prefix/include/armilla/sht.h" || fail "the header is not $version"
    cc -std=c11 -Wall -Wextra -Werror "-I$work/$version" "$work/version.c" "${libs[@]}" -lm \
        -o "$work/$version/program" || fail "a program with $version headers does not compile"
    said=$("$work/$version/program") || fail "a program with $version headers ended with $?"
    case $version:$said in
    older:ok | newer:exec-\>size\ =*armilla_exec*) ;;
    *) fail "a program with $version headers says: $said" ;;
    esac
done

# The README's example and the C++ program through find_package.
mkdir "$work/project"
cp "$work/example.c" "$work/program.cpp" "$work/project/"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C CXX)
find_package(armilla 0.2 REQUIRED)
add_executable(example example.c)
target_link_libraries(example PRIVATE armilla::core)
add_executable(program program.cpp)
target_link_libraries(program PRIVATE armilla::armilla)
END
cmake -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$prefix" \
    >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; fail "find_package(armilla)"; }
cmake --build "$work/project/build" >"$work/cmake.log" 2>&1 ||
    { cat "$work/cmake.log"; fail "building with find_package(armilla)"; }
"$work/project/build/program" >/dev/null || fail "the program built with find_package"

needed() { # FILE: the libraries that it asks the loader for
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}
names() { # --defined-only|--undefined-only LIBRARY
    nm -D "$1" "$library/$2.so" | awk '{print $NF}' | grep -v '@' | sort
}
if [ -e "$library/libarmilla.so" ]; then
    # The core needs the C library, and whatever options of the build add; so do its programs.
    further=$(needed "$library/libarmilla.so" |
        grep -Ev '^lib(c|m|pthread|gcc_s|gomp|fftw3|cufft|stdc\+\+|dl|rt)\.so|^ld-linux' || true)
    [ -z "$further" ] || fail "libarmilla needs $further"
    for program in example project/build/example; do
        ! needed "$work/$program" | grep -E '^lib(armilla_files|cfitsio|png|z|bz2)' ||
            fail "$program needs more than the core"
    done

    # Only our own names leave the libraries: those of the headers, and what the core has for
    # libarmilla_files alone.
    cat "$prefix"/include/armilla/*.h | grep -o 'armilla_[a-z0-9_]*' | sort -u >"$work/api"
    for name in libarmilla libarmilla_files; do
        foreign=$(names --defined-only $name | grep -v '^armilla_' || true)
        [ -z "$foreign" ] || fail "$name exports names without armilla_: $foreign"
    done
    diff <(names --defined-only libarmilla | comm -23 - "$work/api") \
        <(names --undefined-only libarmilla_files | grep '^armilla_' | comm -23 - "$work/api") ||
        fail "internal names that libarmilla exports (<) and that libarmilla_files needs (>) differ"
    internal=$(names --defined-only libarmilla_files | comm -23 - "$work/api")
    [ -z "$internal" ] || fail "libarmilla_files exports internal names: $internal"
fi

# The command, if it is built.
if [ -e "$prefix/bin/armilla" ]; then
    "$prefix/bin/armilla" --version | grep -q '^armilla [0-9]' || fail "armilla --version"
    for page in man/man1/armilla.1 bash-completion/completions/armilla \
        zsh/site-functions/_armilla fish/vendor_completions.d/armilla.fish; do
        grep -q armilla "$prefix/share/$page" || fail "$page is not installed"
    done
elif [ -e "$build/bin/armilla" ]; then
    fail "build/bin/armilla exists, but is not installed"
fi
echo "installed: headers, C, C++, pkg-config, CMake, libraries and their names, command"
