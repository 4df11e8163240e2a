#include "postproc/view/doctor_view.h"

#include <algorithm>

#include "postproc/view/columns/checks.h"

namespace andes::postproc {
namespace {

Style style_of(Check::Result result) {
  return result == Check::Result::works ? Style::green : result == Check::Result::limited ? Style::yellow : Style::red;
}

} // namespace

std::string doctor_text(const Terminal& terminal, const std::string& head, const Checks& checks) {
  int widest = 0;
  for (const Check& check : checks) widest = std::max(widest, width_of(check.subject));
  std::string text = styled(terminal, Style::bold, head) + "\n\n";
  for (const Check& check : checks) {
    const std::string word = columns::word_of(check.result);
    const std::string first = styled(terminal, style_of(check.result), word) + std::string(9 - word.size(), ' ') +
                              check.subject +
                              std::string(static_cast<std::size_t>(widest - width_of(check.subject)) + 2, ' ');
    const std::string rest(static_cast<std::size_t>(widest) + 11, ' ');
    text += wrapped(check.fact, terminal.width, first, rest);
    if (!check.remedy.empty())
      text += wrapped(check.remedy, terminal.width, rest + (terminal.utf8 ? "→ " : "-> "), rest + "  ");
  }
  return text;
}

std::string doctor_json(const std::string& name, const Json& subject, const Checks& checks) {
  Json json{{"schema", 1}, {name, subject}};
  json["checks"] = json_rows(columns::checks(), checks);
  return document(json);
}

std::string doctor_csv(const Checks& checks) { return csv_table(columns::checks(), checks); }

Json program_json(const BuiltProgram& program) {
  Json json{{"file", program.path}, {"processor", program.machine}, {"static", program.is_static}};
  set(json, "loader", program.loader);
  json["mpi"] = Json::array();
  for (const MpiLibrary& mpi : program.mpi) {
    Json& library = json["mpi"].emplace_back(Json{{"family", name_of(mpi.family)}});
    set(library, "soname", mpi.soname);
    set(library, "path", mpi.path);
  }
  json["openmp"] = program.openmp;
  set(json, "sanitizer", program.sanitizer);
  const ProbesInside& probes = program.probes;
  json["probes"] = {{"functions", probes.functions},
                    {"loops", probes.loops},
                    {"blocks", probes.blocks},
                    {"hooks", probes.hooks},
                    {"notes", probes.notes}};
  if (probes.other_version) json["probes"]["other_version"] = *probes.other_version;
  if (program.has_symbols) json["functions"] = program.functions;
  json["debug_lines"] = program.debug_lines;
  json["compilers"] = program.compilers;
  json["libraries_missing"] = program.libraries.missing;
  return json;
}

} // namespace andes::postproc
