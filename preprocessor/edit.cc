// The edits. A probe stands on the line of its brace; if text follows the brace, it goes to a line of
// its own, so that messages about it have the same position as before. Nothing can follow a directive
// on its line: there the brace goes to a line of its own.
#include "preprocessor/edit.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

#include <fmt/core.h>

#include "common/fnv.h"

namespace andes::preprocessor {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

} // namespace

std::string c_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '?') out += "\\?"; // no trigraphs
    else if (static_cast<unsigned char>(c) < 32) out += fmt::format("\\{:03o}", c);
    else out += c;
  }
  return out;
}

SiteTable table_of(const std::vector<Site>& sites, bool by_call) {
  std::string records;
  for (const Site& site : sites)
    records += fmt::format("  ANDES_SITE(\"{}\", \"{}\", {}, {}),\n", c_escaped(site.name), c_escaped(site.file),
                           site.line, site.kind);
  if (records.empty()) return {};
  SiteTable table;
  table.name = fmt::format("andes_sites_{:016x}", fnv_hash(records + (by_call ? "()" : "")));
  table.text = fmt::format("extern struct andes_site {0}[]\n"
                           "    __attribute__((weak, visibility(\"hidden\")));\n"
                           "struct andes_site {0}[] = {{\n{1}}};\n",
                           table.name, records);
  if (by_call) table.text += fmt::format("ANDES_SITES_AT({})\n", table.name);
  return table;
}

namespace {

const char* kind_of(const Block& block) {
  switch (block.kind) {
  case Block::Kind::loop: return "ANDES_KIND_LOOP";
  case Block::Kind::region: return "ANDES_KIND_BLOCK";
  case Block::Kind::phase: return "ANDES_KIND_PHASE";
  case Block::Kind::parallel: return "ANDES_KIND_PARALLEL";
  case Block::Kind::workshare: return "ANDES_KIND_WORKSHARE";
  case Block::Kind::task: return "ANDES_KIND_TASK";
  case Block::Kind::critical: return "ANDES_KIND_CRITICAL";
  case Block::Kind::wait: return "ANDES_KIND_BLOCK";
  case Block::Kind::left: break;
  }
  return "";
}

/// The begin of a region, and the text there beside its probe.
struct Start {
  std::size_t at = 0;
  std::string before, behind;
  unsigned line = 0;    // as of an Edit
  bool by_call = false; // the probe names its record by a call
  bool is_main = false; // of the function main
};

/// What ends a line put below one that ends in `line`.
std::string line_below(unsigned line) { return fmt::format("\n#line {}", line + 1); }

/// The macro of probe.h that makes the probe.
const char* probe_form(const Site& site, const Start& start) {
  if (start.is_main) return "ANDES_MAIN_PROBE";
  return std::string_view(site.kind) == "ANDES_KIND_PHASE" ? "ANDES_PHASE_PROBE" : "ANDES_PROBE";
}

} // namespace

Probes probes_of(unsigned in, const Regions& regions, const Decisions& decisions) {
  std::map<std::size_t, const Mark*> marks; // marks that no block replaces
  for (const Mark& mark : regions.marks)
    if (mark.in == in) marks[mark.begin] = &mark;
  std::vector<Site> sites;
  std::vector<Start> starts;       // as `sites`
  std::vector<Edit> begins, ends; // at one place ends come before begins
  for (std::size_t i = 0; i < regions.functions.size(); ++i) {
    const Function& function = regions.functions[i];
    if (function.in != in || !decisions.functions[i].probe) continue;
    sites.push_back({function.name, function.file, function.line});
    starts.push_back({function.body, "", "", function.body_line, function.in_construct, function.is_main});
  }
  for (std::size_t i = 0; i < regions.blocks.size(); ++i) {
    const Block& block = regions.blocks[i];
    if (block.in != in || !decisions.blocks[i].probe) continue;
    sites.push_back({block.name, block.file, block.line, kind_of(block)});
    if (block.opens_below) starts.push_back({block.open, "\n{", line_below(block.open_line), 0, block.in_construct});
    else starts.push_back({block.open, "{", "", block.open_line, block.in_construct});
    if (block.closes_below) ends.push_back({block.close, block.close, "\n}" + line_below(block.close_line), 0});
    else ends.push_back({block.close, block.close, "}", block.close_line});
  }
  if (sites.empty()) return {};
  Probes probes{{}, table_of(sites, std::ranges::any_of(starts, &Start::by_call))};
  for (std::size_t site = 0; site < sites.size(); ++site) {
    const Start& start = starts[site];
    const std::string record =
        fmt::format(fmt::runtime(start.by_call ? "{}_at({})" : "&{}[{}]"), probes.table.name, site);
    Edit begin{start.at, start.at,
               fmt::format("{}{}({}){}", start.before, probe_form(sites[site], start), record, start.behind),
               start.line};
    if (const auto mark = marks.find(begin.begin); mark != marks.end()) {
      begin.end = mark->second->end;
      begin.text.append(mark->second->continued, '\n');
      marks.erase(mark);
    }
    begins.push_back(std::move(begin));
  }
  for (const auto& [offset, mark] : marks)
    begins.push_back({mark->begin, mark->end, std::string(mark->continued, '\n'), 0});
  probes.edits = std::move(ends);
  probes.edits.insert(probes.edits.end(), begins.begin(), begins.end());
  return probes;
}

std::string edit(std::string_view source, std::vector<Edit> edits) {
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  std::string out;
  const std::size_t first = source.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  std::size_t done = first;
  for (const Edit& change : edits) {
    out += source.substr(done, change.begin - done);
    out += change.text;
    done = change.end;
    const std::size_t end = std::min(source.find('\n', done), source.size());
    if (!change.line || source.substr(done, end - done).find_first_not_of(" \t\r\f\v") == std::string_view::npos)
      continue;
    const std::size_t before = done ? source.rfind('\n', done - 1) : std::string_view::npos;
    const std::size_t line_start = before == std::string_view::npos ? first : before + 1;
    out += fmt::format("\n#line {}\n{}", change.line, std::string(done - line_start, ' '));
  }
  out += source.substr(done);
  return out;
}

std::string below_preamble(const std::string& preamble, const std::string& path, const std::string& text) {
  return preamble.empty() ? text : fmt::format("{}#line 1 \"{}\"\n{}", preamble, c_escaped(path), text);
}

} // namespace andes::preprocessor
