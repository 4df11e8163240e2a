# andes_clang_archives(RESULT): what to link for Clang's front end as archives, so that the dynamic linker has next to nothing
# to do when the reader is opened. Empty where something is missing: then Clang's shared libraries do, which take 18 ms of
# processor time for relocations in each process that opens them, more than a small source takes to read. As a part of one
# library, with relocations packed and no symbol to be looked up, it is 2 ms. A fix of LLVM in a distribution reaches andes
# when andes is built anew; only the user's own source is read with it.
#
# Clang's own targets name the archives that they need of Clang, and all of LLVM as its shared library where the distribution
# has that; LLVM's targets name its archives.
include(CheckLinkerFlag)

# Adds the archives of the imported targets `names`, and of those that they need, to the list `result`. What is no archive of
# Clang or LLVM is left out.
function(andes_archives_below result names)
  set(known "")
  while(names)
    list(POP_FRONT names name)
    if(name IN_LIST known OR NOT TARGET ${name} OR NOT name MATCHES "^(clang|LLVM).")
      continue()
    endif()
    list(APPEND known ${name})
    get_target_property(location ${name} LOCATION)
    if(NOT location MATCHES "\\.a$" OR NOT EXISTS "${location}")
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND archives ${location})
    get_target_property(below ${name} INTERFACE_LINK_LIBRARIES)
    if(below)
      list(APPEND names ${below})
    endif()
  endwhile()
  set(${result} ${archives} PARENT_SCOPE)
endfunction()

function(andes_clang_archives result)
  set(${result} "" PARENT_SCOPE)
  check_linker_flag(CXX LINKER:-z,pack-relative-relocs ANDES_PACKS_RELOCATIONS)
  # LLVM reads compressed debug information; nothing here does.
  find_library(ANDES_ZSTD NAMES zstd libzstd.so.1 DOC "libzstd, for LLVM's archives")
  find_library(ANDES_ZLIB z)
  if(ANDES_SANITIZER OR NOT ANDES_PACKS_RELOCATIONS OR NOT ANDES_ZSTD OR NOT ANDES_ZLIB)
    return()
  endif()
  andes_archives_below(archives "clangFrontend;LLVMFrontendOpenMP;LLVMFrontendOffloading;LLVMOption;LLVMWindowsDriver;LLVMSupport")
  if(archives)
    set(${result} -Wl,--start-group ${archives} -Wl,--end-group ${ANDES_ZSTD} ${ANDES_ZLIB} PARENT_SCOPE)
  endif()
endfunction()
