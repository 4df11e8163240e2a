// follow_chains: first the links, by one question for each wait to the rank that was late; then pointer
// doubling: each wait asks the wait that it points to for the origin. If that does not know the origin yet, the
// asking wait takes over its pointer. After log2 of the longest chain's length all waits know their origin.
//
// Where ranks exchange with neighbours a delay comes to the next rank one step later, when the late rank's wait is
// over: so what either rank has waited since both were last in step is compared, too (decision 317).
#include "monitor/exchange/chains.h"

#include <algorithm>

namespace andes::monitor {
namespace {

constexpr std::uint32_t no_wait = ~std::uint32_t{0};

/// The question: had this thread waited between the begin of the asking rank's wait and its own late call? And since
/// both ranks were last in step, as far as the asking one knows?
struct Question {
  std::int64_t begin_ns, late_ns, since_ns;
  std::uint32_t thread, unused;
};

struct Answer {
  std::uint32_t wait; // the wait that the asking one comes from, or no_wait
  std::uint32_t waited_for_message;
  // If the asking rank has waited for less than this since then, by half of its wait, that comes from `earlier`.
  std::int64_t since_ns, waited_ns;
  std::uint32_t earlier, unused;
};

/// What a thread has waited in a stretch of time.
struct Waited {
  std::int64_t all_ns = 0, longest_ns = 0;
  std::uint32_t longest = no_wait;
  bool for_message = false;
  bool is_all = true; // no more waits than are looked at
};

/// What is known of a wait's chain.
struct Knowledge {
  std::uint64_t path; // of the origin
  std::int32_t rank; // rank of the origin; while unknown, rank of the wait that it points to
  std::uint32_t pointer; // no_wait: the origin is known
};

class Chains {
public:
  Chains(std::vector<WaitedCall>& calls, const Steps& steps, AllToAll& ranks)
      : calls_(calls), steps_(steps), ranks_(ranks) {}

  void follow() {
    std::vector<std::uint64_t> most = {calls_.size()};
    ranks_.largest(most);
    if (most[0] == 0) return;
    for (const WaitedCall& call : calls_) known_.push_back({call.peer_path, call.peer_rank, no_wait});
    link();
    // A chain has no more links than there are waits, so this ends even for a cycle, which equal times could produce.
    for (std::uint64_t reach = 1, all = most[0] * static_cast<std::uint64_t>(ranks_.size());
         reach <= 2 * all && !ranks_.failed(); reach *= 2) {
      std::vector<std::uint64_t> open = {
          static_cast<std::uint64_t>(std::any_of(known_.begin(), known_.end(), is_open))};
      ranks_.largest(open);
      if (open[0] == 0) break;
      look_further();
    }
    for (std::size_t i = 0; i < calls_.size(); ++i)
      if (!is_open(known_[i])) calls_[i].origin = {known_[i].rank, 0, known_[i].path};
  }

private:
  static bool is_open(const Knowledge& knowledge) { return knowledge.pointer != no_wait; }

  /// From `begin_ns` to `end_ns`, each wait up to its `ends`; not counted are waits that ended up to `after_ns`, and
  /// those for `but_for`.
  Waited waited(std::int32_t thread, std::int64_t begin_ns, std::int64_t end_ns, std::int64_t after_ns,
                std::int64_t WaitedCall::* ends, std::int32_t but_for = -1) const {
    const auto after = std::partition_point(calls_.begin(), calls_.end(), [&](const WaitedCall& call) {
      return call.thread != thread ? call.thread < thread : call.exit_ns <= end_ns;
    });
    Waited found;
    std::int64_t counted_to_ns = INT64_MAX;
    int left = most_waits; // that are looked at: many short waits are no chain
    for (auto at = after; at != calls_.begin(); --left) {
      const WaitedCall& call = *--at;
      if (call.thread != thread || call.exit_ns <= after_ns) break;
      if (left == 0) {
        found.is_all = false;
        break;
      }
      if (call.in_receive) found.for_message = true;
      if (call.peer_rank == but_for) continue;
      // Of several waits of one call the last one to end counts.
      const std::int64_t overlap_ns = std::min({call.*ends, end_ns, counted_to_ns}) - std::max(call.enter_ns, begin_ns);
      counted_to_ns = std::min(counted_to_ns, call.enter_ns);
      if (overlap_ns <= 0) continue;
      found.all_ns += overlap_ns;
      if (nearly * static_cast<double>(overlap_ns) <= static_cast<double>(found.longest_ns)) continue;
      found.longest_ns = overlap_ns;
      found.longest = static_cast<std::uint32_t>(at - calls_.begin());
    }
    return found;
  }

  Answer answer(Question question, std::int32_t asking) const {
    question = {bounded_ns(question.begin_ns), bounded_ns(question.late_ns), bounded_ns(question.since_ns),
                question.thread, 0};
    const auto thread = static_cast<std::int32_t>(question.thread);
    // Ranks leave a common operation at nearly the same time: of a wait that ended within the first tenth of the
    // asking rank's wait nothing followed.
    const std::int64_t time_ns = question.late_ns - question.begin_ns, first_ns = question.begin_ns + time_ns / 10;
    const Waited now = waited(thread, question.begin_ns, question.late_ns, first_ns, &WaitedCall::exit_ns);
    Answer found = {no_wait, now.for_message, question.begin_ns, 0, no_wait, 0};
    if (2 * now.all_ns >= time_ns) {
      found.wait = now.longest;
      return found;
    }
    const std::int64_t since_ns = std::max(question.since_ns, steps_.message_ns(asking, question.late_ns));
    if (since_ns >= question.begin_ns) return found;
    const Waited earlier = waited(thread, since_ns, question.late_ns, since_ns, &WaitedCall::until_ns, asking);
    found.since_ns = since_ns, found.waited_ns = earlier.all_ns, found.earlier = earlier.longest;
    return found;
  }

