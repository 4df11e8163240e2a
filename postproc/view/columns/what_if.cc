// JSON has all sizes as a list; CSV and people have the measured one, people the projected ones as speedups beside it.
#include "postproc/view/columns/what_if.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

using P = const Prediction&;

Json source_json(const GainBound& bound) {
  Json json{{"from", key_of(bound.from)}};
  if (bound.rank >= 0) json["rank"] = bound.rank;
  return json;
}

Json sizes_json(P p) {
  Json rows = Json::array();
  for (const ChangedSize& size : p.sizes) {
    Json row{{"ranks", size.size},
             {"projected", size.projected},
             {"time_s", {{"low", size.time_low_s}, {"high", size.time_high_s}}}};
    if (size.speedup_low) row["speedup"]["low"] = *size.speedup_low;
    if (size.speedup_high) row["speedup"]["high"] = *size.speedup_high;
    rows.push_back(std::move(row));
  }
  return rows;
}

/// "rank 2", "the replay".
std::string source_of(const GainBound& bound) {
  switch (bound.from) {
  case GainBound::From::rank: return fmt::format("rank {}", bound.rank);
  case GainBound::From::any: return "any rank";
  case GainBound::From::replay: return "replay";
  case GainBound::From::waits: return "waits";
  case GainBound::From::work: return "all ranks";
  default: return "one alone";
  }
}

/// "1.2..1.5", or one number where they look the same.
std::string speedup_range(std::optional<double> low, std::optional<double> high) {
  const std::string from = low ? significant(*low, 3) : "-", to = high ? significant(*high, 3) : "-";
  return from == to ? from : from + ".." + to;
}

} // namespace

std::string seconds_bounds(double low_s, double high_s) {
  AlikeTimes times = alike_times({low_s, high_s});
  std::string text = times.texts[0];
  if (times.texts[0] != times.texts[1]) text += ".." + times.texts[1];
  return std::string_view(times.unit) == "s" ? text : text + ' ' + times.unit;
}

const char* key_of(GainBound::From from) {
  constexpr const char* keys[] = {"rank", "any_rank", "replay", "waits", "all_ranks", "one_change"};
  return keys[static_cast<int>(from)];
}

Cell changes_cell(const std::vector<std::string>& changes) {
  Cell cell = fmt::format("{}", fmt::join(changes, " and "));
  const std::size_t verb = cell.text.find(' ') + 1; // "NAME xK" has it behind
  if (changes.size() != 1 || change_of(changes.front()).kind == RoutineChange::Kind::faster) return cell;
  cell.stem = cell.text.substr(0, verb);
  cell.text.erase(0, verb);
  return cell;
}

List<Prediction> what_if(const WhatIf& what_if) {
  constexpr std::size_t projected_sizes = 2;
  List<Prediction> list{
      {.key = "changes",
       .value = &Prediction::changes,
       .text = {.title = "if", .cell = [](P p) { return changes_cell(p.changes); }, .align = left, .gives_way = true}},
      {.key = "gain_low_s", .value = [](P p) { return p.low.gain_s; }, .json_path = {"gain_s", "low"}},
      {.key = "gain_high_s",
       .value = [](P p) { return p.high.gain_s; },
       .text = {.title = "gain s", .cell = [](P p) { return seconds_bounds(p.low.gain_s, p.high.gain_s); }},
       .json_path = {"gain_s", "high"}},
      {.key = "low_from", .value = [](P p) { return source_json(p.low); }, .csv = false},
      {.key = "high_from",
       .value = [](P p) { return source_json(p.high); },
       .text = {.title = "bounds from",
                .cell =
                    [](P p) {
                      const std::string low = source_of(p.low), high = source_of(p.high);
                      return low == high ? low : low + ", " + high;
                    },
                .align = left},
       .csv = false},
      {.text = {.title = "time s",
                .cell = [](P p) { return seconds_bounds(p.sizes.front().time_low_s, p.sizes.front().time_high_s); }}},
      {.text = {.title = "speedup",
                .cell = [](P p) { return speedup_range(p.sizes.front().speedup_low, p.sizes.front().speedup_high); }}},
      {.key = "sizes", .value = sizes_json, .csv = false},
  };
  const Prediction* any = what_if.asked                ? &*what_if.asked
                          : what_if.candidates.empty() ? nullptr
                                                       : &what_if.candidates.front();
  for (std::size_t i = 1; any && i < std::min(any->sizes.size(), 1 + projected_sizes); ++i)
    list.push_back({.text = {.title = fmt::format("at {}", any->sizes[i].size), .cell = [i](P p) {
                               return speedup_range(p.sizes[i].speedup_low, p.sizes[i].speedup_high);
                             }}});
  return list;
}

} // namespace andes::postproc::columns
