// Overview: several series side by side, and how T depends on the axes by which they differ (`andes run --vary`).
//
// An axis table holds the series of one program that differ in this axis alone, at one number of ranks and threads that
// at least two of them have. Runs whose arguments differ without an axis have a row in the overview and no axis table.
// How T and call paths grow with the axis, and from which value on the efficiency suffices, axis_models.h adds.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/report.h"

namespace andes::postproc {

/// A series in a line: its largest usable size against its base.
struct OverviewRow {
  std::string program, command;
  std::vector<RunAxis> axes;
  bool weak = false;
  std::size_t runs = 0; // used
  int base_ranks = 0, base_threads = 1;
  Estimate base_time_s;
  int ranks = 0, threads = 1;
  Estimate time_s, speedup, efficiency;
  std::string unfinished; // why none of its runs is complete: then there is neither time nor speedup
};

/// T at a value of an axis.
struct AxisPoint {
  std::string value;
  std::size_t series = 0; // index of its report
  std::size_t repeats = 0;
  bool oversubscribed = false;
  Estimate time_s;
  Estimate speedup, efficiency; // of its own series
  std::optional<double> exponent; // T grows as value^exponent from the value before this one to here; numbers alone
};

/// From which value of an axis on the efficiency suffices, as the values that were measured say.
struct EfficientValue {
  std::optional<double> more_than; // the largest value with less; absent: all suffice
  std::optional<double> at_most; // the smallest value from which on all suffice; absent: the largest does not
  std::optional<double> between; // these two, by the logarithm of the value
};

/// What grows with an axis whose values are numbers, at a fixed size of the job.
struct AxisModels {
  std::size_t values = 0; // that count: of usable sizes
  std::optional<TermModel> time;
  double last = 0, projected = 0; // the largest value, and the one of PathModel::projected_percent
  std::vector<PathModel> paths;
};

struct AxisTable {
  std::string program, axis;
  std::vector<RunAxis> others; // axes with the same value in all of its series
  int ranks = 0, threads = 1;
  bool is_base = false; // the series' speedup and efficiency are against these ranks and threads
  std::vector<AxisPoint> points; // by value
  std::optional<EfficientValue> efficient;
  AxisModels models;
};

struct Overview {
  std::vector<OverviewRow> rows; // as the reports
  std::vector<AxisTable> axes;
  std::string for_each_size; // `lu.W.{p}`, where programs of several series have their number of ranks in their names
};

Overview overview_of(const std::vector<Report>& reports);

} // namespace andes::postproc
