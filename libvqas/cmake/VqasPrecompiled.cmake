# Headers of libraries, compiled once for many targets. Our own headers are not included, because they change.
#
# vqas_precompile(NAME [PROGRAMS] LINK library… HEADERS header… OPTIONS flag…) compiles one such set, and
# vqas_use_precompiled(TARGET NAME) makes a target use it. Both need the same flags; the compiler reports a difference.
# PROGRAMS: for executables that do not link Qt, which are the only ones not compiled as position-independent code.
set(VQAS_COMMON_HEADERS
  <algorithm> <array> <bit> <chrono> <cmath> <complex> <cstddef> <cstdint> <cstdlib> <cstring> <deque> <filesystem> <fstream>
  <functional> <iterator> <limits> <map> <memory> <mutex> <numbers> <numeric> <optional> <set> <span> <string> <string_view>
  <system_error> <utility> <variant> <vector> <fmt/format.h>)

function(vqas_precompile name)
  cmake_parse_arguments(ARG "PROGRAMS" "" "LINK;HEADERS;OPTIONS" ${ARGN})
  if(NOT VQAS_PRECOMPILE)
    return()
  endif()
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")  # a library needs a source
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  if(ARG_PROGRAMS)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
  endif()
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} fmt::fmt vqas_flags)
  target_precompile_headers(${name} PRIVATE ${VQAS_COMMON_HEADERS} ${ARG_HEADERS})
endfunction()

function(vqas_use_precompiled target name)
  if(VQAS_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:fmt::fmt>)  # the same macros
  endif()
endfunction()

# The second set adds headers that most files of `node`, `store`, the command and the window use. For files that do not,
# it costs more than it saves: reading nlohmann/json.hpp alone takes half a second.
vqas_precompile(vqas_common_headers)
set(VQAS_NODE_HEADERS <atomic> <condition_variable> <thread> <nlohmann/json.hpp> <QByteArray> <QObject> <QString> <QTimer>)
if(VQAS_BUILD_NODE)
  vqas_precompile(vqas_node_headers LINK Qt6::Core nlohmann_json::nlohmann_json HEADERS ${VQAS_NODE_HEADERS})
endif()
