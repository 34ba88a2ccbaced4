# Tests with MPI: each with every MPI of the build, on so many ranks. More ranks than processors
# share them: MPIs are told to give way while they wait.
set(ARMILLA_MPIRUN_openmpi mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none -q)
set(ARMILLA_MPIRUN_mpich mpirun.mpich)

foreach(name ${ARMILLA_MPI_NAMES})
  add_executable(test_ranks_mpi_${name} mpi/test_ranks_mpi.c ranks/cases.c ranks/case_list.c
                 ranks/grids.c ranks/moves.c ranks/moves_layouts.c ranks/moves_errors.c
                 ranks/radial.c ranks/radial_cases.c)
  target_link_libraries(test_ranks_mpi_${name} PRIVATE armilla_mpi_${name} armilla_flags)
  target_include_directories(test_ranks_mpi_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(ranks 1 2 3 5 8)
    add_test(NAME mpi_ranks_${name}_${ranks}
             COMMAND ${ARMILLA_MPIRUN_${name}} -n ${ranks} $<TARGET_FILE:test_ranks_mpi_${name}>)
    set_tests_properties(mpi_ranks_${name}_${ranks} PROPERTIES TIMEOUT 300 LABELS mpi
      PROCESSORS 2 ENVIRONMENT "OMPI_MCA_mpi_yield_when_idle=1")
  endforeach()
  # the same under delays, messages out of sequence
  add_executable(test_ranks_mpi_delayed_${name} mpi/test_ranks_mpi.c mpi/delays.c ranks/cases.c
                 ranks/case_list.c ranks/grids.c ranks/moves.c ranks/moves_layouts.c
                 ranks/moves_errors.c ranks/radial.c ranks/radial_cases.c
                 ${PROJECT_SOURCE_DIR}/src/mpi/transport.c)
  target_link_libraries(test_ranks_mpi_delayed_${name} PRIVATE armilla PkgConfig::MPI_${name}
                        armilla_flags)
  target_include_directories(test_ranks_mpi_delayed_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(test_ranks_mpi_delayed_${name} PRIVATE -Wno-stringop-overflow)
  add_test(NAME mpi_delayed_${name}
           COMMAND ${ARMILLA_MPIRUN_${name}} -n 3 $<TARGET_FILE:test_ranks_mpi_delayed_${name}>)
  set_tests_properties(mpi_delayed_${name} PROPERTIES TIMEOUT 300 LABELS mpi PROCESSORS 2
                       ENVIRONMENT "OMPI_MCA_mpi_yield_when_idle=1")
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
      set_tests_properties(mpi_command_${form}_${name} PROPERTIES TIMEOUT 900 LABELS mpi
        PROCESSORS 2 ENVIRONMENT "ARMILLA=$<TARGET_FILE:armilla_command>;ARMILLA_MPI=$<TARGET_FILE:armilla_command_${name}>;ARMILLA_MPIRUN=${mpirun}")
    endforeach()
  endif()
endforeach()
