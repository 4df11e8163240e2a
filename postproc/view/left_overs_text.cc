#include "postproc/view/left_overs_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/left_overs.h"
#include "postproc/view/diagnosis_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

std::string rank_text(const std::optional<int>& rank) { return rank ? fmt::format("rank {}", *rank) : "any rank"; }

std::string call_text(const std::vector<std::string>& path, const Place& place) {
  return path.empty() ? "a call whose path is not known" : joined_path(path) + place_text(path, place);
}

/// "from rank 0 to rank 1 with tag 7".
std::string sides_text(const NamedLeftOver& one) {
  const bool message = one.peer_rank || one.tag || one.kind != run_file::left_request;
  const std::string own = rank_text(one.rank), peer = rank_text(one.peer_rank);
  if (!message) return "of " + own;
  const std::string tag = one.tag ? fmt::format(" with tag {}", *one.tag) : " with any tag";
  if (one.kind == run_file::left_send) return fmt::format("from {} to {}{}", own, peer, tag);
  if (one.kind == run_file::left_receive) return fmt::format("of {} from {}{}", own, peer, tag);
  return fmt::format("of {} with {}{}", own, peer, tag);
}

/// " with root 2"; empty: it is not known.
std::string root_text(const std::optional<int>& root) { return root ? fmt::format(" with root {}", *root) : ""; }

std::string sentence(const NamedLeftOver& one) {
  const std::string count = left_over_count(one.kind, one.events);
  const std::string call = call_text(one.path, one.place), peer_call = call_text(one.peer_path, one.peer_place);
  const std::string own = rank_text(one.rank);
  if (one.kind == run_file::left_order)
    return fmt::format("{}: {} called {} where rank {} called {}", count, own, call, one.peer_rank.value_or(-1),
                       peer_call);
  if (one.kind == run_file::left_root)
    return fmt::format("{}: {} called {}{}, rank {} called {}{}", count, own, call, root_text(one.root),
                       one.peer_rank.value_or(-1), peer_call, root_text(one.peer_root));
  if (one.kind == run_file::left_missing)
    return fmt::format("{}: {} called {}, {} did not", count, own, call,
                       one.peer_rank ? fmt::format("rank {}", *one.peer_rank) : "another one");
  return fmt::format("{}, {}{}: {}", count, one.events > 1 ? "the first " : "", sides_text(one), call);
}

} // namespace

std::string left_overs_text(const Terminal& terminal, const Profile& profile) {
  std::string text;
  for (const NamedLeftOver& one : named_left_overs(profile))
    text += wrapped("Left over at the end: " + sentence(one) + ".", std::min(terminal.width, readable_width),
                    styled(terminal, Style::yellow, "! "), "  ");
  return text;
}

} // namespace andes::postproc
