#include "monitor/exchange/collectives.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <string_view>

namespace andes::monitor {
namespace {

bool has_data(const ArrivedCollective& part) { return !(part.wire.flags & event_empty); }

/// The part that has entered last (or first) so far.
struct Extreme {
  const ArrivedCollective* part = nullptr;

  void take_later(const ArrivedCollective& other) {
    if (!part || other.wire.start.enter_ns > part->wire.start.enter_ns) part = &other;
  }
  void take_earlier(const ArrivedCollective& other) {
    if (!part || other.wire.start.enter_ns < part->wire.start.enter_ns) part = &other;
  }
  std::int64_t enter_ns() const { return part ? part->wire.start.enter_ns : 0; }
  std::int32_t rank() const { return part ? part->rank : -1; }
};

std::int64_t exit_ns(const CallWire& call) { return exit_of(call); }

constexpr std::size_t most_disagreements = 1 << 16;

/// The function, without what a call site adds to its name and without the ending of large counts; empty: not known
/// ("(more MPI calls)" of a full call tree), or MPI_Start and MPI_Startall, which may start one and the same operation.
std::string_view function_of(std::int32_t site, const Sites& sites) {
  if (site < 0) return {};
  std::string_view name = sites[site].function;
  name = name.substr(0, name.find(' '));
  if (name.ends_with("_c")) name.remove_suffix(2);
  return name.starts_with('(') || name.starts_with("MPI_Start") ? std::string_view() : name;
}

/// Results that go back to one rank.
using Results = std::vector<CollectiveResult>;

class Comparing {
public:
  Comparing(const Arrivals& arrived, const EventTables& tables, const Sites& sites, std::size_t ranks,
            double clock_error_ns)
      : parts_(arrived.collectives), sources_(arrived.sources), tables_(tables), sites_(sites), results_(ranks),
        clock_error_ns_(clock_error_ns) {}

