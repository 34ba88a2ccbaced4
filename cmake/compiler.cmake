# Flags common to everything of ours.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(armilla_flags INTERFACE)
target_compile_definitions(armilla_flags INTERFACE _DEFAULT_SOURCE) # M_PI, POSIX
target_compile_options(armilla_flags INTERFACE -Wall -Wextra -Wshadow -Wstrict-prototypes
                       -Wmissing-prototypes -Wpointer-arith -Wvla -fno-math-errno -fno-trapping-math)
if(ARMILLA_WERROR)
  target_compile_options(armilla_flags INTERFACE -Werror)
endif()
if(ARMILLA_SANITIZE)
  target_compile_options(armilla_flags INTERFACE -fsanitize=${ARMILLA_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(armilla_flags INTERFACE -fsanitize=${ARMILLA_SANITIZE})
endif()
