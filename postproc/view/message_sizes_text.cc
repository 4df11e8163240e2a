#include "postproc/view/message_sizes_text.h"

#include "postproc/view/columns/message_sizes.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {

std::string message_sizes_text(const Terminal& terminal, const std::vector<FlatRow>& rows) {
  SizeCounts all;
  Table table;
  table.columns.push_back({"bytes", TableColumn::Align::right});
  for (const FlatRow& row : rows) {
    add(all, row.sizes);
    if (!row.sizes.empty())
      table.columns.push_back(
          {row.name == row.kind ? columns::group_title(row.kind) : readable_name(row.name), TableColumn::Align::right});
  }
  if (all.empty()) return {};
  table.columns.push_back({"protocol of sends", TableColumn::Align::left});
  for (const SizeCount& size : all) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells.push_back(columns::size_text(size));
    std::string protocol;
    for (const FlatRow& row : rows) {
      if (row.sizes.empty()) continue;
      double messages = 0;
      for (const SizeCount& one : row.sizes) {
        if (one.at_least != size.at_least) continue;
        messages = one.messages;
        if (one.protocol != Protocol::unknown) protocol = columns::protocol_text(one.protocol);
      }
      cells.push_back(messages > 0 ? count_text(messages) : std::string());
    }
    cells.push_back(protocol);
  }
  return "\nMessages by size (of calls that are no messages: how often they moved data):\n" +
         table_text(terminal, table, 0);
}

} // namespace andes::postproc
