# make install: headers, library, command, pkg-config file, CMake package.
include(CMakePackageConfigHelpers)

# A program that links the static library links what that needs: by CMake these targets, which
# armilla-config.cmake finds; by pkg-config ARMILLA_PC_PRIVATE, which are "private" of a shared one.
set(ARMILLA_PC_PRIVATE)
foreach(module ${ARMILLA_MODULES})
  list(APPEND ARMILLA_PC_PRIVATE ${ARMILLA_${module}_LDFLAGS})
endforeach()
set(ARMILLA_STATIC_NEEDS ${ARMILLA_MODULES})
list(TRANSFORM ARMILLA_STATIC_NEEDS PREPEND PkgConfig::ARMILLA_)
list(APPEND ARMILLA_STATIC_NEEDS m)
if(BZIP2_FOUND)
  list(APPEND ARMILLA_PC_PRIVATE -lbz2)
  list(APPEND ARMILLA_STATIC_NEEDS BZip2::BZip2)
endif()
list(APPEND ARMILLA_PC_PRIVATE -lm)
if(ARMILLA_THREADS STREQUAL "openmp")
  list(APPEND ARMILLA_PC_PRIVATE ${OpenMP_C_FLAGS})
  list(APPEND ARMILLA_STATIC_NEEDS OpenMP::OpenMP_C)
else()
  list(APPEND ARMILLA_PC_PRIVATE -pthread)
  list(APPEND ARMILLA_STATIC_NEEDS Threads::Threads)
endif()
list(REMOVE_DUPLICATES ARMILLA_PC_PRIVATE)
list(JOIN ARMILLA_PC_PRIVATE " " ARMILLA_PC_PRIVATE)
set(ARMILLA_PC_LIBS)
if(NOT BUILD_SHARED_LIBS)
  target_link_libraries(armilla PRIVATE $<INSTALL_INTERFACE:${ARMILLA_STATIC_NEEDS}>)
  set(ARMILLA_PC_LIBS " ${ARMILLA_PC_PRIVATE}") # there is no other library: pkg-config need not be
  set(ARMILLA_PC_PRIVATE)                       # told that it is static
endif()

install(TARGETS armilla EXPORT armilla-targets
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
configure_file(${PROJECT_SOURCE_DIR}/cmake/armilla.pc.in ${PROJECT_BINARY_DIR}/armilla.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/armilla.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/src/picture/LICENSE-DejaVu.txt
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
