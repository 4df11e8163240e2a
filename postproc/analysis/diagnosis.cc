// A finding's waits are known by rank (metrics of the call path), its other sides and the origins
// of chains over all ranks (table `wait`): together they give bounds for single ranks.
#include "postproc/analysis/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "postproc/analysis/balance.h"
#include "postproc/analysis/late_work.h"
#include "postproc/analysis/paths.h"
#include "postproc/analysis/team_slack.h"
#include "postproc/model/read_hang.h"
#include "postproc/model/read_waits.h"

namespace andes::postproc {
namespace {

using Key = std::pair<int, int>; // cause, call path

constexpr double half_interval = 1.96; // standard errors: sums of many waits are about normal

class Diagnosing {
public:
  Diagnosing(const Profile& profile, const WaitWhole& whole)
      : profile_(profile), whole_(whole), slack_(slack_of(profile)), team_slack_(profile),
        by_rank_(waits_of_ranks(profile)), begins_(profile) {
    int rank = 0;
    for (const Location& l : profile.locations)
      if (l.thread == 0) {
        place_of_rank_[l.rank] = static_cast<std::size_t>(rank++);
        has_values_.push_back(l.has_values);
      }
    for (const CauseStatistic& s : profile.cause_statistics)
      if (s.wait_ns.sum > 0) statistics_[{s.cause, s.callpath}] = s.wait_ns;
    for (const Wait& w : profile.waits) waits_[{w.cause, w.callpath}].push_back(&w);
    for (const CureGain& g : profile.gains) {
      const bool defined =
          g.cure != run_file::cure_leave_out || !is_of_all(profile.causes[static_cast<std::size_t>(g.cause)].name);
      if (defined) gains_[{g.cause, g.callpath}].push_back(replayed(g.gain_ns, g.error_ns, g.cure));
    }
    for (const WaitOrigin& o : profile.origins) origins_[{o.callpath, o.rank}] = &o;
  }

  std::vector<Finding> findings() const {
    std::vector<Finding> found;
    for (const auto& [key, statistic] : statistics_) {
      found.push_back(finding(key, statistic));
      if (const auto cause = cause_of(key)) found.back().follows = name_of(*cause);
    }
    if (Finding end = wait_at_end_finding(); end.severity_s > 0) found.push_back(std::move(end));
    sort_by_effect(found);
    return found;
  }

private:
  double percent_of(double ns) const { return 100 * ns / (whole_.seconds * 1e9); }

  /// Bounds of each rank's waits in one call path.
  Savings waits_of(const Key& key, const Statistic& statistic) const {
    Savings waits(profile_.ranks);
    for (std::size_t r = 0; r < has_values_.size(); ++r) {
      waits.low[r] = has_values_[r] ? 0 : statistic.min;
      waits.high[r] = has_values_[r] ? 0 : statistic.max;
    }
    if (const auto known = by_rank_.find(key); known != by_rank_.end())
      for (const RankWait& w : known->second) {
        const std::size_t r = place_of_rank_.at(w.rank);
        if (has_values_[r]) waits.low[r] = waits.high[r] = w.wait_ns;
      }
    return waits;
  }

  FindingName name_of(const Key& key) const {
    return {profile_.causes[static_cast<std::size_t>(key.first)].name, path_of(profile_, key.second)};
  }

  /// The finding in which most of the chains of this one begin: that of the waits for their origin itself. None where
  /// most of the waits are no links of chains.
  std::optional<Key> cause_of(const Key& key) const {
    const auto own = waits_.find(key);
    if (own == waits_.end()) return {};
    double direct_ns = 0;
    std::map<Key, double> chains; // by call path and rank of the origin
    for (const Wait* w : own->second) {
      if (is_direct(*w) || w->origin_callpath < 0) direct_ns += w->wait_ns;
      else chains[{w->origin_callpath, w->origin_rank}] += w->wait_ns;
    }
    const auto most = std::max_element(chains.begin(), chains.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == chains.end() || most->second <= direct_ns) return {};
    std::optional<Key> cause;
    double cause_ns = 0;
    for (const auto& [other, rows] : waits_) {
      double ns = 0; // of waits for the origin
      for (const Wait* w : rows)
        if (w->peer_callpath == most->first.first && w->peer_rank == most->first.second && is_direct(*w))
          ns += w->wait_ns;
      if (other == key || ns <= cause_ns) continue;
      cause = other;
      cause_ns = ns;
    }
    return cause;
  }

