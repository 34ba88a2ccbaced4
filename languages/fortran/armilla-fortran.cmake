# armilla::fortran: the module for Fortran as a static library, which the project that uses it
# compiles with its own compiler, since compilers do not read each other's modules. The package
# makes it where Fortran is enabled; a project that enables Fortran later calls
# armilla_add_fortran().
function(armilla_add_fortran)
  if(TARGET armilla::fortran)
    return()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/armilla_fortran)
  add_library(armilla_fortran STATIC EXCLUDE_FROM_ALL
              ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/armilla.f90)
  add_library(armilla::fortran ALIAS armilla_fortran)
  set_target_properties(armilla_fortran PROPERTIES Fortran_MODULE_DIRECTORY ${folder}
                        POSITION_INDEPENDENT_CODE ON)
  target_include_directories(armilla_fortran INTERFACE ${folder})
  if(TARGET armilla::armilla)
    target_link_libraries(armilla_fortran PUBLIC armilla::armilla)
  else() # built with ARMILLA_FILES=OFF
    target_link_libraries(armilla_fortran PUBLIC armilla::core)
  endif()
endfunction()

get_property(armilla_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("Fortran" IN_LIST armilla_languages)
  armilla_add_fortran()
endif()
unset(armilla_languages)
