# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0

# What is installed, and the Debian package made of it: `scripts/package`. `cmake --install FOLDER
# --component NAME` installs a part alone: program, library, python or workbench.
include(GNUInstallDirs)
# Debian keeps a package's documents in a folder of its name, in lower case.
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/millrace)
# Packing builds nothing: scripts/package has built the programs and the library, and the tests are not packed.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)
install(TARGETS millrace RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/resources/help/nodes.md
              ${PROJECT_SOURCE_DIR}/resources/desktop/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# The library and the files with which others find it: `find_package(millrace)` defines the target
# millrace::millrace, `pkg-config millrace` prints the flags. Both still work if the installed tree
# is moved.
if(TARGET millrace_library)
  include(CMakePackageConfigHelpers)
  set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/millrace)
  set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/package)
  set_target_properties(millrace_library PROPERTIES EXPORT_NAME millrace)
  target_include_directories(millrace_library INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS millrace_library EXPORT millrace-targets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
  # For plug-ins with node kinds, which link nothing of ours: the target millrace::node.
  add_library(millrace_node INTERFACE)
  set_target_properties(millrace_node PROPERTIES EXPORT_NAME node)
  target_include_directories(millrace_node INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS millrace_node EXPORT millrace-targets)
  install(FILES ${PROJECT_SOURCE_DIR}/app/capi/millrace.h
                ${PROJECT_SOURCE_DIR}/core/plugins/millrace_node.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
  install(FILES ${PROJECT_SOURCE_DIR}/app/capi/example.c
          DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/plugins
          DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
  install(EXPORT millrace-targets NAMESPACE millrace:: DESTINATION ${cmake_folder}
          COMPONENT library)
  configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/package/millrace-config.cmake.in
    ${made}/millrace-config.cmake INSTALL_DESTINATION ${cmake_folder})
  # Below 1.0 a minor version may break what was there before: CONTRIBUTING.md, Versions.
  if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatible SameMinorVersion)
  else()
    set(compatible SameMajorVersion)
  endif()
  write_basic_package_version_file(${made}/millrace-config-version.cmake
    COMPATIBILITY ${compatible})
  install(FILES ${made}/millrace-config.cmake ${made}/millrace-config-version.cmake
          DESTINATION ${cmake_folder} COMPONENT library)
  file(RELATIVE_PATH prefix_from_pkgconfig /${pkgconfig_folder} /)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/package/millrace.pc.in ${made}/millrace.pc @ONLY)
  install(FILES ${made}/millrace.pc DESTINATION ${pkgconfig_folder} COMPONENT library)
  # Debian's Python searches this folder, whatever its version.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/app/python/millrace DESTINATION lib/python3/dist-packages
          COMPONENT python FILES_MATCHING PATTERN *.py PATTERN py.typed)
endif()

if(TARGET millrace-workbench)
  install(TARGETS millrace-workbench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
          COMPONENT workbench)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/millrace-workbench.desktop
          DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT workbench)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/millrace.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT workbench)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/millrace-workbench.svg
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT workbench)
  set(metainfo org.millrace.Workbench.metainfo.xml)
  configure_file(${PROJECT_SOURCE_DIR}/resources/desktop/${metainfo}.in
                 ${CMAKE_CURRENT_BINARY_DIR}/package/${metainfo} @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/package/${metainfo}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT workbench)
endif()

# Manual pages, made from what the built programs print for --help; of the workbench only if it is
# built. Sanitizer builds are never installed, so they get none.
if(NOT MILLRACE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(manuals ${CMAKE_CURRENT_BINARY_DIR}/package/man)
  set(manual_programs millrace)
  if(TARGET millrace-workbench)
    list(APPEND manual_programs millrace-workbench)
  endif()
  list(TRANSFORM manual_programs REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE manual_files)
  set(make_manuals ${PROJECT_SOURCE_DIR}/scripts/lib/make_manuals.sh)
  add_custom_command(OUTPUT ${manuals}/millrace.1
    COMMAND bash ${make_manuals} ${MILLRACE_VERSION_DATE} ${manuals} ${manual_files}
    DEPENDS ${manual_programs} ${make_manuals} ${PROJECT_SOURCE_DIR}/scripts/lib/make_manual.awk
    COMMENT "Manual pages" VERBATIM)
  add_custom_target(millrace_manuals ALL DEPENDS ${manuals}/millrace.1)
  install(DIRECTORY ${manuals}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program
          FILES_MATCHING PATTERN *.1.gz PATTERN millrace-workbench.1.gz EXCLUDE)
  install(DIRECTORY ${manuals}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT workbench
          FILES_MATCHING PATTERN millrace-workbench.1.gz)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME millrace)
set(CPACK_PACKAGE_VENDOR "The Millrace developers")
# Distributors of packages set their own address; no mail can reach the default one (RFC 2606).
set(MILLRACE_PACKAGE_CONTACT "The Millrace developers <maintainers@millrace.invalid>" CACHE STRING
    "The maintainer of the packages, as name <address>")
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
# Libraries that are opened with the first file that needs them are not linked, so they are named here.
list(JOIN millrace_loaded_packages ", " loaded)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core")
if(loaded)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", ${loaded}")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, openssh-client")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/package/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
