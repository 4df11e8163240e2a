# How other builds find an installed andes: find_package(andes) and pkg-config andes. Both work from
# their own location, so that an installation can be moved.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/andes)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/andesConfig.cmake.in
  ${CMAKE_BINARY_DIR}/andesConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/andesConfigVersion.cmake
  COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/andesConfig.cmake ${CMAKE_BINARY_DIR}/andesConfigVersion.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH package_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/andes.pc.in ${CMAKE_BINARY_DIR}/andes.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/andes.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
