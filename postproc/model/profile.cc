// Questions to a profile that more than one analysis asks.
#include "postproc/model/profile.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/printable.h"
#include "monitor/interface/ending_text.h"
#include "monitor/interface/kinds.h"
#include "postproc/model/kept_in_log.h"

namespace andes::postproc {

std::optional<double> idle_in_mpi_ns(const Profile& profile, const Location& location) {
  if (!location.idle_ns || !why_no_waits(profile).empty()) return {};
  return *location.idle_ns - location.team_idle_ns.value_or(0);
}

std::optional<double> longest_init_s(const Profile& profile) {
  std::optional<double> longest;
  for (const Location& l : profile.locations)
    if (l.thread == 0 && l.init_ns) longest = std::max(longest.value_or(0), *l.init_ns * 1e-9);
  return longest;
}

bool is_io_known(const Profile& profile) {
  return !profile.locations.empty() && profile.locations.front().io_ns.has_value();
}

std::optional<double> transferring_ns(const Location& location) {
  if (location.io_ns) return location.communication_ns;
  if (!location.io_in_communication_ns) return {};
  return std::max(0.0, location.communication_ns - *location.io_in_communication_ns);
}

std::string fact_text(const Profile& profile, FactName name, std::string fallback) {
  const Fact* found = profile.facts.find(name);
  if (!found) return fallback;
  if (const auto* text = std::get_if<std::string>(found)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(found)) return fmt::format("{}", *whole);
  return fmt::format("{}", std::get<double>(*found));
}

std::optional<double> fact_number(const Profile& profile, FactName name) {
  const Fact* found = profile.facts.find(name);
  if (!found) return {};
  if (const auto* whole = std::get_if<std::int64_t>(found)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(found))
    if (std::isfinite(*real)) return *real;
  return {};
}

std::string swept_program(const Profile& profile) {
  return fact_text(profile, "swept_program", fact_text(profile, "program", "(unknown program)"));
}

std::string swept_arguments(const Profile& profile) {
  return fact_text(profile, "swept_arguments", fact_text(profile, "arguments", "[]"));
}

std::vector<std::string> swept_argument_list(const Profile& profile) {
  std::vector<std::string> arguments;
  const auto list = nlohmann::json::parse(swept_arguments(profile), nullptr, false);
  if (!list.is_array()) return arguments;
  for (const auto& argument : list)
    if (argument.is_string()) arguments.push_back(argument.get<std::string>());
  return arguments;
}

namespace {

std::string command_line_of(std::string line, const std::string& arguments) {
  const auto list = nlohmann::json::parse(arguments, nullptr, false);
  if (!list.is_array()) return line + " " + arguments;
  for (const auto& argument : list) {
    std::string text = argument.is_string() ? printable(argument.get<std::string>()) : "?";
    if (text.empty() || text.find_first_of(" '\"\\$") != std::string::npos) text = "'" + text + "'";
    line += " " + text;
  }
  return line;
}

} // namespace

std::string command_line(const Profile& profile) {
  return command_line_of(fact_text(profile, "program", "(unknown program)"), fact_text(profile, "arguments", "[]"));
}

std::string swept_command_line(const Profile& profile) {
  return command_line_of(swept_program(profile), swept_arguments(profile));
}

std::string short_library(const std::string& mpi_library) { return mpi_library.substr(0, mpi_library.find(',')); }

std::string failure_of(const Profile& profile) {
  if (const auto signal = fact_number(profile, "signal"); signal && *signal != 0)
    return fmt::format("ended by signal {:.0f}", *signal);
  if (const auto status = fact_number(profile, "exit_status"); status && *status != 0)
    return fmt::format("failed with exit status {:.0f}", *status);
  return {};
}

std::vector<std::string> endings_of(const Profile& profile) {
  const auto path_of = [&](const std::optional<int>& callpath) {
    std::string text;
    for (int at = callpath && !profile.callpaths.empty() ? *callpath : -1; at >= 0;
         at = profile.callpaths[static_cast<std::size_t>(at)].parent) {
      const Region& region =
          profile.regions[static_cast<std::size_t>(profile.callpaths[static_cast<std::size_t>(at)].region)];
      if (region.kind == "root" || region.kind == "call-site") continue;
      text = text.empty() ? region.name : std::string(region.name).append(1, '/').append(text);
    }
    return text;
  };
  const auto place_of = [&](const std::optional<int>& callpath) {
    for (int at = callpath && !profile.callpaths.empty() ? *callpath : -1; at >= 0;
         at = profile.callpaths[static_cast<std::size_t>(at)].parent) {
      const Region& region =
          profile.regions[static_cast<std::size_t>(profile.callpaths[static_cast<std::size_t>(at)].region)];
      if (region.line > 0) return fmt::format("{}:{}", region.file.substr(region.file.rfind('/') + 1), region.line);
    }
    return std::string();
  };
  std::vector<RankEnd> ends;
  for (const RankEnding& ending : profile.endings)
    ends.push_back({ending.rank, ending.how, ending.detail, ending.time_ns, path_of(ending.callpath), ending.text,
                    place_of(ending.callpath), ending.last_event});
  return ending_lines(ends, fact_text(profile, "mpi_library"));
}

bool is_spawned(const Profile& profile) { return fact_number(profile, "spawned").value_or(0) != 0; }

bool is_snapshot(const Profile& profile) { return fact_number(profile, "snapshot").value_or(0) != 0; }

std::string incompleteness_of(const Profile& profile) {
  if (is_snapshot(profile)) return "incomplete: a snapshot of a run that had not ended";
  const auto started = fact_number(profile, "ranks_started"), of_job = fact_number(profile, "job_ranks");
  const double expected = started.value_or(of_job.value_or(profile.ranks));
  if (expected != profile.ranks) return fmt::format("incomplete: {} of {:.0f} ranks reported", profile.ranks, expected);
  if (const auto complete = fact_number(profile, "complete"); complete && *complete == 0)
    return profile.endings.empty() ? "incomplete: part of its data is missing" : "incomplete: not all ranks finished";
  return {};
}

std::string why_no_waits(const Profile& profile) {
  const std::string state = fact_text(profile, "wait_states");
  if (state == "measured") return {};
  if (state.empty()) return "the run has no data about them";
  return fact_text(profile, "wait_states_reason", "the monitor gives no reason");
}

bool has_teams(const Profile& profile) {
  return std::any_of(profile.locations.begin(), profile.locations.end(),
                     [](const Location& l) { return l.team_idle_ns.has_value(); });
}

bool is_oversubscribed(const Profile& profile) {
  if (const auto marked = fact_number(profile, "oversubscribed")) return *marked != 0;
  const auto cores = fact_number(profile, "usable_cores");
  const double threads = fact_number(profile, "threads").value_or(1);
  return cores && *cores > 0 && fact_number(profile, "busy_threads").value_or(profile.ranks * threads) > *cores;
}

std::vector<Limit> limits_of(const Profile& profile) {
  std::vector<Limit> limits;
  if (fact_text(profile, "columns") == "telling")
    limits.push_back({"kept_ranks",
                      "values per call path are kept of a few ranks only, the extremes among them (setting "
                      "columns_mb); sums, means and maxima are over all ranks"});
  if (fact_number(profile, "dropped_paths").value_or(0) > 0) {
    const double ranks = fact_number(profile, "dropped_ranks").value_or(0);
    limits.push_back({"dropped_paths", fmt::format("call paths of few ranks are summed in (more call paths) and "
                                                   "(more MPI calls) (setting node_limit); any other may lack the "
                                                   "values of up to {:.0f} rank{}",
                                                   ranks, ranks == 1 ? "" : "s")});
  }
  if (const KeptInLog kept = kept_in_log(profile); !kept.all())
    limits.push_back(
        {"thinned_log", fmt::format("idle times are estimates, as the log kept {} (setting log_mb): a rare "
                                    "long wait that was not kept counts as communication, and one that was "
                                    "kept counts up to {:.0f} times",
                                    kept.text(), std::max(kept.one_message_in, kept.one_collective_in))});
  return limits;
}

bool communicates(const Region& region) { return is_mpi_kind(region.kind) && region.kind != "local"; }

bool is_mpi_kind(const std::string& kind) {
  const PartOfKind part = part_of_kind(kind);
  return part == PartOfKind::mpi || part == PartOfKind::local;
}

bool is_probed_kind(const std::string& kind) { return part_of_kind(kind) == PartOfKind::program; }

bool is_idle_kind(const std::string& kind) { return part_of_kind(kind) == PartOfKind::idle; }

std::vector<int> outermost_regions(const Profile& profile) {
  std::vector<int> regions(profile.callpaths.size(), -1);
  for (std::size_t i = 0; i < regions.size(); ++i) { // parents before children
    if (const int parent = profile.callpaths[i].parent; parent >= 0)
      regions[i] = regions[static_cast<std::size_t>(parent)];
    if (regions[i] < 0 && profile.region_of(i).kind == "parallel") regions[i] = static_cast<int>(i);
  }
  return regions;
}

bool is_computing_kind(const std::string& kind) {
  switch (part_of_kind(kind)) {
  case PartOfKind::idle:
  case PartOfKind::tool:
  case PartOfKind::mpi: return false;
  case PartOfKind::other: return kind != "call-site";
  default: return true;
  }
}

} // namespace andes::postproc
