// Facts about the machine and the program, read from the system at the end of a run.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "monitor/finish/profile.h"

namespace andes::monitor {

/// The host of this process and the cores that it may use: by the affinity of the calling thread and of `threads`,
/// others of the process (the system's ids, also of threads that have ended).
ProfileHost this_host(const std::vector<std::int32_t>& threads = {});

/// Adds a host to the list, or its cores to the host of the same name; returns its index, `of_name`
/// maps the names of all hosts to it.
std::int32_t merge_host(std::vector<ProfileHost>& hosts, std::unordered_map<std::string, std::int32_t>& of_name,
                        const ProfileHost& host);

/// Number of cores that the ranks on this host may use together: the union of their affinities,
/// limited by the quota of this process's control group.
std::int64_t usable_cores(const ProfileHost& host);

/// This program: path of the executable, hash of its content (16 hexadecimal digits), arguments.
struct Program {
  std::string name, executable, hash, directory;
  std::vector<std::string> arguments;
};
Program this_program();

/// The variables that shape a parallel run (MPI libraries, OpenMP, batch systems, loader, andes).
/// Others are not recorded: environments hold passwords, and run files are passed on to others.
std::map<std::string, std::string> telling_environment();

/// ANDES_OUT with %x program, %p ranks, %j batch job, %u unique replaced.
std::string expand_out(const std::string& pattern, const Program& program, int ranks);

} // namespace andes::monitor
