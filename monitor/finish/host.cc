#include "monitor/finish/host.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "common/fnv.h"
#include "monitor/arena/kept_variables.h"
#include "monitor/interface/part_of_name.h"
#include "monitor/system/build_id.h"

namespace andes::monitor {
namespace {

/// Calls `use(bytes, count)` for each part of a file as it is read; false: there is no such file.
/// Plain reads: streams would initialise locales and buffers in the process, at the cost of many
/// page faults.
template <class Use> bool read_file(const char* path, Use use) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char block[1 << 14]; // small: touching new memory would cost more than reading
  for (;;) {
    std::size_t filled = 0;
    ssize_t got = 0;
    while (filled < sizeof block && (got = ::read(file, block + filled, sizeof block - filled)) > 0)
      filled += static_cast<std::size_t>(got);
    use(static_cast<const char*>(block), filled);
    if (filled < sizeof block) break;
  }
  ::close(file);
  return true;
}

/// A small file; empty if there is no file.
std::string text_of(const char* path) {
  std::string text;
  read_file(path, [&](const char* bytes, std::size_t count) { text.append(bytes, count); });
  return text;
}

#if defined(__x86_64__)

/// The processor's name, as the processor gives it. Linux 4.15 and later, 5.15 for one, interrupt all cores when
/// /proc/cpuinfo is opened, and wait 10 ms for those that sleep; newer ones query the cores whose part is read.
std::string processor_name() {
  constexpr unsigned first_leaf = 0x80000002u, leaves = 3;
  unsigned words[leaves][4] = {};
  if (__get_cpuid_max(0x80000000u, nullptr) < first_leaf + leaves - 1) return {};
  for (unsigned i = 0; i < leaves; ++i) __cpuid(first_leaf + i, words[i][0], words[i][1], words[i][2], words[i][3]);
  const auto* letters = reinterpret_cast<const char*>(words);
  const std::string_view name(letters, strnlen(letters, sizeof words));
  const std::size_t begin = name.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(name.substr(begin, name.find_last_not_of(' ') + 1 - begin));
}

#else

/// The text after the colon in the first line that begins with `start`.
std::string line_of(std::string_view text, std::string_view start) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t colon = line.find(':');
    if (line.substr(0, start.size()) != start || colon == std::string_view::npos) continue;
    const std::size_t at = line.find_first_not_of(" \t", colon + 1);
    return at == std::string_view::npos ? std::string() : std::string(line.substr(at));
  }
  return {};
}

/// The first page of a file; empty if there is no file.
std::string first_page_of(const char* path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  char page[1 << 12];
  const ssize_t got = file < 0 ? 0 : ::read(file, page, sizeof page);
  if (file >= 0) ::close(file);
  return {page, static_cast<std::size_t>(std::max<ssize_t>(0, got))};
}

/// Of the first page only: the kernel queries each core for its part.
std::string processor_name() { return line_of(first_page_of("/proc/cpuinfo"), "model name"); }

#endif

std::string link_target(const char* path) {
  char target[PATH_MAX];
  const ssize_t length = readlink(path, target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string();
}

/// Number of cores that the control group's CPU quota allows (version 2, then 1), or a huge number.
double group_cores() {
  constexpr double no_limit = 1e9;
  double quota = 0, period = 0;
  if (std::sscanf(text_of("/sys/fs/cgroup/cpu.max").c_str(), "%lf %lf", &quota, &period) == 2 && period > 0)
    return quota / period;
  quota = std::atof(text_of("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").c_str());
  period = std::atof(text_of("/sys/fs/cgroup/cpu/cpu.cfs_period_us").c_str());
  return quota > 0 && period > 0 ? quota / period : no_limit;
}

std::string hexadecimal(std::uint64_t number) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
  return digits;
}

/// Hash of the content, eight bytes per step.
std::string hash_file(const char* path) {
  std::uint64_t hash = fnv_start;
  const auto add = [&](const char* bytes, std::size_t count) {
    for (std::size_t at = 0; at < count; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + at, std::min(sizeof word, count - at));
      hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
      hash ^= hash >> 32;
    }
  };
  return read_file(path, add) ? hexadecimal(hash) : std::string();
}

