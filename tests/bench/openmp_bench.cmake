# What teams of OpenMP cost, on libgomp and, with clang-19, on libomp.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(openmp_costs ${CMAKE_CURRENT_BINARY_DIR}/openmp_cost.gomp)
  add_custom_command(OUTPUT ${openmp_costs}
    COMMAND ${CMAKE_C_COMPILER} -O2 -fopenmp ${CMAKE_CURRENT_SOURCE_DIR}/openmp_cost.c -o ${openmp_costs}
    DEPENDS openmp_cost.c VERBATIM)
  find_program(openmp_clang clang-19)
  find_library(openmp_libomp omp PATHS /usr/lib/llvm-19/lib NO_DEFAULT_PATH)
  if(openmp_clang AND openmp_libomp)
    get_filename_component(openmp_folder ${openmp_libomp} DIRECTORY)
    list(APPEND openmp_costs ${CMAKE_CURRENT_BINARY_DIR}/openmp_cost.omp)
    add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/openmp_cost.omp
      COMMAND ${openmp_clang} -O2 -fopenmp ${CMAKE_CURRENT_SOURCE_DIR}/openmp_cost.c -Wl,-rpath,${openmp_folder}
        -o ${CMAKE_CURRENT_BINARY_DIR}/openmp_cost.omp
      DEPENDS openmp_cost.c VERBATIM)
  endif()
  add_custom_target(andes_openmp_costs ALL DEPENDS ${openmp_costs})
  configure_file(bench_openmp.py.in ${CMAKE_CURRENT_BINARY_DIR}/bench_openmp @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()
