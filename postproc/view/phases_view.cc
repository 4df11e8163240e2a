#include "postproc/view/phases_view.h"

#include <fmt/format.h>

#include "postproc/analysis/paths.h"
#include "postproc/view/columns/values.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {
namespace {

using Align = TableColumn::Align;

std::string steps_count(const Phase& phase) {
  return std::to_string(phase.steps.size()) + (phase.more.empty() ? "" : "+");
}

Table phases_table(const Profile& profile, const std::vector<Phase>& phases) {
  Table table;
  table.columns = {{"phase", Align::left, true},
                   {"steps"},
                   {"visits"},
                   {"mean s"},
                   {"min s"},
                   {"step"},
                   {"max s"},
                   {"step"},
                   {"rank"}};
  for (const Phase& phase : phases) {
    std::vector<Cell> cells = {joined_path(path_of(profile, phase.callpath)), steps_count(phase),
                               count_text(phase.visits)};
    if (phase.steps.empty()) {
      cells.resize(table.columns.size());
    } else {
      const PhaseStep &shortest = phase.steps[phase.shortest], &longest = phase.steps[phase.longest];
      for (const std::string& text :
           {significant(phase.mean_s), significant(shortest.mean_s), shortest.label, significant(longest.mean_s),
            longest.label, profile.ranks > 1 ? std::to_string(longest.max_rank) : std::string()})
        cells.emplace_back(text);
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table steps_table(const Profile& profile, const Phase& phase) {
  Table table;
  table.columns = {
      {phase.name, Align::left, true}, {"visits"}, {"mean s"}, {"min s"}, {"max s"}, {"rank"}, {"comm. s"}, {"idle s"}};
  for (const auto* steps : {&phase.steps, &phase.more})
    for (const PhaseStep& step : *steps)
      table.rows.push_back({step.label, count_text(step.visits), significant(step.mean_s),
                            profile.ranks > 1 ? significant(step.min_s) : "",
                            profile.ranks > 1 ? significant(step.max_s) : "",
                            profile.ranks > 1 ? std::to_string(step.max_rank) : "",
                            step.communication_s > 0 ? significant(step.communication_s) : "",
                            step.idle_s && *step.idle_s > 0 ? significant(*step.idle_s) : ""});
  return table;
}

Json step_json(const PhaseStep& step) {
  Json json{{"label", step.label}};
  if (step.number) json["number"] = *step.number;
  json["visits"] = count_json(step.visits);
  json["mean_s"] = step.mean_s;
  json["min_s"] = step.min_s;
  json["max_s"] = step.max_s;
  json["max_rank"] = step.max_rank;
  json["communication_s"] = step.communication_s;
  set(json, "idle_s", step.idle_s);
  return json;
}

Json phase_json(const Profile& profile, const Phase& phase) {
  Json json{
      {"callpath", phase.callpath}, {"path", path_of(profile, phase.callpath)}, {"visits", count_json(phase.visits)}};
  if (!phase.steps.empty()) {
    json["mean_s"] = phase.mean_s;
    json["min_s"] = phase.steps[phase.shortest].mean_s;
    json["min_step"] = phase.steps[phase.shortest].label;
    json["max_s"] = phase.steps[phase.longest].mean_s;
    json["max_step"] = phase.steps[phase.longest].label;
  }
  json["steps"] = Json::array();
  for (const PhaseStep& step : phase.steps) json["steps"].push_back(step_json(step));
  json["more"] = Json::array();
  for (const PhaseStep& step : phase.more) json["more"].push_back(step_json(step));
  return json;
}

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
  std::string text = table_text(terminal, phases_table(profile, phases), 0);
  bool more = false;
  for (const Phase& phase : phases) more = more || !phase.more.empty();
  std::string legend = "mean, min, max: of the steps' inclusive times, each a mean over ranks";
  if (profile.ranks > 1) legend += "; rank: where the longest step took longest";
  if (more) legend += "; +: and more that are not told apart (setting phase_limit)";
  if (!steps) legend += "; --phases shows the steps";
  text += wrapped(legend, terminal.width, "", "");
  for (const Phase& phase : phases)
    if (steps) text += '\n' + table_text(terminal, steps_table(profile, phase), 0);
  return text + '\n';
}

std::string values_text(const Terminal& terminal, const Profile& profile) {
  const std::vector<PathValue> values = values_of(profile);
  if (values.empty()) return {};
  std::string text = table_text(terminal, text_table(columns::values(profile), values), 0);
  if (const double lost = fact_number(profile, "lost_values").value_or(0); lost > 0)
    text += wrapped(fmt::format("{} values found no place (setting tree_mb)", count_text(lost)), terminal.width,
                    styled(terminal, Style::yellow, "! "), "  ");
  return text + '\n';
}

void set_phases(Json& json, const Profile& profile) {
  for (const Phase& phase : phases_of(profile)) json["phases"].push_back(phase_json(profile, phase));
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
