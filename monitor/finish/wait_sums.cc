#include "monitor/finish/wait_sums.h"

#include <algorithm>
#include <tuple>

namespace andes::monitor {
namespace {

auto key(const WaitSum& sum) { return std::tuple(sum.cause, sum.path, sum.peer_path, sum.origin_path, sum.chained); }

bool names_peer(const WaitSum& sum) { return sum.peer_path != 0 || sum.origin_path != 0; }

void add_share(std::int32_t& rank, double& share_ns, std::int32_t other, double other_ns) {
  if (other == rank) share_ns += other_ns;
  else if (other_ns > share_ns || (other_ns == share_ns && other < rank)) rank = other, share_ns = other_ns;
}

void add(WaitSum& into, const WaitSum& from) {
  add_share(into.peer_rank, into.peer_ns, from.peer_rank, from.peer_ns);
  add_share(into.origin_rank, into.origin_ns, from.origin_rank, from.origin_ns);
  into.wait_ns += from.wait_ns;
  into.events += from.events;
  into.variance_ns2 += from.variance_ns2;
}

void unite(std::vector<WaitSum>& sums) {
  std::stable_sort(sums.begin(), sums.end(), [](const WaitSum& a, const WaitSum& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < sums.size(); ++i) {
    if (key(sums[kept]) == key(sums[i])) add(sums[kept], sums[i]);
    else sums[++kept] = sums[i];
  }
  if (!sums.empty()) sums.resize(kept + 1);
}

void limit(std::vector<WaitSum>& sums) {
  std::vector<WaitSum*> named;
  for (WaitSum& sum : sums)
    if (names_peer(sum)) named.push_back(&sum);
  if (named.size() <= most_wait_sums) return;
  const auto first_out = named.begin() + most_wait_sums;
  std::nth_element(named.begin(), first_out, named.end(), [](const WaitSum* a, const WaitSum* b) {
    return a->wait_ns != b->wait_ns ? a->wait_ns > b->wait_ns : key(*a) < key(*b);
  });
  std::for_each(first_out, named.end(), [](WaitSum* sum) {
    sum->peer_path = sum->origin_path = 0;
    sum->chained = 0;
    sum->peer_rank = sum->origin_rank = -1;
    sum->peer_ns = sum->origin_ns = sum->wait_ns;
  });
  unite(sums);
}

} // namespace

void add_wait_sums(WaitSums& into, const std::vector<WaitSum>& sums) {
  into.sums.insert(into.sums.end(), sums.begin(), sums.end());
  unite(into.sums);
  limit(into.sums);
}

void merge(WaitSums& into, const WaitSums& from) {
  add_wait_sums(into, from.sums);
  into.matched += from.matched;
  into.unmatched += from.unmatched;
  into.unordered += from.unordered;
  into.outside += from.outside;
  into.lost += from.lost;
  into.violations += from.violations;
  into.unclassified_ns += from.unclassified_ns;
  into.transfers_unknown += from.transfers_unknown;
  add_left_overs(into.left_overs, from.left_overs);
  into.clock_error_ns = std::max(into.clock_error_ns, from.clock_error_ns);
}

} // namespace andes::monitor
