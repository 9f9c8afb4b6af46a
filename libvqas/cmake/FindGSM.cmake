# libgsm comes without a description for CMake or pkg-config: gives GSM::gsm.
find_path(GSM_INCLUDE_DIR gsm.h)
find_library(GSM_LIBRARY gsm)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(GSM REQUIRED_VARS GSM_LIBRARY GSM_INCLUDE_DIR)
if(GSM_FOUND AND NOT TARGET GSM::gsm)
  add_library(GSM::gsm UNKNOWN IMPORTED)
  set_target_properties(GSM::gsm PROPERTIES IMPORTED_LOCATION "${GSM_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${GSM_INCLUDE_DIR}")
endif()
mark_as_advanced(GSM_INCLUDE_DIR GSM_LIBRARY)
