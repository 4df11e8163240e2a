# Where the parts of an installation lie, seen from each other.
#
# bin/andes, lib/andes/*.so, libexec/andes/*, include/andes and share/andes find their kin by relative
# ways, so that an installation can be moved as a whole. The ways follow CMAKE_INSTALL_BINDIR, LIBDIR
# and their like, which a packager may set (lib64, lib/x86_64-linux-gnu); they are compiled into the few
# sources that walk them. The build tree has the shape of the installation. By default the libraries lie in lib/andes:
# they are private, and nobody links with them.
#
# A program searches nowhere else at run time: with a list of usual directories it would find another installation's
# libraries where two share a prefix.
if(NOT DEFINED CMAKE_INSTALL_LIBDIR)
  set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "Libraries, below the prefix") # nothing here is for linking
endif()
include(GNUInstallDirs)
foreach(name BINDIR LIBDIR LIBEXECDIR INCLUDEDIR DATADIR MANDIR DOCDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${name}}")
    file(RELATIVE_PATH CMAKE_INSTALL_${name} "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_${name}}")
  endif()
  if(CMAKE_INSTALL_${name} MATCHES "^\\.\\.(/|$)")
    message(FATAL_ERROR "CMAKE_INSTALL_${name}: ${CMAKE_INSTALL_FULL_${name}} is outside of the prefix "
      "${CMAKE_INSTALL_PREFIX}, and andes finds its parts below one prefix; give a directory below it")
  endif()
endforeach()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_BINDIR})
set(ANDES_LIBRARY_DIR ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/andes)
set(ANDES_LIBEXEC_DIR ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBEXECDIR}/andes)

# Sets <out> to the relative way from directory <from> to <to>, both below the prefix.
function(andes_way out from to)
  file(RELATIVE_PATH way /${from} /${to})
  string(REGEX REPLACE "/$" "" way "${way}")
  set(${out} ${way} PARENT_SCOPE)
endfunction()

# andes_runtime_paths(TARGET LIBRARY...): what is installed keeps the directories of those libraries
# (files or imported targets) that the dynamic linker does not find by itself, such as a Clang in a place
# of its own. What Debian has in /usr/lib/llvm-19 are links into a directory that it does search.
function(andes_runtime_paths target)
  set(paths "")
  foreach(library IN LISTS ARGN)
    set(location ${library})
    if(TARGET ${library})
      get_target_property(location ${library} LOCATION)
    endif()
    get_filename_component(directory "${location}" REALPATH)
    get_filename_component(directory "${directory}" DIRECTORY)
    if(location MATCHES "\\.so" AND NOT directory IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND paths ${directory})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES paths)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${paths}")
endfunction()
