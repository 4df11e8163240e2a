# Benchmark of sampled visits; tests/bench/sample_bench.cc says what it holds against what.
add_executable(bench_sample sample_bench.cc)
target_link_libraries(bench_sample PRIVATE andes_sample_trials andes_interface andes_warnings
  fmt::fmt)
set_target_properties(bench_sample PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
