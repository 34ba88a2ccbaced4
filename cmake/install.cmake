# make install: headers, libraries, command, pkg-config files, CMake package.
include(CMakePackageConfigHelpers)

# A program that links a static library links what that needs: by CMake targets, which
# armilla-config.cmake finds; by pkg-config flags, which are "private" of a shared library.
#   armilla_add_needs(<name> <modules>... [TARGETS ...] [FLAGS ...])
# says what the library armilla_<name> needs, and sets ARMILLA_PC_<name>_LIBS and _PRIVATE.
function(armilla_add_needs name)
  cmake_parse_arguments(PARSE_ARGV 1 NEEDS "" "" "TARGETS;FLAGS")
  set(targets)
  set(flags)
  foreach(module ${NEEDS_UNPARSED_ARGUMENTS})
    list(APPEND targets PkgConfig::ARMILLA_${module})
    list(APPEND flags ${ARMILLA_${module}_LDFLAGS})
  endforeach()
  list(APPEND targets ${NEEDS_TARGETS})
  list(APPEND flags ${NEEDS_FLAGS})
  list(REMOVE_DUPLICATES flags)
  list(JOIN flags " " flags)
  set(ARMILLA_PC_${name}_LIBS PARENT_SCOPE)
  set(ARMILLA_PC_${name}_PRIVATE ${flags} PARENT_SCOPE)
  if(NOT BUILD_SHARED_LIBS)
    target_link_libraries(armilla_${name} PRIVATE $<INSTALL_INTERFACE:${targets}>)
    set(ARMILLA_PC_${name}_LIBS " ${flags}" PARENT_SCOPE) # there is no other library: pkg-config
    set(ARMILLA_PC_${name}_PRIVATE PARENT_SCOPE)          # need not be told that it is static
  endif()
endfunction()

if(ARMILLA_THREADS STREQUAL "openmp")
  armilla_add_needs(core ${ARMILLA_MODULES} TARGETS m OpenMP::OpenMP_C FLAGS -lm ${OpenMP_C_FLAGS})
else()
  armilla_add_needs(core ${ARMILLA_MODULES} TARGETS m Threads::Threads FLAGS -lm -pthread)
endif()
set(ARMILLA_LIBRARIES armilla_core)
if(ARMILLA_FILES)
  list(APPEND ARMILLA_LIBRARIES armilla_files armilla)
  if(BZIP2_FOUND)
    armilla_add_needs(files ${ARMILLA_FILES_MODULES} TARGETS BZip2::BZip2 FLAGS -lbz2)
  else()
    armilla_add_needs(files ${ARMILLA_FILES_MODULES})
  endif()
endif()

install(TARGETS ${ARMILLA_LIBRARIES} EXPORT armilla-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/armilla DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        PATTERN mpi.h EXCLUDE) # comes with its library
set(ARMILLA_FORTRAN_FOLDER ${CMAKE_INSTALL_DATADIR}/armilla/fortran)
install(FILES ${PROJECT_SOURCE_DIR}/languages/fortran/armilla.f90
              ${PROJECT_SOURCE_DIR}/languages/fortran/armilla-fortran.cmake
        DESTINATION ${ARMILLA_FORTRAN_FOLDER})
install(FILES ${PROJECT_SOURCE_DIR}/languages/julia/Armilla.jl
              ${PROJECT_SOURCE_DIR}/languages/julia/declarations.jl
        DESTINATION ${CMAKE_INSTALL_DATADIR}/armilla/julia)
if(ARMILLA_MPI)
  install(FILES ${PROJECT_SOURCE_DIR}/include/armilla/mpi.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/armilla)
  list(GET ARMILLA_MPI_NAMES 0 name)
  install(TARGETS armilla_mpi_${name}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(EXPORT armilla-targets NAMESPACE armilla:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/armilla
        FILE armilla-targets.cmake)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/armilla-config.cmake.in
  ${PROJECT_BINARY_DIR}/armilla-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/armilla
  PATH_VARS ARMILLA_FORTRAN_FOLDER)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/armilla-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/armilla-config.cmake ${PROJECT_BINARY_DIR}/armilla-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/armilla)
# relative, so that an installed tree can be moved
file(RELATIVE_PATH ARMILLA_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
# armilla_add_pc(<name of the file> <name of the library> <further lines>)
function(armilla_add_pc file name lines)
  get_target_property(ARMILLA_PC_OUTPUT armilla_${name} OUTPUT_NAME)
  set(ARMILLA_PC_NAME ${file})
  set(ARMILLA_PC_LIBS ${ARMILLA_PC_${name}_LIBS})
  set(ARMILLA_PC_PRIVATE ${ARMILLA_PC_${name}_PRIVATE})
  set(ARMILLA_PC_LINES "${lines}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/armilla.pc.in ${PROJECT_BINARY_DIR}/${file}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
armilla_add_pc(armilla-core core "")
if(ARMILLA_FILES)
  armilla_add_pc(armilla files "Requires: armilla-core = ${PROJECT_VERSION}\n")
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/src/picture/LICENSE-DejaVu.txt
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
