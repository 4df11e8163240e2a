// Looking at jobs and watching for snapshots, with arenas that hold a header alone.
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "monitor/core/layout.h"
#include "monitor/recover/jobs.h"
#include "postproc/launch/process.h"
#include "postproc/launch/watch.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
namespace fs = std::filesystem;

namespace {

/// A place for jobs that goes with the test.
struct TestPlace {
  std::string place = "/tmp/andes-watch-XXXXXX";
  std::string job;
  TestPlace() {
    REQUIRE(mkdtemp(place.data()));
    job = place + "/" + job_directory_name("t");
    REQUIRE(mkdir(job.c_str(), 0700) == 0);
  }
  ~TestPlace() { fs::remove_all(place); }

  std::string arena(const std::string& name, std::int32_t pid) const {
    std::vector<char> bytes(offsetof(ArenaHeader, stretches));
    const auto put = [&bytes](std::size_t offset, const auto& value) {
      std::memcpy(bytes.data() + offset, &value, sizeof value);
    };
    std::memcpy(bytes.data(), arena_magic, sizeof arena_magic);
    put(offsetof(ArenaHeader, format), arena_format);
    put(offsetof(ArenaHeader, layout), monitor_layout());
    put(offsetof(ArenaHeader, pid), pid);
    put(offsetof(ArenaHeader, pid_start), start_of_process(pid));
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    std::memcpy(bytes.data() + offsetof(ArenaHeader, boot_id), boot.data(), boot.size());
    std::memcpy(bytes.data() + offsetof(ArenaHeader, host), "n1", 3);
    const std::string path = job + "/" + name;
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

  static std::uint64_t start_of_process(std::int32_t pid) {
    std::string text, word;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), text);
    std::istringstream rest(text.substr(text.rfind(')') + 1));
    for (int field = 3; field <= 22; ++field) rest >> word;
    return std::stoull(word);
  }
};

void stamp(const std::string& path, std::uint32_t count) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  REQUIRE(pwrite(file, &count, sizeof count, offsetof(ArenaHeader, snapshot_count)) == sizeof count);
  close(file);
}

template <class Condition> bool comes(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// Reasons for which a Watch has wanted snapshots.
struct Reasons {
  std::mutex mutex;
  std::vector<SnapshotReason> all;
  std::size_t count() {
    const std::lock_guard<std::mutex> lock(mutex);
    return all.size();
  }
};

WatchPlan plan_for(const TestPlace& place, double every_s, Reasons& reasons) {
  return {{place.place},
          job_directory_name("t"),
          every_s,
          [&reasons, &place](const std::vector<std::string>& directories, SnapshotReason reason) {
            const std::lock_guard<std::mutex> lock(reasons.mutex);
            if (directories == std::vector<std::string>{place.job}) reasons.all.push_back(reason);
          }};
}

} // namespace

TEST_CASE("jobs are directories that are ours alone; arenas tell whether their process lives") {
  const TestPlace place;
  mkdir((place.place + "/" + job_directory_name("open")).c_str(), 0755);
  REQUIRE(symlink(place.job.c_str(), (place.place + "/" + job_directory_name("link")).c_str()) == 0);
  CHECK(job_directories({place.place, "/nowhere"}) == std::vector<std::string>{place.job});

  const pid_t child = fork();
  if (child == 0) pause();
  place.arena("a.arena", child);
  std::ofstream(place.job + "/short.arena") << "andes arena";
  REQUIRE(symlink("a.arena", (place.job + "/z.arena").c_str()) == 0);
  std::vector<ArenaLook> looks = look_at(place.job);
  REQUIRE(looks.size() == 3);
  CHECK(looks[0].same_build);
  CHECK(looks[0].this_host);
  CHECK(looks[0].alive);
  CHECK(looks[0].host == "n1");
  CHECK(!looks[1].same_build);
  CHECK(!looks[2].same_build); // no link is followed
  kill(child, SIGKILL);
  CHECK(comes([&] { return !look_at(place.job)[0].alive; })); // a zombie is dead
  waitpid(child, nullptr, 0);
  CHECK(!look_at(place.job)[0].alive);
  remove_arenas(place.job, look_at(place.job));
  CHECK(!fs::exists(place.job));
}

