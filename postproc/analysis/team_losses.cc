// Factors are quotients of neighbours in a chain of core times, so a loss is what the chain loses at its factor.
#include "postproc/analysis/team_losses.h"

#include <algorithm>

#include "postproc/analysis/medians.h"

namespace andes::postproc {
namespace {

/// For each row whether it is a parallel region or below one.
std::vector<bool> inside_regions(const std::vector<PathRow>& rows) {
  std::vector<bool> inside;
  for (const PathRow& row : rows)
    inside.push_back(row.kind == "parallel" || (row.parent >= 0 && inside[static_cast<std::size_t>(row.parent)]));
  return inside;
}

/// The row with most of what `belongs` accepts, of itself or of its callees; -1: none.
template <class Belongs> int heaviest(const std::vector<PathRow>& rows, bool in_callers, Belongs belongs) {
  std::vector<double> percents(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!belongs(i)) continue;
    const int at = in_callers ? rows[i].parent : static_cast<int>(i);
    if (at >= 0) percents[static_cast<std::size_t>(at)] += median_over(rows[i].runs, &PathShare::exclusive_percent);
  }
  const auto most = std::max_element(percents.begin(), percents.end());
  return most == percents.end() || *most <= 0 ? -1 : static_cast<int>(most - percents.begin());
}

int row_of(TeamFactor factor, const std::vector<PathRow>& rows, const std::vector<bool>& inside) {
  const auto of_kind = [&rows](const char* kind) {
    return [&rows, kind](std::size_t i) { return rows[i].kind == kind; };
  };
  switch (factor) {
  case TeamFactor::serial_regions:
    return heaviest(rows, false, [&](std::size_t i) {
      return !inside[i] && !is_mpi_kind(rows[i].kind) && !is_idle_kind(rows[i].kind) && rows[i].kind != "tool";
    });
  case TeamFactor::load_balance:
  case TeamFactor::barriers: return heaviest(rows, true, of_kind("barrier"));
  case TeamFactor::scheduling: return heaviest(rows, true, of_kind("lock"));
  case TeamFactor::mpi_in_regions:
    return heaviest(rows, false, [&](std::size_t i) { return inside[i] && is_mpi_kind(rows[i].kind); });
  }
  return -1;
}

/// Whether tasks are run below the row.
bool has_tasks_below(const std::vector<PathRow>& rows, int row) {
  const auto lies_below = [&](int one) {
    while (one > row) one = rows[static_cast<std::size_t>(one)].parent;
    return one == row;
  };
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].kind == "task" && lies_below(static_cast<int>(i))) return true;
  return false;
}

} // namespace

const char* key_of(TeamFactor factor) {
  constexpr const char* keys[] = {"serial_regions", "load_balance", "barriers", "scheduling", "mpi_in_regions"};
  return keys[static_cast<int>(factor)];
}

std::vector<TeamLoss> team_losses(const Hybrid& hybrid, const std::vector<PathRow>& rows) {
  const TeamPart& team = hybrid.team;
  const std::vector<bool> inside = inside_regions(rows);
  std::vector<TeamLoss> losses;
  double left = hybrid.mpi.parallel;
  const auto lose = [&](TeamFactor factor, double quotient) {
    TeamLoss loss{factor, 100 * left * (1 - quotient), {}};
    left *= quotient;
    if (const int row = row_of(factor, rows, inside); row >= 0) {
      const PathRow& place = rows[static_cast<std::size_t>(row)];
      loss.place = {path_of(rows, row), place.file, place.line};
      loss.has_tasks =
          (factor == TeamFactor::load_balance || factor == TeamFactor::barriers) && has_tasks_below(rows, row);
    }
    losses.push_back(std::move(loss));
  };
  lose(TeamFactor::serial_regions, team.serial_regions);
  lose(TeamFactor::barriers, team.barriers);
  lose(TeamFactor::load_balance, team.load_balance);
  lose(TeamFactor::scheduling, team.scheduling);
  lose(TeamFactor::mpi_in_regions, team.mpi_in_regions);
  std::stable_sort(losses.begin(), losses.end(),
                   [](const TeamLoss& a, const TeamLoss& b) { return a.percent > b.percent; });
  return losses;
}

} // namespace andes::postproc
