#include "postproc/analysis/message_sizes.h"

#include <algorithm>
#include <map>

#include "postproc/analysis/medians.h"
#include "postproc/analysis/tree.h"

namespace andes::postproc {
namespace {

/// Number of the row of the function, loop or block that makes the call of a row.
std::optional<std::size_t> caller_of(const std::vector<std::optional<std::size_t>>& parents, const Tree& tree,
                                     std::size_t row) {
  std::optional<std::size_t> above = parents[row];
  while (above && tree.rows[*above].kind == "call-site") above = parents[*above];
  return above;
}

Protocol protocol_of(const MessageSize& size, const EagerRange& eager) {
  if (size.below && *size.below <= eager.least) return Protocol::eager;
  return size.at_least >= eager.most ? Protocol::rendezvous : Protocol::either;
}

} // namespace

std::optional<EagerRange> eager_range(const Profile& profile) {
  const std::optional<double> within = fact_number(profile, "eager_limit_within_node"),
                              between = fact_number(profile, "eager_limit_between_nodes");
  if (!within) return {};
  if (profile.hosts.size() <= 1) return EagerRange{*within, *within};
  if (!between) return {};
  return EagerRange{std::min(*within, *between), std::max(*within, *between)};
}

void add(SizeCounts& into, const SizeCounts& more) {
  for (const SizeCount& count : more) {
    const auto at = std::lower_bound(into.begin(), into.end(), count,
                                     [](const SizeCount& a, const SizeCount& b) { return a.at_least < b.at_least; });
    if (at == into.end() || at->at_least != count.at_least) {
      into.insert(at, count);
      continue;
    }
    at->messages += count.messages;
    if (at->protocol != count.protocol) at->protocol = Protocol::unknown; // not all of them are sent here
  }
}

SizeCounts median_sizes(const std::vector<SizeCounts>& repeats) {
  SizeCounts all;
  for (const SizeCounts& repeat : repeats) add(all, repeat);
  for (SizeCount& count : all) {
    std::vector<double> messages;
    for (const SizeCounts& repeat : repeats) {
      const auto same = std::find_if(repeat.begin(), repeat.end(),
                                     [&](const SizeCount& one) { return one.at_least == count.at_least; });
      messages.push_back(same == repeat.end() ? 0 : same->messages);
    }
    count.messages = median(std::move(messages));
  }
  std::erase_if(all, [](const SizeCount& count) { return count.messages == 0; });
  return all;
}

void set_message_sizes(const Profile& profile, Tree& tree) {
  if (profile.message_sizes.empty()) return;
  std::map<int, std::size_t> row_of_id;
  std::vector<std::optional<std::size_t>> parents(tree.rows.size());
  for (std::size_t row = 0; row < tree.rows.size(); ++row) {
    row_of_id[tree.rows[row].id] = row;
    for (const std::size_t child : tree.rows[row].children) parents[child] = row;
  }
  const std::optional<EagerRange> eager = eager_range(profile);
  for (const MessageSize& size : profile.message_sizes) {
    const auto found = row_of_id.find(size.callpath);
    if (found == row_of_id.end()) continue;
    TreeRow& row = tree.rows[found->second];
    const bool sends = eager && row.messages_sent > 0;
    row.sizes.push_back(
        {size.at_least, size.below, size.messages, sends ? protocol_of(size, *eager) : Protocol::unknown});
  }
  for (std::size_t row = 0; row < tree.rows.size(); ++row) {
    if (tree.rows[row].messages_sent == 0 || !is_mpi_kind(tree.rows[row].kind)) continue;
    if (const auto caller = caller_of(parents, tree, row)) add(tree.rows[*caller].sizes, tree.rows[row].sizes);
  }
}

} // namespace andes::postproc
