// DeathWatch: when the processes of a run die, for those that leave no record of it (SIGKILL). A launcher that ends all
// ranks after one has failed may do so by SIGKILL, too: only the times tell which rank was first.
//
// A descriptor of each process becomes readable when it ends; one thread sleeps on all of them. On a busy machine that
// thread comes late, and then ranks seem to have died together: what is seen is never before the death.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "monitor/recover/recover.h"

namespace andes::postproc {

class DeathWatch {
public:
  DeathWatch();
  ~DeathWatch();
  DeathWatch(const DeathWatch&) = delete;
  DeathWatch& operator=(const DeathWatch&) = delete;

  /// Watches a living process, known by the name of its arena. Does nothing where the kernel has no such descriptors.
  void add(const std::string& arena, std::int32_t pid);
  /// Of the processes that have been seen to die, by arena.
  std::map<std::string, monitor::Death> deaths();

private:
  struct Watched {
    std::string arena;
    int file;
  };
  void run();
  void wake() const;
  void note_dead(const std::vector<int>& files);

  std::mutex mutex_;
  std::vector<Watched> watched_;
  std::map<std::string, monitor::Death> deaths_;
  bool ended_ = false;
  int waker_; // an eventfd: another process to watch, or the end
  std::thread thread_; // last: everything else is there when it begins
};

} // namespace andes::postproc
