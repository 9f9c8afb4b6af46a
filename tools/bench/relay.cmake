# Many simultaneous calls through the relay.
if(VQAS_BUILD_NODE)
  add_executable(vqas-relay-bench relay_bench.cpp)
  target_include_directories(vqas-relay-bench PRIVATE ${PROJECT_SOURCE_DIR}/libvqas/src)
  target_link_libraries(vqas-relay-bench PRIVATE vqas::relay CLI11::CLI11 fmt::fmt $<BUILD_INTERFACE:vqas_flags>)
endif()
