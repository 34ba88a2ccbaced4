# Flags common to everything of ours.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(armilla_flags INTERFACE)
target_compile_definitions(armilla_flags INTERFACE _DEFAULT_SOURCE) # M_PI, POSIX
# CUDA's compiler takes other options: cmake/cuda.cmake.
set(ARMILLA_C_WARNINGS -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes)
set(ARMILLA_CXX_WARNINGS -Wall -Wextra -Wshadow)
set(ARMILLA_OPTIONS -Wpointer-arith -Wvla -fno-math-errno -fno-trapping-math)
if(ARMILLA_WERROR)
  list(APPEND ARMILLA_OPTIONS -Werror)
endif()
if(ARMILLA_SANITIZE)
  list(APPEND ARMILLA_OPTIONS -fsanitize=${ARMILLA_SANITIZE} -fno-omit-frame-pointer
       -fno-sanitize-recover=all)
endif()
# Null pointers end a program without a check before each load and store, and what checks of
# pointers' sums would find AddressSanitizer finds when they are used. With both,
# kernels take compilers up to 1.7 times as long.
if(ARMILLA_SANITIZE MATCHES "undefined")
  list(APPEND ARMILLA_OPTIONS -fno-sanitize=null,pointer-overflow)
endif()
target_compile_options(armilla_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:C>:${ARMILLA_C_WARNINGS};${ARMILLA_OPTIONS}>"
  "$<$<COMPILE_LANGUAGE:CXX>:${ARMILLA_CXX_WARNINGS};${ARMILLA_OPTIONS}>")
if(ARMILLA_SANITIZE)
  target_link_options(armilla_flags INTERFACE -fsanitize=${ARMILLA_SANITIZE})
endif()
