// Command, size, time and place in one or two lines; a line for each reason to doubt the run.
#include "postproc/view/run_head.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/analysis/busy_machine.h"
#include "postproc/model/source_version.h"
#include "postproc/view/number.h"

namespace andes::postproc {

std::string run_head(const Terminal& terminal, const Profile& profile, bool shows_times) {
  std::string text = styled(terminal, Style::bold, command_line(profile)) + '\n';
  std::vector<std::string> facts{fmt::format("{} rank{}", profile.ranks, profile.ranks == 1 ? "" : "s"),
                                 in_seconds(profile.wall_s)};
  if (const auto threads = fact_number(profile, "threads"); threads && *threads > 1)
    facts.front() += fmt::format(" of {}{:.0f} threads", profile.ranks == 1 ? "" : "up to ", *threads);
  if (const std::string started = fact_text(profile, "started"); !started.empty())
    facts.push_back("started " + started);
  if (profile.hosts.size() == 1) facts.push_back("on " + profile.hosts.front().name);
  if (profile.hosts.size() > 1) facts.push_back(fmt::format("on {} hosts", profile.hosts.size()));
  if (is_spawned(profile)) facts.push_back("spawned by another run");
  if (const double error_ns = fact_number(profile, "clock_offset_error_ns").value_or(0); error_ns > 0)
    facts.push_back(fmt::format("clocks of the ranks within {} us", significant(error_ns / 1000, 3)));
  const std::string mpi = fact_text(profile, "mpi_library");
  if (const auto init_s = longest_init_s(profile)) facts.push_back("MPI_Init took " + in_seconds(*init_s));
  facts.push_back(mpi.empty() ? "no MPI" : short_library(mpi));
  if (const std::string sources = text_of_sources(stamp_of(profile)); !sources.empty()) facts.push_back(sources);
  text += wrapped(fmt::format("{}", fmt::join(facts, "; ")), terminal.width, "", "");
  for (const std::string& trouble : {failure_of(profile), incompleteness_of(profile)})
    if (!trouble.empty())
      text += styled(terminal, Style::red,
                     fmt::format("! this run {}{}", trouble.rfind("incomplete", 0) == 0 ? "is " : "", trouble)) +
              '\n';
  const bool any_end = std::any_of(profile.endings.begin(), profile.endings.end(),
                                   [](const RankEnding& one) { return one.how != run_file::end_running; });
  if (any_end)
    text += wrapped(fmt::format("{}; figures end where each rank ended", fmt::join(endings_of(profile), "; ")),
                    terminal.width, styled(terminal, Style::red, "! "), "  ");
  if (shows_times && is_oversubscribed(profile))
    text += styled(terminal, Style::yellow, "! more ranks x threads than usable cores: times show time slicing") + '\n';
  if (const auto cores = cores_taken_by_others(profile, summary_of(profile)); shows_times && cores)
    text += wrapped(fmt::format("other processes computed on {:.1f} of the run's {:.0f} core{}{}: times and waits are "
                                "partly theirs",
                                cores->taken, cores->wanted, cores->wanted == 1 ? "" : "s",
                                cores->wait_percent ? fmt::format(", and the ranks waited {:.0f} % of p x T for a core",
                                                                  *cores->wait_percent)
                                                    : ""),
                    terminal.width, styled(terminal, Style::yellow, "! "), "  ");
  for (const Limit& limit : limits_of(profile))
    text += wrapped(limit.text, terminal.width, styled(terminal, Style::yellow, "! "), "  ");
  return text;
}

} // namespace andes::postproc
