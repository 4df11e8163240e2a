#include "postproc/analysis/left_overs.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/paths.h"

namespace andes::postproc {
namespace {

struct Words {
  const char *kind, *one, *many;
};
constexpr Words words[] = {
    {run_file::left_send, "send that no receive took", "sends that no receive took"},
    {run_file::left_receive, "receive that no send met", "receives that no send met"},
    {run_file::left_request, "request that no call completed", "requests that no call completed"},
    {run_file::left_order, "collective in different order", "collectives in different order"},
    {run_file::left_root, "collective with different roots", "collectives with different roots"},
    {run_file::left_missing, "collective that not all ranks called", "collectives that not all ranks called"}};

} // namespace

std::vector<NamedLeftOver> named_left_overs(const Profile& profile) {
  std::vector<NamedLeftOver> all;
  for (const LeftOver& from : profile.left_overs) {
    NamedLeftOver& one = all.emplace_back();
    one.kind = from.kind;
    one.events = from.events;
    one.rank = from.rank;
    one.peer_rank = from.peer_rank;
    one.tag = from.tag;
    one.root = from.root;
    one.peer_root = from.peer_root;
    if (from.callpath) one.path = path_of(profile, *from.callpath), one.place = place_of(profile, *from.callpath);
    if (from.peer_callpath)
      one.peer_path = path_of(profile, *from.peer_callpath), one.peer_place = place_of(profile, *from.peer_callpath);
  }
  return all;
}

std::string left_over_count(const std::string& kind, double events) {
  const auto found = std::find_if(std::begin(words), std::end(words), [&](const Words& w) { return kind == w.kind; });
  if (found == std::end(words)) return fmt::format("{:.0f} of {}", events, kind); // of a newer andes
  return fmt::format("{:.0f} {}", events, events == 1 ? found->one : found->many);
}

std::string left_overs_summary(const Profile& profile) {
  std::vector<std::pair<std::string, double>> sums; // by kind, in the order of the run
  for (const LeftOver& one : profile.left_overs) {
    if (sums.empty() || sums.back().first != one.kind) sums.emplace_back(one.kind, 0);
    sums.back().second += one.events;
  }
  std::string text;
  for (const auto& [kind, events] : sums) text += (text.empty() ? "" : ", ") + left_over_count(kind, events);
  return text;
}

} // namespace andes::postproc
