// Names are compared as text: names of C++ may hold `>` themselves. Blanks around it do not count.
#include "postproc/analysis/routine_change.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "common/nearest.h"
#include "common/refusal.h"
#include "postproc/analysis/late_work.h"

namespace andes::postproc {
namespace {

constexpr const char* grammar = "give 'NAME xK' with K above 1, 'balance NAME', 'parallel NAME' or 'no-wait NAME'";

/// Without blanks at either end and around `>`.
std::string normal(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool after = result.empty() || result.back() == '>';
    if (c == ' ' && after) continue;
    if (c == '>')
      while (!result.empty() && result.back() == ' ') result.pop_back();
    result += c;
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

/// The K of a last word xK; 0: it is none.
double factor_of(const std::string& word) {
  double factor = 0;
  if (word.size() < 2 || word.front() != 'x') return 0;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), factor);
  return error == std::errc() && end == word.data() + word.size() && std::isfinite(factor) ? factor : 0;
}

/// Names of a call path below its root, joined.
std::string joined(const Profile& profile, std::size_t callpath) {
  const CallPath& path = profile.callpaths[callpath];
  const std::string name = normal(profile.regions[static_cast<std::size_t>(path.region)].name);
  if (path.parent < 0 || profile.callpaths[static_cast<std::size_t>(path.parent)].parent < 0) return name;
  return joined(profile, static_cast<std::size_t>(path.parent)) + '>' + name;
}

bool ends_with(const std::string& path, const std::string& place) {
  if (!path.ends_with(place)) return false;
  return path.size() == place.size() || path[path.size() - place.size() - 1] == '>';
}

[[noreturn]] void refuse_unknown(const Profile& profile, const RoutineChange& change) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < profile.callpaths.size(); ++i) {
    names.insert(normal(profile.regions[static_cast<std::size_t>(profile.callpaths[i].region)].name));
    if (change.place.find('>') != change.place.npos) names.insert(joined(profile, i));
  }
  const std::string meant = nearest(change.place, {names.begin(), names.end()});
  refuse("--if '" + text_of(change) + "'", fmt::format("no call path ends with {}", change.place),
         meant.empty() ? "andes show lists the call paths" : fmt::format("did you mean '{}'?", meant));
}

} // namespace

RoutineChange change_of(const std::string& text) {
  const std::string words = normal(text);
  RoutineChange change;
  for (const auto& [word, kind] :
       {std::pair("balance ", RoutineChange::Kind::balanced), std::pair("parallel ", RoutineChange::Kind::parallel),
        std::pair("no-wait ", RoutineChange::Kind::no_wait)}) {
    if (!words.starts_with(word)) continue;
    change.kind = kind;
    change.place = normal(words.substr(std::string(word).size()));
    return change;
  }
  const auto blank = words.rfind(' ');
  change.factor = blank == words.npos ? 0 : factor_of(words.substr(blank + 1));
  if (change.factor <= 1) refuse("--if '" + text + "'", "it is no change of a routine", grammar);
  change.place = normal(words.substr(0, blank));
  return change;
}

std::string text_of(const RoutineChange& change) {
  switch (change.kind) {
  case RoutineChange::Kind::balanced: return "balance " + change.place;
  case RoutineChange::Kind::parallel: return "parallel " + change.place;
  case RoutineChange::Kind::no_wait: return "no-wait " + change.place;
  default: return fmt::format("{} x{:g}", change.place, change.factor);
  }
}

std::vector<bool> paths_of(const Profile& profile, const RoutineChange& change) {
  std::vector<bool> concerned(profile.callpaths.size()), may_end; // by call path; by region
  for (const Region& region : profile.regions) may_end.push_back(ends_with(change.place, normal(region.name)));
  bool any = false, computes = false;
  for (std::size_t i = 0; i < concerned.size(); ++i) {
    const int parent = profile.callpaths[i].parent;
    concerned[i] =
        (parent >= 0 && concerned[static_cast<std::size_t>(parent)]) ||
        (may_end[static_cast<std::size_t>(profile.callpaths[i].region)] && ends_with(joined(profile, i), change.place));
    any = any || concerned[i];
    computes = computes ||
               (concerned[i] && is_computation(profile, i) && profile.statistic(i, run_file::exclusive_ns).sum > 0);
  }
  if (!any) refuse_unknown(profile, change);
  if (!computes && change.kind != RoutineChange::Kind::no_wait)
    refuse("--if '" + text_of(change) + "'", "nothing is computed there",
           fmt::format("give 'no-wait {}' for waits in MPI", change.place));
  return concerned;
}

std::string place_of_path(const Profile& profile, int callpath) {
  const auto own = static_cast<std::size_t>(callpath);
  const std::string path = joined(profile, own);
  std::vector<std::string> others; // of which the last name is the same
  for (std::size_t i = 0; i < profile.callpaths.size(); ++i)
    if (i != own && profile.regions[static_cast<std::size_t>(profile.callpaths[i].region)].name ==
                        profile.regions[static_cast<std::size_t>(profile.callpaths[own].region)].name)
      others.push_back(joined(profile, i));
  for (int at = callpath; at >= 0; at = profile.callpaths[static_cast<std::size_t>(at)].parent) {
    // As many names from the end as there are steps up to `at`.
    std::string place = path;
    if (const std::string above = joined(
            profile, static_cast<std::size_t>(std::max(0, profile.callpaths[static_cast<std::size_t>(at)].parent)));
        path.starts_with(above + '>'))
      place = path.substr(above.size() + 1);
    if (std::none_of(others.begin(), others.end(), [&](const std::string& other) { return ends_with(other, place); }))
      return place;
  }
  return path;
}

} // namespace andes::postproc
