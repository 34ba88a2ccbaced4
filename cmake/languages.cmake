# armilla::fortran: a target that links it compiles the Fortran module (languages/fortran) with its
# own compiler, since compilers do not read each other's modules. This project needs none.
add_library(armilla_fortran INTERFACE)
add_library(armilla::fortran ALIAS armilla_fortran)
set_target_properties(armilla_fortran PROPERTIES EXPORT_NAME fortran)
target_link_libraries(armilla_fortran INTERFACE armilla)
set(ARMILLA_FORTRAN_MODULE ${CMAKE_INSTALL_DATADIR}/armilla/fortran/armilla.f90)
target_sources(armilla_fortran INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/languages/fortran/armilla.f90>
  $<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${ARMILLA_FORTRAN_MODULE}>)
