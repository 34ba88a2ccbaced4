#!/usr/bin/env bash
# The examples in C, C++ and Fortran as the programs of users: through pkg-config, find_package,
# add_subdirectory and FetchContent. What they print must be what the example in C prints, and their
# maps the same bits. Then the core alone, where pkg-config finds no CFITSIO.
#   test_consumers.sh       with the build that is there: another project that takes the sources in
#                           is only configured
#   test_consumers.sh long  compiles the library, static and shared, for all four ways
#                           (make test-consumers)
set -euo pipefail
cd "$(dirname "$0")/../.."
form=${1:-short}
source_tree=${ARMILLA_SOURCE:-$PWD}
build=${ARMILLA_BUILD:-$source_tree/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
quietly() { # COMMAND ...: what it prints is shown if it fails
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }
}
fortran=$(command -v gfortran || true)
generator=()
if command -v ninja >/dev/null; then generator=(-G Ninja); fi

# same FOLDER: all programs sky_* in it print the same lines; E is Fortran's e.
same() {
    local program lines expected=2
    [ -z "$fortran" ] || expected=3
    for program in "$1"/sky_*; do
        if [ -d "$program" ] || [ ! -x "$program" ]; then continue; fi
        "$program" "$program.fits" >"$program.out" || fail "$program ended with $?"
        tr E e <"$program.out" | cmp - "$work/judge.out" || fail "$program prints something else"
        cmp "$program.fits" "$work/judge.fits" || fail "$program writes another map"
    done
    lines=$(ls "$1"/sky_*.out | wc -l)
    [ "$lines" -eq $expected ] || fail "$lines programs in $1"
}

# by_pkg_config PREFIX: compiles and links as the headers of the examples say.
by_pkg_config() {
    local prefix=$1 library out=$work/pkg-config-$2 flags
    library=$(dirname "$(find "$prefix" -name 'libarmilla.*' | head -n 1)")
    export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
    read -ra flags <<<"$(pkg-config --cflags --libs armilla)"
    mkdir "$out"
    quietly cc "$source_tree/examples/c/sky.c" "${flags[@]}" -lm -o "$out/sky_c"
    quietly c++ -std=c++17 -Wall -Wextra -Werror "$source_tree/examples/cpp/sky.cpp" "${flags[@]}" \
        -o "$out/sky_cpp"
    if [ -n "$fortran" ]; then
        read -ra flags <<<"$(pkg-config --libs armilla)"
        (cd "$out" && quietly gfortran "$(pkg-config --variable=fortran armilla)" \
            "$source_tree/examples/fortran/sky.f90" "${flags[@]}" -o sky_fortran)
    fi
    same "$out"
    unset PKG_CONFIG_PATH LD_LIBRARY_PATH
}

# core_alone PREFIX NAME: the README's example, which only transforms, where none of the libraries
# behind libarmilla_files is to be found.
core_alone() {
    local prefix=$1 out=$work/core-$2 library flags program
    library=$(dirname "$(find "$prefix" -name 'libarmilla.*' | head -n 1)")
    mkdir "$out"
    sed -n '/^```c$/,/^```$/p' "$source_tree/README.md" | sed '/^```/d' >"$out/example.c"
    cat >"$out/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES C)
find_package(armilla REQUIRED COMPONENTS core)
add_executable(example example.c)
target_link_libraries(example PRIVATE armilla::core)
END
    export PKG_CONFIG_LIBDIR=$library/pkgconfig LD_LIBRARY_PATH=$library
    read -ra flags <<<"$(pkg-config --cflags --libs armilla-core)"
    quietly cc "$out/example.c" "${flags[@]}" -o "$out/example"
    quietly cmake "${generator[@]}" -S "$out" -B "$out/build" -DCMAKE_PREFIX_PATH="$prefix"
    quietly cmake --build "$out/build"
    for program in "$out/example" "$out/build/example"; do
        [ "$("$program")" = 1.000000000000000 ] || fail "$program, with the core alone"
    done
    unset PKG_CONFIG_LIBDIR LD_LIBRARY_PATH
}

# by_find_package PREFIX NAME
by_find_package() {
    local out=$work/find-package-$2
    quietly cmake "${generator[@]}" -S "$source_tree/examples" -B "$out" -DCMAKE_PREFIX_PATH="$1"
    quietly cmake --build "$out"
    same "$out"
}

# What another project may find in its cache: names of ours, of CMake's modules and of pkg-config.
expected_names="^_*(ARMILLA|armilla|pkgcfg_lib_ARMILLA|pkg_config_|PKG_CONFIG|FIND_PACKAGE_MESSAGE"
expected_names+="|BZIP2|CMAKE_INSTALL_|CMAKE_PROJECT_VERSION|CMAKE_HAVE_LIBC_PTHREAD"
expected_names+="|GNUInstallDirs|prefix_result|FETCHCONTENT)"

