#include "postproc/launch/disturbance.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>

#include <fmt/format.h>

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

/// Empty if it cannot be read.
std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::optional<HostTimes> host_times() { return host_times_in(text_of("/proc/stat"), sysconf(_SC_CLK_TCK)); }

/// Of this process's control group for processor time and all above it: any of them may have a quota.
std::optional<std::int64_t> throttled_ns() {
  std::optional<std::int64_t> sum;
  std::istringstream lines(text_of("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) { // "0::/PATH", of version 1 "1:cpu,cpuacct:/PATH"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controllers != ",," && controllers.find(",cpu,") == std::string::npos) continue;
    const fs::path mount = controllers == ",," ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    for (fs::path group = line.substr(second + 1);; group = group.parent_path()) {
      const fs::path file = mount / group.relative_path() / "cpu.stat";
      if (const auto ns = throttled_ns_in(text_of(file))) sum = sum.value_or(0) + *ns;
      if (!group.has_relative_path()) break;
    }
  }
  return sum;
}

/// A counter of this thread's migrations and of those of all that it starts; -1 where that is not permitted.
int count_migrations() {
  perf_event_attr attributes = {};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_MIGRATIONS;
  attributes.inherit = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

/// Of the fastest of up to 16 cores, spread evenly; reading all cores of a large host would disturb it itself.
std::optional<double> highest_frequency_mhz() {
  constexpr long most_read = 16;
  const long cores = sysconf(_SC_NPROCESSORS_CONF);
  std::optional<double> highest;
  for (long core = 0; core < cores; core += std::max(1L, cores / most_read)) {
    double khz = 0;
    std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq", core));
    if (file >> khz && khz > 0) highest = std::max(highest.value_or(0), khz / 1000);
  }
  return highest;
}

} // namespace

std::optional<HostTimes> host_times_in(const std::string& stat, long ticks_per_second) {
  std::istringstream words(stat.substr(0, stat.find('\n')));
  std::string name;
  std::int64_t user = 0, nice = 0, system = 0, idle = 0, wait = 0, interrupts = 0, soft_interrupts = 0, steal = 0;
  words >> name >> user >> nice >> system >> idle >> wait >> interrupts >> soft_interrupts >> steal;
  if (!words || name != "cpu" || ticks_per_second <= 0) return {};
  const std::int64_t tick_ns = 1'000'000'000 / ticks_per_second;
  return HostTimes{(user + nice + system + interrupts + soft_interrupts) * tick_ns, steal * tick_ns};
}

std::optional<std::int64_t> throttled_ns_in(const std::string& cpu_stat) {
  std::istringstream words(cpu_stat);
  std::string name;
  for (std::int64_t value = 0; words >> name >> value;) {
    if (name == "throttled_usec") return value * 1000;
    if (name == "throttled_time") return value;
  }
  return {};
}

DisturbanceWatch::DisturbanceWatch()
    : before_(host_times()), throttled_before_ns_(throttled_ns()), migrations_(count_migrations()) {
  if (highest_frequency_mhz()) sampling_ = std::thread([this] { sample_frequency(); });
}

DisturbanceWatch::~DisturbanceWatch() {
  stop();
  if (migrations_ >= 0) close(migrations_);
}

void DisturbanceWatch::sample_frequency() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  for (std::chrono::milliseconds pause = 100ms; !ended_.wait_for(lock, pause, [this] { return is_over_; }); pause = 2s)
    if (const auto mhz = highest_frequency_mhz()) frequencies_mhz_.push_back(*mhz);
}

void DisturbanceWatch::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_one();
  if (sampling_.joinable()) sampling_.join();
}

Disturbance DisturbanceWatch::end(const rusage& usage) {
  stop();
  Disturbance disturbance;
  disturbance.involuntary_switches = usage.ru_nivcsw;
  if (const auto now = host_times(); now && before_) {
    const auto ns = [](const timeval& time) {
      return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1000;
    };
    disturbance.steal_ns = std::max<std::int64_t>(0, now->steal_ns - before_->steal_ns);
    const std::int64_t own_ns = ns(usage.ru_utime) + ns(usage.ru_stime);
    disturbance.others_ns = std::max<std::int64_t>(0, now->busy_ns - before_->busy_ns - own_ns);
  }
  if (const auto now = throttled_ns(); now && throttled_before_ns_)
    disturbance.throttled_ns = std::max<std::int64_t>(0, *now - *throttled_before_ns_);
  std::uint64_t migrations = 0;
  if (migrations_ >= 0 && read(migrations_, &migrations, sizeof migrations) == sizeof migrations)
    disturbance.migrations = static_cast<std::int64_t>(migrations);
  if (!frequencies_mhz_.empty())
    disturbance.frequency_mhz = std::accumulate(frequencies_mhz_.begin(), frequencies_mhz_.end(), 0.0) /
                                static_cast<double>(frequencies_mhz_.size());
  return disturbance;
}

} // namespace andes::postproc
