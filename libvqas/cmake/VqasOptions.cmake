# Parts of a build of VQAS. To get only the score, turn the others that build off.
option(VQAS_WERROR "Treat warnings as errors" OFF)
option(VQAS_SANITIZE_ADDRESS "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(VQAS_SANITIZE_THREAD "Build with ThreadSanitizer" OFF)
option(VQAS_FUZZ "Build the fuzz targets of tests/fuzz with libFuzzer (needs Clang), and nothing else of the tests" OFF)
option(VQAS_BUILD_C "Build the C interface, the shared library libvqas" ${PROJECT_IS_TOP_LEVEL})
option(VQAS_BUILD_NODE "Build the rooms that need Qt: line, node, store, report, relay" ${PROJECT_IS_TOP_LEVEL})
option(VQAS_BUILD_TOOLS "Build the vqas command (needs VQAS_BUILD_NODE)" ${PROJECT_IS_TOP_LEVEL})
option(VQAS_BUILD_APP "Build the vqas-gui program (needs VQAS_BUILD_NODE)" ${PROJECT_IS_TOP_LEVEL})
option(VQAS_BUILD_BENCH "Build the programs that measure speed (needs VQAS_BUILD_TOOLS)" OFF)
option(VQAS_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(VQAS_BUILD_MANUALS "Build manual pages and completion (needs VQAS_BUILD_TOOLS and Python)" ${PROJECT_IS_TOP_LEVEL})
option(VQAS_PACKAGES "Build for Debian packages: the programs name no folder of this machine" OFF)
option(VQAS_PRECOMPILE "Compile headers of libraries once for many files" ${PROJECT_IS_TOP_LEVEL})

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

find_program(VQAS_CCACHE ccache)
if(VQAS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths relative to the clone, so that one cache serves all clones on a machine. Without the two sloppiness settings
  # ccache caches no file that uses precompiled headers, because it cannot tell whether they contain __TIME__ or a macro
  # of the command line.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros "${VQAS_CCACHE}")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Flags for our own targets only, not for a project that includes VQAS.
add_library(vqas_flags INTERFACE)
# -pthread because PortAudio requires it: precompiled headers are usable only if all targets have it or none.
target_compile_options(vqas_flags INTERFACE -pthread -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                            $<$<BOOL:${VQAS_WERROR}>:-Werror>)
# With -O3 GCC 12 takes the buffer within a std::string that is moved for a heap block of any size, in its own header.
set(gcc12 $<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>)
set(of_strings -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
target_compile_options(vqas_flags INTERFACE "$<${gcc12}:${of_strings}>")
if(VQAS_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(vqas_flags INTERFACE -fpch-preprocess)  # lets ccache preprocess files that use precompiled headers
endif()
if(VQAS_SANITIZE_ADDRESS)
  target_compile_options(vqas_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(vqas_flags INTERFACE -fsanitize=address,undefined)
endif()
if(VQAS_FUZZ)
  target_compile_options(vqas_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(VQAS_SANITIZE_THREAD)
  target_compile_options(vqas_flags INTERFACE -fsanitize=thread)
  target_link_options(vqas_flags INTERFACE -fsanitize=thread)
endif()
