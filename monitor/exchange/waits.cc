#include "monitor/exchange/waits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>

#include "monitor/exchange/chains.h"
#include "monitor/exchange/progress.h"
#include "monitor/exchange/simple_events.h"

namespace andes::monitor {
namespace {

/// Facts that all ranks must agree on before they begin: of each the largest of all ranks.
struct Agreement {
  std::uint64_t without_log = 0, without_clock = 0;
  std::uint64_t messages_level = 0, collectives_level = 0; // LogLevels
  std::uint64_t collectives = 0; // whether there are any
  std::uint64_t non_blocking = 0; // 1: there are such messages; 2: their transfer times must be measured, too
  std::uint64_t most_nodes = 0; // more than one: times have errors
  std::uint64_t incomplete = 0; // 1: operations of a rank have no record; 2: and some had no room in its log
  std::uint64_t most_bytes = 0; // of a message
  std::uint64_t lost_calls = 0; // of functions, by the rank that lost most
  std::uint64_t locks_alone = 0, locks_all = 0; // whether a rank has exclusive locks; whether one has MPI_Win_lock_all
  bool possible() const { return !without_log && !without_clock; }
  LogLevels levels() const { return {possible_level(messages_level), possible_level(collectives_level)}; }
};

/// What the log has.
struct Logged {
  bool non_blocking = false; // messages
  std::uint64_t most_bytes = 0; // of the longest message that it sends
  bool locks_alone = false, locks_all = false;
};
Logged logged(const RankLog& log) {
  Logged found;
  for (const LocationLog& location : log.locations)
    for (std::uint32_t i = 0; location.log && i < location.log->count; ++i) {
      const EventRecord& record = location.log->records[i];
      if (record.kind == std::uint64_t(EventKind::lock)) {
        found.locks_alone |= (record.flags & event_exclusive) != 0;
        found.locks_all |=
            record.channel < log.tables->channel_count && log.tables->channels[record.channel].tag == tag_lock_all;
      }
      const bool sends = record.kind == std::uint64_t(EventKind::send);
      if (!sends && record.kind != std::uint64_t(EventKind::receive)) continue;
      found.non_blocking |= (record.flags & event_pending) != 0;
      if (sends) found.most_bytes = std::max(found.most_bytes, long_of(std::min(record.amount(), largest_short)));
    }
  return found;
}

Agreement agree(const RankLog& log, AllToAll& ranks) {
  Agreement own;
  own.without_log = !log.tables;
  own.without_clock = !log.time.known;
  own.most_nodes = log.time.node + std::uint64_t{1};
  if (log.tables) {
    LogLevels levels = log.tables->levels;
    for (const LocationLog& location : log.locations)
      if (location.log) levels.raise(location.log->levels);
    own.messages_level = levels.messages;
    own.collectives_level = levels.collectives;
    for (std::uint32_t i = 0; i < log.tables->channel_count; ++i)
      own.collectives |= log.tables->channels[i].end == ChannelEnd::member && log.tables->channels[i].next > 0;
    const Logged found = logged(log);
    if (found.non_blocking) own.non_blocking = log.transfers.source ? 1 : 2;
    own.incomplete = log.tables->lost > 0 ? 2 : is_complete(log) ? 0 : 1;
    own.most_bytes = found.most_bytes;
    own.lost_calls = log.tables->lost_calls;
    own.locks_alone = found.locks_alone;
    own.locks_all = found.locks_all;
  }
  using Numbers = std::array<std::uint64_t, sizeof(Agreement) / sizeof(std::uint64_t)>;
  Numbers numbers = std::bit_cast<Numbers>(own);
  std::vector<std::uint64_t> values(numbers.begin(), numbers.end());
  ranks.largest(values);
  std::copy(values.begin(), values.end(), numbers.begin());
  return std::bit_cast<Agreement>(numbers);
}

/// Collective. By rank: 1 if some rank locks its window alone, for which the MPI_Win_lock_all of others may wait;
/// empty: there is no lock of one of the two kinds.
std::vector<std::uint64_t> locked_alone(const Operations& own, const EventTables& tables, const Agreement& agreement,
                                        AllToAll& ranks) {
  std::vector<std::uint64_t> locked;
  if (!agreement.locks_alone || !agreement.locks_all) return locked;
  locked.assign(static_cast<std::size_t>(ranks.size()), 0);
  for (const LockEpoch& epoch : own.locks) {
    const std::int32_t target = tables.channels[epoch.operation.channel].peer;
    if ((epoch.operation.flags & event_exclusive) && target >= 0 && target < ranks.size())
      locked[static_cast<std::size_t>(target)] = 1;
  }
  ranks.largest(locked);
  return locked;
}

/// The clocks of the other ranks relative to this rank's.
struct Clocks {
  std::vector<double> error_ns; // error of the difference to each rank; empty: all share one clock
  std::vector<std::uint32_t> nodes; // by rank; empty: one node
  double largest_ns = 0;

