# bin/andes-COMPILER, for each compiler and MPI wrapper that makefiles name: links to `andes`, which then is
# `andes cc COMPILER` (main.cc). Not andes-cc: `andes cc` is another command, and has its man page under this name.
set(andes_wrapped gcc g++ gfortran clang clang++ flang mpicc mpicxx mpic++ mpiCC mpif77 mpif90 mpifort)
foreach(mpi openmpi mpich)
  foreach(name mpicc mpicxx mpic++ mpiCC mpif77 mpif90 mpifort)
    list(APPEND andes_wrapped ${name}.${mpi})
  endforeach()
endforeach()
file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
foreach(name ${andes_wrapped})
  file(CREATE_LINK andes ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/andes-${name} SYMBOLIC)
  install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/andes-${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
