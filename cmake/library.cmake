# Two libraries: libarmilla, the core, which needs libm and threads alone, and libarmilla_files on top
# of it, which reads and writes files and draws pictures (docs/architecture.md 6). All objects once
# (tests of internals link them directly), then the installed libraries. Targets are armilla_core and
# armilla_files; armilla, for programs, is both.
file(GLOB ARMILLA_SOURCES CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/base/*.c ${PROJECT_SOURCE_DIR}/src/grid/*.c
     ${PROJECT_SOURCE_DIR}/src/alm/*.c ${PROJECT_SOURCE_DIR}/src/fft/*.c
     ${PROJECT_SOURCE_DIR}/src/leg/*.c ${PROJECT_SOURCE_DIR}/src/legendre/*.c
     ${PROJECT_SOURCE_DIR}/src/theta/*.c ${PROJECT_SOURCE_DIR}/src/ringfft/*.c
     ${PROJECT_SOURCE_DIR}/src/executor/*.c ${PROJECT_SOURCE_DIR}/src/call/*.c
     ${PROJECT_SOURCE_DIR}/src/sht/*.c ${PROJECT_SOURCE_DIR}/src/vector/*.c
     ${PROJECT_SOURCE_DIR}/src/radial/*.c
     ${PROJECT_SOURCE_DIR}/src/radial/*/*.c
     ${PROJECT_SOURCE_DIR}/src/points/*.c ${PROJECT_SOURCE_DIR}/src/lensing/*.c
     ${PROJECT_SOURCE_DIR}/src/solid/*.c ${PROJECT_SOURCE_DIR}/src/coupling/*.c
     ${PROJECT_SOURCE_DIR}/src/beams/*.c ${PROJECT_SOURCE_DIR}/src/so3/*.c
     ${PROJECT_SOURCE_DIR}/src/ranks/*.c ${PROJECT_SOURCE_DIR}/src/ranks/*/*.c)
file(GLOB ARMILLA_FILES_SOURCES CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/io/*.c ${PROJECT_SOURCE_DIR}/src/picture/*.c)

add_library(armilla_usage INTERFACE) # what every target of ours that touches the core needs
target_include_directories(armilla_usage INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
target_compile_definitions(armilla_usage INTERFACE ARMILLA_VERSION="${PROJECT_VERSION}")
target_link_libraries(armilla_usage INTERFACE armilla_flags m)
foreach(module ${ARMILLA_MODULES})
  target_link_libraries(armilla_usage INTERFACE PkgConfig::ARMILLA_${module})
endforeach()
if(ARMILLA_FFT STREQUAL "fftw")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/fft/rows.c ${PROJECT_SOURCE_DIR}/src/base/cpu.c
                              PROPERTIES COMPILE_DEFINITIONS ARMILLA_WITH_FFTW)
else()
  list(REMOVE_ITEM ARMILLA_SOURCES ${PROJECT_SOURCE_DIR}/src/fft/rows_fftw.c)
endif()
if(ARMILLA_THREADS STREQUAL "pthread")
  target_compile_definitions(armilla_usage INTERFACE ARMILLA_THREADS_PTHREAD)
  target_link_libraries(armilla_usage INTERFACE Threads::Threads)
else()
  target_link_libraries(armilla_usage INTERFACE OpenMP::OpenMP_C)
endif()

# One object library per instruction set, all from the same kernel sources (docs/style.md 5).
include(cmake/kernels.cmake)

add_library(armilla_objects OBJECT ${ARMILLA_SOURCES})
target_link_libraries(armilla_objects PUBLIC armilla_usage)

include(cmake/cuda.cmake)

set(ARMILLA_OWN_FOLDER "$ORIGIN") # of a program or library that runs, as the loader calls it
if(APPLE)
  set(ARMILLA_OWN_FOLDER "@loader_path")
endif()

# armilla_add_library(<name> OUTPUT <name of the file> USAGE <target> SOURCES ...): armilla_<name>,
# armilla::<name> for others. Until 1.0 a program runs with the minor version that it was compiled
# with: structs may grow.
set(ARMILLA_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
function(armilla_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 OF "" "OUTPUT;USAGE" "SOURCES")
  add_library(armilla_${name} ${OF_SOURCES})
  target_link_libraries(armilla_${name} PRIVATE $<BUILD_INTERFACE:${OF_USAGE}>)
  target_include_directories(armilla_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(armilla_${name} PROPERTIES OUTPUT_NAME ${OF_OUTPUT} EXPORT_NAME ${name}
                        VERSION ${PROJECT_VERSION} SOVERSION ${ARMILLA_SOVERSION})
  add_library(armilla::${name} ALIAS armilla_${name})
endfunction()

armilla_add_library(core OUTPUT armilla USAGE armilla_usage
  SOURCES $<TARGET_OBJECTS:armilla_objects> ${ARMILLA_KERNEL_OBJECTS} ${ARMILLA_CUDA_OBJECTS})
# Threads that are kept would run on in a library that a program has closed.
if(BUILD_SHARED_LIBS AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_link_options(armilla_core PRIVATE -Wl,-z,nodelete)
endif()

if(NOT ARMILLA_FILES)
  return()
endif()
add_library(armilla_files_usage INTERFACE) # the same for libarmilla_files, with all of the core's
target_link_libraries(armilla_files_usage INTERFACE armilla_usage)
foreach(module ${ARMILLA_FILES_MODULES})
  target_link_libraries(armilla_files_usage INTERFACE PkgConfig::ARMILLA_${module})
endforeach()
if(BZIP2_FOUND)
  target_compile_definitions(armilla_files_usage INTERFACE ARMILLA_WITH_BZIP2)
  target_link_libraries(armilla_files_usage INTERFACE BZip2::BZip2)
endif()
add_library(armilla_files_objects OBJECT ${ARMILLA_FILES_SOURCES})
target_link_libraries(armilla_files_objects PUBLIC armilla_files_usage)
armilla_add_library(files OUTPUT armilla_files USAGE armilla_files_usage
  SOURCES $<TARGET_OBJECTS:armilla_files_objects>)
target_link_libraries(armilla_files PUBLIC armilla_core)
set_target_properties(armilla_files PROPERTIES INSTALL_RPATH "${ARMILLA_OWN_FOLDER}")

add_library(armilla INTERFACE)
target_link_libraries(armilla INTERFACE armilla_files armilla_core)
add_library(armilla::armilla ALIAS armilla)
