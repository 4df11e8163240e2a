// A factor below what is regarded as acceptable is coloured; factors of 1 by absence (no MPI in regions) are left out.
#include "postproc/view/hybrid_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/warnings.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {
namespace {

std::string coloured(const Terminal& terminal, double factor) {
  return styled(terminal, factor < acceptable_efficiency ? Style::yellow : Style::plain, fixed(100 * factor, 1));
}

bool has_mpi_in_regions(const Hybrid& h) { return h.team.mpi_in_regions < 0.9995; }

std::string apart_text(int threads, double compute_s) {
  return fmt::format("{} thread{} outside the teams (compute {}): not counted", threads, threads == 1 ? "" : "s",
                     in_seconds(compute_s));
}

} // namespace

std::string hybrid_text(const Terminal& terminal, const HybridResult& result, const Profile& profile) {
  if (!result.why_not.empty())
    return wrapped(fmt::format("Hybrid efficiency cannot be split into MPI and threads: {}.", result.why_not),
                   terminal.width, styled(terminal, Style::yellow, "! "), "  ");
  if (!result.hybrid) return {};
  const Hybrid& h = *result.hybrid;
  const auto part = [&](double factor) { return coloured(terminal, factor); };
  std::string text = fmt::format("Efficiency in per cent, of {:.0f} threads x {} (100 is ideal):\n", h.threads,
                                 in_seconds(profile.wall_s));
  text += fmt::format("  parallel {} = {} {} x threads {}\n", part(h.parallel), h.has_mpi ? "MPI" : "program",
                      part(h.mpi.parallel), part(h.team.parallel));
  if (h.has_mpi) {
    text += fmt::format("  MPI      {} = load balance {} x communication {}", part(h.mpi.parallel),
                        part(h.mpi.load_balance), part(h.mpi.communication));
    if (h.mpi.transfer)
      text += fmt::format(" (= serialisation {} x transfer {})", part(*h.mpi.serialisation), part(*h.mpi.transfer));
    text += '\n';
  }
  text += fmt::format("  threads  {} = serial regions {} x team balance {} x barriers {} x scheduling {}",
                      part(h.team.parallel), part(h.team.serial_regions), part(h.team.load_balance),
                      part(h.team.barriers), part(h.team.scheduling));
  if (has_mpi_in_regions(h)) text += fmt::format(" x MPI in regions {}", part(h.team.mpi_in_regions));
  text += '\n' + wrapped(hybrid_definition(h.has_mpi), terminal.width, "  ", "  ");
  if (h.threads_apart > 0) text += wrapped(apart_text(h.threads_apart, h.apart_compute_s), terminal.width, "  ", "  ");
  return text;
}

std::string hybrid_tables(const Terminal& terminal, const std::vector<columns::HybridSize>& sizes) {
  std::vector<columns::HybridSize> of_teams = sizes;
  std::erase_if(of_teams, [](const columns::HybridSize& size) { return !size.has_teams; });
  if (of_teams.empty()) return {};
  const bool mpi_in_regions = std::any_of(of_teams.begin(), of_teams.end(), [](const columns::HybridSize& size) {
    return has_mpi_in_regions(size.hybrid);
  });
  const bool has_mpi = std::any_of(of_teams.begin(), of_teams.end(),
                                   [](const columns::HybridSize& size) { return size.hybrid.has_mpi; });
  return table_text(terminal, text_table(columns::mpi_parts(has_mpi), sizes)) + '\n' +
         table_text(terminal, text_table(columns::team_parts(mpi_in_regions), of_teams)) +
         wrapped(hybrid_definition(has_mpi), terminal.width, "  ", "  ");
}

std::string hybrid_notes(const Terminal& terminal, const std::vector<columns::HybridSize>& sizes,
                         const std::string& why_not) {
  std::string text;
  for (const columns::HybridSize& size : sizes)
    if (size.hybrid.threads_apart > 0) {
      text += wrapped(fmt::format("at {} x {}: {}", size.ranks, size.threads,
                                  apart_text(size.hybrid.threads_apart, size.hybrid.apart_compute_s)),
                      terminal.width, "  ", "  ");
      break; // one is enough to know of them
    }
  if (!why_not.empty())
    text += wrapped(fmt::format("Hybrid efficiency cannot be split into MPI and threads: {}.", why_not), terminal.width,
                    styled(terminal, Style::yellow, "  ! "), "    ");
  return text;
}

} // namespace andes::postproc
