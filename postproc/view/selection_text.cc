// The selection file of `andes filter`: a rule a line, the reason in a comment behind it.
#include <algorithm>

#include <fmt/format.h>

#include "monitor/interface/selection_line.h"
#include "postproc/view/number.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

std::string origin_of(const std::vector<Profile>& runs) {
  std::string text;
  for (const Profile& run : runs)
    text += fmt::format("#   {} ({}, {} rank{})\n", printable(run.file), fact_text(run, "program", "?"), run.ranks,
                        run.ranks == 1 ? "" : "s");
  return text;
}

} // namespace

std::string selection_text(const std::vector<Profile>& runs, const Exclusions& exclusions, double cost_percent,
                           const std::string& file) {
  const std::string name = file.empty() ? "FILE" : printable(file);
  std::string text = fmt::format("# Selection by andes filter: leaves out the functions whose probes cost more "
                                 "than {:g} % of\n# their time, at {:.3g} ns for a pair of probes. From\n{}",
                                 cost_percent, exclusions.probe_ns, origin_of(runs));
  text += fmt::format("# Use it:  andes cc --select {} COMPILER ...\n"
                      "# or, for a whole build, ANDES_SELECT with the full path of this file. If "
                      "the build already\n# uses a selection, append these lines to it.\n",
                      name);
  if (exclusions.functions.empty()) return text + "# There is nothing to leave out.\n";
  text += "# Behind each: visits, the time of one, and what its probes cost in per cent of p x T.\n";
  std::size_t width = 0;
  for (const Exclusion& one : exclusions.functions)
    width = std::max(width, std::min<std::size_t>(selection_line(one.name).size(), 60));
  for (const Exclusion& one : exclusions.functions) {
    std::string place = one.file;
    if (!place.empty() && one.line) place += fmt::format(":{}", one.line);
    text += fmt::format("{:<{}}  # {}{} visits of {} ns{}, {} %{}{}\n", selection_line(one.name), width,
                        one.muted ? ">=" : "", count_text(one.visits),
                        one.visit_ns < 10 ? fmt::format("{:.2g}", one.visit_ns) : fixed(one.visit_ns, 0),
                        one.muted     ? ", muted"
                        : one.closed  ? ", closed"
                        : one.sampled ? ", sampled"
                                      : "",
                        fixed(one.saved_percent, 2), place.empty() ? "" : ", ", place);
  }
  return text;
}

} // namespace andes::postproc
