# Tests of src/cuda without a GPU: its sources once more, kernels as C++, against the headers of
# cuda_emulation. Kernels with -O1: their many variants take minutes with more. Not under
# ThreadSanitizer, which would have to be told of every fiber and needs some MB for each; not where
# the build is for another machine, whose C++ library may be missing.
if(ARMILLA_SANITIZE MATCHES "thread" OR CMAKE_CROSSCOMPILING)
  return()
endif()
include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  message(STATUS "No C++ compiler: src/cuda is not tested")
  return()
endif()
enable_language(CXX)

file(GLOB ARMILLA_EMULATION_SOURCES CONFIGURE_DEPENDS cuda_emulation/*.cpp)
set(ARMILLA_EMULATED_OPTIONS -xc++ -O1 -ffp-contract=fast -Wno-unknown-pragmas -Wno-maybe-uninitialized)
# Sanitizers do not know where device memory ends (the emulation's closed pages do) and double the
# minutes that kernels take compilers.
if(ARMILLA_SANITIZE)
  list(APPEND ARMILLA_EMULATED_OPTIONS -fno-sanitize=all)
endif()
set_source_files_properties(${ARMILLA_CUDA_KERNELS} PROPERTIES LANGUAGE CXX
                            COMPILE_OPTIONS "${ARMILLA_EMULATED_OPTIONS}")
add_library(armilla_cuda_emulated OBJECT ${ARMILLA_CUDA_SOURCES} ${ARMILLA_CUDA_KERNELS}
            ${ARMILLA_EMULATION_SOURCES})
target_include_directories(armilla_cuda_emulated BEFORE PUBLIC
                           ${CMAKE_CURRENT_SOURCE_DIR}/cuda_emulation)
target_compile_definitions(armilla_cuda_emulated PUBLIC ARMILLA_CUDA_EMULATION)
target_compile_features(armilla_cuda_emulated PRIVATE cxx_std_17)
target_link_libraries(armilla_cuda_emulated PUBLIC armilla_test_support)

set(ARMILLA_RECORDED "/test_cuda_(races|access|recorder)[^/]*$")
file(GLOB ARMILLA_CUDA_TESTS CONFIGURE_DEPENDS cuda/test_cuda_*.c cuda/test_cuda_*.cpp)
set(ARMILLA_RECORDED_TESTS ${ARMILLA_CUDA_TESTS})
list(FILTER ARMILLA_CUDA_TESTS EXCLUDE REGEX "${ARMILLA_RECORDED}")
list(FILTER ARMILLA_RECORDED_TESTS INCLUDE REGEX "${ARMILLA_RECORDED}")
foreach(source ${ARMILLA_CUDA_TESTS})
  armilla_add_test(${source})
  get_filename_component(name ${source} NAME_WE)
  target_link_libraries(${name} PRIVATE armilla_cuda_emulated)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endforeach()

foreach(place gpu gpu_ranks)
  armilla_add_contract(${place})
  target_sources(test_contract_${place} PRIVATE contract/device.c)
  target_link_libraries(test_contract_${place} PRIVATE armilla_cuda_emulated)
  set_target_properties(test_contract_${place} PROPERTIES LINKER_LANGUAGE CXX)
endforeach()

# The kernels once more, telling the recorder what they read and write: -fsanitize=thread makes the
# calls, and -fsanitize=alignment those for addresses that are not aligned, which the emulation
# answers; no sanitizer is linked. Line tables as recorder_places.cpp
# reads them. Not beside AddressSanitizer, which excludes that option.
if(NOT ARMILLA_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(ARMILLA_RECORDED_OPTIONS -fsanitize=thread -fsanitize=alignment -g1 -gdwarf-4
      -fno-var-tracking -fno-var-tracking-assignments)
  add_library(armilla_cuda_recorded OBJECT ${ARMILLA_CUDA_KERNELS})
  target_compile_options(armilla_cuda_recorded PRIVATE ${ARMILLA_RECORDED_OPTIONS})
  target_include_directories(armilla_cuda_recorded BEFORE PUBLIC
                             ${CMAKE_CURRENT_SOURCE_DIR}/cuda_emulation)
  target_compile_definitions(armilla_cuda_recorded PUBLIC ARMILLA_CUDA_EMULATION)
  target_compile_features(armilla_cuda_recorded PRIVATE cxx_std_17)
  target_link_libraries(armilla_cuda_recorded PUBLIC armilla_test_support)
  foreach(source ${ARMILLA_RECORDED_TESTS})
    armilla_add_test(${source})
    get_filename_component(name ${source} NAME_WE)
    target_sources(${name} PRIVATE
      $<FILTER:$<TARGET_OBJECTS:armilla_cuda_emulated>,EXCLUDE,[.]cu[.]>)
    target_link_libraries(${name} PRIVATE armilla_cuda_recorded)
    target_compile_definitions(${name} PRIVATE ARMILLA_SOURCE="${PROJECT_SOURCE_DIR}")
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endforeach()
  set_source_files_properties(cuda/test_cuda_recorder.cpp PROPERTIES
                              COMPILE_OPTIONS "-O1;${ARMILLA_RECORDED_OPTIONS}")

  # What calls take, counted: bench/run.py cuda-many, cuda-points, cuda-radial.
  add_executable(bench_cuda cuda/bench_cuda.c
                 $<FILTER:$<TARGET_OBJECTS:armilla_cuda_emulated>,EXCLUDE,[.]cu[.]>)
  target_link_libraries(bench_cuda PRIVATE armilla_cuda_recorded armilla_test_support)
  set_target_properties(bench_cuda PROPERTIES LINKER_LANGUAGE CXX
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  add_test(NAME bench_cuda COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda/check_bench_cuda.sh
           ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  set_tests_properties(bench_cuda PROPERTIES TIMEOUT ${ARMILLA_TEST_TIMEOUT}
                       ENVIRONMENT "OMP_WAIT_POLICY=passive")
endif()

# Device memory opens and closes by protection keys where the processor has them. There some tests run
# once more without, as all do elsewhere: the emulation's own ones, and those that take memory most
# often, from several threads, or fail at allocations.
foreach(name cuda_emulation_mappings cuda_emulation_memory cuda_lensing_several contract_gpu)
  add_test(NAME ${name}_without_keys
           COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda/without_keys.sh $<TARGET_FILE:test_${name}>)
  set_tests_properties(${name}_without_keys PROPERTIES TIMEOUT ${ARMILLA_TEST_TIMEOUT}
    SKIP_RETURN_CODE 77 ENVIRONMENT "OMP_WAIT_POLICY=passive;CONTRACT_ONLY=*several*fails once")
endforeach()

# The core with the emulated GPU under the name of the installed one, for programs that link it as
# users do: LD_LIBRARY_PATH makes them, and libarmilla_files, find this one first. The Python tests do so.
if(BUILD_SHARED_LIBS)
  add_library(armilla_on_emulation SHARED $<TARGET_OBJECTS:armilla_objects> ${ARMILLA_KERNEL_OBJECTS}
              $<TARGET_OBJECTS:armilla_cuda_emulated>)
  target_link_libraries(armilla_on_emulation PRIVATE armilla_usage)
  set_target_properties(armilla_on_emulation PROPERTIES OUTPUT_NAME armilla LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${ARMILLA_SOVERSION}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/emulated)
endif()

# The programs that check GPUs, on their smallest problems: each step, and what is left of the others
# where some fail.
set(gpu ${PROJECT_SOURCE_DIR}/bench/gpu)
file(GLOB ARMILLA_GPU_CHECK CONFIGURE_DEPENDS ${gpu}/*.c)
list(FILTER ARMILLA_GPU_CHECK EXCLUDE REGEX "no_cufft\\.c$")
set_source_files_properties(${gpu}/peak.cu ${gpu}/probe.cu PROPERTIES LANGUAGE CXX
                            COMPILE_OPTIONS "-xc++;-Wno-unknown-pragmas")
add_executable(gpu_check_emulated ${ARMILLA_GPU_CHECK} ${gpu}/peak.cu)
add_executable(gpu_probe_emulated ${gpu}/probe.cu)
include(${gpu}/gpu_check.cmake)
armilla_add_plan_clock(gpu_check_emulated)
foreach(program gpu_check_emulated gpu_probe_emulated)
  target_link_libraries(${program} PRIVATE armilla_cuda_emulated armilla_test_support)
  set_target_properties(${program} PROPERTIES LINKER_LANGUAGE CXX)
endforeach()
# What Python loads: the same in a library, which no sanitizer's Python would.
if(BUILD_SHARED_LIBS AND NOT ARMILLA_SANITIZE)
  add_library(gpu_check_on_emulation SHARED ${ARMILLA_GPU_CHECK} ${gpu}/peak.cu
              $<TARGET_OBJECTS:armilla_objects> ${ARMILLA_KERNEL_OBJECTS}
              $<TARGET_OBJECTS:armilla_cuda_emulated>)
  target_include_directories(gpu_check_on_emulation BEFORE PRIVATE
                             ${CMAKE_CURRENT_SOURCE_DIR}/cuda_emulation)
  target_compile_definitions(gpu_check_on_emulation PRIVATE ARMILLA_CUDA_EMULATION)
  target_link_libraries(gpu_check_on_emulation PRIVATE armilla_usage)
  armilla_add_plan_clock(gpu_check_on_emulation)
  set_target_properties(gpu_check_on_emulation PROPERTIES OUTPUT_NAME gpu_check
    LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/emulated)
endif()
add_test(NAME cuda_gpu_check COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda/check_gpu_check.sh
         ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_BINARY_DIR}/emulated)
set_tests_properties(cuda_gpu_check PROPERTIES TIMEOUT ${ARMILLA_TEST_TIMEOUT}
                     ENVIRONMENT "OMP_WAIT_POLICY=passive")

# PTX as a second judge of the kernels: an interpreter, its own tests, and a program that compares
# what nvcc's text does with what the emulation does. Numbers are rounded as the text says, in
# whatever instructions: no contraction, the machine's own fma if it has one.
file(GLOB ARMILLA_PTX_SOURCES CONFIGURE_DEPENDS ptx_replay/*.cpp)
set(ARMILLA_PTX_JUDGE ptx_replay/judge.cpp ptx_replay/verdicts.cpp)
list(FILTER ARMILLA_PTX_SOURCES EXCLUDE REGEX "/(test_[^/]*|judge|verdicts)\\.cpp$")
add_library(armilla_ptx OBJECT ${ARMILLA_PTX_SOURCES})
target_compile_features(armilla_ptx PUBLIC cxx_std_17)
target_include_directories(armilla_ptx PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(armilla_ptx PRIVATE -O2 -ffp-contract=off)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT ARMILLA_SANITIZE)
  target_compile_options(armilla_ptx PRIVATE -march=native)
endif()
armilla_add_test(ptx_replay/test_ptx_interpreter.cpp)
target_link_libraries(test_ptx_interpreter PRIVATE armilla_ptx)
armilla_add_test(ptx_replay/test_ptx_verdicts.cpp)
target_sources(test_ptx_verdicts PRIVATE ptx_replay/verdicts.cpp cuda_emulation/kernel_names.cpp)
target_link_libraries(test_ptx_verdicts PRIVATE armilla_ptx)
add_executable(replay_kernels ptx_replay/replay_kernels.c ${ARMILLA_PTX_JUDGE})
target_include_directories(replay_kernels PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(replay_kernels PRIVATE armilla_ptx armilla_cuda_emulated)
target_compile_definitions(replay_kernels PRIVATE ARMILLA_SOURCE="${PROJECT_SOURCE_DIR}")
set_target_properties(replay_kernels PROPERTIES LINKER_LANGUAGE CXX)

# Registers and spills, where CUDA's compiler is, which no sanitizer changes: for a Hopper, or for all
# GPUs in builds with CUDA. A file takes some 5 s for each kind of GPU. Then, where nvdisasm is, too,
# the instructions of the Legendre kernels' loops in the machine code that is left. They run nothing
# and take longer than any test: a configuration of their own, `make test-cuda-compile`.
if(NOT ARMILLA_SANITIZE)
  set(kinds --architectures 90)
  if(ARMILLA_CUDA)
    set(kinds)
  endif()
  add_test(NAME cuda_ptxas_budget CONFIGURATIONS Compile
           COMMAND ${PROJECT_SOURCE_DIR}/tools/ptxas_check.py ${kinds} --keep
           ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  add_test(NAME cuda_sass_budget CONFIGURATIONS Compile
           COMMAND ${PROJECT_SOURCE_DIR}/tools/sass_check.py
           ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  set_tests_properties(cuda_ptxas_budget cuda_sass_budget PROPERTIES TIMEOUT ${ARMILLA_TEST_TIMEOUT}
                       SKIP_RETURN_CODE 77)
  set_tests_properties(cuda_sass_budget PROPERTIES DEPENDS cuda_ptxas_budget)
  set(replay replay_kernels ${PROJECT_BINARY_DIR}/sass)
  add_test(NAME cuda_ptx_replay CONFIGURATIONS Compile
           COMMAND ${replay} ${CMAKE_CURRENT_SOURCE_DIR}/ptx_replay/bounds.txt)
  add_test(NAME cuda_ptx_plants CONFIGURATIONS Compile COMMAND ${replay} --plants)
  set_tests_properties(cuda_ptx_replay cuda_ptx_plants PROPERTIES DEPENDS cuda_ptxas_budget
    TIMEOUT ${ARMILLA_TEST_TIMEOUT} SKIP_RETURN_CODE 77 ENVIRONMENT "OMP_WAIT_POLICY=passive")
endif()