  /// Whether the rank that was waited for is the origin.
  static bool is_direct(const Wait& w) { return w.origin_callpath == w.peer_callpath && w.origin_rank == w.peer_rank; }

  enum class Begin { elsewhere, maybe_here, here };

  /// Whether the chain that `wait` ends began with waits of `finding`, or with who they waited for.
  /// A row sums the waits of many ranks and names one of them: the answer is certain only if that
  /// is the same rank.
  Begin begin_of(const Wait& wait, const Key& finding) const {
    if (wait.origin_callpath < 0 || is_direct(wait)) return Begin::elsewhere;
    Begin begin = wait.origin_callpath == finding.second ? Begin::maybe_here : Begin::elsewhere;
    const auto own = waits_.find(finding);
    if (own == waits_.end()) return begin;
    for (const Wait* w : own->second) {
      if (w->peer_callpath != wait.origin_callpath) continue;
      if (w->peer_rank == wait.origin_rank) return Begin::here;
      begin = Begin::maybe_here;
    }
    return begin;
  }

  Savings savings_of(const Key& key, const Statistic& statistic) const {
    Savings savings = waits_of(key, statistic);
    for (const auto& [other, rows] : waits_) {
      const auto all = statistics_.find(other);
      if (other == key || all == statistics_.end()) continue;
      double surely_ns = 0, at_most_ns = 0;
      for (const Wait* w : rows) {
        const Begin begin = begin_of(*w, key);
        if (begin == Begin::here) surely_ns += w->wait_ns;
        if (begin != Begin::elsewhere) at_most_ns += w->wait_ns;
      }
      if (at_most_ns <= 0) continue;
      const double rest_ns = std::max(0.0, all->second.sum - surely_ns);
      const Savings waits = waits_of(other, all->second);
      for (std::size_t r = 0; r < savings.low.size(); ++r) {
        savings.low[r] += std::max(0.0, waits.low[r] - rest_ns);
        savings.high[r] += std::min(waits.high[r], at_most_ns);
      }
    }
    return savings;
  }

  void add_sides(const Key& key, Finding& f) const {
    const auto rows = waits_.find(key);
    if (rows == waits_.end()) return;
    std::map<Key, WaitPeer> peers, origins; // by call path, rank
    const auto add = [this](std::map<Key, WaitPeer>& sides, int path, int rank, const Wait& w) {
      WaitPeer& side = sides[{path, rank}];
      if (path >= 0) side.path = path_of(profile_, path);
      side.place = place_of(profile_, path);
      if (rank >= 0) side.rank = rank;
      side.wait_s += w.wait_ns * 1e-9;
      side.events += w.events;
    };
    double variance_ns2 = 0, events = 0;
    for (const Wait* w : rows->second) {
      if (w->peer_callpath >= 0 || w->peer_rank >= 0) add(peers, w->peer_callpath, w->peer_rank, *w);
      if (w->origin_callpath >= 0) add(origins, w->origin_callpath, w->origin_rank, *w);
      variance_ns2 += w->variance_ns2;
      events += w->events;
    }
    f.events = events;
    if (variance_ns2 > 0) f.error_s = half_interval * std::sqrt(variance_ns2) * 1e-9;
    for (auto* sides : {&peers, &origins}) {
      std::vector<WaitPeer>& into = sides == &peers ? f.peers : f.origins;
      for (auto& [at, side] : *sides) {
        if (sides == &origins) describe_origin(side, at.first);
        into.push_back(std::move(side));
      }
      std::stable_sort(into.begin(), into.end(),
                       [](const WaitPeer& a, const WaitPeer& b) { return a.wait_s > b.wait_s; });
    }
    f.begin = described(begins_.main_of(rows->second));
  }

