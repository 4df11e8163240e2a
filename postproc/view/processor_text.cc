// Factors have two decimals; those that lose a fifth and more are coloured.
#include "postproc/view/processor_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/warnings.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes {
namespace {

using Align = TableColumn::Align;

Cell factor(double value) { return {fixed(value, 2), value < acceptable_efficiency ? Style::yellow : Style::plain}; }

void add(const WorkScaling& scaling, std::vector<Cell>& row) {
  for (const double value : {scaling.computation, scaling.instructions, scaling.per_cycle, scaling.frequency})
    row.push_back(factor(value));
}

} // namespace

std::string processor_text(const Terminal& terminal, const Processor& processor, bool grid) {
  if (!processor.why_not.empty())
    return wrapped(
        fmt::format("Why computation takes more or less time at other sizes, and what call paths are bound by, "
                    "cannot be told: {}.",
                    processor.why_not),
        terminal.width, "\n  ", "  ");
  Table sizes;
  sizes.columns = {{"ranks"}, {grid ? "threads" : ""}, {"useful s"},       {"instructions"}, {"per cycle"},
                   {"GHz"},   {"computation"},         {"= instructions"}, {"x IPC"},        {"x frequency"}};
  for (const ProcessorPoint& p : processor.points) {
    std::vector<Cell> row{std::to_string(p.ranks),      grid ? std::to_string(p.threads) : "",
                          significant(p.work.useful_s), significant(p.work.instructions),
                          fixed(p.work.per_cycle(), 2), fixed(1e-9 * p.work.frequency_hz(), 2)};
    add(p.scaling, row);
    sizes.rows.push_back(std::move(row));
  }
  std::string text = "\n  Computation scalability (base / size; the same work done in all: 1 is ideal):\n" +
                     table_text(terminal, sizes);
  Table paths;
  paths.columns = {{"useful %"},    {"per cycle"},      {"GHz"},
                   {"computation"}, {"= instructions"}, {"x IPC"},
                   {"x frequency"}, {"", Align::left},  {"call path", Align::left, true}};
  for (const ProcessorPath& p : processor.paths) {
    std::vector<Cell> row{fixed(p.percent, 1), fixed(p.work.per_cycle(), 2), fixed(1e-9 * p.work.frequency_hz(), 2)};
    if (p.scaling) add(*p.scaling, row);
    else row.resize(row.size() + 4);
    row.push_back(
        {name_of(p.bound), p.bound == Bound::memory || p.bound == Bound::low_ipc ? Style::yellow : Style::plain});
    row.push_back(joined_path(p.path));
    paths.rows.push_back(std::move(row));
  }
  if (!paths.rows.empty()) text += "\n  The same of call paths, own work:\n" + table_text(terminal, paths);
  return text +
         wrapped(processor.rule + "; useful: outside MPI and waiting, of all threads", terminal.width, "  ", "  ");
}

} // namespace andes
