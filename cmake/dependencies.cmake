# External libraries, through pkg-config. Names in the cache begin with ours, so that those of a
# project that takes this one in stay its own.
#   ARMILLA_MODULES   what pkg-config calls them; targets are PkgConfig::ARMILLA_<module>
find_package(PkgConfig REQUIRED)
macro(armilla_need module)
  pkg_check_modules(ARMILLA_${module} REQUIRED IMPORTED_TARGET ${module})
  list(APPEND ARMILLA_MODULES ${module})
endmacro()
set(ARMILLA_MODULES)
armilla_need(fftw3)
armilla_need(cfitsio)
armilla_need(libpng)
armilla_need(zlib)
find_package(BZip2 QUIET) # without it, files packed by bzip2 are refused by name
if(ARMILLA_THREADS STREQUAL "openmp")
  find_package(OpenMP REQUIRED COMPONENTS C)
elseif(ARMILLA_THREADS STREQUAL "pthread")
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
else()
  message(FATAL_ERROR "ARMILLA_THREADS = ${ARMILLA_THREADS}: must be openmp or pthread")
endif()