  double error_against(std::int32_t rank) const {
    if (error_ns.empty()) return 0;
    return rank < 0 ? largest_ns : error_ns[static_cast<std::size_t>(rank)];
  }
};

Clocks compare_clocks(const TimeLine& time, AllToAll& ranks) {
  const auto error = static_cast<std::uint32_t>(std::min(std::ceil(time.error_ns), 4e9));
  const std::vector<std::uint64_t> out(static_cast<std::size_t>(ranks.size()), std::uint64_t{time.node} << 32 | error);
  Clocks clocks;
  for (const std::uint64_t number : ranks.exchange_numbers(out)) {
    const auto theirs = static_cast<double>(number & 0xffffffff);
    clocks.nodes.push_back(static_cast<std::uint32_t>(number >> 32));
    clocks.error_ns.push_back(number >> 32 == time.node ? 0 : time.error_ns + theirs);
    clocks.largest_ns = std::max(clocks.largest_ns, clocks.error_ns.back());
  }
  return clocks;
}

Wait wait_of(const rules::Observation& seen, const rules::Program& program, const LogLevels& levels) {
  const auto path = [](std::int64_t stack) { return stack == rules::none ? 0 : static_cast<std::uint64_t>(stack); };
  Wait wait{};
  wait.path = path(seen.call_stack);
  wait.peer_path = path(seen.peer_call_stack);
  wait.origin_path = path(seen.origin_call_stack);
  wait.instance_ns = seen.instance_ns;
  wait.wait_ns = seen.impact_ns;
  wait.rank = static_cast<std::int32_t>(seen.rank);
  wait.thread = static_cast<std::int32_t>(seen.thread);
  wait.peer_rank = static_cast<std::int32_t>(seen.peer_rank);
  wait.origin_rank = static_cast<std::int32_t>(seen.origin_rank);
  wait.cause = seen.cause;
  wait.level = program.schemas[seen.type].of_collectives ? levels.collectives : levels.messages;
  return wait;
}

/// Adds a wait of this rank, if it is plausible; ranks that the job does not have become "not known".
void take(std::vector<Wait>& own, Wait wait, const AllToAll& ranks, std::size_t causes) {
  if (wait.rank != ranks.rank() || wait.cause >= causes || wait.thread < 0 || !(wait.wait_ns > 0) ||
      !std::isfinite(wait.wait_ns) || wait.level > most_level)
    return;
  for (std::int32_t* rank : {&wait.peer_rank, &wait.origin_rank})
    if (*rank < 0 || *rank >= ranks.size()) *rank = -1;
  own.push_back(wait);
}

/// Collective. Sends waits of other ranks that were found here to them; returns the waits of this
/// rank, found here and elsewhere.
std::vector<Wait> deliver(const std::vector<Wait>& seen, std::size_t causes, AllToAll& ranks) {
  std::vector<std::vector<Wait>> of_rank(static_cast<std::size_t>(ranks.size()));
  std::vector<Wait> own;
  for (const Wait& wait : seen) {
    if (wait.rank == ranks.rank()) take(own, wait, ranks, causes);
    else if (wait.rank >= 0 && wait.rank < ranks.size()) of_rank[static_cast<std::size_t>(wait.rank)].push_back(wait);
  }
  std::vector<Parcel> parcels(of_rank.size());
  for (std::size_t rank = 0; rank < of_rank.size(); ++rank)
    if (!of_rank[rank].empty()) put_all(parcels[rank], of_rank[rank]);
  for (const Parcel& parcel : ranks.exchange(parcels)) {
    if (parcel.empty()) continue;
    for (const Wait& wait : Unpacking(parcel).take_all<Wait>()) take(own, wait, ranks, causes);
  }
  return own;
}

/// Waits of one call that differ by less than this share of the larger one differ by chance: those of both directions
/// of an exchange begin with the call and end with the partner's two posts, some microseconds apart, in either order.
/// Were the largest taken, such waits would be split between two causes at random, differently in each run. The share
/// is a choice: far above that difference in waits of a tenth of a millisecond and more; its price, an idle time of
/// the call that is too small by at most as much, is within what runs differ by.
constexpr double alike = 0.05;

/// Keeps the largest wait of each call; among nearly equal ones the wait whose cause the rules name first.
void keep_largest(std::vector<Wait>& waits) {
  std::sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    if (a.instance_ns != b.instance_ns) return a.instance_ns < b.instance_ns;
    if (a.wait_ns != b.wait_ns) return a.wait_ns > b.wait_ns;
    if (a.cause != b.cause) return a.cause < b.cause;
    return a.peer_rank != b.peer_rank ? a.peer_rank < b.peer_rank : a.path < b.path;
  });
  auto kept = waits.begin();
  for (auto call = waits.begin(); call != waits.end();) {
    const auto next = std::find_if(call, waits.end(), [&](const Wait& other) {
      return other.thread != call->thread || other.instance_ns != call->instance_ns;
    });
    auto chosen = call;
    for (auto one = call; one != next && one->wait_ns >= (1 - alike) * call->wait_ns; ++one)
      if (one->cause < chosen->cause) chosen = one;
    *kept++ = *chosen;
    call = next;
  }
  waits.erase(kept, waits.end());
}

