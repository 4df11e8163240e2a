// What a rank hears from others while waits are looked for. A job of three ranks is played once, and
// what rank 0 got is noted; then rank 0 alone plays it again, with what it gets edited. Whatever the
// others say, what rank 0 finds must be of its own ranks, causes and threads.
#include "tests/fuzz/targets/edits.h"

#include <cmath>

#include "monitor/exchange/waits.h"
#include "tests/exchange/fake_job.h"

namespace {

using namespace andes;
using namespace andes::monitor;
using andes::test::FakeJob;
using fuzz::Input;

constexpr int job_ranks = 3;

/// What the calls of rank 0 gave it, in their order.
std::vector<std::string> noted;
std::size_t next_note = 0;

thread_local andes_transport told; // what the transport that notes hands on to

void note(const void* bytes, std::size_t count) {
  if (told.rank == 0) noted.emplace_back(static_cast<const char*>(bytes), count);
}

int swap_noting(int to, const void* data, std::size_t bytes, int from, void* theirs,
                std::size_t their_bytes, std::int64_t deadline_ns) {
  const int failed = told.swap(to, data, bytes, from, theirs, their_bytes, deadline_ns);
  note(theirs, their_bytes);
  return failed;
}
int sizes_noting(const std::uint64_t* out, std::uint64_t* in, std::int64_t deadline_ns) {
  const int failed = told.exchange_sizes(out, in, deadline_ns);
  note(in, job_ranks * sizeof *in);
  return failed;
}
int largest_noting(std::uint64_t* values, int count, std::int64_t deadline_ns) {
  const int failed = told.largest(values, count, deadline_ns);
  note(values, static_cast<std::size_t>(count) * sizeof *values);
  return failed;
}

int again(void* to, std::size_t bytes) {
  if (next_note == noted.size()) return 1; // the others have gone
  const std::string& came = noted[next_note++];
  std::memset(to, 0, bytes);
  std::memcpy(to, came.data(), std::min(bytes, came.size()));
  return 0;
}

int swap_again(int, const void*, std::size_t, int, void* theirs, std::size_t bytes, std::int64_t) {
  return again(theirs, bytes);
}
/// Sizes that nobody could allocate are another matter: the ranks of a job are not enemies.
int sizes_again(const std::uint64_t*, std::uint64_t* in, std::int64_t) {
  const int failed = again(in, job_ranks * sizeof *in);
  for (int rank = 0; rank < job_ranks; ++rank) in[rank] %= 1 << 20;
  return failed;
}
int largest_again(std::uint64_t* values, int count, std::int64_t) {
  return again(values, static_cast<std::size_t>(count) * sizeof *values);
}

FakeJob& job() {
  static FakeJob the_job(job_ranks);
  return the_job;
}

void fill(FakeJob& j) {
  for (const int late : {1, 2}) {
    j.receive(0, late, 1, {1000, 9000, "main/MPI_Recv"});
    j.send(late, 0, 1, {5000, 5100, "main/step/MPI_Send"});
    j.send(0, late, 2, {10000, 10100, "main/MPI_Send"});
    j.receive(late, 0, 2, {6000, 11000, "main/MPI_Recv"});
    j.isend(late, 0, 3, {11000, 11100, "main/MPI_Isend"}, {15000, 15100, "main/MPI_Wait"});
    j.irecv(0, late, 3, {10500, 10600, "main/MPI_Irecv"}, {12000, 15500, "main/MPI_Wait"});
  }
  for (int rank = 0; rank < job_ranks; ++rank) {
    const auto enter = static_cast<std::uint64_t>(20000 + 3000 * rank);
    j.collective(rank, EventKind::barrier, {enter, 30000, "main/MPI_Barrier"});
    j.collective(rank, EventKind::one_to_n, {31000 + enter, 70000, "main/MPI_Bcast"},
                 rank == 1 ? event_root : 0);
  }
}

const rules::Program& program() {
  static const rules::Program compiled = rules::compile(rules::shipped_rules()).program;
  return compiled;
}

Waits play(const andes_transport& transport) {
  AllToAll ranks(&transport, monotonic_ns() + std::int64_t{20'000'000'000});
  return find_waits(job().rank_log(transport.rank), program(), ranks,
                    [](std::int64_t) { return std::string(); });
}

void play_once() {
  fill(job());
  run_ranks(job_ranks, [](const andes_transport& transport) {
    told = transport;
    andes_transport noting = transport;
    noting.swap = swap_noting;
    noting.exchange_sizes = sizes_noting;
    noting.largest = largest_noting;
    noting.time_messages = nullptr;
    play(noting);
  });
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  play_once();
  fuzz::require(noted.size() > 5, "the job was played");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> valid = noted;
  Input input(data, size);
  noted = valid;
  next_note = 0;
  while (input.remaining_bytes() > 0)
    fuzz::edit(noted[input.ConsumeIntegralInRange<std::size_t>(0, noted.size() - 1)], input);
  andes_transport transport{};
  transport.rank = 0;
  transport.size = job_ranks;
  transport.swap = swap_again;
  transport.exchange_sizes = sizes_again;
  transport.largest = largest_again;
  const Waits waits = play(transport);
  for (const Wait& wait : waits.all) {
    fuzz::require(wait.cause < program().causes.size(), "a cause that there is");
    fuzz::require(wait.rank == 0 && wait.thread >= 0, "of this rank");
    fuzz::require(wait.peer_rank >= -1 && wait.peer_rank < job_ranks, "waited for a rank of the job");
    fuzz::require(wait.origin_rank >= -1 && wait.origin_rank < job_ranks, "began on a rank of the job");
    fuzz::require(std::isfinite(wait.wait_ns) && wait.wait_ns > 0, "a time");
  }
  return 0;
}
