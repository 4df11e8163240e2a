# Benchmark of `andes report`; tests/bench/report_bench.cc says what it holds against what.
add_executable(bench_report report_bench.cc)
target_compile_definitions(bench_report PRIVATE BENCH_ANDES="$<TARGET_FILE:andes>")
target_link_libraries(bench_report PRIVATE andes_run_maker andes_run_writer andes_warnings fmt::fmt)
set_target_properties(bench_report PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_dependencies(bench_report andes)
