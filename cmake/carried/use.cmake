# ARMILLA_CARRIED, a folder made by tools/carried_libraries.sh: its archives go into our library, and
# nothing is looked for elsewhere. A wheel made so needs the C library alone.
set(ARMILLA_CARRIED "$ENV{ARMILLA_CARRIED}" CACHE PATH "Libraries to carry, instead of the system's")
if(ARMILLA_CARRIED)
  set(ARMILLA_STATIC_DEPENDENCIES OFF) # these are archives already
  list(PREPEND CMAKE_PREFIX_PATH ${ARMILLA_CARRIED})
  set(ENV{PKG_CONFIG_LIBDIR} ${ARMILLA_CARRIED}/lib/pkgconfig)
  set(ENV{PKG_CONFIG_SYSROOT_DIR} "")
endif()
