// What a rank gets from a child in the tree of the gathering: read, merged into its own, sent on, and
// made columns of, as rank 0 does. The check sum is put right after the edits: a broken one is refused
// before anything is looked at, and tests/monitor sees to that.
#include "tests/fuzz/targets/edits.h"

#include <optional>
#include <zlib.h>

#include "monitor/finish/message.h"

namespace {

using namespace andes;
using namespace andes::monitor;

std::int32_t add_path(Profile& profile, std::initializer_list<RegionRow> regions, double value) {
  std::int32_t at = -1;
  for (const RegionRow& region : regions) at = path_index(profile, at, region_index(profile, region));
  for (const int metric : {run_file::visits, run_file::inclusive_ns, run_file::exclusive_ns})
    profile.paths[static_cast<std::size_t>(at)].values[static_cast<std::size_t>(metric)] = {value};
  profile.paths[static_cast<std::size_t>(at)].events = {{1000 * value}};
  return at;
}

Reduction of_rank(std::int32_t rank, const Bounds& bounds) {
  Profile profile;
  ProfileHost host;
  host.facts.name = "node" + std::to_string(rank % 2);
  host.cores = {1, 0, 1};
  profile.hosts.push_back(host);
  LocationRow location;
  location.rank = rank;
  profile.locations.push_back(location);
  const RegionRow root{"(program)", "root", "", 0}, main{"main", "function", "x.c", 1};
  add_path(profile, {root}, 1);
  add_path(profile, {root, main}, 100);
  add_path(profile, {root, main, {"MPI_Send", "send", "", 0}}, 10 + rank);
  const RegionRow phase{"step", "phase", "x.c", 7}, step{"step 1", "instance", "", 0};
  const std::int32_t steps = add_path(profile, {root, main, phase}, 40);
  const std::int32_t one = add_path(profile, {root, main, phase, step}, 20);
  profile.paths[static_cast<std::size_t>(one)].folded = steps;
  profile.events = {{"PAPI_TOT_INS", "", 1, 0}, {"PAPI_L3_TCM", "no such event", 0, 1}};
  profile.attached.names = {"residual"};
  profile.attached.rows = {{profile.paths[static_cast<std::size_t>(one)].hash, 0, 0, 3, 1, 6, 1, 3, 2}};
  profile.attached.lost = rank;
  profile.messages.push_back({rank, 0, 4, 800});
  profile.snapshots.push_back({rank, 1, 12345});
  profile.waits.sums.push_back({1, 2, 3, 0, 0, 1, 0, 5, 5, 10, 1, 0});
  profile.metrics = run_file::metric_count + 2;
  return reduce(std::move(profile), bounds);
}

Reduction of_two(std::int32_t first, const Bounds& bounds) {
  Reduction both = of_rank(first, bounds);
  merge(both, of_rank(first + 1, bounds), bounds);
  return both;
}

std::string bytes_of(const Reduction& reduction) {
  std::string bytes;
  write_message(reduction, [&](const char* piece, std::size_t count) {
    bytes.append(piece, count);
    return true;
  });
  return bytes;
}

void put_sum_right(std::string& bytes) {
  std::uint32_t sum = 0;
  if (bytes.size() < sizeof sum) return;
  const std::size_t before = bytes.size() - sizeof sum;
  sum = static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), before));
  std::memcpy(bytes.data() + before, &sum, sizeof sum);
}

std::optional<Reduction> read(const std::string& bytes, std::size_t most) {
  std::size_t at = 0;
  return read_message([&](std::string& piece) {
    piece = bytes.substr(at, most);
    at += piece.size();
    return !piece.empty();
  });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  Bounds bounds;
  bounds.job_ranks = 4;
  bounds.paths = input.ConsumeIntegralInRange<std::size_t>(4, 16);
  bounds.column_bytes = input.ConsumeBool() ? 64e6 : 10;
  static const std::string valid = bytes_of(of_two(2, Bounds{4}));
  std::string bytes = valid;
  const std::size_t most = input.ConsumeIntegralInRange<std::size_t>(1, piece_bytes);
  while (input.remaining_bytes() > 0 && !bytes.empty()) fuzz::edit(bytes, input);
  put_sum_right(bytes);
  const std::optional<Reduction> theirs = read(bytes, most);
  if (!theirs) return 0;
  Reduction own = of_two(0, bounds);
  merge(own, *theirs, bounds);
  columns_of(own);
  fuzz::require(read(bytes_of(own), piece_bytes).has_value(), "what was merged can be sent on");
  return 0;
}