  /// Since when the rank that the call waits for may have been late: the time itself if that is not known.
  std::int64_t since_ns(const WaitedCall& call) const {
    const std::int64_t message_ns = steps_.message_ns(call.peer_rank, call.enter_ns);
    const std::int64_t collective_ns = steps_.collective_ns(call.enter_ns);
    const std::int64_t latest_ns = std::max(message_ns, collective_ns);
    return latest_ns == INT64_MIN ? call.enter_ns : std::min(latest_ns, call.enter_ns);
  }

  /// Which wait of the rank that was late this one comes from.
  std::uint32_t link_of(const WaitedCall& call, const Answer& found) const {
    if (found.wait != no_wait || found.earlier == no_wait) return found.wait;
    const std::int64_t since_ns = bounded_ns(found.since_ns);
    const Waited own = waited(call.thread, since_ns, call.enter_ns, since_ns, &WaitedCall::until_ns);
    const std::int64_t longer_ns = bounded_ns(found.waited_ns) - own.all_ns;
    return own.is_all && 2 * longer_ns >= call.until_ns - call.enter_ns ? found.earlier : no_wait;
  }

  void link() {
    const auto size = static_cast<std::size_t>(ranks_.size());
    std::vector<std::vector<Question>> questions(size);
    std::vector<std::vector<std::uint32_t>> asking(size); // own waits, in the order of the questions
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const WaitedCall& call = calls_[i];
      const auto peer = static_cast<std::size_t>(call.peer_rank);
      questions[peer].push_back(
          {call.enter_ns, call.until_ns, since_ns(call), static_cast<std::uint32_t>(call.peer_thread), 0});
      asking[peer].push_back(static_cast<std::uint32_t>(i));
    }
    const auto answers = ask<Question, Answer>(
        questions, [this](const Question& question, std::int32_t who) { return answer(question, who); });
    for (std::size_t rank = 0; rank < size; ++rank)
      for (std::size_t i = 0; i < answers[rank].size() && i < asking[rank].size(); ++i) {
        const Answer& found = answers[rank][i];
        WaitedCall& call = calls_[asking[rank][i]];
        call.peer_waiting = found.waited_for_message != 0;
        const std::uint32_t link = link_of(call, found);
        if (link != no_wait) known_[asking[rank][i]] = {0, static_cast<std::int32_t>(rank), link};
      }
  }

  void look_further() {
    const auto size = static_cast<std::size_t>(ranks_.size());
    std::vector<std::vector<std::uint32_t>> questions(size), asking(size);
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (!is_open(known_[i])) continue;
      const auto rank = static_cast<std::size_t>(known_[i].rank);
      questions[rank].push_back(known_[i].pointer);
      asking[rank].push_back(static_cast<std::uint32_t>(i));
    }
    const auto answers = ask<std::uint32_t, Knowledge>(questions, [this](std::uint32_t wait, std::int32_t) {
      return wait < known_.size() ? known_[wait] : Knowledge{0, -1, no_wait};
    });
    for (std::size_t rank = 0; rank < size; ++rank)
      for (std::size_t i = 0; i < answers[rank].size() && i < asking[rank].size(); ++i) {
        const Knowledge& knowledge = answers[rank][i];
        if (knowledge.pointer == no_wait || (knowledge.rank >= 0 && knowledge.rank < ranks_.size()))
          known_[asking[rank][i]] = knowledge;
      }
  }

  /// Collective: asks each rank its questions and answers those of the others.
  template <class Ask, class Reply, class AnswerOne>
  std::vector<std::vector<Reply>> ask(const std::vector<std::vector<Ask>>& questions, AnswerOne answer_one) {
    std::vector<Parcel> parcels(questions.size());
    for (std::size_t rank = 0; rank < questions.size(); ++rank)
      if (!questions[rank].empty()) put_all(parcels[rank], questions[rank]);
    std::vector<Parcel> asked = ranks_.exchange(parcels);
    for (std::size_t rank = 0; rank < asked.size(); ++rank) {
      if (asked[rank].empty()) continue;
      std::vector<Reply> replies;
      for (const Ask& one : Unpacking(asked[rank]).take_all<Ask>())
        replies.push_back(answer_one(one, static_cast<std::int32_t>(rank)));
      put_all(parcels[rank], replies);
    }
    std::vector<Parcel> came = ranks_.exchange(parcels);
    std::vector<std::vector<Reply>> replies(came.size());
    for (std::size_t rank = 0; rank < came.size(); ++rank)
      if (!came[rank].empty()) replies[rank] = Unpacking(came[rank]).take_all<Reply>();
    return replies;
  }

  static constexpr int most_waits = 64;
  /// Of waits that last nearly as long the latest is the link: without those before it it would have lasted longer.
  /// They are as long from this share of the longest on.
  static constexpr double nearly = 0.75;

  std::vector<WaitedCall>& calls_; // of this rank; other ranks refer to them by index
  const Steps& steps_;
  AllToAll& ranks_;
  std::vector<Knowledge> known_; // by call
};

} // namespace

void follow_chains(std::vector<WaitedCall>& calls, const Steps& steps, AllToAll& ranks) {
  Chains(calls, steps, ranks).follow();
}

} // namespace andes::monitor
