# make install: headers, library, command, pkg-config file, CMake package.
include(CMakePackageConfigHelpers)
install(TARGETS armilla EXPORT armilla-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/armilla DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        PATTERN mpi.h EXCLUDE) # comes with its library
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
  ${PROJECT_BINARY_DIR}/armilla-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/armilla)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/armilla-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/armilla-config.cmake ${PROJECT_BINARY_DIR}/armilla-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/armilla)
# relative, so that an installed tree can be moved
file(RELATIVE_PATH ARMILLA_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
set(ARMILLA_PC_THREADS -pthread)
if(ARMILLA_THREADS STREQUAL "openmp")
  set(ARMILLA_PC_THREADS ${OpenMP_C_FLAGS})
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/armilla.pc.in ${PROJECT_BINARY_DIR}/armilla.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/armilla.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/src/picture/LICENSE-DejaVu.txt
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
