// Profiles and reductions of made-up ranks, for tests whose numbers are by hand.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "monitor/finish/message.h"

namespace andes::test {

using namespace monitor;

/// A call path of a rank: regions from the root on, and the values that the test is about. A region
/// is a function, MPI's if its name begins so (MPI_Barrier synchronises), a step of a phase if it is "step ...".
struct FakePath {
  std::vector<std::string> names;
  double visits, inclusive_ns, exclusive_ns;
};

inline Profile profile_of(std::int32_t rank, const std::vector<FakePath>& paths,
                          std::int64_t compute_ns = 0) {
  Profile profile;
  ProfileHost host;
  host.facts.name = "node" + std::to_string(rank / 2);
  profile.hosts.push_back(host);
  LocationRow location;
  location.rank = rank;
  location.compute_ns = compute_ns;
  profile.locations.push_back(location);
  for (const FakePath& path : paths) {
    std::int32_t at = -1;
    for (const std::string& name : path.names) {
      const bool mpi = name.rfind("MPI_", 0) == 0;
      const char* kind = at < 0                  ? "root"
                         : name == "MPI_Barrier" ? "synchronisation"
                         : mpi                   ? "send"
                         : name.rfind("step ", 0) == 0 ? "instance"
                                                 : "function";
      at = path_index(profile, at, region_index(profile, {name, kind, mpi ? "" : "x.c", 1}));
    }
    Values& values = profile.paths[static_cast<std::size_t>(at)].values;
    const auto set = [&](run_file::MetricId metric, double value) {
      if (value != 0) values[metric] = {value};
    };
    set(run_file::visits, path.visits);
    set(run_file::inclusive_ns, path.inclusive_ns);
    set(run_file::exclusive_ns, path.exclusive_ns);
  }
  return profile;
}

/// Name of a call path below the root, such as main/solve; of the root its own.
inline std::string name_of(const Reduction& reduction, std::size_t path) {
  std::string name;
  for (auto at = static_cast<std::int32_t>(path); at >= 0;) {
    const ReducedPath& p = reduction.paths[static_cast<std::size_t>(at)];
    if (p.parent < 0 && !name.empty()) break;
    const std::string& own = reduction.regions[static_cast<std::size_t>(p.region)].name;
    name = name.empty() ? own : own + "/" + name;
    at = p.parent;
  }
  return name;
}

inline std::int32_t path_named(const Reduction& reduction, const std::string& name) {
  for (std::size_t i = 0; i < reduction.paths.size(); ++i)
    if (name_of(reduction, i) == name) return static_cast<std::int32_t>(i);
  return -1;
}

inline Statistic statistic(const Reduction& reduction, const std::string& name,
                           run_file::MetricId metric) {
  const std::int32_t path = path_named(reduction, name);
  if (path < 0) FAIL("no call path " << name);
  const std::int32_t at = find_statistic(reduction, path, metric);
  return at < 0 ? Statistic() : reduction.statistics[static_cast<std::size_t>(at)].statistic;
}

inline std::vector<std::string> pieces_of(const Reduction& reduction) {
  std::vector<std::string> pieces;
  REQUIRE(write_message(reduction, [&](const char* bytes, std::size_t count) {
    pieces.emplace_back(bytes, count);
    return true;
  }));
  return pieces;
}

inline std::optional<Reduction> from_pieces(const std::vector<std::string>& pieces) {
  std::size_t next = 0;
  return read_message([&](std::string& piece) {
    if (next == pieces.size()) return false;
    piece = pieces[next++];
    return true;
  });
}

} // namespace andes::test
