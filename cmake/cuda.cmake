# src/cuda: the stages of transforms on GPUs. ARMILLA_CUDA builds them with CUDA's compiler;
# otherwise src/cuda/absent stands for them. Tests build them against tests/cuda_emulation in any
# case (tests/cuda.cmake).
#   ARMILLA_CUDA_OBJECTS   what belongs to the library
#   ARMILLA_CUDA_SOURCES, ARMILLA_CUDA_KERNELS   host code (C), kernels (CUDA)
file(GLOB ARMILLA_CUDA_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cuda/*.c
     ${PROJECT_SOURCE_DIR}/src/cuda/runtime/*.c ${PROJECT_SOURCE_DIR}/src/cuda/stages/*.c)
file(GLOB ARMILLA_CUDA_KERNELS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cuda/kernels/*.cu)

if(NOT ARMILLA_CUDA)
  file(GLOB ARMILLA_CUDA_ABSENT CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cuda/absent/*.c)
  add_library(armilla_cuda_objects OBJECT ${ARMILLA_CUDA_ABSENT})
  target_link_libraries(armilla_cuda_objects PRIVATE armilla_usage)
  set(ARMILLA_CUDA_OBJECTS $<TARGET_OBJECTS:armilla_cuda_objects>)
  return()
endif()

# Machine code for every GPU from 7.5 (Turing, 2018) on that the compiler knows, a Hopper's first,
# and intermediate code of the newest one for GPUs that come later.
find_package(CUDAToolkit REQUIRED)
execute_process(COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} --list-gpu-code OUTPUT_VARIABLE known
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "sm_[0-9]+" known "${known}")
list(TRANSFORM known REPLACE "sm_" "")
set(ARMILLA_CUDA_ARCHITECTURES)
foreach(number ${known})
  if(number GREATER_EQUAL 75)
    list(APPEND ARMILLA_CUDA_ARCHITECTURES ${number})
  endif()
endforeach()
list(SORT ARMILLA_CUDA_ARCHITECTURES COMPARE NATURAL)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  list(GET ARMILLA_CUDA_ARCHITECTURES -1 newest)
  list(REMOVE_ITEM ARMILLA_CUDA_ARCHITECTURES 90)
  list(TRANSFORM ARMILLA_CUDA_ARCHITECTURES APPEND "-real")
  set(CMAKE_CUDA_ARCHITECTURES 90-real ${ARMILLA_CUDA_ARCHITECTURES} ${newest}-virtual)
endif()

set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)

add_library(armilla_cuda_objects OBJECT ${ARMILLA_CUDA_SOURCES} ${ARMILLA_CUDA_KERNELS})
target_link_libraries(armilla_cuda_objects PRIVATE armilla_usage)
target_compile_options(armilla_cuda_objects PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;-Xcompiler=-Wall,-Wextra,-Wno-unused-function>)
if(ARMILLA_WERROR)
  # 177: functions that nobody calls, where a GPU lacks what their kernel needs
  target_compile_options(armilla_cuda_objects PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-diag-suppress=177>)
endif()
set(ARMILLA_CUDA_OBJECTS $<TARGET_OBJECTS:armilla_cuda_objects>)

# The runtime goes into the library: it looks for the driver when it is asked for a GPU, so that
# everything else works where there is none. cuFFT (280 MB) stays shared.
target_link_libraries(armilla_usage INTERFACE CUDA::cudart_static CUDA::cufft stdc++)
