#include "postproc/view/phases_view.h"

#include <fmt/format.h>

#include "postproc/analysis/paths.h"
#include "postproc/view/columns/phases.h"
#include "postproc/view/columns/values.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {
namespace {

Json part_json(const Profile& profile, const AttachedValue& part) {
  const Location& location = profile.locations[part.location];
  Json json{{"rank", location.rank}, {"thread", location.thread}};
  if (part.step >= 0) json["step"] = label_of_step(profile, part.step);
  json["count"] = count_json(part.count);
  if (part.not_finite > 0) json["not_finite"] = count_json(part.not_finite);
  set(json, "sum", part.sum);
  set(json, "min", part.min);
  set(json, "max", part.max);
  set(json, "last", part.last);
  return json;
}

} // namespace

std::string phases_text(const Terminal& terminal, const Profile& profile) {
  const bool steps = profile.first_step_path >= 0;
  const std::vector<Phase> phases = phases_of(profile);
  if (phases.empty()) return {};
  std::string text = table_text(terminal, text_table(columns::phases(profile), phases), 0);
  bool more = false;
  for (const Phase& phase : phases) more = more || !phase.more.empty();
  std::string legend = "mean, min, max: of the steps' inclusive times, each a mean over ranks";
  if (profile.ranks > 1) legend += "; rank: where the longest step took longest";
  if (more) legend += "; +: further steps are summed in one (setting phase_limit)";
  if (!steps) legend += "; --phases shows the steps";
  text += wrapped(legend, terminal.width, "", "");
  for (const Phase& phase : phases) {
    if (!steps) break;
    std::vector<PhaseStep> rows = phase.steps;
    rows.insert(rows.end(), phase.more.begin(), phase.more.end());
    text += '\n' + table_text(terminal, text_table(columns::steps(profile, phase.name), rows), 0);
  }
  return text + '\n';
}

std::string values_text(const Terminal& terminal, const Profile& profile) {
  const std::vector<PathValue> values = values_of(profile);
  if (values.empty()) return {};
  std::string text = table_text(terminal, text_table(columns::values(profile), values), 0);
  if (const double lost = fact_number(profile, "lost_values").value_or(0); lost > 0)
    text += wrapped(fmt::format("{} values were lost for lack of memory (setting tree_mb)", count_text(lost)),
                    terminal.width, styled(terminal, Style::yellow, "! "), "  ");
  return text + '\n';
}

void set_phases(Json& json, const Profile& profile) {
  if (const std::vector<Phase> phases = phases_of(profile); !phases.empty())
    json["phases"] = json_rows(columns::phases(profile), phases);
  const auto columns = columns::values(profile);
  for (const PathValue& value : values_of(profile)) {
    Json row;
    add_columns(row, columns, value);
    row["locations"] = Json::array();
    for (const AttachedValue* part : value.parts) row["locations"].push_back(part_json(profile, *part));
    json["values"].push_back(std::move(row));
  }
}

} // namespace andes::postproc