/// Gives the late messages what rules may look at: whether the sender was waiting, and the origin of that.
void put_chains(const std::vector<WaitedCall>& waited, std::vector<Message>& messages) {
  for (const WaitedCall& call : waited) {
    if (call.message < 0) continue;
    Message& message = messages[static_cast<std::size_t>(call.message)];
    message.sender_waiting = call.peer_waiting;
    const bool goes_on = call.origin.rank != call.peer_rank || call.origin.path != call.peer_path;
    if (goes_on) message.origin_rank = call.origin.rank, message.origin_path = call.origin.path;
  }
}

/// Finds the calls of waits among those that waited. Both are asked for and lie in the order of their thread's calls.
class CallsOfWaits {
public:
  explicit CallsOfWaits(const std::vector<WaitedCall>& waited) : waited_(waited), at_(waited.begin()) {}

  /// Null: a rule has made the wait of something else.
  const WaitedCall* find(const Wait& wait) {
    const auto wanted = std::tuple(wait.thread, wait.instance_ns);
    const auto place = [](const WaitedCall& call) { return std::tuple(call.thread, call.enter_ns); };
    while (at_ != waited_.end() && place(*at_) < wanted) ++at_;
    // A call may have waited for two calls of a rank, MPI_Isend and then its MPI_Wait: the one at which the wait ended.
    const auto off_ns = [&wait](const WaitedCall& call) {
      return std::fabs(static_cast<double>(call.until_ns - wait.instance_ns) - wait.wait_ns);
    };
    const WaitedCall* found = nullptr;
    for (auto one = at_; one != waited_.end() && place(*one) == wanted; ++one)
      if (one->peer_rank == wait.peer_rank && (!found || off_ns(*one) < off_ns(*found))) found = &*one;
    return found;
  }

private:
  const std::vector<WaitedCall>& waited_;
  std::vector<WaitedCall>::const_iterator at_; // where the call before was
};

/// Gives each wait for which the rules name no origin the one that its chain ends at, or the rank that it waited for.
void add_origins(std::vector<Wait>& waits, CallsOfWaits calls) {
  for (Wait& wait : waits) {
    if (wait.origin_rank >= 0) continue;
    const WaitedCall* const call = calls.find(wait);
    const bool known = call && call->origin.rank >= 0;
    wait.origin_rank = known ? call->origin.rank : wait.peer_rank;
    wait.origin_path = known ? call->origin.path : wait.peer_path;
  }
}

std::vector<ReplayedWait> replayed_waits(const std::vector<Wait>& waits, CallsOfWaits calls) {
  std::vector<ReplayedWait> all;
  for (const Wait& wait : waits)
    if (const WaitedCall* const call = calls.find(wait)) {
      const std::int64_t exit_ns = replayed_exit_ns(call->enter_ns, call->exit_ns);
      all.push_back({{wait.path, wait.cause},
                     {wait.origin_rank, 0, wait.origin_path},
                     {call->enter_ns, exit_ns, wait.rank, 0},
                     wait.wait_ns});
    }
  return all;
}

/// All but the waits.
ReplayedRank replayed_rank(const RankLog& log, const Waits& waits, ReplayLog operations) {
  ReplayedRank own;
  own.log = std::move(operations);
  own.begin_ns = log.begin_ns;
  own.end_ns = log.end_ns;
  own.whole =
      !waits.levels.any() && waits.lost == 0 && waits.unordered == 0 && waits.outside == 0 && log.tables->left_out == 0;
  for (std::size_t thread = 1; thread < log.locations.size(); ++thread)
    if (log.locations[thread].log && log.locations[thread].log->count > 0) own.single_thread = false;
  return own;
}

} // namespace