  std::vector<Results>& run() {
    std::vector<const ArrivedCollective*> order;
    for (const ArrivedCollective& part : parts_) order.push_back(&part);
    std::sort(order.begin(), order.end(), [](const ArrivedCollective* a, const ArrivedCollective* b) {
      const CollectiveWire &x = a->wire, &y = b->wire;
      if (x.key != y.key) return x.key < y.key;
      return x.number != y.number ? x.number < y.number : x.member < y.member;
    });
    for (auto at = order.begin(); at != order.end();) {
      const auto end = std::find_if(at, order.end(), [&](const ArrivedCollective* part) {
        return part->wire.key != (*at)->wire.key || part->wire.number != (*at)->wire.number;
      });
      compare({at, end});
      at = end;
    }
    return results_;
  }
  std::uint64_t unmatched() const { return unmatched_; }
  std::vector<Disagreement>& disagreements() { return disagreements_; }

private:
  void compare(std::span<const ArrivedCollective* const> parts) {
    // If a rank is missing, or occurs twice since numbers have wrapped, the operation is not compared.
    const auto same_member = [](const ArrivedCollective* a, const ArrivedCollective* b) {
      return a->wire.member == b->wire.member;
    };
    const bool twice = std::adjacent_find(parts.begin(), parts.end(), same_member) != parts.end();
    if (twice || !agree(parts)) {
      unmatched_ += parts.size();
      return;
    }
    Extreme earliest, latest, root, other;
    const ArrivedCollective* earliest_to_leave = parts[0];
    for (const ArrivedCollective* part : parts) {
      if (exit_ns(part->wire.end) < exit_ns(earliest_to_leave->wire.end)) earliest_to_leave = part;
      if (is_root(*part)) root.part = part;
      if (!has_data(*part)) continue;
      earliest.take_earlier(*part);
      latest.take_later(*part);
      if (!is_root(*part)) other.take_later(*part);
    }
    const bool left_early = left_before(*earliest_to_leave, latest);
    const bool scan = EventKind(parts[0]->wire.kind) == EventKind::scan;
    const bool neighbour = EventKind(parts[0]->wire.kind) == EventKind::neighbour;
    if (scan) other = {};
    for (const ArrivedCollective* part : parts) { // by their number on the communicator
      if (neighbour) other = latest_source(*part, parts);
      CollectiveResult result{};
      result.earliest_ns = earliest.enter_ns(), result.earliest_rank = earliest.rank();
      result.latest_ns = latest.enter_ns(), result.latest_rank = latest.rank();
      result.latest_site = site(latest);
      result.root_ns = root.enter_ns(), result.root_rank = root.rank();
      result.root_site = site(root);
      result.other_ns = other.enter_ns(), result.other_rank = other.rank();
      result.other_site = site(other);
      result.earliest_exit_ns = exit_ns(earliest_to_leave->wire.end);
      result.index = part->wire.index;
      result.members = part->wire.members;
      result.violations = violates(*part, latest, root);
      result.left_early = left_early;
      results_[static_cast<std::size_t>(part->rank)].push_back(result);
      if (scan && has_data(*part)) other.take_later(*part);
    }
  }
  /// Whether all members called the operation, the same one, with one root; else the disagreement is noted.
  bool agree(std::span<const ArrivedCollective* const> parts) {
    const ArrivedCollective& first = *parts[0];
    for (const ArrivedCollective* part : parts)
      if (part->wire.kind != first.wire.kind || !same_function(*part, first)) {
        note(Disagreement::In::order, first, *part);
        return false;
      }
    if (parts.size() != first.wire.members) {
      note_missing(parts);
      return false;
    }
    const auto kind = EventKind(first.wire.kind);
    if (kind != EventKind::one_to_n && kind != EventKind::n_to_one) return true;
    const auto other = std::find_if(parts.begin(), parts.end(), [&](const ArrivedCollective* part) {
      return part->wire.root >= 0 && first.wire.root >= 0 && part->wire.root != first.wire.root;
    });
    if (other != parts.end()) {
      note(Disagreement::In::root, first, **other);
      return false;
    }
    const ArrivedCollective* roots[2] = {};
    std::size_t count = 0;
    for (const ArrivedCollective* part : parts)
      if (is_root(*part) && count < 2) roots[count++] = part;
    if (count == 1) return true;
    if (count == 2) note(Disagreement::In::root, *roots[0], *roots[1]);
    else if (parts.size() > 1) note(Disagreement::In::root, first, *parts[1]);
    return false;
  }
  bool same_function(const ArrivedCollective& one, const ArrivedCollective& other) const {
    const auto function = [&](const ArrivedCollective& part) {
      return function_of(static_cast<std::int32_t>(part.wire.start.site), sites_);
    };
    const std::string_view a = function(one), b = function(other);
    return a.empty() || b.empty() || a == b;
  }
  void note(Disagreement::In in, const ArrivedCollective& one, const ArrivedCollective& other) {
    if (disagreements_.size() >= most_disagreements) return;
    Disagreement noted = {in, one.rank, static_cast<std::int32_t>(one.wire.start.site), other.rank,
                          static_cast<std::int32_t>(other.wire.start.site)};
    if (in == Disagreement::In::root) noted.root = root_of(one), noted.peer_root = root_of(other);
    disagreements_.push_back(noted);
  }
  std::int32_t root_of(const ArrivedCollective& part) const {
    return part.wire.root < 0 ? -1 : rank_of(part.wire.communicator, static_cast<std::uint32_t>(part.wire.root));
  }
  /// Rank in MPI_COMM_WORLD; -1: this rank does not know the communicator with it.
  std::int32_t rank_of(std::uint64_t communicator, std::uint32_t member) const {
    for (std::uint32_t i = 0; i < tables_.communicator_count; ++i) {
      const Communicator& of = tables_.communicators[i];
      if (of.id == communicator && member < of.size)
        return of.world ? of.world[member] : static_cast<std::int32_t>(member);
    }
    return -1;
  }
  /// Notes the first of the members that are missing, if this rank knows the communicator with its world rank.
  void note_missing(std::span<const ArrivedCollective* const> parts) {
    std::uint32_t member = 0;
    while (member < parts.size() && parts[member]->wire.member == member) ++member;
    const std::int32_t rank = rank_of(parts[0]->wire.communicator, member);
    if (disagreements_.size() < most_disagreements)
      disagreements_.push_back(
          {Disagreement::In::missing, parts[0]->rank, static_cast<std::int32_t>(parts[0]->wire.start.site), rank, -1});
  }
  /// The latest among the sources of a part of a neighbourhood collective. `parts` are sorted by their numbers.
  Extreme latest_source(const ArrivedCollective& part, std::span<const ArrivedCollective* const> parts) const {
    Extreme latest;
    for (std::uint32_t i = 0; i < part.wire.sources; ++i) {
      const std::uint32_t source = sources_[part.first_source + std::size_t{i}];
      if (source < parts.size() && source != part.wire.member && has_data(*parts[source]))
        latest.take_later(*parts[source]);
    }
    return latest;
  }
  static bool is_root(const ArrivedCollective& part) {
    const auto kind = EventKind(part.wire.kind);
    return (kind == EventKind::one_to_n || kind == EventKind::n_to_one) && (part.wire.flags & event_root);
  }
  static std::uint32_t site(const Extreme& extreme) { return extreme.part ? extreme.part->wire.start.site : no_site; }
  /// Whether a rank left a barrier before the last rank entered it, or a broadcast before the root entered.
  bool violates(const ArrivedCollective& part, const Extreme& latest, const Extreme& root) const {
    const auto kind = EventKind(part.wire.kind);
    const Extreme* needed = kind == EventKind::barrier ? &latest : kind == EventKind::one_to_n ? &root : nullptr;
    return needed && needed->part && has_data(part) && has_data(*needed->part) && left_before(part, *needed);
  }
  /// Whether the part's call was left before the other one was entered, by more than the error of the times.
  bool left_before(const ArrivedCollective& part, const Extreme& entered) const {
    const double rounding_ns = 1 + 1e-7 * part.wire.end.duration_ns;
    return static_cast<double>(entered.enter_ns() - exit_ns(part.wire.end)) > 2 * clock_error_ns_ + rounding_ns;
  }

