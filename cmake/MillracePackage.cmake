# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0

# What is installed, and the Debian package made of it: `scripts/package`.
include(GNUInstallDirs)
# Debian's place for a package's documents is its name, in small letters.
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/millrace)
# Packing builds nothing: scripts/package has built the programs and the library, and the tests are not packed.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)
install(TARGETS millrace RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/resources/help/nodes.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET millrace_library)
  install(TARGETS millrace_library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/app/capi/millrace.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/app/capi/example.c DESTINATION ${CMAKE_INSTALL_DOCDIR})
  # Where Debian's Python looks, of whatever version.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/app/python/millrace DESTINATION lib/python3/dist-packages
          FILES_MATCHING PATTERN *.py PATTERN py.typed)
endif()
if(TARGET millrace-workbench)
  install(TARGETS millrace-workbench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/millrace-workbench.desktop
          DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/millrace.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/millrace-workbench.svg
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME millrace)
set(CPACK_PACKAGE_VENDOR "The Millrace developers")
# Whoever hands packages out names himself; the usual one reaches nobody (RFC 2606).
set(MILLRACE_PACKAGE_CONTACT "The Millrace developers <nobody@millrace.invalid>" CACHE STRING
    "Who answers for the packages, as name <address>")
set(CPACK_PACKAGE_CONTACT "${MILLRACE_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Assembles, runs and compares training-data loaders")
set(CPACK_PACKAGE_DESCRIPTION "\
Millrace keeps a GPU fed: it assembles a training-data loader from nodes, runs
it on a native engine against your own data, says where the time goes and keeps
every run to compare the next one with. With a command line and a workbench.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# The libraries' packages, as the linked programs need them. Icons are drawn by Qt's SVG library
# itself, so its plug-ins are not needed.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/package/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
