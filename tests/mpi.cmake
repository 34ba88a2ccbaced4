# Tests with MPI: each with every MPI of the build, on so many ranks. More ranks than processors
# share them: MPIs are told to give way while they wait, which MPICH never does. The label short is
# what CI runs (make test-mpi): each kind of test, and each MPI on an even and on an odd number of ranks.
set(ARMILLA_SHORT_RANKS_openmpi 3 8)
set(ARMILLA_SHORT_RANKS_mpich 2 3)
set(ARMILLA_MPIRUN_openmpi mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none -q)
set(ARMILLA_MPIRUN_mpich mpirun.mpich)
set(ARMILLA_RANKS_CASES ranks/cases.c ranks/case_list.c ranks/grids.c ranks/missing.c ranks/iterations.c
    ranks/checksums.c ranks/points.c ranks/beams.c ranks/lensing.c ranks/moves.c ranks/moves_layouts.c ranks/moves_errors.c
    ranks/radial.c ranks/radial_cases.c)

foreach(name ${ARMILLA_MPI_NAMES})
  add_executable(test_ranks_mpi_${name} mpi/test_ranks_mpi.c ${ARMILLA_RANKS_CASES})
  target_link_libraries(test_ranks_mpi_${name} PRIVATE armilla_mpi_${name} armilla_flags m)
  target_include_directories(test_ranks_mpi_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(ranks 1 2 3 5 8)
    set(environment "OMPI_MCA_mpi_yield_when_idle=1")
    if(name STREQUAL "mpich" AND ranks GREATER 2) # ranks that wait take the processor from others
      math(EXPR step "4 * ${ranks} - 8")
      list(APPEND environment "ARMILLA_TEST_STEP=${step}")
    endif()
    add_test(NAME mpi_ranks_${name}_${ranks}
             COMMAND ${ARMILLA_MPIRUN_${name}} -n ${ranks} $<TARGET_FILE:test_ranks_mpi_${name}>)
    set(labels mpi)
    if(ranks IN_LIST ARMILLA_SHORT_RANKS_${name})
      list(APPEND labels short)
    endif()
    set_tests_properties(mpi_ranks_${name}_${ranks} PROPERTIES TIMEOUT 600 LABELS "${labels}"
      PROCESSORS 2 ENVIRONMENT "${environment}")
  endforeach()
  # the same under delays, messages out of sequence
  add_executable(test_ranks_mpi_delayed_${name} mpi/test_ranks_mpi.c mpi/delays.c
                 ${ARMILLA_RANKS_CASES} ${PROJECT_SOURCE_DIR}/src/mpi/transport.c)
  target_link_libraries(test_ranks_mpi_delayed_${name} PRIVATE armilla_core PkgConfig::MPI_${name}
                        armilla_flags m)
  target_include_directories(test_ranks_mpi_delayed_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(test_ranks_mpi_delayed_${name} PRIVATE -Wno-stringop-overflow)
  add_test(NAME mpi_delayed_${name}
           COMMAND ${ARMILLA_MPIRUN_${name}} -n 3 $<TARGET_FILE:test_ranks_mpi_delayed_${name}>)
  set_tests_properties(mpi_delayed_${name} PROPERTIES TIMEOUT 300 LABELS "mpi;short"
    PROCESSORS 2 ENVIRONMENT "OMPI_MCA_mpi_yield_when_idle=1;ARMILLA_TEST_STEP=4")
  # The command over ranks; the long form takes two minutes with each MPI: make test-mpi-command.
  if(TARGET armilla_command_${name})
    list(JOIN ARMILLA_MPIRUN_${name} " " mpirun)
    foreach(form short long)
      set(configuration)
      if(form STREQUAL "long")
        set(configuration CONFIGURATIONS Long)
      endif()
      add_test(NAME mpi_command_${form}_${name} ${configuration}
               COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/mpi/test_command.sh ${form})
      set_tests_properties(mpi_command_${form}_${name} PROPERTIES TIMEOUT 900 LABELS "mpi;short"
        PROCESSORS 2 ENVIRONMENT "ARMILLA=$<TARGET_FILE:armilla_command>;ARMILLA_MPI=$<TARGET_FILE:armilla_command_${name}>;ARMILLA_MPIRUN=${mpirun}")
    endforeach()
  endif()
endforeach()

# A program in Fortran (mpi/fortran_example.f90), which the compilers that come with each MPI build.
set(ARMILLA_MPI_FORTRAN_openmpi ompi-fort)
set(ARMILLA_MPI_FORTRAN_mpich mpich)
set(ARMILLA_MPI_FORTRAN_LIBRARY_mpich mpichfort)
include(CheckLanguage)
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
  armilla_add_fortran()
endif()
foreach(name ${ARMILLA_MPI_NAMES})
  pkg_check_modules(MPI_FORTRAN_${name} IMPORTED_TARGET ${ARMILLA_MPI_FORTRAN_${name}})
  if(CMAKE_Fortran_COMPILER AND MPI_FORTRAN_${name}_FOUND)
    add_executable(fortran_example_${name} mpi/fortran_example.f90)
    set_target_properties(fortran_example_${name} PROPERTIES
      Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fortran_${name})
    target_link_libraries(fortran_example_${name} PRIVATE armilla_mpi_${name} armilla::fortran
      PkgConfig::MPI_FORTRAN_${name} ${ARMILLA_MPI_FORTRAN_LIBRARY_${name}})
    target_compile_options(fortran_example_${name} PRIVATE
      $<$<Fortran_COMPILER_ID:GNU>:-Wall -Wno-unused-parameter -fcheck=all>)
    if(ARMILLA_SANITIZE)
      target_link_options(fortran_example_${name} PRIVATE -fsanitize=${ARMILLA_SANITIZE})
    endif()
    add_test(NAME mpi_fortran_${name}
             COMMAND ${ARMILLA_MPIRUN_${name}} -n 3 $<TARGET_FILE:fortran_example_${name}>)
  else()
    add_test(NAME mpi_fortran_${name} COMMAND sh -c
             "echo 'skipped: no Fortran compiler (gfortran), or no Fortran of ${name}'; exit 77")
  endif()
  set_tests_properties(mpi_fortran_${name} PROPERTIES TIMEOUT 300 LABELS "mpi;short"
    PROCESSORS 2 SKIP_RETURN_CODE 77 ENVIRONMENT "OMPI_MCA_mpi_yield_when_idle=1")
endforeach()
