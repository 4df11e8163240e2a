// A run file without rows: all tables of run_file.h, the application's number and the format. It is a constant, made
// by make_empty_run when andes is built; write_run fills a copy.
#pragma once
#include <cstddef>

namespace andes::monitor {

extern const unsigned char empty_run[];
extern const std::size_t empty_run_bytes;

} // namespace andes::monitor
