// Ranks that are threads of this process: a transport between them with deadlines, as the wrappers
// have it over MPI.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "monitor/core/clock.h"
#include "monitor/core/monitor.h"

namespace andes::test {

/// What is on its way between the ranks of one job.
struct Mail {
  std::mutex lock;
  std::condition_variable came;
  std::map<std::pair<int, int>, std::deque<std::string>> letters; // by (from, to)
};

struct FakeRankState {
  Mail* mail = nullptr;
  int rank = 0, size = 1;
};
inline thread_local FakeRankState fake_rank; // transports have no context of their own

inline int fake_send(int to, const void* data, std::size_t bytes, std::int64_t) {
  const std::lock_guard guard(fake_rank.mail->lock);
  fake_rank.mail->letters[{fake_rank.rank, to}].emplace_back(static_cast<const char*>(data), bytes);
  fake_rank.mail->came.notify_all();
  return 0;
}

inline int fake_receive(int from, void* data, std::size_t bytes, std::int64_t deadline_ns) {
  Mail& mail = *fake_rank.mail;
  std::unique_lock guard(mail.lock);
  auto& letters = mail.letters[{from, fake_rank.rank}];
  while (letters.empty()) {
    const std::int64_t left_ns = deadline_ns - monotonic_ns();
    if (left_ns <= 0) return 1;
    mail.came.wait_for(guard, std::chrono::nanoseconds(left_ns));
  }
  const std::string letter = letters.front();
  letters.pop_front();
  if (letter.size() != bytes) return 1;
  letter.copy(static_cast<char*>(data), bytes);
  return 0;
}

inline int fake_swap(int to, const void* data, std::size_t bytes, int from, void* their_data,
                     std::size_t their_bytes, std::int64_t deadline_ns) {
  if (bytes > 0 && fake_send(to, data, bytes, deadline_ns) != 0) return 1;
  return their_bytes > 0 ? fake_receive(from, their_data, their_bytes, deadline_ns) : 0;
}

inline int fake_exchange_sizes(const std::uint64_t* out, std::uint64_t* in, std::int64_t deadline_ns) {
  for (int rank = 0; rank < fake_rank.size; ++rank) fake_send(rank, out + rank, sizeof *out, 0);
  for (int rank = 0; rank < fake_rank.size; ++rank)
    if (fake_receive(rank, in + rank, sizeof *in, deadline_ns) != 0) return 1;
  return 0;
}

inline int fake_largest(std::uint64_t* values, int count, std::int64_t deadline_ns) {
  const auto bytes = static_cast<std::size_t>(count) * sizeof *values;
  const std::vector<std::uint64_t> own(values, values + count);
  std::vector<std::uint64_t> theirs(own);
  for (int rank = 0; rank < fake_rank.size; ++rank) fake_send(rank, own.data(), bytes, 0);
  for (int rank = 0; rank < fake_rank.size; ++rank) {
    if (fake_receive(rank, theirs.data(), bytes, deadline_ns) != 0) return 1;
    for (int i = 0; i < count; ++i) values[i] = std::max(values[i], theirs[static_cast<std::size_t>(i)]);
  }
  return 0;
}

/// Runs `rank_main(transport)` for each rank at once. Ranks in `absent` are not there at all.
inline void run_ranks(int size, const std::function<void(const andes_transport&)>& rank_main,
                      const std::vector<int>& absent = {}) {
  Mail mail;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    if (std::find(absent.begin(), absent.end(), rank) != absent.end()) continue;
    threads.emplace_back([&, rank] {
      fake_rank = {&mail, rank, size};
      andes_transport transport{};
      transport.rank = rank;
      transport.size = size;
      transport.send = fake_send;
      transport.receive = fake_receive;
      transport.swap = fake_swap;
      transport.exchange_sizes = fake_exchange_sizes;
      transport.largest = fake_largest;
      rank_main(transport);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

inline std::int64_t in_seconds(double seconds) {
  return monotonic_ns() + static_cast<std::int64_t>(seconds * 1e9);
}

} // namespace andes::test
