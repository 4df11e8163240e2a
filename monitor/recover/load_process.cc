// Loads arenas from files, and of processes that keep running while they are read.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "monitor/recover/jobs.h"
#include "monitor/recover/plain_file.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recovered_clock.h"

namespace andes::monitor {
namespace {

// Files may be mostly holes: at most so many bytes are read per byte that is really stored, whatever the table says.
constexpr std::uint64_t bytes_per_byte = 16, least_bytes = std::uint64_t{64} << 20;

/// The end of the last stretch in the file.
std::uint64_t end_of(const ArenaHeader& header) {
  std::uint64_t end = sizeof header;
  for (std::uint32_t i = 0; i < std::min(header.stretch_count, max_stretches); ++i) {
    const Stretch& stretch = header.stretches[i];
    if (stretch.offset != 0 && stretch.offset + stretch.bytes > stretch.offset)
      end = std::max(end, stretch.offset + stretch.bytes);
  }
  return end;
}

/// Reads the file as it is now, up to the end by its table; parts that are truncated meanwhile become zeros.
void read_whole(const PlainFile& file, std::vector<std::byte>& into) {
  const auto header = std::make_unique<ArenaHeader>();
  file.read(static_cast<void*>(header.get()), sizeof *header);
  const bool is_arena = std::memcmp(header->magic, arena_magic, sizeof arena_magic) == 0;
  const auto [bytes, allocated] = file.size();
  const std::uint64_t wanted = std::min(bytes, is_arena ? end_of(*header) : sizeof *header);
  if (wanted > least_bytes + bytes_per_byte * allocated)
    refuse("", "damaged: nearly all of its " + std::to_string(wanted >> 20) + " MB are missing", "remove it");
  into.assign(wanted, std::byte{0});
  file.read(into.data(), into.size());
}

bool still_runs(const RecoveredProcess& process) {
  return process.boot_id == this_boot_id() && is_alive(process.pid, process.pid_start);
}

bool is_same(const andes_frame& a, const andes_frame& b) {
  return a.place == b.place && a.bits == b.bits && a.stack == b.stack && a.caller == b.caller &&
         (!is_timed(a) || a.enter_ticks == b.enter_ticks);
}

/// Keeps the open visits of `during` that were open before and after, too; false: a long one of the
/// others is not among them.
bool keep_steady(const RecoveredProcess& before, RecoveredProcess& during, const RecoveredProcess& after,
                 std::uint64_t long_ticks, std::uint64_t begin_ticks) {
  bool fine = true;
  for (std::size_t i = 0; i < during.open.size(); ++i) {
    std::vector<andes_frame>& frames = during.open[i].frames;
    if (i >= before.open.size() || i >= after.open.size()) continue;
    const std::vector<andes_frame>& first = before.open[i].frames;
    const std::vector<andes_frame>& last = after.open[i].frames;
    std::size_t steady = 0;
    while (steady < first.size() && steady < last.size() && is_same(first[steady], last[steady])) ++steady;
    for (std::size_t at = steady; at < first.size(); ++at)
      if (is_timed(first[at]) && first[at].enter_ticks + long_ticks < begin_ticks) fine = false;
    frames.assign(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(steady));
    // Whole in `during` already, it was read whole afterwards.
    Intent& intent = during.open[i].intent;
    if (after.open[i].intent.enter_ticks == intent.enter_ticks) intent = after.open[i].intent;
    else intent = {};
    during.open[i].polls = after.open[i].polls;
  }
  return fine;
}

std::unique_ptr<RecoveredProcess> read_live(const PlainFile& file, std::unique_ptr<RecoveredProcess> before) {
  constexpr int tries = 5;
  std::vector<std::byte> bytes;
  for (int turn = 0;; ++turn) {
    const Clock& clock = before->process.clock;
    const std::uint64_t begin_ticks = ticks_now(clock);
    read_whole(file, bytes);
    auto during = read_process(bytes);
    const std::uint64_t end_ticks = during->read_ticks = ticks_now(clock);
    read_whole(file, bytes);
    auto after = read_process(bytes);
    // A visit ten times longer than the reading itself would be a visible error.
    const bool steady = keep_steady(*before, *during, *after, 10 * (end_ticks - begin_ticks), begin_ticks);
    if (steady || turn + 1 == tries) return during;
    before = std::move(after);
  }
}

} // namespace

std::unique_ptr<RecoveredProcess> load_process(const std::string& path) {
  const PlainFile file(path);
  if (file.trouble() == EINVAL || file.trouble() == ELOOP) refuse("", "not an arena of andes", "name another file");
  if (file.trouble() != 0)
    refuse("", std::string("cannot be read (") + std::strerror(file.trouble()) + ")", "name a file that you may read");
  std::vector<std::byte> bytes;
  read_whole(file, bytes);
  auto found = read_process(bytes);
  if (still_runs(*found)) {
    found = read_live(file, std::move(found));
    found->alive = still_runs(*found);
  }
  found->file = path;
  return found;
}

} // namespace andes::monitor
