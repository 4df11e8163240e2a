// follow_chains: first the links, by one question for each late message to the rank that sent it; then pointer
// doubling: each wait asks the wait that it points to for the origin. If that does not know the origin yet, the
// asking wait takes over its pointer. After log2 of the longest chain's length all waits know their origin.
#include <algorithm>

#include "monitor/exchange/messages.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t no_wait = ~std::uint32_t{0};

/// The question: did this thread have a wait that ended before it sent, but not within the first tenth
/// of the receiver's wait? Ranks leave a common operation at nearly the same time: if the sender's
/// wait ended so early, not this wait delayed the receiver, but the sender's work after it.
struct Question {
  std::int64_t begin_ns, sent_ns;
  std::uint32_t thread, unused;
};

/// What is known of a wait's chain.
struct Knowledge {
  std::uint64_t path;    // of the origin
  std::int32_t rank;     // rank of the origin; while unknown, rank of the wait that it points to
  std::uint32_t pointer; // no_wait: the origin is known
};

struct LateWait {
  std::uint32_t message;
  Knowledge knowledge;
};

class Chains {
public:
  Chains(std::vector<Message>& messages, const Sites& sites, AllToAll& ranks)
      : messages_(messages), sites_(sites), ranks_(ranks) {}

  void follow() {
    find_waits();
    std::vector<std::uint64_t> most = {waits_.size()};
    ranks_.largest(most);
    if (most[0] == 0) return;
    link();
    // A chain has no more links than there are waits, so this ends even for a cycle, which equal times could produce.
    for (std::uint64_t reach = 1, all = most[0] * static_cast<std::uint64_t>(ranks_.size());
         reach <= 2 * all && !ranks_.failed(); reach *= 2) {
      std::vector<std::uint64_t> open = {
          static_cast<std::uint64_t>(std::any_of(waits_.begin(), waits_.end(), is_open))};
      ranks_.largest(open);
      if (open[0] == 0) break;
      look_further();
    }
    for (const LateWait& wait : waits_) {
      Message& message = messages_[wait.message];
      if (message.sender_waiting && !is_open(wait)) message.origin = {wait.knowledge.rank, wait.knowledge.path};
    }
  }

private:
  static bool is_open(const LateWait& wait) { return wait.knowledge.pointer != no_wait; }
  const Call& blocked(const LateWait& wait) const { return *messages_[wait.message].wait; }

  /// Sorted, so that binary search finds a thread's last wait that ended before a given time.
  void find_waits() {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      const Message& message = messages_[i];
      if (!message.receive->completed || !is_late(message)) continue;
      const std::int32_t site = message.send.start.site;
      waits_.push_back({static_cast<std::uint32_t>(i), {site < 0 ? 0 : sites_[site].path, message.source, no_wait}});
    }
    std::sort(waits_.begin(), waits_.end(), [&](const LateWait& a, const LateWait& b) {
      const Call &x = blocked(a), &y = blocked(b);
      if (x.thread != y.thread) return x.thread < y.thread;
      if (x.exit_ns != y.exit_ns) return x.exit_ns < y.exit_ns;
      return messages_[a.message].send.start.enter_ns < messages_[b.message].send.start.enter_ns;
    });
  }

  std::uint32_t answer(Question question) const {
    question = {bounded_ns(question.begin_ns), bounded_ns(question.sent_ns), question.thread, 0};
    const auto thread = static_cast<std::int32_t>(question.thread);
    const auto after = std::partition_point(waits_.begin(), waits_.end(), [&](const LateWait& wait) {
      const Call& call = blocked(wait);
      return call.thread != thread ? call.thread < thread : call.exit_ns <= question.sent_ns;
    });
    if (after == waits_.begin()) return no_wait;
    const Call& last = blocked(*(after - 1));
    if (last.thread != thread || last.exit_ns - question.begin_ns <= (question.sent_ns - question.begin_ns) / 10)
      return no_wait;
    return static_cast<std::uint32_t>(after - 1 - waits_.begin());
  }

  void link() {
    const auto size = static_cast<std::size_t>(ranks_.size());
    std::vector<std::vector<Question>> questions(size);
    std::vector<std::vector<std::uint32_t>> asking(size); // own waits, in the order of the questions
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      const Message& message = messages_[waits_[i].message];
      const auto source = static_cast<std::size_t>(message.source);
      questions[source].push_back({message.wait->enter_ns, message.send.start.enter_ns,
                                   static_cast<std::uint32_t>(message.send.start.thread), 0});
      asking[source].push_back(static_cast<std::uint32_t>(i));
    }
    const auto answers =
        ask<Question, std::uint32_t>(questions, [this](const Question& question) { return answer(question); });
    for (std::size_t rank = 0; rank < size; ++rank)
      for (std::size_t i = 0; i < answers[rank].size() && i < asking[rank].size(); ++i) {
        if (answers[rank][i] == no_wait) continue;
        LateWait& wait = waits_[asking[rank][i]];
        messages_[wait.message].sender_waiting = true;
        wait.knowledge = {0, static_cast<std::int32_t>(rank), answers[rank][i]};
      }
  }

  void look_further() {
    const auto size = static_cast<std::size_t>(ranks_.size());
    std::vector<std::vector<std::uint32_t>> questions(size), asking(size);
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (!is_open(waits_[i])) continue;
      const auto rank = static_cast<std::size_t>(waits_[i].knowledge.rank);
      questions[rank].push_back(waits_[i].knowledge.pointer);
      asking[rank].push_back(static_cast<std::uint32_t>(i));
    }
    const auto answers = ask<std::uint32_t, Knowledge>(questions, [this](std::uint32_t wait) {
      return wait < waits_.size() ? waits_[wait].knowledge : Knowledge{0, -1, no_wait};
    });
    for (std::size_t rank = 0; rank < size; ++rank)
      for (std::size_t i = 0; i < answers[rank].size() && i < asking[rank].size(); ++i) {
        const Knowledge& known = answers[rank][i];
        if (known.pointer == no_wait || (known.rank >= 0 && known.rank < ranks_.size()))
          waits_[asking[rank][i]].knowledge = known;
      }
  }

  /// Collective: asks each rank its questions and answers those of the others.
  template <class Ask, class Reply, class Answer>
  std::vector<std::vector<Reply>> ask(const std::vector<std::vector<Ask>>& questions, Answer answer_one) {
    std::vector<Parcel> parcels(questions.size());
    for (std::size_t rank = 0; rank < questions.size(); ++rank)
      if (!questions[rank].empty()) put_all(parcels[rank], questions[rank]);
    std::vector<Parcel> asked = ranks_.exchange(parcels);
    for (std::size_t rank = 0; rank < asked.size(); ++rank) {
      if (asked[rank].empty()) continue;
      std::vector<Reply> replies;
      for (const Ask& one : Unpacking(asked[rank]).take_all<Ask>()) replies.push_back(answer_one(one));
      put_all(parcels[rank], replies);
    }
    std::vector<Parcel> came = ranks_.exchange(parcels);
    std::vector<std::vector<Reply>> replies(came.size());
    for (std::size_t rank = 0; rank < came.size(); ++rank)
      if (!came[rank].empty()) replies[rank] = Unpacking(came[rank]).take_all<Reply>();
    return replies;
  }

  std::vector<Message>& messages_;
  const Sites& sites_;
  AllToAll& ranks_;
  std::vector<LateWait> waits_; // waits of this rank; other ranks refer to them by index
};

} // namespace

void follow_chains(std::vector<Message>& messages, const Sites& sites, AllToAll& ranks) {
  Chains(messages, sites, ranks).follow();
}

} // namespace andes::monitor
