// Benchmark: the exchange of waits at the end of a run, without MPI: four ranks are threads of this
// process, their transport copies bytes between them. Each rank sends to the next one in a ring by
// MPI_Send, receives by MPI_Irecv and MPI_Wait, and every tenth time enters MPI_Allreduce: 33 records
// for 10 messages. Every other message is late. All causes are looked for.
//
// Sizes: 1 and 10 million records over all ranks, in memory for all of them, and 10 million of which
// a log of the default size keeps a sample; 100 million where BENCH_EXCHANGE_LARGEST=1 is set, as it
// needs tens of GB. What is timed is the processor time of the busiest rank (the ranks share the
// cores with each other), from its log to its waits; making logs is not. Each size has a process of
// its own, so that its largest memory is known; what the logs take is told apart.
//
// Prints for each size the time, records a second and core, bytes sent and memory; PASS or MISS
// against linear growth: from 1 to 10 million records no more than 12 times the time. Exits 1 on a
// MISS.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "monitor/clock/clock.h"
#include "monitor/exchange/thread_ranks.h"
#include "monitor/exchange/waits.h"

namespace {

using namespace andes;
using namespace andes::monitor;

constexpr int ranks = 4;
constexpr std::uint64_t default_log_bytes = 32'000'000;

struct Log {
  std::vector<EventRecord> records;
  std::vector<Channel> channels;
  std::vector<Communicator> communicators;
  EventTables tables;
  EventLog log;
};

double thread_s() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double peak_mb() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

Channel channel(std::uint64_t key, int peer, ChannelEnd end) {
  Channel c{};
  c.key = key;
  c.peer = peer;
  c.end = end;
  c.next = 1;
  return c;
}

enum Site : std::uint32_t { send_site, irecv_site, wait_site, allreduce_site };

/// The log of `rank` with about `count` records, of which those stay that fit into `bytes`.
std::unique_ptr<Log> log_of(int rank, std::uint64_t count, std::uint64_t bytes) {
  auto log = std::make_unique<Log>();
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  const auto ring = [](int source) { return 1000 + static_cast<std::uint64_t>(source); };
  log->channels = {channel(ring(rank), to, ChannelEnd::source),
                   channel(ring(from), from, ChannelEnd::destination),
                   channel(7, -1, ChannelEnd::member)};
  log->communicators = {{1, ranks, static_cast<std::uint32_t>(rank), ranks, nullptr}};
  std::uint32_t level = 0;
  while (count >> level > bytes / sizeof(EventRecord)) ++level;
  log->tables.levels = {level, level};
  const std::uint64_t rounds = count * 10 / 33;
  const auto put = [&](EventKind kind, unsigned flags, std::uint32_t c, std::uint64_t number,
                       std::uint64_t enter, float duration, Site site) {
    if (!event_stays(log->channels[c], number & 0xffffff, log->tables.levels)) return;
    EventRecord record{};
    record.enter_ticks = enter;
    record.kind = static_cast<std::uint64_t>(kind);
    record.flags = flags;
    record.duration_ticks = duration;
    record.node = site;
    record.channel = c;
    record.number = number & 0xffffff;
    log->records.push_back(record);
  };
  log->records.reserve((count >> level) + 1000);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const std::uint64_t begin = 10000 * i;
    const std::uint64_t late = i % 2 ? 5000 : 1000; // enter of the send; the wait begins at 2000
    put(EventKind::receive, event_pending, 1, i, begin, 100, irecv_site);
    if (late < 2000) put(EventKind::send, 0, 0, i, begin + late, 200, send_site);
    put(EventKind::receive_completion, 0, 1, i, begin + 2000, late < 2000 ? 100 : 3500, wait_site);
    if (late > 2000) put(EventKind::send, 0, 0, i, begin + late, 200, send_site);
    if (i % 10 == 0)
      put(EventKind::n_to_n, 0, 2, i / 10, begin + 8000 + 100 * static_cast<std::uint64_t>(rank), 700,
          allreduce_site);
  }
  log->log.records = log->records.data();
  log->log.count = static_cast<std::uint32_t>(log->records.size());
  log->tables.channels = log->channels.data();
  log->tables.channel_count = 3;
  log->tables.communicators = log->communicators.data();
  log->tables.communicator_count = 1;
  return log;
}

