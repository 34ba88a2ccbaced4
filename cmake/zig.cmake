# Toolchain: Clang as the Python package ziglang carries it, with C libraries for many systems. It
# compiles for a version of glibc that is older than this machine's, for another processor, and for
# macOS. tools/zig.sh makes programs that call it. In the environment ARMILLA_ZIG names their folder,
# ARMILLA_ZIG_TARGET the target (x86_64-linux-gnu.2.28, aarch64-macos, ...), and ARMILLA_CARRIED the
# folder with the libraries that tools/carried_libraries.sh has built for it.
set(folder $ENV{ARMILLA_ZIG})
set(target $ENV{ARMILLA_ZIG_TARGET})
if(NOT folder OR NOT target)
  message(FATAL_ERROR "ARMILLA_ZIG and ARMILLA_ZIG_TARGET must be set: see tools/zig.sh")
endif()
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${target})
set(CMAKE_SYSTEM_NAME Linux)
if(target MATCHES "-macos")
  set(CMAKE_SYSTEM_NAME Darwin)
  set(CMAKE_OSX_SYSROOT "" CACHE PATH "ziglang has the headers and libraries") # not Xcode's
  set(CMAKE_OSX_ARCHITECTURES "")
  set(CMAKE_INSTALL_NAME_TOOL ${folder}/no_install_name_tool)
endif()
set(CMAKE_C_COMPILER ${folder}/cc)
set(CMAKE_C_COMPILER_TARGET ${target})
set(CMAKE_AR ${folder}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${folder}/ranlib CACHE FILEPATH "")
set(CMAKE_C_COMPILER_AR ${folder}/ar CACHE FILEPATH "")
set(CMAKE_C_COMPILER_RANLIB ${folder}/ranlib CACHE FILEPATH "")

# Libraries are those of cmake/carried, never this machine's.
set(CMAKE_FIND_ROOT_PATH $ENV{ARMILLA_CARRIED})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH) # Python's headers are the machine's
