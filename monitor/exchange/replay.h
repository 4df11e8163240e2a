// Replay: the operations of a span of time once more, with the time that calls need by themselves and the computation
// between them as they were, and with waits that last only as long as the other side makes them. A cure changes
// the waits of one finding; how much earlier a rank then is is its *shift*. All cures are replayed at once, each in
// a lane of its own.
//
// A call was held up until M, the latest of its own enter and the times that it depends on, and needed X - M from
// there to its exit X. In a lane it is held up until M', the latest of the lane's times, so its rank's shift is
// M - M' from then on. There is nothing but sums and maxima: a shift that all ranks have at the begin of the span
// adds to all shifts at its end, and an error of the shifts never grows. So spans can be replayed at the same time
// by different ranks, and put together (gains.h, decision 239).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace andes::monitor {

/// What is done to the waits of a finding (docs/metrics.md, "Gain").
enum class Cure : std::uint8_t {
  earlier,   // the other side's call comes in time; all work stays where it is
  share,     // the work that made the other side late is shared by all ranks
  leave_out, // the work that made the other side late is left out
};
inline constexpr std::size_t cure_count = 3;

/// A call of rank `target` cannot end before a call of rank `source` begins: a receive and its send, a send that is
/// not buffered and the posting of its receive, or of both the call that completes the other side.
struct Dependency {
  std::int64_t source_ns = 0;             // enter of the source's call
  std::int64_t enter_ns = 0, exit_ns = 0; // of the target's call
  std::int32_t source = 0, target = 0;    // ranks
};

/// A rank's part in an operation in which ranks wait for the last of several.
struct Part {
  std::uint64_t operation = 0;            // equal for all of its parts, different for all other operations
  std::int64_t start_ns = 0;              // enter of the call that starts it
  std::int64_t enter_ns = 0, exit_ns = 0; // of the call that completes it
  std::int64_t last_ns = 0;               // largest start of all parts
  std::int32_t rank = 0;
  std::uint8_t gives = 0, takes = 0; // 1: others wait for it; it waits for others
  std::uint16_t unused = 0;
};

/// A finding whose cures are replayed.
struct CuredFinding {
  /// Numbers of the findings whose waits mostly began where those of this one did, itself among them: where the work
  /// that they wait for is shared, these waits vanish, too, up to the next operation in which all ranks wait for all:
  /// work that was waited for there makes nobody late behind it. Nor does it at an operation of this finding, as far as
  /// those who waited come no later than others.
  std::vector<std::uint32_t> same_origin;
  /// Another message was ready: in time is that one, and the late one is waited for where the other one was.
  bool reorder = false;
};

/// A call whose wait belongs to a finding.
struct CuredCall {
  std::int64_t enter_ns = 0, exit_ns = 0;
  std::int32_t rank = 0;
  std::uint32_t finding = 0; // index
};

/// The operations of a span of time: those whose waiting calls end in it.
struct ReplaySpan {
  std::vector<Dependency> dependencies;
  std::vector<Part> parts;
  std::vector<CuredCall> cured;
};

/// How much earlier each rank is in each lane, in ns: rank x lanes + lane.
using Shifts = std::vector<double>;

class Replay {
public:
  Replay(ReplaySpan span, std::size_t ranks, std::vector<CuredFinding> findings);

  std::size_t lanes() const { return findings_ * cure_count; }
  std::size_t lane(std::size_t finding, Cure cure) const {
    return static_cast<std::size_t>(cure) * findings_ + finding;
  }

  /// Turns the shifts at the begin of the span into those at its end. `unsure_ns`, by lane: by how much they may be
  /// wrong if the span is not the first, since what the ranks did before it is not known. False: so many messages
  /// were on their way at once, or ranks at operations, that `most_bytes` have no room for them; then the shifts mean
  /// nothing.
  bool run(Shifts& shifts, std::vector<double>& unsure_ns, std::size_t most_bytes = 64'000'000) const;

private:
  friend class Replaying;
  bool is_part(std::uint32_t event) const { return event >= span_.dependencies.size(); }
  const Part& part(std::uint32_t event) const { return span_.parts[event - span_.dependencies.size()]; }
  std::int64_t begin_of(std::uint32_t event) const;
  std::int64_t exit_of(std::uint32_t event) const;
  std::int64_t enter_of(std::uint32_t event) const;
  std::int32_t waiting_rank(std::uint32_t event) const;
  void number_operations();
  void mark_cured();

  // An event is a dependency, or behind these a part; both happen at two times.
  ReplaySpan span_;
  std::vector<CuredFinding> cured_;
  std::size_t ranks_, findings_;
  std::int64_t zero_ns_ = 0; // times in lanes are relative to it
  std::vector<std::uint32_t> by_begin_, by_exit_;
  std::vector<std::uint32_t> finding_of_; // by event; no_finding: none
  struct Operation {
    std::uint32_t parts, givers, takers, taker; // taker: event of the last one
    std::uint32_t finding;
  };
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> operation_of_part_;
};

} // namespace andes::monitor