  std::optional<WaitBegin> described(const std::optional<MainOrigin>& origin) const {
    if (!origin) return {};
    const int callpath = origin->reason.callpath;
    return WaitBegin{origin->reason.kind, path_of(profile_, callpath), place_of(profile_, callpath), origin->ranks};
  }

  /// What is known of the place at which chains of waits began.
  void describe_origin(WaitPeer& side, int callpath) const {
    const auto known = side.rank ? origins_.find({callpath, *side.rank}) : origins_.end();
    if (known == origins_.end()) return;
    const WaitOrigin& origin = *known->second;
    side.cost_s = origin.wait_ns * 1e-9;
    if (origin.doing_callpath < 0) return;
    const LateReason reason = late_reason(profile_, origin);
    const int doing = reason.kind == OriginKind::late_messages ? origin.doing_callpath : reason.callpath;
    const auto path = static_cast<std::size_t>(doing);
    side.doing_path = path_of(profile_, doing);
    side.doing_place = place_of(profile_, doing);
    side.doing_io = profile_.region_of(path).kind == "io";
    side.doing_in_callees =
        !side.doing_io && stands_for_callees(profile_, path) && !is_late_by_itself(profile_, origin, doing);
    side.doing_s = origin.doing_ns * 1e-9;
  }

  static void sort_ranks(Finding& f) {
    std::stable_sort(f.ranks.begin(), f.ranks.end(),
                     [](const WaitingRank& a, const WaitingRank& b) { return a.wait_s > b.wait_s; });
  }

  Finding finding(const Key& key, const Statistic& statistic) const {
    const Cause& cause = profile_.causes[static_cast<std::size_t>(key.first)];
    const CallPath& path = profile_.callpaths[static_cast<std::size_t>(key.second)];
    Finding f;
    f.cause = cause.name;
    f.title = cause.title;
    f.description = cause.description;
    f.advice = cause.advice;
    f.path = path_of(profile_, key.second);
    f.kind = profile_.regions[static_cast<std::size_t>(path.region)].kind;
    f.place = place_of(profile_, key.second);
    f.severity_s = statistic.sum * 1e-9;
    f.percent = percent_of(statistic.sum);
    f.whole = whole_.text;
    if (const auto known = gains_.find(key); known != gains_.end()) f.gains = known->second;
    f.gain = f.gains.empty() ? gain_of(savings_of(key, statistic), slack_, false) : best_of(f.cause, f.gains);
    const auto less_surely = [team_s = 1e-9 * team_slack_.ns(key.second)](Gain& gain) {
      gain.low_s = std::max(0.0, gain.low_s - team_s);
    };
    less_surely(f.gain);
    std::ranges::for_each(f.gains, less_surely);
    if (const auto known = by_rank_.find(key); known != by_rank_.end())
      for (const RankWait& w : known->second)
        if (w.wait_ns > 0) f.ranks.push_back({w.rank, w.wait_ns * 1e-9});
    sort_ranks(f);
    add_sides(key, f);
    return f;
  }

  Finding wait_at_end_finding() const {
    Finding f;
    f.cause = wait_at_end;
    f.title = "Wait at the end";
    f.description = "Ranks come to the end of the program and wait there for the others.";
    const bool is_even = have_early_ranks_as_much_work();
    f.advice = is_even ? "Look at what the last ranks have waited for before: those that arrive early compute "
                         "no less in all. A pipeline fills and empties sooner with smaller pieces."
                       : "Share the work evenly: the ranks that arrive early have less of it.";
    f.path = path_of(profile_, 0);
    f.kind = "root";
    Savings savings(profile_.ranks);
    savings.low = savings.high = slack_.end_ns;
    double sum_ns = 0;
    for (const auto& [rank, place] : place_of_rank_) {
      const double end_ns = slack_.end_ns[place];
      sum_ns += end_ns;
      if (end_ns > 0) f.ranks.push_back({rank, end_ns * 1e-9});
    }
    f.severity_s = sum_ns * 1e-9;
    f.percent = percent_of(sum_ns);
    f.whole = whole_.text;
    // All end at the mean of the ends. Where early ranks have no less work, there are bounds alone.
    if (!is_even && fact_text(profile_, "gains") == "replayed")
      f.gains.push_back(replayed(sum_ns / profile_.ranks, 0, run_file::cure_share));
    f.gain = f.gains.empty() ? gain_of(savings, slack_, true) : f.gains.front();
    f.begin = described(main_origin_at_end(profile_));
    sort_ranks(f);
    return f;
  }

