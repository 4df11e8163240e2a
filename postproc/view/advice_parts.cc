#include "postproc/view/advice_parts.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/view/diagnosis_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

/// What the ranks lose by waiting for the one with most work in `r`, in per cent of T.
double imbalance_of(const Routine& r) {
  if (!r.load_balance || *r.load_balance <= 0 || is_mpi_kind(r.kind)) return 0;
  return r.non_communication_percent * (1 / *r.load_balance - 1);
}

/// The routine with most of a percentage, of those that have it; null: there is none.
template <class Percent> const Routine* heaviest_by(const Report& report, Percent percent) {
  const Routine* heaviest = nullptr;
  for (const Routine& r : report.routines)
    if (percent(r) && (!heaviest || *percent(r) > *percent(*heaviest))) heaviest = &r;
  return heaviest;
}

/// What is said of a loss, behind how large it is; and what to do, behind where it is.
struct LossWords {
  const char *what, *remedy;
};

LossWords words_of(const TeamLoss& loss) {
  switch (loss.factor) {
  case TeamFactor::serial_regions:
    return {"lost in serial regions: the other threads are idle while the main thread computes alone",
            "Share this work among the threads."};
  case TeamFactor::load_balance:
    return {"lost because one thread of a team has more work than the others, over the whole run",
            loss.has_tasks ? "Divide the tasks that take longest, and start them first."
                           : "Share the work evenly, or try schedule(dynamic)."};
  case TeamFactor::barriers:
    return {"lost at barriers: a different thread is late each time, or the regions are short compared with the cost "
            "of starting and ending them",
            loss.has_tasks
                ? "Divide the tasks that take longest, and start them first; join those that are short compared "
                  "with the cost of a task."
                : "Try schedule(dynamic), or join several parallel regions into one."};
  case TeamFactor::scheduling:
    return {"lost in waiting for critical sections, locks or ordered regions",
            "Do less work inside them, or use a reduction."};
  case TeamFactor::mpi_in_regions:
    return {"lost in MPI calls inside parallel regions", "Call MPI outside parallel regions."};
  }
  return {};
}

/// Threads wait at the same barriers for one with more work in all, which is a loss of its own: the ledger of lost time
/// has both in one term (decision 308).
std::string beside_barriers(const std::vector<TeamLoss>& losses) {
  constexpr double least_percent = 0.5;
  const auto uneven = std::ranges::find(losses, TeamFactor::load_balance, &TeamLoss::factor);
  if (uneven == losses.end() || uneven->percent < least_percent) return {};
  return fmt::format(" (besides {:.1f} % in which they wait there for a thread that has more work over the whole run)",
                     uneven->percent);
}

} // namespace

const PointShares* shares_at(const Report& report, int size) {
  for (std::size_t i = 0; i < report.scaling.points.size(); ++i)
    if (report.scaling.points[i].size == size) return &report.shares[i];
  return nullptr;
}

double uneven_percent(const PointShares& shares) {
  return shares.load_balance ? shares.compute_percent * (1 / *shares.load_balance - 1) : 0;
}

const Routine* most_uneven(const Report& report) {
  double worst = 0;
  for (const Routine& r : report.routines) worst = std::max(worst, imbalance_of(r));
  const Routine* deepest = nullptr;
  for (const Routine& r : report.routines) {
    if (worst <= 0 || imbalance_of(r) < 0.8 * worst) continue;
    if (!deepest || r.path.size() > deepest->path.size()) deepest = &r;
  }
  return deepest;
}

const Routine* heaviest_communication(const Report& report) {
  return heaviest_by(report, [](const Routine& r) {
    return is_mpi_kind(r.kind) ? std::optional(r.communication_percent) : std::nullopt;
  });
}

const Routine* heaviest_io(const Report& report) {
  return heaviest_by(report, [](const Routine& r) { return r.kind == "io" ? r.io_percent : std::nullopt; });
}

std::string team_loss_text(const Report& report) {
  if (!report.team_losses || report.team_losses->losses.front().percent < 5) return {};
  const TeamLoss& loss = report.team_losses->losses.front();
  const LossWords words = words_of(loss);
  std::string text =
      fmt::format("At {}, {:.1f} % of cores x T is {}",
                  place_text(report.team_losses->ranks, report.team_losses->threads, report.grid.has_value()),
                  loss.percent, words.what);
  if (loss.factor == TeamFactor::barriers) text += beside_barriers(report.team_losses->losses);
  if (loss.place)
    text += ", most of it in " + joined_path(loss.place->path) +
            place_text(loss.place->path, {loss.place->file, loss.place->line});
  return text + ". " + words.remedy;
}

} // namespace andes::postproc
