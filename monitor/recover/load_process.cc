// Files, and processes that go on while they are read.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "monitor/recover/jobs.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recovered_clock.h"

namespace andes {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 40;

class File {
public:
  explicit File(const std::string& path)
      : number_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {}
  ~File() {
    if (number_ >= 0) close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// As it is now; what is cut off while it is read becomes zeros.
  void read(std::vector<std::byte>& into) {
    struct stat status;
    if (number_ < 0 || fstat(number_, &status) != 0)
      throw RefusedArena(std::string("cannot be read (") + std::strerror(errno) + "); name a file of yours");
    if (!S_ISREG(status.st_mode) || static_cast<std::uint64_t>(status.st_size) > largest_file)
      throw RefusedArena("no arena of andes; name another file");
    into.assign(static_cast<std::size_t>(status.st_size), std::byte{0});
    for (std::size_t at = 0; at < into.size();) {
      const ssize_t got = pread(number_, into.data() + at, into.size() - at, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      at += static_cast<std::size_t>(got);
    }
  }

private:
  int number_;
};

bool still_runs(const RecoveredProcess& process) {
  return process.boot_id == this_boot_id() && is_alive(process.pid, process.pid_start);
}

bool is_same(const andes_frame& a, const andes_frame& b) {
  return a.place == b.place && a.bits == b.bits && a.stack == b.stack && a.caller == b.caller &&
         (!is_timed(a) || a.enter_ticks == b.enter_ticks);
}

/// Cuts the open visits of `during` down to those that were there before and after; false: one of some
/// length is not among them.
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
  }
  return fine;
}

std::unique_ptr<RecoveredProcess> read_live(File& file, std::unique_ptr<RecoveredProcess> before) {
  constexpr int tries = 5;
  std::vector<std::byte> bytes;
  for (int turn = 0;; ++turn) {
    const Clock& clock = before->process.clock;
    const std::uint64_t begin_ticks = ticks_now(clock);
    file.read(bytes);
    auto during = read_process(bytes);
    const std::uint64_t end_ticks = ticks_now(clock);
    file.read(bytes);
    auto after = read_process(bytes);
    // What is longer than the reading itself, ten times over, would be seen as an error.
    const bool steady = keep_steady(*before, *during, *after, 10 * (end_ticks - begin_ticks), begin_ticks);
    if (steady || turn + 1 == tries) return during;
    before = std::move(after);
  }
}

} // namespace

std::unique_ptr<RecoveredProcess> load_process(const std::string& path) {
  File file(path);
  std::vector<std::byte> bytes;
  file.read(bytes);
  auto found = read_process(bytes);
  if (still_runs(*found)) {
    found = read_live(file, std::move(found));
    found->alive = still_runs(*found);
  }
  found->file = path;
  return found;
}

} // namespace andes
