#include "postproc/view/format.h"

#include <fmt/format.h>
#include <unistd.h>

#include "common/refusal.h"

namespace andes::postproc {

void print_as(const FormatName& format, const std::string& text) {
  if (format.is_binary && isatty(STDOUT_FILENO))
    refuse(fmt::format("--format {}", format.name), "a terminal cannot show it", "write it to a file: ... > FILE");
  print(text);
}

} // namespace andes::postproc
