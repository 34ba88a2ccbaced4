# Licences of what a wheel carries: ours, and those of the packages whose archives are inside it (or
# whose libraries auditwheel adds), as the distribution that built the wheel states them.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE licenses/README.txt
              ${PROJECT_SOURCE_DIR}/src/picture/LICENSE-DejaVu.txt
        DESTINATION armilla/licenses COMPONENT python)
foreach(package libfftw3-dev libcfitsio-dev libpng-dev zlib1g-dev libbz2-dev)
  if(EXISTS /usr/share/doc/${package}/copyright)
    string(REGEX REPLACE "^lib|-dev$" "" name ${package})
    install(FILES /usr/share/doc/${package}/copyright DESTINATION armilla/licenses
            RENAME ${name}.txt COMPONENT python)
  endif()
endforeach()
foreach(text GPL-2 GPL-3)
  if(EXISTS /usr/share/common-licenses/${text})
    install(FILES /usr/share/common-licenses/${text} DESTINATION armilla/licenses
            RENAME ${text}.txt COMPONENT python)
  endif()
endforeach()
