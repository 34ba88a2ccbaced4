# Licences of what a wheel carries: ours, and those of the libraries inside it, either from the sources
# that were built for the wheel (ARMILLA_CARRIED) or as the distribution states them whose archives
# went in (or whose libraries auditwheel adds).
set(ARMILLA_LICENSE_FILES ${PROJECT_SOURCE_DIR}/LICENSE licenses/README.txt
    ${PROJECT_SOURCE_DIR}/src/picture/LICENSE-DejaVu.txt)
if(ARMILLA_CARRIED)
  file(GLOB texts ${ARMILLA_CARRIED}/share/licenses/*.txt)
  list(APPEND ARMILLA_LICENSE_FILES ${texts})
else()
  set(packages libcfitsio-dev libpng-dev zlib1g-dev libbz2-dev)
  if(NOT ARMILLA_FFT STREQUAL "own")
    list(APPEND packages libfftw3-dev)
  endif()
  foreach(package ${packages})
    if(EXISTS /usr/share/doc/${package}/copyright)
      string(REGEX REPLACE "^lib|-dev$" "" name ${package})
      install(FILES /usr/share/doc/${package}/copyright DESTINATION armilla/licenses
              RENAME ${name}.txt COMPONENT python)
    endif()
  endforeach()
endif()
if(NOT ARMILLA_FFT STREQUAL "own")
  list(APPEND ARMILLA_LICENSE_FILES licenses/FFTW.txt)
  foreach(text GPL-2 GPL-3)
    if(EXISTS /usr/share/common-licenses/${text})
      install(FILES /usr/share/common-licenses/${text} DESTINATION armilla/licenses
              RENAME ${text}.txt COMPONENT python)
    endif()
  endforeach()
endif()
install(FILES ${ARMILLA_LICENSE_FILES} DESTINATION armilla/licenses COMPONENT python)