  const std::vector<ArrivedCollective>& parts_;
  const std::vector<std::uint32_t>& sources_; // sources of all parts
  const EventTables& tables_;
  const Sites& sites_;
  std::vector<Results> results_; // by rank
  double clock_error_ns_;
  std::uint64_t unmatched_ = 0;
  std::vector<Disagreement> disagreements_;
};

/// Takes away the operations whose function does not make ranks wait for each other here, where MPI leaves that to the
/// library: one rank has left it before the last had come. For files it decides by hints and file systems.
void leave_out_unsynchronised(std::vector<Participation>& all, const Sites& sites) {
  const auto is_open = [](const Participation& one) {
    return one.operation->kind == EventKind::file || one.operation->kind == EventKind::communicator_create;
  };
  std::set<std::string_view> unsynchronised;
  for (const Participation& one : all)
    if (is_open(one) && one.result.left_early) unsynchronised.insert(function_of(one.operation->start.site, sites));
  if (unsynchronised.empty()) return;
  std::erase_if(all, [&](const Participation& one) {
    return is_open(one) && unsynchronised.contains(function_of(one.operation->start.site, sites));
  });
}

} // namespace

Collectives compare_collectives(const Arrivals& arrived, const std::vector<Operation>& own, const EventTables& tables,
                                Sites& sites, double clock_error_ns, AllToAll& ranks) {
  Collectives collectives;
  Comparing comparing(arrived, tables, sites, static_cast<std::size_t>(ranks.size()), clock_error_ns);
  std::vector<Results>& results = comparing.run();
  collectives.disagreements = std::move(comparing.disagreements());
  collectives.unmatched = comparing.unmatched();

  std::vector<Parcel> parcels(results.size());
  SiteList list(sites);
  for (std::size_t rank = 0; rank < results.size(); ++rank) {
    if (results[rank].empty()) continue;
    for (CollectiveResult& result : results[rank])
      for (std::uint32_t* site : {&result.latest_site, &result.root_site, &result.other_site})
        *site = list.number_of(static_cast<std::int32_t>(*site));
    list.put_into(parcels[rank]);
    put_all(parcels[rank], results[rank]);
    Results().swap(results[rank]);
  }
  parcels = ranks.exchange(parcels);
  for (const Parcel& parcel : parcels) {
    if (parcel.empty()) continue;
    Unpacking in(parcel);
    const std::vector<std::int32_t> sites_there = read_sites(in, sites);
    for (CollectiveResult result : in.take_all<CollectiveResult>()) {
      if (result.index >= own.size()) continue;
      for (std::int64_t* ns :
           {&result.earliest_ns, &result.latest_ns, &result.root_ns, &result.other_ns, &result.earliest_exit_ns})
        *ns = bounded_ns(*ns);
      for (std::uint32_t* site : {&result.latest_site, &result.root_site, &result.other_site})
        *site = static_cast<std::uint32_t>(site_at(sites_there, *site));
      collectives.violations += result.violations;
      collectives.all.push_back({&own[result.index], result});
    }
  }
  leave_out_unsynchronised(collectives.all, sites);
  return collectives;
}

} // namespace andes::monitor
