# Benchmarks of probes and of whole programs. Those named bench_* are run by hand, all of them, by
# `setup bench`; they print what they measured and exit 1 on MISS.

find_package(fmt REQUIRED)

set(bench_options -O2 -falign-functions=64)

add_library(andes_bench_probe_shared SHARED probe_functions.cc)
target_compile_definitions(andes_bench_probe_shared PRIVATE
  PROBE_PLACE=functions_of_shared_object)
add_library(andes_bench_tree_shared SHARED probe_tree.cc)
target_compile_definitions(andes_bench_tree_shared PRIVATE
  TREE_PLACE=tree_of_shared_object TREE_PROBED=1)
foreach(library andes_bench_probe_shared andes_bench_tree_shared)
  set_target_properties(${library} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${library} PRIVATE andes_interface andes_warnings)
  target_compile_options(${library} PRIVATE ${bench_options})
endforeach()

add_executable(andes_bench_probe_absent probe_absent.cc probe_cost.cc probe_functions.cc)
target_compile_definitions(andes_bench_probe_absent PRIVATE PROBE_PLACE=functions_of_executable)
target_link_libraries(andes_bench_probe_absent PRIVATE andes_bench_probe_shared)

foreach(variant bare probed)
  add_library(andes_bench_tree_${variant} OBJECT probe_tree.cc)
  target_compile_options(andes_bench_tree_${variant} PRIVATE ${bench_options})
  target_link_libraries(andes_bench_tree_${variant} PRIVATE andes_interface andes_warnings)
endforeach()
target_compile_definitions(andes_bench_tree_bare PRIVATE TREE_PLACE=bare_tree TREE_PROBED=0)
target_compile_definitions(andes_bench_tree_probed PRIVATE TREE_PLACE=tree_of_executable TREE_PROBED=1)
add_executable(andes_bench_probe_present probe_present.cc)
target_link_libraries(andes_bench_probe_present PRIVATE andes_bench_tree_bare
  andes_bench_tree_probed andes_bench_tree_shared)

add_executable(andes_bench_probe_governor governor.cc)

foreach(name absent present governor)
  target_compile_options(andes_bench_probe_${name} PRIVATE ${bench_options})
  target_link_libraries(andes_bench_probe_${name} PRIVATE andes_interface andes_warnings fmt::fmt
    ${CMAKE_DL_LIBS})
  set_target_properties(andes_bench_probe_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endforeach()
set_target_properties(andes_bench_probe_absent PROPERTIES OUTPUT_NAME bench_probe_absent)
set_target_properties(andes_bench_probe_present PROPERTIES OUTPUT_NAME probe_present)
set_target_properties(andes_bench_probe_governor PROPERTIES OUTPUT_NAME governor)

set(bench_mode OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
configure_file(probe_present.sh.in bench_probe_present @ONLY FILE_PERMISSIONS ${bench_mode})
add_executable(andes_bench_memory memory.c)
set_target_properties(andes_bench_memory PROPERTIES OUTPUT_NAME memory
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_compile_options(andes_bench_memory PRIVATE -O2)
target_link_libraries(andes_bench_memory PRIVATE andes_interface)
configure_file(bench_memory.py.in bench_memory @ONLY FILE_PERMISSIONS ${bench_mode})
configure_file(governor.sh.in bench_governor @ONLY FILE_PERMISSIONS ${bench_mode})
if(TARGET andes-preprocess)
  configure_file(overhead_programs.py.in bench_overhead_programs @ONLY
    FILE_PERMISSIONS ${bench_mode})
endif()

# The programmer's interface.
add_executable(andes_bench_marks mark_cost.c)
set_target_properties(andes_bench_marks PROPERTIES OUTPUT_NAME mark_cost
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_compile_options(andes_bench_marks PRIVATE -O2)
target_link_libraries(andes_bench_marks PRIVATE andes_interface)
configure_file(marks.sh.in bench_marks @ONLY FILE_PERMISSIONS ${bench_mode})

# The compilers' hooks.
add_executable(andes_bench_hooks hook_cost.c)
set_target_properties(andes_bench_hooks PROPERTIES OUTPUT_NAME hook_cost
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_compile_options(andes_bench_hooks PRIVATE -O2 -finstrument-functions)
target_link_libraries(andes_bench_hooks PRIVATE andes_interface)
configure_file(hooks.sh.in bench_hooks @ONLY FILE_PERMISSIONS ${bench_mode})
