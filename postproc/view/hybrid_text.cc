// A factor below what is regarded as acceptable is coloured; factors of 1 by absence (no MPI in regions) are left out.
#include "postproc/view/hybrid_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/warnings.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {
namespace {

Cell percent(const std::optional<double>& factor) {
  if (!factor) return {};
  return {fixed(100 * *factor, 1), *factor < acceptable_efficiency ? Style::yellow : Style::plain};
}

std::string coloured(const Terminal& terminal, double factor) {
  return styled(terminal, factor < acceptable_efficiency ? Style::yellow : Style::plain, fixed(100 * factor, 1));
}

bool has_mpi_in_regions(const Hybrid& h) { return h.team.mpi_in_regions < 0.9995; }

std::string apart_text(int threads, double compute_s) {
  return fmt::format("{} thread{} beside the teams (compute {} s): not counted in", threads, threads == 1 ? "" : "s",
                     significant(compute_s));
}

} // namespace

std::string hybrid_text(const Terminal& terminal, const HybridResult& result, const Profile& profile) {
  if (!result.why_not.empty())
    return wrapped(fmt::format("Hybrid efficiency cannot be split into MPI and threads: {}.", result.why_not),
                   terminal.width, styled(terminal, Style::yellow, "! "), "  ");
  if (!result.hybrid) return {};
  const Hybrid& h = *result.hybrid;
  const auto part = [&](double factor) { return coloured(terminal, factor); };
  std::string text = fmt::format("Efficiency in per cent, of {:.0f} threads x {} s (100 is ideal):\n", h.threads,
                                 significant(profile.wall_s));
  text += fmt::format("  parallel {} = MPI {} x threads {}\n", part(h.parallel), part(h.mpi.parallel),
                      part(h.team.parallel));
  text += fmt::format("  MPI      {} = load balance {} x communication {}", part(h.mpi.parallel),
                      part(h.mpi.load_balance), part(h.mpi.communication));
  if (h.mpi.transfer)
    text += fmt::format(" (= serialisation {} x transfer {})", part(*h.mpi.serialisation), part(*h.mpi.transfer));
  text += fmt::format("\n  threads  {} = serial regions {} x team balance {} x barriers {} x scheduling {}",
                      part(h.team.parallel), part(h.team.serial_regions), part(h.team.load_balance),
                      part(h.team.barriers), part(h.team.scheduling));
  if (has_mpi_in_regions(h)) text += fmt::format(" x MPI in regions {}", part(h.team.mpi_in_regions));
  text += '\n' + wrapped(hybrid_definition, terminal.width, "  ", "  ");
  if (h.threads_apart > 0) text += wrapped(apart_text(h.threads_apart, h.apart_compute_s), terminal.width, "  ", "  ");
  return text;
}

std::string hybrid_tables(const Terminal& terminal, const std::vector<HybridRow>& rows) {
  const auto any = [&](auto test) {
    return std::any_of(rows.begin(), rows.end(), [&](const HybridRow& row) { return row.hybrid && test(*row.hybrid); });
  };
  if (!any([](const Hybrid&) { return true; })) return {};
  Table mpi, team;
  mpi.columns = {{"ranks"},           {"threads"},         {"parallel %"},
                 {"= MPI %"},         {"x threads %"},     {"MPI: load balance %"},
                 {"communication %"}, {"serialisation %"}, {"transfer %"}};
  team.columns = {
      {"ranks"},        {"threads"},        {"threads %"},          {"= serial regions %"}, {"x team balance %"},
      {"x barriers %"}, {"x scheduling %"}, {"x MPI in regions %"}, {"serial time % of T"}};
  const bool mpi_in_regions = any(has_mpi_in_regions);
  for (const HybridRow& row : rows) {
    const std::string ranks = std::to_string(row.ranks), threads = std::to_string(row.threads);
    if (row.hybrid) {
      const Hybrid& h = *row.hybrid;
      mpi.rows.push_back({ranks, threads, percent(h.parallel), percent(h.mpi.parallel), percent(h.team.parallel),
                          percent(h.mpi.load_balance), percent(h.mpi.communication), percent(h.mpi.serialisation),
                          percent(h.mpi.transfer)});
      team.rows.push_back({ranks, threads, percent(h.team.parallel), percent(h.team.serial_regions),
                           percent(h.team.load_balance), percent(h.team.barriers), percent(h.team.scheduling),
                           mpi_in_regions ? percent(h.team.mpi_in_regions) : Cell(),
                           fixed(100 * h.serial_s / (row.ranks * row.time_s), 1)});
    } else if (row.efficiency) {
      const Efficiency& e = *row.efficiency;
      mpi.rows.push_back({ranks, threads, percent(e.parallel), percent(e.parallel), "", percent(e.load_balance),
                          percent(e.communication), percent(e.serialisation), percent(e.transfer)});
    }
  }
  return table_text(terminal, mpi) + '\n' + table_text(terminal, team) +
         wrapped(hybrid_definition, terminal.width, "  ", "  ");
}

std::string hybrid_notes(const Terminal& terminal, const std::vector<HybridRow>& rows, const std::string& why_not) {
  std::string text;
  for (const HybridRow& row : rows)
    if (row.hybrid && row.hybrid->threads_apart > 0) {
      text += wrapped(fmt::format("at {} x {}: {}", row.ranks, row.threads,
                                  apart_text(row.hybrid->threads_apart, row.hybrid->apart_compute_s)),
                      terminal.width, "  ", "  ");
      break; // one is enough to know of them
    }
  if (!why_not.empty())
    text += wrapped(fmt::format("Hybrid efficiency cannot be split into MPI and threads: {}.", why_not), terminal.width,
                    styled(terminal, Style::yellow, "  ! "), "    ");
  return text;
}

} // namespace andes::postproc
