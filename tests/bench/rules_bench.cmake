# Benchmark of the rules' engine; tests/bench/rules_bench.cc says what it measures.
add_executable(bench_rules rules_bench.cc)
target_link_libraries(bench_rules PRIVATE andes_rules andes_warnings)
set_target_properties(bench_rules PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
