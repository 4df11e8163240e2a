// The edits. A probe stands on the line of its brace; if anything follows the brace, the rest goes
// to a line of its own below a #line, padded to its old column, so that messages about it point
// where they pointed before.
#include "preprocessor/edit.h"

#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

namespace andes {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::uint64_t fnv1a(std::string_view text) { // Fowler, Noll, Vo
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

std::vector<unsigned> with_probe(const std::vector<Decision>& decisions) {
  std::vector<unsigned> chosen;
  for (unsigned i = 0; i < decisions.size(); ++i)
    if (decisions[i].probe) chosen.push_back(i);
  return chosen;
}

} // namespace

std::string c_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '?')
      out += "\\?"; // no trigraphs
    else if (static_cast<unsigned char>(c) < 32)
      out += fmt::format("\\{:03o}", c);
    else
      out += c;
  }
  return out;
}

Table table_of(const std::vector<Function>& functions, const std::vector<Decision>& decisions) {
  std::string records;
  for (const unsigned i : with_probe(decisions))
    records +=
        fmt::format("  ANDES_SITE(\"{}\", \"{}\", {}, ANDES_KIND_FUNCTION),\n",
                    c_escaped(functions[i].name), c_escaped(functions[i].file), functions[i].line);
  if (records.empty()) return {};
  Table table;
  table.name = fmt::format("andes_sites_{:016x}", fnv1a(records));
  table.text = fmt::format("extern struct andes_site {0}[]\n"
                           "    __attribute__((weak, visibility(\"hidden\")));\n"
                           "struct andes_site {0}[] = {{\n{1}}};\n",
                           table.name, records);
  return table;
}

std::string edit(std::string_view source, const std::string& path,
                 const std::vector<Function>& functions, const std::vector<Decision>& decisions,
                 const std::string& preamble, const std::string& table) {
  struct Probe {
    std::size_t offset;
    unsigned line, site;
  };
  std::vector<Probe> probes;
  for (const unsigned i : with_probe(decisions))
    probes.push_back({functions[i].body, functions[i].body_line, unsigned(probes.size())});
  std::ranges::sort(probes, {}, &Probe::offset);

  std::string out;
  std::size_t done = source.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const std::size_t first = done;
  if (!preamble.empty()) out += preamble + fmt::format("#line 1 \"{}\"\n", c_escaped(path));
  for (const Probe& probe : probes) {
    out += source.substr(done, probe.offset - done);
    done = probe.offset;
    out += fmt::format("ANDES_PROBE(&{}[{}])", table, probe.site);
    const std::size_t end = std::min(source.find('\n', done), source.size());
    if (source.substr(done, end - done).find_first_not_of(" \t\r\f\v") == std::string_view::npos)
      continue;
    const std::size_t before = source.rfind('\n', done - 1);
    const std::size_t line_start = before == std::string_view::npos ? first : before + 1;
    out += fmt::format("\n#line {}\n{}", probe.line, std::string(done - line_start, ' '));
  }
  out += source.substr(done);
  return out;
}

} // namespace andes
