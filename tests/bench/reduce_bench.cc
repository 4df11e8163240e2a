// Benchmark: unifying and reducing the call trees of 1,024 to 65,536 ranks. Rank 0 has the longest
// chain of merges: one message from each of its log2 p children, which are made here in one process
// as the binomial tree of gather.cc makes them. The first 1,024 ranks are simulated one by one. Each
// further 1,024 are those once more, with other rank numbers and other names of the call paths that
// only one rank has; what is above them is really merged. Which half of the ranks has a path thus
// repeats every 1,024 ranks; what a merge costs does not depend on that.
//
// What is timed is the processor time of what rank 0 does itself: reading its children's messages
// (from memory) and merging them, and, so that it bounds what any other rank does, writing a message
// of its last result. Making the trees, and the work of other ranks, is not.
//
// A rank has 1,000 call paths of eight metrics: 890 that all ranks have, 100 that a random half of
// the ranks has each, 10 that it has alone. The union grows with the ranks, without end; so the
// bound of call paths decides what the largest messages cost. Two bounds: 4,096, beyond which the
// union is at all sizes, so that the growth of the cost with log p can be seen (fastest of three
// runs); and the default of the setting node_limit, 65,536, reached at about 6,500 ranks.
//
// Prints for each size the seconds of the chain, bytes into rank 0, the largest message, call paths
// and what is dropped; PASS or MISS against 2 s at 65,536 ranks and, for the lower bound, against
// twice the growth of log p from 1,024 ranks; exits 1 on a MISS.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

#include "monitor/finish/message.h"

