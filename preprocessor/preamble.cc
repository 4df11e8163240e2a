// Preambles. `andes cc` puts the text of probe.h itself into the copy's header, so that no file of
// andes shows up among the dependencies of the program.
#include "preprocessor/preamble.h"

#include <filesystem>

#include <fmt/core.h>

#include "preprocessor/left_out.h"
#include "preprocessor/process.h"
#include "slow_text.h"

namespace andes::preprocessor {

std::string probe_header() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / ANDES_TO_HEADER).lexically_normal().string();
}

std::string in_c(const std::string& statements) { return fmt::format("__asm__(\"{}\");\n", c_escaped(statements)); }

std::string left_out_notes(const std::vector<Function>& functions, const std::vector<Decision>& decisions) {
  std::string text;
  for (const std::string& statement : left_out_statements(functions, decisions)) text += in_c(statement);
  return text;
}

std::string plain_preamble(const SiteTable& table, const std::string& notes) {
  return fmt::format("#include \"{}\"\n{}{}", c_escaped(probe_header()), table.text, notes);
}

std::string system_preamble(const std::vector<SiteTable>& tables, const std::string& notes) {
  const std::string path = probe_header();
  const std::optional<std::string> text = read_file(path);
  if (!text || text->empty()) return "";
  // Indented: else -Wtraditional warns.
  std::string out = " #pragma GCC system_header\n";
  if (sizeof slow_text > 1) out += fmt::format("#define ANDES_SLOW_TEXT \"{}\"\n", c_escaped(slow_text));
  out += fmt::format("#line 1 \"{0}\"\n{1}\n#line 1 \"{0}\"\n", c_escaped(path), *text);
  // The copy that begins with this may be entered again, as another name of it.
  out += "#ifndef ANDES_TABLES\n#define ANDES_TABLES\n";
  for (const SiteTable& table : tables) out += table.text;
  return out + notes + "#endif\n";
}

} // namespace andes::preprocessor
