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

/// The last `names` names of a call path without its root, joined.
std::string tail_of(const Profile& profile, int callpath, std::size_t names) {
  std::string text;
  for (int at = callpath; names > 0 && at >= 0; --names) {
    const CallPath& path = profile.callpaths[static_cast<std::size_t>(at)];
    if (path.parent < 0 && !text.empty()) break;
    const std::string name = normal(profile.regions[static_cast<std::size_t>(path.region)].name);
    text = text.empty() ? name : name + '>' + text;
    at = path.parent;
  }
  return text;
}

std::size_t names_in(const std::string& place) {
  return 1 + static_cast<std::size_t>(std::count(place.begin(), place.end(), '>'));
}

bool ends_with(const std::string& path, const std::string& place) {
  if (!path.ends_with(place)) return false;
  return path.size() == place.size() || path[path.size() - place.size() - 1] == '>';
}

[[noreturn]] void refuse_unknown(const Profile& profile, const RoutineChange& change) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < profile.callpaths.size(); ++i)
    names.insert(tail_of(profile, static_cast<int>(i), std::min<std::size_t>(names_in(change.place), 8)));
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

Concerned concerned_by(const Profile& profile, const RoutineChange& change) {
  Concerned concerned;
  concerned.paths.resize(profile.callpaths.size());
  std::vector<bool> may_end; // by region
  for (const Region& region : profile.regions) may_end.push_back(ends_with(change.place, normal(region.name)));
  const std::size_t names = names_in(change.place);
  for (std::size_t i = 0; i < profile.callpaths.size(); ++i) {
    const CallPath& path = profile.callpaths[i];
    concerned.paths[i] = (path.parent >= 0 && concerned.paths[static_cast<std::size_t>(path.parent)]) ||
                         (may_end[static_cast<std::size_t>(path.region)] &&
                          ends_with(tail_of(profile, static_cast<int>(i), names), change.place));
    concerned.any = concerned.any || concerned.paths[i];
    concerned.computes = concerned.computes || (concerned.paths[i] && is_computing_kind(profile.region_of(i).kind) &&
                                                profile.statistic(i, run_file::exclusive_ns).sum > 0);
  }
  return concerned;
}

std::vector<bool> paths_of(const Profile& profile, const RoutineChange& change) {
  Concerned concerned = concerned_by(profile, change);
  if (!concerned.any) refuse_unknown(profile, change);
  if (!concerned.computes && change.kind != RoutineChange::Kind::no_wait)
    refuse("--if '" + text_of(change) + "'", "nothing is computed there",
           fmt::format("give 'no-wait {}' for waits in MPI", change.place));
  return std::move(concerned.paths);
}

std::string place_of_path(const Profile& profile, int callpath) {
  constexpr std::size_t most_names = 8;
  const int region = profile.callpaths[static_cast<std::size_t>(callpath)].region;
  std::string place;
  for (std::size_t names = 1; names <= most_names; ++names) {
    place = tail_of(profile, callpath, names);
    int alike = 0;
    for (std::size_t i = 0; i < profile.callpaths.size() && alike < 2; ++i)
      alike += profile.callpaths[i].region == region && tail_of(profile, static_cast<int>(i), names) == place;
    if (alike < 2) break;
  }
  return place;
}

} // namespace andes::postproc
