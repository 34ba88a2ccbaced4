# libarmilla_mpi: the transport of distributed transforms, one library for each MPI that is there
# (Open MPI, MPICH), since their binary interfaces differ. The first one of ARMILLA_MPIS is
# installed. Each library is called libarmilla_mpi; they are in mpi/<name> of the build folder.
set(ARMILLA_MPIS "openmpi;mpich" CACHE STRING "MPI libraries to build for, those that are there")
set(ARMILLA_MPI_NAMES)
set(ARMILLA_MPI_MODULE_openmpi ompi-c)
set(ARMILLA_MPI_MODULE_mpich mpich)

function(armilla_add_mpi name)
  pkg_check_modules(MPI_${name} IMPORTED_TARGET ${ARMILLA_MPI_MODULE_${name}})
  if(NOT MPI_${name}_FOUND)
    return()
  endif()
  add_library(armilla_mpi_${name} ${PROJECT_SOURCE_DIR}/src/mpi/transport.c)
  target_link_libraries(armilla_mpi_${name} PUBLIC armilla_core PkgConfig::MPI_${name}
                        PRIVATE armilla_flags)
  # MPICH's MPI_STATUSES_IGNORE looks to GCC like an array that is too small
  target_compile_options(armilla_mpi_${name} PRIVATE -Wno-stringop-overflow)
  set_target_properties(armilla_mpi_${name} PROPERTIES
    OUTPUT_NAME armilla_mpi VERSION ${PROJECT_VERSION} SOVERSION ${ARMILLA_SOVERSION}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/mpi/${name}
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/mpi/${name})
  set(ARMILLA_MPI_NAMES ${ARMILLA_MPI_NAMES} ${name} PARENT_SCOPE)
endfunction()

foreach(name ${ARMILLA_MPIS})
  armilla_add_mpi(${name})
endforeach()
if(NOT ARMILLA_MPI_NAMES)
  message(FATAL_ERROR "ARMILLA_MPI: no MPI found among ${ARMILLA_MPIS} (pkg-config: ompi-c, mpich)")
endif()
