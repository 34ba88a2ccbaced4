# ARMILLA_STATIC_DEPENDENCIES: CFITSIO, and FFTW where it is used, go into our libraries, so that
# a Python wheel needs neither at run time. What has no archive that fits into a shared library stays shared: libpng,
# zlib and bzip2 of Debian are such. The archive of CFITSIO asks for libcurl; it gets no_network.c.
include(CheckCSourceCompiles)

# Sets ${variable} to the path of an archive that can be linked into a shared library, or to "".
function(armilla_find_archive variable name)
  set(${variable} "" PARENT_SCOPE)
  find_library(ARMILLA_ARCHIVE_${name} NAMES lib${name}.a)
  mark_as_advanced(ARMILLA_ARCHIVE_${name})
  if(NOT ARMILLA_ARCHIVE_${name})
    message(STATUS "No archive of ${name}: it stays shared")
    return()
  endif()
  if(APPLE) # where all code can be moved, and so every archive fits
    set(${variable} ${ARMILLA_ARCHIVE_${name}} PARENT_SCOPE)
    return()
  endif()
  set(CMAKE_REQUIRED_FLAGS "-fPIC -shared")
  set(CMAKE_REQUIRED_LIBRARIES -Wl,--whole-archive ${ARMILLA_ARCHIVE_${name}}
      -Wl,--no-whole-archive)
  check_c_source_compiles("int armilla_probe(void); int armilla_probe(void) { return 0; }"
                          ARMILLA_ARCHIVE_FITS_${name})
  if(ARMILLA_ARCHIVE_FITS_${name})
    set(${variable} ${ARMILLA_ARCHIVE_${name}} PARENT_SCOPE)
  else()
    message(STATUS "The archive of ${name} fits into programs only: it stays shared")
  endif()
endfunction()

if(ARMILLA_FFT STREQUAL "fftw")
  armilla_find_archive(ARMILLA_FFTW_ARCHIVE fftw3)
  if(ARMILLA_FFTW_ARCHIVE)
    set_property(TARGET PkgConfig::ARMILLA_fftw3 PROPERTY INTERFACE_LINK_LIBRARIES ${ARMILLA_FFTW_ARCHIVE})
  endif()
endif()
if(NOT ARMILLA_FILES)
  return()
endif()
armilla_find_archive(ARMILLA_CFITSIO_ARCHIVE cfitsio)
find_library(ARMILLA_ZLIB NAMES z)
find_library(ARMILLA_BZIP2 NAMES bz2)
mark_as_advanced(ARMILLA_ZLIB ARMILLA_BZIP2)
if(ARMILLA_CFITSIO_ARCHIVE AND ARMILLA_ZLIB AND ARMILLA_BZIP2)
  add_library(armilla_no_network OBJECT ${PROJECT_SOURCE_DIR}/cmake/no_network.c)
  target_link_libraries(armilla_no_network PRIVATE armilla_flags)
  set_property(TARGET PkgConfig::ARMILLA_cfitsio PROPERTY INTERFACE_LINK_LIBRARIES
               $<TARGET_OBJECTS:armilla_no_network> ${ARMILLA_CFITSIO_ARCHIVE} ${ARMILLA_ZLIB}
               ${ARMILLA_BZIP2})
endif()
