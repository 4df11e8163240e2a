// What the processor counted, for people: a table of sizes and one of call paths, or why there is none.
#include "postproc/view/processor_text.h"

#include <fmt/format.h>

#include "postproc/view/columns/processor.h"

namespace andes::postproc {

std::string processor_text(const Terminal& terminal, const Processor& processor, bool grid) {
  if (!processor.why_not.empty())
    return wrapped(fmt::format("Computation scalability, and what limits call paths in the processor, are unknown: {}.",
                               processor.why_not),
                   terminal.width, "\n  ", "  ");
  std::string text = "\n  Computation scalability (base / size; 1 is ideal if the total work is the same):\n" +
                     table_text(terminal, text_table(columns::processor_points(grid), processor.points));
  if (!processor.paths.empty())
    text += "\n  The same of call paths, own work:\n" +
            table_text(terminal, text_table(columns::processor_paths(), processor.paths));
  return text +
         wrapped(processor.rule + "; useful: outside MPI and waiting, of all threads", terminal.width, "  ", "  ");
}

} // namespace andes::postproc
