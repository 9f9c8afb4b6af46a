# The Debian packages: "cpack" in a build folder of the preset `package`. tools/package does all of it.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(made ${PROJECT_BINARY_DIR}/packages)  # files that are made here
set(VQAS_PACKAGE_RELEASE 2 CACHE STRING "Number of this packaging of the version")
set(VQAS_PACKAGE_MAINTAINER "VQAS developers <developers@vqas.invalid>" CACHE STRING "Name and address in the packages")
find_program(VQAS_SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
find_program(VQAS_GZIP gzip REQUIRED)

set(version ${PROJECT_VERSION}-${VQAS_PACKAGE_RELEASE})
execute_process(COMMAND ${VQAS_SYSTEM_PYTHON} -c "import sys; a, b = sys.version_info[:2]; print(f'{a}.{b} {a}.{b + 1}')"
  OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE " " ";" python ${python})
list(GET python 0 python_this)
list(GET python 1 python_next)

# What Debian asks of each package: the licence, and two histories.
file(READ ${PROJECT_SOURCE_DIR}/corpus/LICENSE VQAS_CORPUS_LICENCE)
string(STRIP "${VQAS_CORPUS_LICENCE}" VQAS_CORPUS_LICENCE)
string(REGEX REPLACE "\n[ \t]*\n" "\n.\n" VQAS_CORPUS_LICENCE "${VQAS_CORPUS_LICENCE}")
string(REGEX REPLACE "\n[ \t]*" "\n " VQAS_CORPUS_LICENCE "${VQAS_CORPUS_LICENCE}")
configure_file(${here}/copyright.in ${made}/copyright @ONLY)
string(TIMESTAMP VQAS_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)  # that of SOURCE_DATE_EPOCH where it is set
configure_file(${here}/changelog.in ${made}/changelog.Debian @ONLY)
configure_file(CHANGELOG.md ${made}/changelog COPYONLY)
foreach(file changelog changelog.Debian)
  execute_process(COMMAND ${VQAS_GZIP} -9nf ${made}/${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(package libvqas0 libvqas-dev vqas vqas-gui vqas-node python3-vqas)
  install(FILES ${made}/copyright ${made}/changelog.gz ${made}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${package})
  set(overrides ${here}/lintian-overrides ${here}/${package}/lintian-overrides)
  file(WRITE ${made}/overrides/${package} "")
  foreach(file IN LISTS overrides)
    if(EXISTS ${file})
      file(READ ${file} text)
      file(APPEND ${made}/overrides/${package} "${text}")
    endif()
  endforeach()
  install(FILES ${made}/overrides/${package} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT ${package})
endforeach()

install(FILES ${here}/vqas-node/node-a.conf ${here}/vqas-node/node-b.conf DESTINATION /etc/vqas COMPONENT vqas-node)
# tools/package puts the content of the wheel there, and the programs that it names. Debian's packages have no list of files of their own, and licences are
# in one place.
install(DIRECTORY ${PROJECT_BINARY_DIR}/wheel/ DESTINATION lib/python3/dist-packages COMPONENT python3-vqas
  PATTERN RECORD EXCLUDE PATTERN LICENSE EXCLUDE PATTERN licenses EXCLUDE)
install(DIRECTORY ${PROJECT_BINARY_DIR}/python-scripts/ DESTINATION bin USE_SOURCE_PERMISSIONS COMPONENT python3-vqas)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vqas)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${VQAS_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_SET_DESTDIR ON)  # for /etc
set(CPACK_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL libvqas0 libvqas-dev vqas_c vqas vqas-gui vqas-node python3-vqas)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${VQAS_PACKAGE_RELEASE})
set(CPACK_DEBIAN_PACKAGE_SOURCE vqas)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# vqas_package(NAME COMPONENT SECTION SUMMARY DESCRIPTION): the fields of one package. COMPONENT is CPack's name of it.
function(vqas_package name component section summary description)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  foreach(field DEPENDS RECOMMENDS SUGGESTS BREAKS REPLACES ARCHITECTURE CONTROL_EXTRA)
    if(DEFINED ${field})
      set(CPACK_DEBIAN_${key}_PACKAGE_${field} "${${field}}" PARENT_SCOPE)
      unset(${field} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

set(CONTROL_EXTRA ${here}/libvqas0/triggers)
vqas_package(libvqas0 libvqas0 libs "voice quality of a line: shared library with the C interface"
"Scores received speech against its original (MOS-LQO), sends speech through a
simulated G.711 line, finds marks on a line, and decides how many measurements
are enough. This package has the shared library, which programs in C and other
languages use.")

foreach(component libvqas-dev vqas_c)
  string(TOUPPER ${component} key)
  set(CPACK_COMPONENT_${key}_GROUP dev)
endforeach()
set(DEPENDS "libvqas0 (= ${version}), libsndfile1-dev, libfftw3-dev, libsoxr-dev, libfmt-dev, libtomlplusplus-dev, libssl-dev, libboost-math-dev, nlohmann-json3-dev, pkg-config")
set(RECOMMENDS "qt6-base-dev, qt6-websockets-dev, libeigen3-dev, portaudio19-dev, libre-dev, libspandsp-dev, libopus-dev, libgsm1-dev, libsrtp2-dev, libosip2-dev, libcsv-dev")
vqas_package(libvqas-dev dev libdevel "voice quality of a line: headers and libraries for C and C++"
"For C: vqas/vqas.h and the shared library, by pkg-config or CMake. For C++20:
static libraries with headers, by find_package(vqas). The recommended packages
are what its component for nodes needs.")

set(DEPENDS "libqt6sql6-sqlite")
set(RECOMMENDS "fonts-dejavu-core")
set(SUGGESTS "vqas-gui, vqas-node, libqt6sql6-psql, weasyprint, flite")
# vqas-campaign@.service was in vqas-node up to 0.1.0-1.
set(BREAKS "vqas-node (<< 0.1.0-2~)")
set(REPLACES "${BREAKS}")
set(CONTROL_EXTRA ${here}/vqas/postinst ${here}/vqas/prerm ${here}/vqas/postrm)
vqas_package(vqas vqas sound "measures how good speech sounds through a voice line"
"Two nodes, one at each end, send recorded sentences through a telephone, VoIP,
satellite or radio line. The receiving node finds each sentence by marks,
compares it with the original, and reports a MOS with an interval of
repeatability and, apart from it, the model's own error. Also scores pairs of
files, simulates lines, and puts faults into live calls. Has the program vqas,
its manual, the recorded sentences, and the service vqas-campaign@ for weeks
without a person.")

set(DEPENDS "vqas (= ${version})")
set(RECOMMENDS "qt6-translations-l10n")
vqas_package(vqas-gui vqas-gui sound "measures how good speech sounds through a voice line, in a window"
"Measures a simulated line or the line between two nodes of vqas, and shows
scores, intervals and outcomes while they come in.")

set(ARCHITECTURE all)
set(DEPENDS "vqas (= ${version}), systemd")
set(CONTROL_EXTRA ${here}/vqas-node/conffiles ${here}/vqas-node/postinst ${here}/vqas-node/prerm ${here}/vqas-node/postrm)
vqas_package(vqas-node vqas-node sound "one end of a measured voice line, as a service"
"The systemd service vqas-node@a or vqas-node@b runs a node of vqas under a user
of its own, hardened. It starts after an administrator has named the line in
/etc/vqas/node-a.conf and enabled it.")
set(CPACK_DEBIAN_VQAS-NODE_PACKAGE_SHLIBDEPS OFF)

set(DEPENDS "python3 (>= ${python_this}), python3 (<< ${python_next}), python3-numpy")
set(RECOMMENDS "vqas")
set(SUGGESTS "python3-pytest, python3-dask, python3-distributed, python3-fsspec")
set(CONTROL_EXTRA ${here}/python3-vqas/postinst ${here}/python3-vqas/prerm)
vqas_package(python3-vqas python3-vqas python "voice quality of a line, for Python"
"Scores of files and NumPy arrays, simulated lines, marks and the sampler of
VQAS for Python, and a plugin for pytest that asserts voice quality.")

include(CPack)