/// The executable's content in 16 digits: the linker's build-id, or a hash of the whole file, which costs
/// MPI_Finalize 0.74 ms per megabyte.
std::string executable_hash() {
  char hash[17];
  find_build_id(hash);
  return *hash ? hash : hash_file("/proc/self/exe");
}

std::string job_number() {
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "COBALT_JOBID"})
    if (const char* value = std::getenv(name); value && *value) return value;
  return "local";
}

/// Whether it is a thread of this process: the id of one that has ended may be another process's by now.
bool is_own_thread(std::int32_t thread) { return thread > 0 && syscall(SYS_tgkill, getpid(), thread, 0) == 0; }

/// Adds the cores that a thread may use; 0: the calling one.
void add_cores(ProfileHost& host, std::int32_t thread) {
  cpu_set_t allowed;
  if (sched_getaffinity(thread, sizeof allowed, &allowed) != 0) return;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    if (host.cores.size() <= cpu) host.cores.resize(cpu + 1);
    host.cores[cpu] = 1;
  }
}

} // namespace

ProfileHost this_host(const std::vector<std::int32_t>& threads) {
  ProfileHost host;
  char name[HOST_NAME_MAX + 1] = "unknown";
  gethostname(name, sizeof name - 1);
  host.facts.name = name;
  host.facts.cpu = processor_name();
  host.facts.memory_bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  add_cores(host, 0);
  // OpenMP and run-time systems bind each thread to a core, the main one too (OMP_PROC_BIND).
  for (const std::int32_t thread : threads)
    if (is_own_thread(thread)) add_cores(host, thread);
  return host;
}

std::int32_t merge_host(std::vector<ProfileHost>& hosts, std::unordered_map<std::string, std::int32_t>& of_name,
                        const ProfileHost& host) {
  const auto [found, fresh] = of_name.try_emplace(host.facts.name, static_cast<std::int32_t>(hosts.size()));
  if (fresh) hosts.push_back(host);
  std::vector<std::uint8_t>& cores = hosts[static_cast<std::size_t>(found->second)].cores;
  if (cores.size() < host.cores.size()) cores.resize(host.cores.size());
  for (std::size_t cpu = 0; cpu < host.cores.size(); ++cpu) cores[cpu] |= host.cores[cpu];
  return found->second;
}

std::int64_t usable_cores(const ProfileHost& host) {
  static const std::int64_t granted = std::max<std::int64_t>(1, std::llround(group_cores()));
  return std::min<std::int64_t>(std::count(host.cores.begin(), host.cores.end(), 1), granted);
}

Program this_program() {
  Program program;
  program.executable = link_target("/proc/self/exe");
  program.name = program.executable.substr(program.executable.rfind('/') + 1);
  program.hash = executable_hash();
  program.directory = link_target("/proc/self/cwd");
  const std::string words = text_of("/proc/self/cmdline"); // each followed by a zero
  for (std::size_t at = words.find('\0'); at != std::string::npos && ++at < words.size();) {
    program.arguments.emplace_back(words.c_str() + at); // the first is the program itself
    at = words.find('\0', at);
  }
  return program;
}

std::map<std::string, std::string> telling_environment() {
  std::map<std::string, std::string> kept;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    for (const std::string_view start : kept_variables)
      if (text.substr(0, start.size()) == start) kept.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return kept;
}

std::string expand_out(const std::string& pattern, const Program& program, int ranks) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char code = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    switch (code) {
    case 'x': out += part_of_name(program.name); break;
    case 'p': out += std::to_string(ranks); break;
    case 'j': out += part_of_name(job_number()); break;
    case 'u': {
      timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      char digits[48];
      std::snprintf(digits, sizeof digits, "%llx%05lx", static_cast<unsigned long long>(now.tv_sec),
                    static_cast<unsigned long>(now.tv_nsec / 1000 % 0xfffff) ^
                        static_cast<unsigned long>(getpid() & 0xffff));
      out += digits;
      break;
    }
    case '%': out += '%'; break;
    default: out += pattern[i]; continue;
    }
    ++i;
  }
  return out;
}

} // namespace andes::monitor
