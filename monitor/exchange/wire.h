// Wire formats: the data about operations in the ranks' parcels. Call sites are sent as indices of
// a list at the front of the parcel, which contains the sites that the parcel needs.
#pragma once
#include <algorithm>
#include <unordered_map>

#include "monitor/exchange/operations.h"
#include "monitor/exchange/parcel.h"

namespace andes::monitor {

/// No site: the call path is not known.
inline constexpr std::uint32_t no_site = ~std::uint32_t{0};

struct CallWire {
  std::int64_t enter_ns;
  float duration_ns;
  std::uint32_t site; // in the parcel's list, or no_site
};

/// Announces `count` PairWires of a channel.
struct ChannelWire {
  std::uint64_t key;
  std::uint32_t count;
  std::uint32_t unordered; // 1: the order is not known, and no operations follow
  std::uint32_t next;      // number of operations that this side has counted
  std::int32_t tag;
};
static_assert(sizeof(ChannelWire) == 24);

/// An operation that one side starts and completes: a send, or the access of an origin to a target.
struct PairWire {
  CallWire start, end;
  std::uint32_t number : 24;
  std::uint32_t completed : 1, alone : 1, unused : 6;
  std::uint32_t amount;
  std::uint16_t start_thread, end_thread;
  float library_ns;
};
static_assert(sizeof(PairWire) == 48);

struct CollectiveWire {
  CallWire start, end;
  std::uint64_t key;
  std::uint64_t communicator; // identifier
  std::uint32_t number, index; // index: in the participant's list of collectives
  std::uint32_t member, members; // own number, and number of members
  std::uint8_t kind, flags;
  std::uint16_t sources; // count of the member numbers that follow: the sources of a neighbourhood collective
  std::int32_t root; // Operation::root
};
static_assert(sizeof(CollectiveWire) == 72);

struct LockWire {
  CallWire lock, unlock, blocked;
  std::uint64_t window; // identifier
  std::uint16_t thread;
  std::uint8_t exclusive, idle;
  std::uint32_t within; // 1: a call within an epoch, alone
};
static_assert(sizeof(LockWire) == 64);

/// A result for one participant of a collective; times in global nanoseconds, ranks of
/// MPI_COMM_WORLD; -1: there is none.
struct CollectiveResult {
  std::int64_t earliest_ns, latest_ns, root_ns, other_ns; // enters of the operation
  std::int64_t earliest_exit_ns;                          // of the blocking call
  std::int32_t earliest_rank, latest_rank, root_rank, other_rank;
  std::uint32_t latest_site, root_site, other_site;
  std::uint32_t index, members;
  std::uint16_t violations;
  std::uint16_t left_early; // 1: some rank left its call before the last one entered
};
static_assert(sizeof(CollectiveResult) == 80);

/// The call sites that a rank knows: first its own, then those received from others. Equal sites of
/// different ranks have one index.
class Sites {
public:
  explicit Sites(const std::vector<CallSite>& own);

  const CallSite& operator[](std::int32_t site) const { return all_[static_cast<std::size_t>(site)]; }
  std::size_t size() const { return all_.size(); }
  std::int32_t number_of(CallSite site);

private:
  std::vector<CallSite> all_;
  std::unordered_map<std::uint64_t, std::int32_t> by_path_;
};

/// Builds the list at the front of a parcel while the rest of the parcel is built.
class SiteList {
public:
  explicit SiteList(const Sites& sites) : sites_(sites), numbers_(sites.size(), no_site) {}

  std::uint32_t number_of(std::int32_t site);
  CallWire wire(const Call& call) {
    return {call.enter_ns, static_cast<float>(call.exit_ns - call.enter_ns), number_of(call.site)};
  }
  /// Appends the list, for read_sites(), and begins a new one.
  void put_into(Parcel& parcel);

private:
  const Sites& sites_;
  std::vector<std::uint32_t> numbers_; // index in the list, by site
  std::vector<std::int32_t> list_;
};

/// Reads the list: for each index the site's index on this rank.
std::vector<std::int32_t> read_sites(Unpacking& unpacking, Sites& sites);

/// The site of an index; -1: no site, or beyond the list.
inline std::int32_t site_at(const std::vector<std::int32_t>& list, std::uint32_t number) {
  return number < list.size() ? list[number] : -1;
}

/// A time of another rank, within 36 years: values of a damaged rank must not overflow here.
inline std::int64_t bounded_ns(std::int64_t ns) {
  constexpr std::int64_t most_ns = std::int64_t{1} << 60;
  return std::clamp(ns, -most_ns, most_ns);
}

inline std::int64_t exit_of(const CallWire& wire) {
  const bool sane = wire.duration_ns >= 0 && wire.duration_ns < 0x1p60f; // excludes NaN, too
  return bounded_ns(wire.enter_ns) + (sane ? std::llround(wire.duration_ns) : 0);
}

inline Call call_of(const CallWire& wire, const std::vector<std::int32_t>& list, std::int32_t thread) {
  return {bounded_ns(wire.enter_ns), exit_of(wire), site_at(list, wire.site), thread};
}

} // namespace andes::monitor