TEST_CASE("a process lives as long as one of its threads") {
  const TestPlace place;
  const pid_t child = fork();
  if (child == 0) {
    pthread_t other;
    pthread_create(&other, nullptr, [](void*) -> void* { return pause(), nullptr; }, nullptr);
    syscall(SYS_exit, 0); // of this thread alone: now the system says of the process what it says of zombies
  }
  place.arena("a.arena", child);
  const auto state = [child] {
    std::string text;
    std::getline(std::ifstream("/proc/" + std::to_string(child) + "/stat"), text);
    return text.at(text.rfind(')') + 2);
  };
  CHECK(comes([&] { return state() == 'Z'; }));
  CHECK(look_at(place.job)[0].alive);
  kill(child, SIGKILL);
  CHECK(comes([&] { return !look_at(place.job)[0].alive; }));
  waitpid(child, nullptr, 0);
}

TEST_CASE("a job has all directories of its name, whichever is given; copies stand for themselves") {
  const TestPlace first, second, elsewhere;
  const std::vector<std::string> places = {first.place, second.place};
  CHECK(directories_of_job(places, job_directory_name("t")) == std::vector<std::string>{first.job, second.job});
  CHECK(whole_jobs({second.job + "/"}, places) == std::vector<std::string>{second.job + "/", first.job});
  CHECK(whole_jobs({first.job, second.job}, places) == std::vector<std::string>{first.job, second.job});
  CHECK(whole_jobs({elsewhere.job}, places) == std::vector<std::string>{elsewhere.job});
  rmdir(first.job.c_str()); // the last of its processes has ended
  CHECK(whole_jobs({first.job}, places) == std::vector<std::string>{first.job, second.job});
  const fs::path here = fs::current_path();
  fs::current_path(second.place);
  mkdir(first.job.c_str(), 0700);
  const std::string name = job_directory_name("t");
  CHECK(whole_jobs({name}, places) == std::vector<std::string>{name, first.job});
  fs::current_path(here);

  second.arena("b.arena", getpid());
  setenv("ANDES_ARENA", second.place.c_str(), 1);
  CHECK(newest_running_job() == second.job);
  CHECK(known_places().front() == second.place);
  unsetenv("ANDES_ARENA");
}

TEST_CASE("snapshots are made when they are stamped, once for the ranks of one stamp") {
  const TestPlace place;
  const std::string first = place.arena("a.arena", getpid()), second = place.arena("b.arena", getpid());
  Reasons reasons;
  {
    const Watch watch(plan_for(place, 0, reasons));
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    CHECK(reasons.count() == 0);
    stamp(first, 1);
    stamp(second, 1);
    CHECK(comes([&] { return reasons.count() == 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
  }
  CHECK(reasons.all == std::vector<SnapshotReason>{SnapshotReason::stamp});
}

TEST_CASE("snapshots are made by time and by signal; a command that ends is not waited for") {
  const TestPlace place;
  place.arena("a.arena", getpid());
  Reasons timed, asked;
  {
    const Watch watch(plan_for(place, 0.5, timed));
    CHECK(comes([&] { return timed.count() == 2; }));
  }
  CHECK(timed.all[0] == SnapshotReason::time);
  watch_signals();
  {
    const Watch watch(plan_for(place, 0, asked));
    raise(SIGUSR1);
    CHECK(comes([&] { return asked.count() == 1; }));
  }
  CHECK(asked.all == std::vector<SnapshotReason>{SnapshotReason::signal});
  Reasons none;
  { const Watch watch(plan_for(place, 1000, none)); }
  CHECK(none.count() == 0);
}
