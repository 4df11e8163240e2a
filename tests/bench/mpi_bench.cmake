# Benchmarks of the MPI wrappers and of the ends of a run; each program built once for every MPI, by
# its own compiler wrapper, as a user would.
set(bench_mpis "")
set(bench_outputs "")
foreach(name ${ANDES_MPIS})
  get_filename_component(folder ${ANDES_MPICC_${name}} DIRECTORY)
  get_filename_component(compiler ${ANDES_MPICC_${name}} NAME)
  string(REPLACE "mpicc" "mpirun" launcher ${compiler})
  if(NOT EXISTS ${folder}/${launcher})
    message(STATUS "bench_mpi, bench_ends: ${folder}/${launcher} not found; ${name} is left out")
    continue()
  endif()
  list(APPEND bench_mpis "${name}=${folder}/${launcher}")
  foreach(program mpi_calls ends)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}/${program})
    add_custom_command(OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${name}
      COMMAND ${ANDES_MPICC_${name}} -O2 -Wall -Wextra -I${CMAKE_BINARY_DIR}/include
        ${CMAKE_CURRENT_SOURCE_DIR}/${program}.c -o ${output}
      DEPENDS ${program}.c ${CMAKE_SOURCE_DIR}/monitor/interface/probe.h VERBATIM
      COMMENT "Building ${output}")
    list(APPEND bench_outputs ${output})
  endforeach()
endforeach()
if(bench_mpis)
  list(JOIN bench_mpis " " bench_mpis)
  add_custom_target(andes_bench_mpi ALL DEPENDS ${bench_outputs})
  foreach(bench mpi ends)
    configure_file(bench_${bench}.py.in bench_${bench} @ONLY FILE_PERMISSIONS ${bench_mode})
  endforeach()
endif()
