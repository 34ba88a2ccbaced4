# Inner loops: src/*/kernels/*.c compiled once per instruction set with
# ARMILLA_ISA_NAME=<isa> (suffix of every symbol) and src/legendre/simd/<isa>.h as vocabulary.
# A new set: one header and one line below.
set(ARMILLA_KERNEL_OBJECTS)
set(ARMILLA_KERNEL_DEFINITIONS)
file(GLOB ARMILLA_KERNEL_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/kernels/*.c)

# These hand small structs down to functions. Two members stored one by one and loaded as a vector
# would wait until all stores before are done.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/fft/kernels/lane_fft.c
                            ${PROJECT_SOURCE_DIR}/src/ringfft/kernels/lanes.c
                            PROPERTIES COMPILE_OPTIONS -fno-tree-slp-vectorize)

function(armilla_add_isa isa macro)
  if(NOT ARMILLA_KERNEL_SOURCES)
    return()
  endif()
  add_library(armilla_kernels_${isa} OBJECT ${ARMILLA_KERNEL_SOURCES})
  target_link_libraries(armilla_kernels_${isa} PRIVATE armilla_usage)
  target_compile_definitions(armilla_kernels_${isa} PRIVATE ARMILLA_ISA_NAME=${isa}
                             ARMILLA_SIMD_HEADER="legendre/simd/${isa}.h")
  # Debuggers would rarely find a variable in these loops, and looking for them takes minutes.
  target_compile_options(armilla_kernels_${isa} PRIVATE -O3 -ffp-contract=fast ${ARGN}
                         $<$<C_COMPILER_ID:GNU>:-fno-var-tracking>)
  set(ARMILLA_KERNEL_OBJECTS ${ARMILLA_KERNEL_OBJECTS} $<TARGET_OBJECTS:armilla_kernels_${isa}>
      PARENT_SCOPE)
  set(ARMILLA_KERNEL_DEFINITIONS ${ARMILLA_KERNEL_DEFINITIONS} ${macro} PARENT_SCOPE)
endfunction()

armilla_add_isa(scalar ARMILLA_BUILD_SCALAR)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  armilla_add_isa(sse2 ARMILLA_BUILD_SSE2 -msse2)
  armilla_add_isa(avx2 ARMILLA_BUILD_AVX2 -mavx2 -mfma)
  armilla_add_isa(avx512 ARMILLA_BUILD_AVX512 -mavx512f -mavx512dq -mavx512vl -mfma -mprfchw)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  armilla_add_isa(neon ARMILLA_BUILD_NEON)
endif()
