# Benchmarks of probes and of whole programs. Those named bench_* are run by hand, all of them, by
# `setup bench`; they print what they measured and exit 1 on MISS.

find_package(fmt REQUIRED)

add_library(andes_bench_probe_shared SHARED probe_functions.cc)
target_compile_definitions(andes_bench_probe_shared PRIVATE
  PROBE_PLACE=functions_of_shared_object)
set_target_properties(andes_bench_probe_shared PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_link_libraries(andes_bench_probe_shared PRIVATE andes_interface andes_warnings)
target_compile_options(andes_bench_probe_shared PRIVATE -O2 -falign-functions=64)

foreach(name absent present)
  add_executable(andes_bench_probe_${name} probe_${name}.cc probe_cost.cc probe_functions.cc)
  target_compile_definitions(andes_bench_probe_${name} PRIVATE
    PROBE_PLACE=functions_of_executable)
  target_compile_options(andes_bench_probe_${name} PRIVATE -O2 -falign-functions=64)
  target_link_libraries(andes_bench_probe_${name} PRIVATE andes_bench_probe_shared andes_interface
    andes_warnings fmt::fmt ${CMAKE_DL_LIBS})
  set_target_properties(andes_bench_probe_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endforeach()
set_target_properties(andes_bench_probe_absent PROPERTIES OUTPUT_NAME bench_probe_absent)
set_target_properties(andes_bench_probe_present PROPERTIES OUTPUT_NAME probe_present)

set(bench_mode OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
configure_file(probe_present.sh.in bench_probe_present @ONLY FILE_PERMISSIONS ${bench_mode})
if(TARGET andes-preprocess)
  configure_file(overhead_programs.py.in bench_overhead_programs @ONLY
    FILE_PERMISSIONS ${bench_mode})
endif()
