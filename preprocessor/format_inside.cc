// What this program uses of libfmt, as a part of it: a library less for the dynamic linker in every command of a build.
// What should be missing here comes from the shared library, as elsewhere.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

namespace andes::preprocessor {

[[gnu::used]] std::string (*const format_inside)(fmt::string_view, fmt::format_args) = fmt::vformat;
[[gnu::used]] void (*const print_inside)(fmt::string_view, fmt::format_args) = fmt::vprint;

} // namespace andes::preprocessor
