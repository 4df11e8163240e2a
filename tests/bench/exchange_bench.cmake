# Benchmarks of the exchange of waits: by itself, and at the end of a program with a million messages;
# tests/bench/exchange_bench.cc and bench_finalize.py.in say what they hold against what.
find_package(Threads REQUIRED)
add_executable(bench_exchange exchange_bench.cc)
target_link_libraries(bench_exchange PRIVATE andes_exchange andes_warnings Threads::Threads)
set_target_properties(bench_exchange PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})

set(bench_finalize_mpis "")
set(million_outputs "")
foreach(name ${ANDES_MPIS})
  get_filename_component(folder ${ANDES_MPICC_${name}} DIRECTORY)
  get_filename_component(compiler ${ANDES_MPICC_${name}} NAME)
  string(REPLACE "mpicc" "mpirun" launcher ${compiler})
  if(NOT EXISTS ${folder}/${launcher})
    message(STATUS "bench_finalize: ${folder}/${launcher} not found; ${name} is left out")
    continue()
  endif()
  list(APPEND bench_finalize_mpis "${name}=${folder}/${launcher}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}/million)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${name}
    COMMAND ${ANDES_MPICC_${name}} -O2 -Wall -Wextra ${CMAKE_CURRENT_SOURCE_DIR}/million.c -o ${output}
    DEPENDS million.c VERBATIM COMMENT "Building ${output}")
  list(APPEND million_outputs ${output})
endforeach()
if(bench_finalize_mpis)
  list(JOIN bench_finalize_mpis " " bench_finalize_mpis)
  add_custom_target(andes_bench_finalize ALL DEPENDS ${million_outputs})
  configure_file(bench_finalize.py.in bench_finalize @ONLY FILE_PERMISSIONS ${bench_mode})
endif()