  /// Whether ranks that end early, each by the weight of its wait, compute no less than the last one, which then
  /// has waited for longer before. Not known of teams, whose threads compute apart.
  bool have_early_ranks_as_much_work() const {
    constexpr double little = 0.25; // of the wait
    const Location* last = last_rank(profile_);
    if (!last) return false;
    double sum = 0, of_squares = 0, more = 0;
    for (const Location& l : profile_.locations) {
      if (l.thread != 0) return false;
      const double end_ns = std::max(0.0, l.wait_at_end_ns.value_or(0));
      sum += end_ns;
      of_squares += end_ns * end_ns;
      more += end_ns * (last->compute_ns - l.compute_ns);
    }
    return sum > 0 && more < little * of_squares;
  }

  const Profile& profile_;
  const WaitWhole& whole_;
  Slack slack_;
  TeamSlack team_slack_;
  RankWaits by_rank_;
  Origins begins_;
  std::map<int, std::size_t> place_of_rank_;
  std::vector<bool> has_values_; // by place
  std::map<Key, Statistic> statistics_;
  std::map<Key, std::vector<const Wait*>> waits_;
  std::map<Key, std::vector<Gain>> gains_;
  std::map<Key, const WaitOrigin*> origins_; // by call path and rank
};

Diagnosis diagnosis_with(const Profile& profile, WaitWhole whole) {
  Diagnosis d;
  d.hang = hang_of(profile);
  d.why_no_waits = why_no_waits(profile);
  d.whole = std::move(whole);
  double idle_s = 0;
  for (const Location& l : profile.locations)
    (l.thread == 0 ? idle_s : d.other_threads_idle_s) += idle_in_mpi_ns(profile, l).value_or(0) * 1e-9;
  if (d.why_no_waits.empty()) d.idle_percent = 100 * idle_s / (profile.ranks * profile.wall_s);
  d.findings = Diagnosing(profile, d.whole).findings();
  d.some_ranks =
      std::any_of(profile.locations.begin(), profile.locations.end(), [](const Location& l) { return !l.has_values; });
  const auto number = [&](FactName name) { return fact_number(profile, name).value_or(0); };
  d.why_no_gains = fact_text(profile, "gains_reason");
  d.kept = kept_in_log(profile);
  d.unclassified_s = number("wait_unclassified_ns") * 1e-9;
  d.unmatched = number("messages_unmatched");
  d.unordered = number("events_unordered");
  d.outside = number("events_outside");
  d.lost = number("events_lost");
  d.lost_function_calls = number("function_calls_lost");
  d.left_out = fact_text(profile, "events_left_out");
  d.clock_violations = number("clock_violations");
  d.clock_error_ns = fact_number(profile, "clock_offset_error_ns");
  return d;
}

} // namespace

Diagnosis diagnosis_of(const Profile& profile) { return std::move(diagnoses_of({&profile}).front()); }

std::vector<Diagnosis> diagnoses_of(const std::vector<const Profile*>& runs) {
  std::vector<WaitWhole> wholes = wait_wholes_of(runs);
  std::vector<Diagnosis> diagnoses;
  for (std::size_t i = 0; i < runs.size(); ++i) diagnoses.push_back(diagnosis_with(*runs[i], std::move(wholes[i])));
  return diagnoses;
}

std::vector<Diagnosis> diagnoses_of(const std::vector<Profile>& runs) {
  std::vector<const Profile*> profiles;
  for (const Profile& run : runs) profiles.push_back(&run);
  return diagnoses_of(profiles);
}

} // namespace andes::postproc
