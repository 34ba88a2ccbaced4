# Tests of src/cuda without a GPU: its sources once more, kernels as C++, against the headers of
# cuda_emulation. Not under ThreadSanitizer, which would have to be told of every fiber and needs some
# MB for each; not where the build is for another machine, whose C++ library may be missing.
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
set_source_files_properties(${ARMILLA_CUDA_KERNELS} PROPERTIES LANGUAGE CXX
                            COMPILE_OPTIONS "-xc++;-ffp-contract=fast;-Wno-unknown-pragmas")
set(kind OBJECT)
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/cuda/legendre.c OR
   NOT EXISTS ${PROJECT_SOURCE_DIR}/src/cuda/ringfft.c)
  set(kind STATIC) # until all stages are there: tests take what they find
endif()
add_library(armilla_cuda_emulated ${kind} ${ARMILLA_CUDA_SOURCES} ${ARMILLA_CUDA_KERNELS}
            ${ARMILLA_EMULATION_SOURCES})
target_include_directories(armilla_cuda_emulated BEFORE PUBLIC
                           ${CMAKE_CURRENT_SOURCE_DIR}/cuda_emulation)
target_compile_definitions(armilla_cuda_emulated PUBLIC ARMILLA_CUDA_EMULATION)
target_compile_features(armilla_cuda_emulated PRIVATE cxx_std_17)
target_link_libraries(armilla_cuda_emulated PUBLIC armilla_test_support)

file(GLOB ARMILLA_CUDA_TESTS CONFIGURE_DEPENDS cuda/test_cuda_*.c cuda/test_cuda_*.cpp)
foreach(source ${ARMILLA_CUDA_TESTS})
  armilla_add_test(${source})
  get_filename_component(name ${source} NAME_WE)
  target_link_libraries(${name} PRIVATE armilla_cuda_emulated)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endforeach()

# The whole library with the emulated GPU under the name of the installed one, for programs that link
# it as users do: LD_LIBRARY_PATH makes them find this one first. The Python tests do so.
if(kind STREQUAL OBJECT AND BUILD_SHARED_LIBS)
  add_library(armilla_on_emulation SHARED $<TARGET_OBJECTS:armilla_objects> ${ARMILLA_KERNEL_OBJECTS}
              $<TARGET_OBJECTS:armilla_cuda_emulated>)
  target_link_libraries(armilla_on_emulation PRIVATE armilla_usage)
  set_target_properties(armilla_on_emulation PROPERTIES OUTPUT_NAME armilla LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION 0
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/emulated)
endif()