# another_project NAME WAY: a project in C that takes the sources in. After them it must find its
# own settings as they were, and no other language.
another_project() {
    local folder=$work/$1 inclusion="add_subdirectory(\"$source_tree\" armilla)"
    if [ "$2" = fetch ]; then
        inclusion="include(FetchContent)
FetchContent_Declare(armilla SOURCE_DIR \"$source_tree\")
FetchContent_MakeAvailable(armilla)"
    fi
    mkdir "$folder"
    cat >"$folder/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES C)
get_cmake_property(before CACHE_VARIABLES)
$inclusion
get_cmake_property(after CACHE_VARIABLES)
list(REMOVE_ITEM after \${before})
foreach(name \${after})
  if(NOT name MATCHES "$expected_names")
    message(FATAL_ERROR "\${name} = \${\${name}} has leaked")
  endif()
endforeach()
foreach(name CMAKE_C_FLAGS CMAKE_BUILD_TYPE CMAKE_C_STANDARD CMAKE_C_EXTENSIONS
             CMAKE_C_VISIBILITY_PRESET CMAKE_POSITION_INDEPENDENT_CODE)
  if(NOT "\${\${name}}" STREQUAL "")
    message(FATAL_ERROR "\${name} = \${\${name}} has leaked")
  endif()
endforeach()
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("\${languages}" MATCHES "CXX|Fortran" OR TARGET armilla_command OR TARGET oracles_alone)
  message(FATAL_ERROR "more than the library is built: \${languages}")
endif()
if(EXAMPLES)
  add_subdirectory("$source_tree/examples" examples)
endif()
END
}

# by_project NAME WAY SHARED: another project compiles the library, for one instruction set.
by_project() {
    local kind
    another_project "$1" "$2"
    quietly cmake "${generator[@]}" -S "$work/$1" -B "$work/$1/build" -DBUILD_SHARED_LIBS="$3" \
        -DARMILLA_ISAS=scalar -DEXAMPLES=ON
    quietly cmake --build "$work/$1/build" -j 2
    if [ "$3" = ON ]; then kind=so; else kind=a; fi
    [ -n "$(find "$work/$1/build" -name "libarmilla.$kind")" ] || fail "$1: no libarmilla.$kind"
    same "$work/$1/build/examples"
}

# installed NAME OPTION...: the libraries of a build of their own, in prefix-NAME.
installed() {
    local name=$1
    shift
    quietly cmake "${generator[@]}" -S "$source_tree" -B "$work/$name" -DARMILLA_BUILD_TESTS=OFF \
        -DARMILLA_BUILD_BENCH=OFF -DARMILLA_BUILD_CLI=OFF -DARMILLA_ISAS=scalar "$@"
    quietly cmake --build "$work/$name" -j 2
    quietly cmake --install "$work/$name" --prefix "$work/prefix-$name"
}

if [ "$form" = long ]; then
    export ARMILLA_ISA=scalar # bits of the judge are those of the libraries made here
    quietly cmake "${generator[@]}" -S "$source_tree" -B "$work/judge" -DARMILLA_ISAS=scalar \
        -DARMILLA_BUILD_TESTS=OFF -DARMILLA_BUILD_BENCH=OFF -DARMILLA_BUILD_CLI=OFF
    build=$work/judge
    quietly cmake --build "$build" -j 2
elif grep -q '^ARMILLA_SANITIZE:[A-Z]*=.' "$build/CMakeCache.txt"; then
    echo "a sanitized library is not meant to be installed: skipped"
    exit 77
fi
quietly cmake --install "$build" --prefix "$work/installed"
library=$(dirname "$(find "$work/installed" -name 'libarmilla.*' | head -n 1)")
quietly cc "$source_tree/examples/c/sky.c" -I"$source_tree/include" -L"$library" -larmilla_files \
    -larmilla -lm -Wl,-rpath,"$library" -o "$work/judge.program"
"$work/judge.program" "$work/judge.fits" >"$work/judge.out" || fail "the example in C"
grep -q '^49152 pixels, rms 0.7' "$work/judge.out" || fail "the example in C prints something else"

if [ "$form" = long ]; then
    by_pkg_config "$work/installed" shared
    by_find_package "$work/installed" shared
    installed static -DBUILD_SHARED_LIBS=OFF
    by_pkg_config "$work/prefix-static" static
    by_find_package "$work/prefix-static" static
    core_alone "$work/prefix-static" static
    PKG_CONFIG_LIBDIR=$work/none installed core -DARMILLA_FILES=OFF
    [ -z "$(find "$work/prefix-core" -name 'libarmilla_files*')" ] || fail "ARMILLA_FILES=OFF"
    core_alone "$work/prefix-core" core
    by_project subdirectory-static subdirectory OFF
    by_project subdirectory-shared subdirectory ON
    by_project fetched-static fetch OFF
    by_project fetched-shared fetch ON
    echo "pkg-config, find_package, add_subdirectory, FetchContent; static and shared;" \
        "$([ -n "$fortran" ] || echo no) Fortran"
else
    by_pkg_config "$work/installed" build
    by_find_package "$work/installed" build
    core_alone "$work/installed" build
    another_project subdirectory subdirectory
    mkdir "$work/modules" # neither a C++ compiler nor what only tests need is there
    for module in cfitsio libpng zlib; do
        if pkg-config --exists $module; then
            cp "$(pkg-config --variable=pcfiledir $module)/$module.pc" "$work/modules/"
        fi
    done
    CXX=$work/none PKG_CONFIG_LIBDIR=$work/modules \
        quietly cmake "${generator[@]}" -S "$work/subdirectory" -B "$work/subdirectory/build"
    PKG_CONFIG_LIBDIR=$work/none quietly cmake "${generator[@]}" -S "$work/subdirectory" \
        -B "$work/subdirectory/core" -DARMILLA_FILES=OFF
    echo "pkg-config, find_package; configured: add_subdirectory"
fi
