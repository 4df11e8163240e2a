#include "monitor/finish/host.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

extern char** environ;

namespace andes {
namespace {

std::string line_of(const char* path, std::string_view start) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, start.size(), start) == 0) return line;
  return {};
}

std::string after_colon(const std::string& line) {
  std::size_t at = line.find(':');
  if (at == std::string::npos) return {};
  at = line.find_first_not_of(" \t", at + 1);
  return at == std::string::npos ? std::string() : line.substr(at);
}

std::string link_target(const char* path) {
  char target[PATH_MAX];
  const ssize_t length = readlink(path, target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string();
}

// Cores' worth of time that the control group grants (version 2, then 1), or a huge number.
double group_cores() {
  constexpr double no_limit = 1e9;
  double quota = 0, period = 0;
  if (std::ifstream file("/sys/fs/cgroup/cpu.max"); file >> quota >> period && period > 0)
    return quota / period;
  std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (quota_file >> quota && period_file >> period && quota > 0 && period > 0)
    return quota / period;
  return no_limit;
}

// Content hash, eight bytes a step: a large executable must not lengthen MPI_Finalize.
std::string hash_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::uint64_t hash = 14695981039346656037ull, word = 0;
  char block[1 << 14]; // memory touched for the first time would cost more than reading
  while (file) {
    file.read(block, sizeof block);
    const auto got = static_cast<std::size_t>(file.gcount());
    for (std::size_t at = 0; at < got; at += sizeof word) {
      word = 0;
      std::memcpy(&word, block + at, std::min(sizeof word, got - at));
      hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
      hash ^= hash >> 32;
    }
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::string job_number() {
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "COBALT_JOBID"})
    if (const char* value = std::getenv(name); value && *value) return value;
  return "local";
}

} // namespace

ProfileHost this_host() {
  ProfileHost host;
  char name[HOST_NAME_MAX + 1] = "unknown";
  gethostname(name, sizeof name - 1);
  host.facts.name = name;
  host.facts.cpu = after_colon(line_of("/proc/cpuinfo", "model name"));
  host.facts.memory_bytes =
      static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) {
        host.cores.resize(static_cast<std::size_t>(cpu) + 1);
        host.cores.back() = 1;
      }
  return host;
}

std::int32_t merge_host(std::vector<ProfileHost>& hosts,
                        std::unordered_map<std::string, std::int32_t>& of_name,
                        const ProfileHost& host) {
  const auto [found, fresh] =
      of_name.try_emplace(host.facts.name, static_cast<std::int32_t>(hosts.size()));
  if (fresh) hosts.push_back(host);
  std::vector<std::uint8_t>& cores = hosts[static_cast<std::size_t>(found->second)].cores;
  if (cores.size() < host.cores.size()) cores.resize(host.cores.size());
  for (std::size_t cpu = 0; cpu < host.cores.size(); ++cpu) cores[cpu] |= host.cores[cpu];
  return found->second;
}

std::int64_t usable_cores(const ProfileHost& host) {
  const auto cores = std::count(host.cores.begin(), host.cores.end(), 1);
  return std::min<std::int64_t>(cores, std::max<std::int64_t>(1, std::llround(group_cores())));
}

Program this_program() {
  Program program;
  program.executable = link_target("/proc/self/exe");
  program.name = program.executable.substr(program.executable.rfind('/') + 1);
  program.hash = hash_file("/proc/self/exe");
  program.directory = link_target("/proc/self/cwd");
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string argument;
  std::getline(file, argument, '\0'); // the program itself
  while (std::getline(file, argument, '\0')) program.arguments.push_back(argument);
  return program;
}

std::map<std::string, std::string> telling_environment() {
  constexpr std::string_view starts[] = {"OMP_",   "GOMP_",  "KMP_",  "MPI",     "OMPI_MCA_",
                                         "MPICH_", "I_MPI_", "HYDRA_", "UCX_",   "FI_",
                                         "PSM",    "SLURM_", "PBS_",  "LSB_",    "ANDES_",
                                         "MALLOC_", "LD_PRELOAD", "LD_LIBRARY_PATH"};
  std::map<std::string, std::string> kept;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    for (std::string_view start : starts)
      if (text.substr(0, start.size()) == start)
        kept.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return kept;
}

std::string expand_out(const std::string& pattern, const Program& program, int ranks) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char code = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    switch (code) {
    case 'x': out += program.name; break;
    case 'p': out += std::to_string(ranks); break;
    case 'j': out += job_number(); break;
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

} // namespace andes
