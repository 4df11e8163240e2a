// Collectives meet at a board with a row for each rank. There are two boards, used in turn: a rank writes
// to a board again only after all ranks have been at the other one, and so have read the first. Messages
// lie in the receiver's box.
#include "monitor/exchange/thread_ranks.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "common/index.h"
#include "monitor/clock/clock.h"

namespace andes::monitor {
namespace {

using Board = std::vector<std::vector<std::uint64_t>>; // by rank

struct Box {
  std::mutex lock;
  std::condition_variable came;
  std::map<int, std::deque<std::string>> letters; // by sender
};

struct Job {
  explicit Job(int size) : boxes(static_cast<std::size_t>(size)) {
    for (Board& board : boards) board.resize(boxes.size());
  }
  std::vector<Box> boxes; // by receiver
  std::mutex lock;        // guards all members below
  std::condition_variable met;
  Board boards[2];
  std::uint64_t round = 0;
  std::size_t arrived = 0;
  bool broken = false;
  enum class Start { waiting, go, never } start = Start::waiting;
  std::exception_ptr trouble;
};

// Functions of a transport have no context argument.
thread_local Job* job = nullptr;
thread_local int own_rank = 0;

/// False: the deadline (CLOCK_MONOTONIC) passed first.
template <class Ready>
bool wait_until(std::condition_variable& condition, std::unique_lock<std::mutex>& guard, std::int64_t deadline_ns,
                Ready ready) {
  constexpr std::int64_t at_once_ns = 1'000'000'000; // a deadline may be the largest possible time
  while (!ready()) {
    const std::int64_t left_ns = deadline_ns - monotonic_ns();
    if (left_ns <= 0) return false;
    condition.wait_for(guard, std::chrono::nanoseconds(std::min(left_ns, at_once_ns)));
  }
  return true;
}

/// All ranks' values, when all have come; null: the deadline passed.
const Board* meet(const std::uint64_t* values, std::size_t count, std::int64_t deadline_ns) {
  std::unique_lock guard(job->lock);
  const std::uint64_t round = job->round;
  Board& board = job->boards[round % 2];
  board[at(own_rank)].assign(values, values + count);
  if (++job->arrived == board.size()) {
    job->arrived = 0;
    job->round++;
    job->met.notify_all();
  }
  wait_until(job->met, guard, deadline_ns, [&] { return job->round != round || job->broken; });
  return job->round != round ? &board : nullptr;
}

int send(int to, const void* data, std::size_t bytes, std::int64_t) {
  Box& box = job->boxes[at(to)];
  const std::lock_guard guard(box.lock);
  box.letters[own_rank].emplace_back(static_cast<const char*>(data), bytes);
  box.came.notify_all();
  return 0;
}

int receive(int from, void* data, std::size_t bytes, std::int64_t deadline_ns) {
  Box& box = job->boxes[at(own_rank)];
  std::unique_lock guard(box.lock);
  const auto broken = [] {
    const std::lock_guard state(job->lock);
    return job->broken;
  };
  if (!wait_until(box.came, guard, deadline_ns, [&] { return box.letters.count(from) != 0 || broken(); }) ||
      box.letters.count(from) == 0)
    return 1;
  const auto letters = box.letters.find(from);
  const std::string letter = std::move(letters->second.front());
  letters->second.pop_front();
  if (letters->second.empty()) box.letters.erase(letters);
  if (letter.size() != bytes) return 1;
  letter.copy(static_cast<char*>(data), bytes);
  return 0;
}

int swap(int to, const void* data, std::size_t bytes, int from, void* their_data, std::size_t their_bytes,
         std::int64_t deadline_ns) {
  if (bytes > 0 && send(to, data, bytes, deadline_ns) != 0) return 1;
  return their_bytes > 0 ? receive(from, their_data, their_bytes, deadline_ns) : 0;
}

int exchange_sizes(const std::uint64_t* out, std::uint64_t* in, std::int64_t deadline_ns) {
  const Board* all = meet(out, job->boxes.size(), deadline_ns);
  if (!all) return 1;
  for (std::size_t rank = 0; rank < all->size(); ++rank) in[rank] = (*all)[rank][at(own_rank)];
  return 0;
}

int largest(std::uint64_t* values, int count, std::int64_t deadline_ns) {
  const Board* all = meet(values, at(count), deadline_ns);
  if (!all) return 1;
  for (const std::vector<std::uint64_t>& theirs : *all)
    for (std::size_t i = 0; i < at(count); ++i) values[i] = std::max(values[i], theirs[i]);
  return 0;
}

void rank_fails() {
  {
    const std::lock_guard guard(job->lock);
    job->trouble = std::current_exception();
    job->broken = true;
  }
  job->met.notify_all();
  for (Box& box : job->boxes) {
    const std::lock_guard guard(box.lock);
    box.came.notify_all();
  }
}

void run_rank(Job& of, int rank, const std::function<void(const andes_transport&)>& rank_main) {
  job = &of;
  own_rank = rank;
  {
    std::unique_lock guard(of.lock);
    of.met.wait(guard, [&] { return of.start != Job::Start::waiting; });
    if (of.start == Job::Start::never) return;
  }
  andes_transport transport{};
  transport.rank = rank;
  transport.size = static_cast<int>(of.boxes.size());
  transport.send = send;
  transport.receive = receive;
  transport.swap = swap;
  transport.exchange_sizes = exchange_sizes;
  transport.largest = largest;
  try {
    rank_main(transport);
  } catch (...) {
    rank_fails();
  }
}

} // namespace

bool run_ranks(int size, const std::function<void(const andes_transport&)>& rank_main, const std::vector<int>& absent) {
  Job state(size);
  std::vector<std::thread> threads;
  Job::Start start = Job::Start::go;
  try {
    for (int rank = 0; rank < size; ++rank)
      if (std::find(absent.begin(), absent.end(), rank) == absent.end())
        threads.emplace_back([&state, &rank_main, rank] { run_rank(state, rank, rank_main); });
  } catch (const std::system_error&) {
    start = Job::Start::never;
  }
  {
    const std::lock_guard guard(state.lock);
    state.start = start;
  }
  state.met.notify_all();
  for (std::thread& thread : threads) thread.join();
  if (state.trouble) std::rethrow_exception(state.trouble);
  return start == Job::Start::go;
}

} // namespace andes::monitor