namespace {

using namespace andes;
using namespace andes::monitor;

constexpr std::int32_t simulated_ranks = 1024, shared_paths = 890, half_paths = 100, own_paths = 10;
constexpr int metrics[] = {run_file::visits,           run_file::inclusive_ns,
                           run_file::exclusive_ns,     run_file::computation_ns,
                           run_file::communication_ns, run_file::synchronisation_ns,
                           run_file::bytes_sent,       run_file::messages_sent};

std::uint64_t scrambled(std::uint64_t x) { // splitmix64
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

RegionRow region(const char* what, std::int64_t number) {
  return {std::string(what) + std::to_string(number), "function", "simulation/solver.cc",
          static_cast<std::int32_t>(number % 1000)};
}

void fill(Profile& profile, std::int32_t path, std::mt19937& random) {
  Values& values = profile.paths[static_cast<std::size_t>(path)].values;
  for (const int metric : metrics)
    column_of(values, static_cast<std::size_t>(metric)) = {1000.0 + static_cast<double>(random() % 100000)};
}

/// The tree of a rank: branching four, the paths of few ranks below those of all.
Profile profile_of(std::int32_t rank) {
  std::mt19937 random(static_cast<std::uint32_t>(rank));
  Profile profile;
  ProfileHost host; // 64 ranks a host
  host.facts.name = "node" + std::to_string(rank / 64);
  host.cores.assign(64, 1);
  profile.hosts.push_back(host);
  LocationRow location;
  location.rank = rank;
  location.wall_ns = 100'000'000'000;
  location.compute_ns = 60'000'000'000 + random() % 1'000'000;
  location.communication_ns = location.wall_ns - location.compute_ns;
  profile.locations.push_back(location);
  for (int i = 0; i < 6; ++i) // neighbours in three dimensions
    profile.messages.push_back({rank, (rank + (i + 1) * 7) % 65536, 1000, 8000000});
  std::vector<std::int32_t> shared;
  for (std::int32_t i = 0; i < shared_paths; ++i) {
    const std::int32_t parent = i == 0 ? -1 : shared[static_cast<std::size_t>((i - 1) / 4)];
    RegionRow r = region("function_", i);
    if (i == 0) r.kind = "root";
    if (i % 10 == 9) r.kind = "send";
    shared.push_back(path_index(profile, parent, region_index(profile, r)));
    fill(profile, shared.back(), random);
  }
  const auto below = [&](std::uint64_t key) { return shared[scrambled(key) % shared.size()]; };
  std::int32_t made = 0;
  for (std::int32_t i = 0; made < half_paths; ++i) { // of 200, about every second
    if (i < 2 * half_paths &&
        scrambled(static_cast<std::uint64_t>(rank) * 1000003u + static_cast<std::uint64_t>(i)) % 2)
      continue;
    const std::int32_t number = i % (2 * half_paths);
    const auto before = profile.paths.size();
    const std::int32_t path = path_index(profile, below(static_cast<std::uint64_t>(number)),
                                         region_index(profile, region("variant_", number)));
    if (profile.paths.size() == before) continue;
    fill(profile, path, random);
    ++made;
  }
  for (std::int32_t i = 0; i < own_paths; ++i) {
    const std::int64_t number = std::int64_t{rank} * own_paths + i;
    fill(profile,
         path_index(profile, below(static_cast<std::uint64_t>(number) + 1000000),
                    region_index(profile, region("only_here_", number))),
         random);
  }
  return profile;
}

struct Size {
  std::int64_t ranks = 0;
  double chain_s = 0;
  std::uint64_t bytes = 0, largest = 0;
  std::size_t paths = 0;
  std::int64_t dropped_paths = 0, dropped_ranks = 0;
};

double processor_s() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::vector<std::string> pieces_of(const Reduction& reduction) {
  std::vector<std::string> pieces;
  if (!write_message(reduction, [&](const char* bytes, std::size_t count) {
        pieces.emplace_back(bytes, count);
        return true;
      }))
    std::abort();
  return pieces;
}

/// The simulated ranks once more as the ranks from `first` on.
Reduction again(Reduction group, std::int32_t first) {
  for (LocationRow& row : group.locations) row.rank += first;
  for (MessageRow& row : group.messages) row.source += first, row.destination += first;
  for (ReducedValue& value : group.statistics)
    value.statistic.min_rank += first, value.statistic.max_rank += first;
  group.first_rank += first;
  for (ProfileHost& host : group.hosts) host.facts.name.append("+").append(std::to_string(first));
  for (std::size_t i = 0; i < group.regions.size(); ++i)
    if (group.regions[i].name.rfind("only_here_", 0) == 0) {
      group.regions[i].name.append("+").append(std::to_string(first));
      group.region_hashes[i] = hash_of(group.regions[i]);
    }
  for (ReducedPath& path : group.paths)
    path.hash = hash_of_path(
        path.parent < 0 ? 0 : group.paths[static_cast<std::size_t>(path.parent)].hash,
        group.region_hashes[static_cast<std::size_t>(path.region)]);
  index_hashes(group);
  return group;
}

struct Job {
  Bounds bounds;
  Reduction first_ranks; // the simulated ones, once they are merged
  Size size;
};

void receive(Job& job, Reduction& into, const Reduction& child, bool is_rank_0) {
  std::vector<std::string> pieces = pieces_of(child);
  std::uint64_t bytes = 0;
  for (const std::string& piece : pieces) bytes += piece.size();
  std::size_t next = 0;
  const double begin_s = processor_s();
  {
    const std::optional<Reduction> theirs = read_message([&](std::string& piece) {
      if (next == pieces.size()) return false;
      piece.assign(pieces[next++]); // as the transport copies it
      return true;
    });
    if (!theirs) std::abort();
    merge(into, *theirs, job.bounds);
  }
  if (!is_rank_0) return;
  job.size.chain_s += processor_s() - begin_s;
  job.size.bytes += bytes;
  job.size.largest = std::max(job.size.largest, bytes);
}

/// The reduction of the ranks [first, first + count) at the rank `first`.
Reduction group_of(Job& job, std::int32_t first, std::int32_t count) {
  if (first >= simulated_ranks && count == simulated_ranks) return again(job.first_ranks, first);
  Reduction own = reduce(profile_of(first), job.bounds);
  std::int32_t step = 1;
  if (first >= simulated_ranks) own = again(job.first_ranks, first), step = simulated_ranks;
  for (; step < count; step *= 2) {
    if (first == 0 && step == simulated_ranks) job.first_ranks = own;
    receive(job, own, group_of(job, first + step, step), first == 0);
  }
  return own;
}

Size measured(std::int32_t ranks, std::size_t paths) {
  Job job;
  job.bounds.job_ranks = ranks;
  job.bounds.paths = paths;
  job.size.ranks = ranks;
  const Reduction whole = group_of(job, 0, ranks);
  const double begin_s = processor_s();
  pieces_of(whole);
  job.size.chain_s += processor_s() - begin_s;
  job.size.paths = whole.paths.size();
  job.size.dropped_paths = whole.dropped_paths;
  job.size.dropped_ranks = whole.dropped_ranks;
  return job.size;
}

bool judged(const char* what, double value, double bound, const char* unit) {
  std::printf("%s: %.3f%s, bound %.3f%s, ratio %.2f %s\n", what, value, unit, bound, unit,
              value / bound, value <= bound ? "PASS" : "MISS");
  return value <= bound;
}

} // namespace

int main() {
  constexpr std::int32_t sizes[] = {1024, 4096, 16384, 65536};
  constexpr double bound_s = 2;
  constexpr int repeats = 3;
  bool good = true;
  std::printf("reduction of p ranks with 1,000 call paths of 8 metrics each (890 on all ranks, 100 on "
              "a random half, 10 on one alone); ranks beyond the first 1,024 repeat them with other own paths\n");
  for (const std::size_t paths : {std::size_t{4096}, std::size_t{65536}}) {
    std::printf("at most %zu call paths of the union\n", paths);
    std::vector<Size> done;
    for (const std::int32_t ranks : sizes) {
      done.push_back(measured(ranks, paths));
      for (int i = 1; i < repeats && paths < 65536; ++i) // the growth is a ratio of short times
        done.back().chain_s = std::min(done.back().chain_s, measured(ranks, paths).chain_s);
      const Size& s = done.back();
      std::printf("  p %6lld: rank 0's chain %7.1f ms", static_cast<long long>(s.ranks),
                  1e3 * s.chain_s);
      if (done.size() > 1)
        std::printf(" (x%.2f per doubling)", std::sqrt(s.chain_s / done[done.size() - 2].chain_s));
      std::printf(", %.1f MB into it, largest message %.1f MB, %zu call paths, %lld times one was "
                  "dropped, at most %lld ranks of one\n",
                  static_cast<double>(s.bytes) / 1e6, static_cast<double>(s.largest) / 1e6, s.paths,
                  static_cast<long long>(s.dropped_paths), static_cast<long long>(s.dropped_ranks));
      std::fflush(stdout);
    }
    good = judged("longest chain at 65,536 ranks", done.back().chain_s, bound_s, " s") && good;
    if (paths < 65536)
      good = judged("growth from 1,024 to 65,536 ranks over that of log p",
                    done.back().chain_s / done.front().chain_s / (16.0 / 10.0), 2, "") &&
             good;
  }
  return good ? 0 : 1;
}