double measured_s(std::uint64_t records, std::uint64_t log_bytes, const rules::Program& program) {
  std::vector<std::unique_ptr<Log>> logs;
  std::uint64_t kept = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    logs.push_back(log_of(rank, records / ranks, log_bytes));
    kept += logs.back()->records.size();
  }
  const double logs_mb = peak_mb();
  std::vector<double> seconds(ranks);
  std::vector<std::uint64_t> sent(ranks), waits(ranks);
  run_ranks(ranks, [&](const andes_transport& transport) {
    const auto own = static_cast<std::size_t>(transport.rank);
    RankLog log;
    log.sites = {{1, "MPI_Send"}, {2, "MPI_Irecv"}, {3, "MPI_Wait"}, {4, "MPI_Allreduce"}};
    log.locations = {{&logs[own]->log, {0, 1, 2, 3}}};
    log.tables = &logs[own]->tables;
    log.begin_ns = 0;
    log.end_ns = static_cast<std::int64_t>(10000 * (records / ranks * 10 / 33));
    const double begin_s = thread_s();
    AllToAll others(&transport, monotonic_ns() + 600'000'000'000);
    const Waits found =
        find_waits(log, program, others, [](std::int64_t) { return std::string(); });
    seconds[own] = thread_s() - begin_s;
    sent[own] = others.bytes_sent();
    waits[own] = found.all.size();
    if (!found.missing.empty() || found.unmatched != 0) std::abort();
  });
  const double busiest_s = *std::max_element(seconds.begin(), seconds.end());
  std::uint64_t bytes = 0, all_waits = 0;
  for (const std::uint64_t of_rank : sent) bytes += of_rank;
  for (const std::uint64_t of_rank : waits) all_waits += of_rank;
  std::printf("  %9llu records, %9llu kept: %8.1f ms on the busiest rank, %5.2f million records a "
              "second and core, %7.1f MB sent, %llu waits, %.0f MB besides %.0f MB of logs\n",
              static_cast<unsigned long long>(records), static_cast<unsigned long long>(kept),
              1e3 * busiest_s, static_cast<double>(kept) / ranks / busiest_s / 1e6,
              static_cast<double>(bytes) / 1e6, static_cast<unsigned long long>(all_waits),
              peak_mb() - logs_mb, logs_mb);
  return busiest_s;
}

/// Seconds of the busiest rank, measured in a process of its own.
double run(std::uint64_t records, std::uint64_t log_bytes, const rules::Program& program) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::fflush(stdout);
  if (fork() == 0) {
    const double seconds = measured_s(records, log_bytes, program);
    std::fflush(stdout);
    _exit(write(ends[1], &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
  }
  close(ends[1]);
  double seconds = 0;
  if (read(ends[0], &seconds, sizeof seconds) != sizeof seconds) std::abort();
  close(ends[0]);
  wait(nullptr);
  return seconds;
}

} // namespace

int main() {
  constexpr std::uint64_t million = 1'000'000, all = ~std::uint64_t{0};
  constexpr double most_growth = 12;
  const rules::Compiled compiled = rules::compile(rules::shipped_rules());
  if (!compiled.errors.empty()) std::abort();
  std::printf("exchange of waits on 4 ranks, 10 messages to one all-reduction\n");
  const double small_s = std::min(run(million, all, compiled.program), run(million, all, compiled.program));
  run(10 * million, default_log_bytes, compiled.program);
  const double large_s = run(10 * million, all, compiled.program);
  if (getenv("BENCH_EXCHANGE_LARGEST")) run(100 * million, all, compiled.program);
  run(100 * million, default_log_bytes, compiled.program);
  const double growth = large_s / small_s;
  std::printf("growth from 1 to 10 million records: %.2f, bound %.0f %s\n", growth, most_growth,
              growth <= most_growth ? "PASS" : "MISS");
  return growth <= most_growth ? 0 : 1;
}
