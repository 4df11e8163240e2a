# What an installation has besides the programs. Everything works from its own location, so that an
# installation can be moved.

# How other builds find it: find_package(andes) and pkg-config andes.
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

andes_way(package_prefix ${CMAKE_INSTALL_LIBDIR}/pkgconfig .)
configure_file(${CMAKE_CURRENT_LIST_DIR}/andes.pc.in ${CMAKE_BINARY_DIR}/andes.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/andes.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Man pages and completions, from --help of the commands just built (manual.py); they run here, so not
# where andes is built for another machine.
if(NOT CMAKE_CROSSCOMPILING)
  set(manual ${CMAKE_BINARY_DIR}/manual)
  file(GLOB manual_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/man/*.roff)
  set(manual_sources ${manual_sources} ${CMAKE_CURRENT_LIST_DIR}/manual.py ${CMAKE_CURRENT_LIST_DIR}/settings.py
    ${CMAKE_CURRENT_LIST_DIR}/completion.bash ${CMAKE_CURRENT_LIST_DIR}/completion.zsh)
  set(manual_programs andes)
  if(ANDES_PREPROCESSOR)
    list(APPEND manual_programs andes-preprocess)
  endif()
  add_custom_command(OUTPUT ${manual}/bash/andes
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/manual.py $<TARGET_FILE:andes>
      ${CMAKE_SOURCE_DIR}/monitor/interface/settings.def ${PROJECT_VERSION} ${manual}
    DEPENDS ${manual_sources} ${manual_programs} ${CMAKE_SOURCE_DIR}/monitor/interface/settings.def)
  add_custom_target(andes_manual ALL DEPENDS ${manual}/bash/andes)
  install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual}/bash/andes DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual}/zsh/_andes DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()

# module load andes/VERSION, with the directory share/modulefiles in MODULEPATH.
set(module_dir ${CMAKE_INSTALL_DATADIR}/modulefiles/andes)
andes_way(to_prefix ${module_dir} .)
configure_file(${CMAKE_CURRENT_LIST_DIR}/modulefile.in ${CMAKE_BINARY_DIR}/modulefile @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/modulefile DESTINATION ${module_dir} RENAME ${PROJECT_VERSION})

# What a reader wants, in the places that the links of README.md expect.
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(programs ${CMAKE_SOURCE_DIR}/tests/programs)
install(FILES ${programs}/jacobi.c ${programs}/jacobi_sequential.c ${programs}/heat.c ${programs}/counts.h
  ${programs}/waits/jacobi_strips.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY ${programs}/cases DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
