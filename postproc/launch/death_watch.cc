#include "postproc/launch/death_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace andes::postproc {

DeathWatch::DeathWatch() : waker_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (waker_ >= 0) thread_ = std::thread([this] { run(); });
}

DeathWatch::~DeathWatch() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  wake();
  if (thread_.joinable()) thread_.join();
  for (const Watched& one : watched_) close(one.file);
  if (waker_ >= 0) close(waker_);
}

void DeathWatch::wake() const {
  const std::uint64_t one = 1;
  if (waker_ >= 0 && write(waker_, &one, sizeof one) < 0) return; // it is awake already
}

void DeathWatch::add(const std::string& arena, std::int32_t pid) {
  const int file = waker_ >= 0 ? static_cast<int>(syscall(SYS_pidfd_open, pid, 0)) : -1; // closed on exec
  if (file < 0) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    watched_.push_back({arena, file});
  }
  wake();
}

std::map<std::string, monitor::Death> DeathWatch::deaths() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return deaths_;
}

void DeathWatch::note_dead(const std::vector<int>& files) {
  const monitor::Death now = monitor::death_now(); // one for all: their order is not known
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const int file : files) {
    const auto found =
        std::find_if(watched_.begin(), watched_.end(), [file](const Watched& one) { return one.file == file; });
    if (found == watched_.end()) continue;
    deaths_.emplace(found->arena, now);
    close(file);
    watched_.erase(found);
  }
}

void DeathWatch::run() {
  for (;;) {
    std::vector<pollfd> files = {{waker_, POLLIN, 0}};
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (ended_) return;
      for (const Watched& one : watched_) files.push_back({one.file, POLLIN, 0});
    }
    if (poll(files.data(), files.size(), -1) < 0) continue;
    std::vector<int> dead;
    for (std::size_t i = 1; i < files.size(); ++i)
      if (files[i].revents != 0) dead.push_back(files[i].fd);
    if (!dead.empty()) note_dead(dead);
    std::uint64_t count = 0;
    if (files[0].revents != 0 && read(waker_, &count, sizeof count) < 0) continue;
  }
}

} // namespace andes::postproc