Waits find_waits(const RankLog& log, const rules::Program& program, AllToAll& ranks,
                 const std::function<std::string(std::int64_t)>& call_stack_text) {
  Waits waits;
  const auto failed = [&] {
    if (!ranks.failed()) return false;
    waits = {};
    waits.missing = "the other ranks did not take part in the exchange in time";
    return true;
  };
  const Agreement agreement = agree(log, ranks);
  if (failed()) return waits;
  if (!agreement.possible()) {
    waits.missing =
        agreement.without_log ? "there is no log (setting log_mb)" : "the clocks of the ranks could not be compared";
    return waits;
  }
  waits.levels = agreement.levels();
  waits.lost_calls = agreement.lost_calls;
  waits.unordered = log.tables->unordered;
  waits.outside = log.tables->outside;
  waits.lost = log.tables->lost;
  const Clocks clocks = agreement.most_nodes > 1 ? compare_clocks(log.time, ranks) : Clocks();
  waits.clock_error_ns = clocks.largest_ns;

  Sites sites(log.sites);
  Operations own = operations_of(log, waits.levels);
  std::vector<Parcel> parcels =
      shipment_of(own, *log.tables, sites, ranks.size(), locked_alone(own, *log.tables, agreement, ranks));
  parcels = ranks.exchange(parcels);
  Arrivals arrivals;
  const bool readable = read_shipments(parcels, sites, arrivals);

  Compared compared;
  compared.messages = match_messages(arrivals.sends, own, *log.tables, waits.clock_error_ns);
  find_progress(compared.messages.all, send_times_of(own.sends, *log.tables), log.eager_bytes);
  compared.epochs = match_epochs(arrivals.accesses, own.exposures, *log.tables);
  compared.locks = find_lock_holders(arrivals.locks, waits.clock_error_ns);
  if (!waits.levels.any() && waits.lost == 0 && log.tables->unordered == 0 && log.tables->left_out == 0)
    compared.owner_waits = find_owner_waits(log, ranks.rank(), compared.locks, arrivals.within, sites);
  if (agreement.collectives)
    compared.collectives =
        compare_collectives(arrivals, own.collectives, *log.tables, sites, waits.clock_error_ns, ranks);
  std::vector<WaitedCall> waited = waited_calls(compared, sites, ranks);
  // Of a part of the operations it is not known when ranks were in step.
  follow_chains(waited, waits.levels.any() ? Steps() : Steps(compared), ranks);
  put_chains(waited, compared.messages.all);
  waits.matched = compared.messages.matched;
  waits.unordered += own.unordered + compared.messages.unordered;
  waits.unmatched = compared.messages.unmatched + compared.collectives.unmatched + compared.epochs.unmatched;
  waits.violations = compared.messages.violations + compared.collectives.violations;

  if (agreement.incomplete < 2)
    waits.left_overs = left_overs_of(compared.messages, compared.collectives, own, *log.tables, sites, ranks.rank(),
                                     agreement.incomplete == 0);

  if (agreement.non_blocking) {
    TransferTimes transfers = log.transfers;
    if (agreement.non_blocking == 2) {
      const TransferTimes measured = measure_transfers(clocks.nodes, agreement.most_bytes, ranks);
      if (!transfers.source) transfers = measured;
    }
    waits.transfer_source = transfers.source;
    Overlaps overlaps = overlaps_of(own, compared.messages.all, *log.tables, transfers, clocks.nodes, ranks.rank(),
                                    waits.levels.messages);
    waits.overlaps = std::move(overlaps.all);
    waits.transfers_unknown = overlaps.unknown;
  }

  ReplayedRank replayed = replayed_rank(
      log, waits, !waits.levels.any() ? replay_log(compared, *log.tables, sites, ranks.rank()) : ReplayLog());
  for (std::uint32_t cause = 0; cause < program.causes.size(); ++cause)
    if (program.causes[cause].identifier == "wrong_order") replayed.wrong_order = cause;
  rules::Tables tables = event_tables(program, compared, ranks.rank(), *log.tables, sites);
  add_simple_events(tables, program, log, waits.levels, own, compared.collectives.all, ranks.rank(), sites);
  own = {}; // frees operations that are in the tables now, since the results of the rules need memory
  arrivals = {};
  compared = {};
  std::vector<Wait> seen;
  const auto observe = [&](std::span<const rules::Observation> observations) {
    for (const rules::Observation& one : observations) seen.push_back(wait_of(one, program, waits.levels));
  };
  waits.rules_stopped = rules::evaluate(program, tables, {observe, call_stack_text}).stopped;
  waits.all = deliver(seen, program.causes.size(), ranks);
  if (failed()) return waits;
  if (!readable) waits.unmatched += 1; // a rank with another andes: its part is missing
  keep_largest(waits.all);
  const CallsOfWaits calls(waited);
  add_origins(waits.all, calls);
  std::erase_if(waits.all, [&](const Wait& wait) {
    if (wait.wait_ns > 2 * clocks.error_against(wait.peer_rank)) return false;
    waits.unclassified_ns += kept_one_in(wait.level) * wait.wait_ns;
    return true;
  });
  replayed.waits = replayed_waits(waits.all, calls);
  std::vector<WaitedCall>().swap(waited);
  waits.gains = find_gains(std::move(replayed), ranks);
  return waits;
}

} // namespace andes::monitor
