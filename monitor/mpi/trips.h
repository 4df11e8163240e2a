// Trips: which messages are sent to and fro to learn what messages of each size take, and what their times say. Without
// MPI: transfer.cc makes the trips.
//
// Each size gets open trips, in which the leader waits for the answer, and then silent ones, in which it calls MPI only
// once the answer must have come. Of each kind the shortest counts, since disturbances only make trips longer.
//
// Invariants:
//  - a trip that takes longer than a message of its size can take counts as not made: one of its ranks had lost its
//    core. It is made again, and its time is no part of the time after which a size gets only one trip of a kind;
//  - after `most_ns` no trip begins; sizes that were not reached stay 0.
#pragma once
#include <cstddef>
#include <cstdint>

#include "monitor/interface/transport.h"

namespace andes::monitor::mpi {

/// One message to and fro.
struct Trip {
  int size = 0; // index
  bool silent = false;
  double silent_ns = 0; // for how long, from its begin on, the leader of a silent trip makes no MPI call
};

struct TripTimes {
  std::int64_t begin_ns; // before MPI_Isend
  std::int64_t sent_ns; // behind it
  std::int64_t back_ns; // behind the silence; else as sent_ns
  std::int64_t end_ns; // the answer is there
};

class Trips {
public:
  static constexpr std::int64_t enough_ns = 500000; // from then on each size gets one trip of a kind
  static constexpr std::int64_t most_ns = 10 * enough_ns;
  /// A round trip of a message of the first size takes at most this: networks of clusters are faster, and a rank that
  /// has lost its core mostly waits longer for it.
  static constexpr double longest_first_ns = 500000;

  /// `bytes`: sizes, which grow; `times` is filled in.
  Trips(const std::size_t* bytes, int count, andes_message_time* times, std::int64_t begin_ns)
      : bytes_(bytes), count_(count), times_(times), until_ns_(begin_ns + enough_ns), last_ns_(begin_ns + most_ns) {}

  /// The next trip; false: it was the last one.
  bool next(std::int64_t now_ns, Trip& trip) {
    if (now_ns >= last_ns_) return false;
    const bool hurries = now_ns >= until_ns_;
    for (; at_ < count_; to_next_size()) {
      const bool is_short = bytes_[at_] <= most_short;
      trip = {at_, false, 0};
      // Short messages are sent more often: a disturbance is longer than they take.
      if (open_ < (hurries ? 1 : is_short ? 24 : 4)) return true;
      trip = {at_, true, 2 * trip_ns_};
      if (silent_ < (hurries ? 1 : is_short ? 8 : 2)) return true;
    }
    return false;
  }

  void add(const Trip& trip, const TripTimes& at) {
    const auto all_ns = static_cast<double>(at.end_ns - at.begin_ns);
    const auto rest_ns = static_cast<double>(at.end_ns - at.back_ns);
    if (trip.silent ? rest_ns > disturbed * trip_ns_ : all_ns > longest_ns()) {
      until_ns_ += at.end_ns - at.begin_ns;
      return;
    }
    keep_least(sending_ns_, static_cast<double>(at.sent_ns - at.begin_ns));
    if (trip.silent) {
      keep_least(receiving_ns_, rest_ns);
      ++silent_;
      times_[at_] = {trip_ns_ / 2, sending_ns_ + receiving_ns_};
    } else {
      keep_least(trip_ns_, all_ns);
      ++open_;
    }
  }

private:
  static constexpr std::size_t most_short = 8192;
  /// Protocols change between two sizes, and the times with them, by less than this factor.
  static constexpr double disturbed = 4;
  static constexpr double slowest_ns_per_byte = 40; // of both ways: 50 MB/s

  /// The longest that a round trip of this size can take. With a latency and a bandwidth the time grows at most in
  /// proportion to the bytes.
  double longest_ns() const {
    if (at_ == 0) return longest_first_ns;
    const auto bytes = static_cast<double>(bytes_[at_]), before = static_cast<double>(bytes_[at_ - 1]);
    const double by_proportion = disturbed * before_ns_ * bytes / before;
    const double by_bandwidth = disturbed * before_ns_ + slowest_ns_per_byte * bytes;
    return by_proportion < by_bandwidth ? by_proportion : by_bandwidth;
  }
  void to_next_size() {
    before_ns_ = trip_ns_;
    trip_ns_ = sending_ns_ = receiving_ns_ = 0;
    open_ = silent_ = 0;
    ++at_;
  }
  static void keep_least(double& least_ns, double ns) {
    if (least_ns == 0 || ns < least_ns) least_ns = ns;
  }

  const std::size_t* bytes_;
  int count_;
  andes_message_time* times_;
  std::int64_t until_ns_, last_ns_;
  double before_ns_ = 0; // shortest round trip of the size before
  // Of the present size, the shortest; 0: none.
  double trip_ns_ = 0, sending_ns_ = 0, receiving_ns_ = 0;
  int at_ = 0, open_ = 0, silent_ = 0;
};

} // namespace andes::monitor::mpi
