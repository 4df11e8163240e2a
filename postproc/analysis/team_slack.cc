#include "postproc/analysis/team_slack.h"

#include <algorithm>

#include "postproc/model/read_own_times.h"

namespace andes::postproc {
namespace {

bool waits_for_team(const std::string& kind) { return is_idle_kind(kind) && kind != "apart"; }

} // namespace

TeamSlack::TeamSlack(const Profile& profile) : region_of_(outermost_regions(profile)) {
  for (const CauseStatistic& finding : profile.cause_statistics)
    if (const int region = region_of_[static_cast<std::size_t>(finding.callpath)]; region >= 0) slack_ns_[region] = 0;
  if (slack_ns_.empty()) return;
  std::vector<bool> wanted(region_of_.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = slack_ns_.count(region_of_[i]) > 0 && waits_for_team(profile.region_of(i).kind);
  const OwnTimes waits = own_times_of_ranks(profile, wanted);
  const bool all_ranks = static_cast<int>(waits.ranks.size()) == profile.ranks;
  std::map<int, std::vector<double>> of_ranks; // by region
  std::map<int, double> at_most_ns;            // of ranks whose values are not kept: with their other threads
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    std::vector<double>& sums = of_ranks[region_of_[i]];
    sums.resize(waits.ranks.size());
    for (std::size_t rank = 0; rank < sums.size(); ++rank) sums[rank] += waits.own_ns[i][rank];
    at_most_ns[region_of_[i]] += profile.statistic(i, run_file::exclusive_ns).max;
  }
  for (const auto& [region, sums] : of_ranks)
    slack_ns_[region] = all_ranks && !sums.empty() ? *std::ranges::max_element(sums) : at_most_ns[region];
}

double TeamSlack::ns(int callpath) const {
  const auto known = slack_ns_.find(region_of_[static_cast<std::size_t>(callpath)]);
  return known == slack_ns_.end() ? 0 : known->second;
}

} // namespace andes::postproc
