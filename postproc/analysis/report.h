// Report: the whole content of `andes report` as plain data; the views only print it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/comparison.h"
#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/flat.h"
#include "postproc/analysis/grid.h"
#include "postproc/analysis/growth.h"
#include "postproc/analysis/ledger.h"
#include "postproc/analysis/left_out.h"
#include "postproc/analysis/models.h"
#include "postproc/analysis/noise.h"
#include "postproc/analysis/processor.h"
#include "postproc/analysis/routines.h"
#include "postproc/analysis/scaling.h"
#include "postproc/analysis/serial_routines.h"
#include "postproc/analysis/small_messages.h"
#include "postproc/analysis/team_losses.h"
#include "postproc/analysis/warnings.h"
#include "postproc/analysis/what_if.h"
#include "postproc/model/source_version.h"

namespace andes::postproc {

/// Balances and percentages of a point: medians over its repeats.
struct PointShares {
  std::optional<double> load_balance, communication_balance, bytes_balance, idle_percent;
  std::optional<double> thread_load_balance; // over all threads; absent where every rank has one
  double communication_percent = 0, synchronisation_percent = 0, compute_percent = 0;
  std::optional<double> io_percent, io_balance, bytes_read, bytes_written, init_s, core_wait_percent; // as in Summary
  std::optional<Efficiency> efficiency; // medians factor by factor
  std::optional<Hybrid> hybrid;         // the same, of programs with teams of threads
  std::string why_no_hybrid;            // there are teams, but their part cannot be computed
};

/// Shares of the grid's points; their other data are in Grid::all at the same index.
using GridShares = std::vector<PointShares>;

struct Overhead {
  int ranks = 0, threads = 1;
  Estimate percent;
};

struct SequentialBase {
  std::string file, command; // file: as the user named it
  std::size_t repeats = 0;
  Estimate time_s;
};

struct Report {
  std::string command, build, started, hosts, mpi_library;
  BuildStamp stamp; // of the newest build
  std::string program, executable; // the second is a path: of the newest run
  std::vector<RunAxis> axes; // as in Series
  std::vector<RunUse> runs;
  std::string unfinished; // why no run is complete: all figures are of the newest one, up to its end
  std::string shown;                // the newest run, if none is complete
  std::vector<std::string> endings; // how its ranks ended
  Noise noise;                    // of all points
  std::vector<Overhead> overhead; // measured by andes run --overhead
  std::optional<SequentialBase> sequential;
  Scaling scaling;                 // over cores where there is a grid
  std::vector<PointShares> shares; // by point
  std::optional<Grid> grid;        // with several numbers of threads
  GridShares grid_shares;          // by point of Grid::all
  std::vector<Warning> warnings;
  std::optional<Growth> growth; // only when it matters
  std::vector<Ledger> ledgers;  // of the points above the base
  int routine_ranks = 0;        // the number of ranks of routines and rank_rows
  int routine_threads = 1;      // the same
  int routine_size = 0;         // on the axis of scaling
  std::size_t routine_repeats = 0;
  std::vector<Routine> routines;
  FlatRun flat; // functions at routine_ranks
  std::vector<LeftOutTime> left_out; // at routine_ranks
  std::vector<SmallMessages> small_messages; // at routine_ranks
  std::vector<RankRow> rank_rows;
  std::optional<TeamLosses> team_losses; // at routine_ranks, or if there are no teams at the most cores with any
  std::vector<Finding> findings; // at routine_ranks, of the repeats together
  Models models;                 // of runs that finished
  Processor processor;           // of all points; call paths at routine_ranks
  SerialRoutines serial_routines; // from the smallest usable size to routine_ranks
  WhatIf what_if;                // at routine_ranks
  std::string why_no_waits;      // of its first repeat; empty: waits were measured
  Sampling sampling;             // of the call paths at routine_ranks
  ToolCost cost;                 // the same
  std::size_t builds = 1;
  std::optional<Comparison> comparison; // with the build before the newest
};

/// `sequential`: the runs of the best sequential program, or null. `changes`: what is asked for in Report::what_if.
Report report_of(const Series& series, const Series* sequential, bool oversubscribed_ok,
                 const std::vector<std::string>& changes = {});

/// The heaviest own time among the routines; null without one.
const Routine* heaviest_own(const Report& report);

/// The function with the largest own time, in all of its call paths among the routines.
struct HeaviestFunction {
  const Routine* heaviest = nullptr; // of these call paths; null: no function has more than a single call path has
  std::size_t call_paths = 0;
  double own_percent = 0;
  SamplingError error;
};
HeaviestFunction heaviest_function(const Report& report);

/// Whether ranks have threads beside the main one: then percentages of call paths are of the time of all threads
/// (threads.h), all others of p x T.
bool has_threads(const Report& report);

/// Computation and communication of a routine without its callees, but with its MPI calls: own time
/// without waiting.
double own_work_percent(const Routine& routine);

} // namespace andes::postproc
