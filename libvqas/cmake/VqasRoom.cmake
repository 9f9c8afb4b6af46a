# vqas_room(NAME [SCORE | CORE] [OWN_FLAGS] SOURCES file… [ROOMS lower…] [LINK public library…] [PRIVATE_LINK library…])
#
# Each folder of libvqas/src is a room: a static library, vqas::NAME, that links only the rooms below it, so that
# forbidden dependencies fail to link. CORE rooms need no Qt and are exported separately; so are SCORE rooms, which need
# only a few libraries. OWN_FLAGS rooms use optimisation flags that differ from those of the precompiled headers. With
# them GCC 12 crashes under sanitizers, so these rooms read the headers themselves.
include(GNUInstallDirs)

function(vqas_room name)
  cmake_parse_arguments(ARG "SCORE;CORE;OWN_FLAGS" "" "SOURCES;ROOMS;LINK;PRIVATE_LINK" ${ARGN})
  set(target vqas_${name})
  add_library(${target} ${ARG_SOURCES})
  add_library(vqas::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/libvqas/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/libvqas/src)
  list(TRANSFORM ARG_ROOMS PREPEND vqas::)
  target_link_libraries(${target} PUBLIC ${ARG_ROOMS} ${ARG_LINK} PRIVATE $<BUILD_INTERFACE:vqas_flags> ${ARG_PRIVATE_LINK})
  if(name MATCHES "^(node|store|campaign)$")
    vqas_use_precompiled(${target} vqas_node_headers)
  elseif(NOT ARG_OWN_FLAGS)
    vqas_use_precompiled(${target} vqas_common_headers)
  endif()
  if(ARG_SCORE)
    install(TARGETS ${target} EXPORT vqasScoreTargets)
  elseif(ARG_CORE)
    install(TARGETS ${target} EXPORT vqasCoreTargets)
  else()
    install(TARGETS ${target} EXPORT vqasNodeTargets)
  endif()
endfunction()
