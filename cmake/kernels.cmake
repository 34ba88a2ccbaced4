# Inner loops: kernels/*.c of folders and their rooms, compiled once per instruction set with
# ARMILLA_ISA_NAME=<isa> (suffix of every symbol) and src/legendre/simd/<isa>.h as vocabulary.
# A new set: one header and one line below.
set(ARMILLA_KERNEL_OBJECTS)
set(ARMILLA_ISA_ENTRIES)
file(GLOB ARMILLA_KERNEL_SOURCES CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/*/kernels/*.c ${PROJECT_SOURCE_DIR}/src/*/*/kernels/*.c)

# These hand small structs down to functions. Two members stored one by one and loaded as a vector
# would wait until all stores before are done.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/fft/kernels/lane_fft.c
                            ${PROJECT_SOURCE_DIR}/src/fft/kernels/row_fft.c
                            ${PROJECT_SOURCE_DIR}/src/fft/kernels/row_together.c
                            ${PROJECT_SOURCE_DIR}/src/ringfft/kernels/lanes_synthesis.c
                            ${PROJECT_SOURCE_DIR}/src/ringfft/kernels/lanes_analysis.c
                            ${PROJECT_SOURCE_DIR}/src/ringfft/kernels/pairs_analysis.c
                            ${PROJECT_SOURCE_DIR}/src/ringfft/kernels/pairs_synthesis.c
                            PROPERTIES COMPILE_OPTIONS -fno-tree-slp-vectorize)

# GCC would keep what the next turn of its loops loads again in registers, which are full.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/legendre/kernels/sets_analysis.c
                              PROPERTIES COMPILE_OPTIONS -fno-predictive-commoning)
endif()

# armilla_add_isa(<isa> [NEEDS <features>...] [FLAGS <compiler flags>...])
# NEEDS: what the processor must have, by the names of __builtin_cpu_supports. ARMILLA_ISAS: a list of
# sets; others are left out. Not defined: all that the processor's family has.
function(armilla_add_isa isa)
  if(DEFINED ARMILLA_ISAS AND NOT isa IN_LIST ARMILLA_ISAS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 ISA "" "" "NEEDS;FLAGS")
  add_library(armilla_kernels_${isa} OBJECT ${ARMILLA_KERNEL_SOURCES})
  target_link_libraries(armilla_kernels_${isa} PRIVATE armilla_usage)
  target_compile_definitions(armilla_kernels_${isa} PRIVATE ARMILLA_ISA_NAME=${isa}
                             ARMILLA_SIMD_HEADER="legendre/simd/${isa}.h")
  # With checks in them GCC takes three times as long for kernels at -O3 as at -O1.
  set(level -O3)
  if(ARMILLA_SANITIZE MATCHES "undefined")
    set(level -O1)
  endif()
  # Debuggers would rarely find a variable in these loops, and looking for them takes minutes.
  target_compile_options(armilla_kernels_${isa} PRIVATE ${level} -ffp-contract=fast ${ISA_FLAGS}
                         $<$<C_COMPILER_ID:GNU>:-fno-var-tracking>)
  set(usable "1")
  foreach(feature ${ISA_NEEDS})
    string(APPEND usable " && ARMILLA_CPU_HAS(\"${feature}\")")
  endforeach()
  string(TOUPPER ${isa} label)
  set(ARMILLA_KERNEL_OBJECTS ${ARMILLA_KERNEL_OBJECTS} $<TARGET_OBJECTS:armilla_kernels_${isa}>
      PARENT_SCOPE)
  set(ARMILLA_ISA_ENTRIES
      "${ARMILLA_ISA_ENTRIES} \\\n    F(x, ${isa}, ${label}, ${usable})" PARENT_SCOPE)
endfunction()

# Of those that a processor has, the last one is chosen.
armilla_add_isa(scalar)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  armilla_add_isa(sse2 NEEDS sse2 FLAGS -msse2)
  armilla_add_isa(avx2 NEEDS avx2 fma FLAGS -mavx2 -mfma)
  if(ARMILLA_EMULATE_AVX512) # kernels take vectors of 64 bytes from nobody: their ABI does not matter
    armilla_add_isa(avx512 NEEDS avx2 fma
                    FLAGS -mavx2 -mfma -mprfchw -O1 -DARMILLA_EMULATE_AVX512 -Wno-psabi)
  else()
    armilla_add_isa(avx512 NEEDS avx512f avx512dq avx512vl fma
                    FLAGS -mavx512f -mavx512dq -mavx512vl -mfma -mprfchw)
  endif()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  armilla_add_isa(neon)
endif()

configure_file(${PROJECT_SOURCE_DIR}/cmake/isa_list.h.in
               ${PROJECT_BINARY_DIR}/generated/base/isa_list.h @ONLY)
