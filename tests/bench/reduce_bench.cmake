# Benchmark of the reduction over ranks; tests/bench/reduce_bench.cc says what it holds against what.
add_executable(bench_reduce reduce_bench.cc)
target_link_libraries(bench_reduce PRIVATE andes_core andes_finish_parts andes_run_writer andes_warnings)
set_target_properties(bench_reduce PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
