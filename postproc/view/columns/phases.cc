// Times of a phase are those of the steps that are told apart: where none is, there are no times.
#include "postproc/view/columns/phases.h"

#include "postproc/analysis/paths.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

const PhaseStep* shortest(const Phase& phase) { return phase.steps.empty() ? nullptr : &phase.steps[phase.shortest]; }

const PhaseStep* longest(const Phase& phase) { return phase.steps.empty() ? nullptr : &phase.steps[phase.longest]; }

/// The mean over ranks and the label of a step of a phase.
List<PhaseStep> extreme(const std::string& name) {
  using S = const PhaseStep&;
  return List<PhaseStep>{
      {.key = name + "_s",
       .value = &PhaseStep::mean_s,
       .text = {.title = name + " s", .cell = [](S step) { return seconds_text(step.mean_s); }}},
      {.key = name + "_step",
       .value = &PhaseStep::label,
       .text = {.title = "step", .cell = [](S step) { return step.label; }}},
  };
}

std::string positive(double time_s) { return time_s > 0 ? seconds_text(time_s) : ""; }

} // namespace

List<Phase> phases(const Profile& profile) {
  using P = const Phase&;
  const auto steps_json = [&profile](const std::vector<PhaseStep> Phase::* which) {
    return [&profile, which](P phase) { return json_rows(steps(profile, phase.name), phase.*which); };
  };
  List<Phase> list{
      {.key = "callpath", .value = &Phase::callpath},
      {.key = "path",
       .value = [&profile](P phase) { return path_of(profile, phase.callpath); },
       .text = {.title = "phase",
                .cell = [&profile](P phase) { return joined_path(path_of(profile, phase.callpath)); },
                .align = left,
                .gives_way = true}},
      {.key = "visits",
       .value = [](P phase) { return Whole{phase.visits}; },
       .text = {.title = "visits", .cell = [](P phase) { return count_text(phase.visits); }}},
      {.key = "mean_s",
       .value = [](P phase) { return phase.steps.empty() ? Value() : Value(phase.mean_s); },
       .text = {.title = "mean s",
                .cell = [](P phase) { return phase.steps.empty() ? "" : seconds_text(phase.mean_s); }}},
  };
  append(list, of_part<Phase>(extreme("min"), shortest));
  append(list, of_part<Phase>(extreme("max"), longest));
  append(
      list,
      List<Phase>{
          {.text = {.title = "rank",
                    .cell =
                        [&profile](P phase) {
                          const PhaseStep* step = longest(phase);
                          return step && profile.ranks > 1 ? std::to_string(step->max_rank) : "";
                        }}},
          {.key = "steps",
           .value = steps_json(&Phase::steps),
           .text = {.title = "steps",
                    .cell =
                        [](P phase) { return std::to_string(phase.steps.size()) + (phase.more.empty() ? "" : "+"); }},
           .text_after = "path"},
          {.key = "more", .value = steps_json(&Phase::more)},
      });
  return list;
}

List<PhaseStep> steps(const Profile& profile, const std::string& phase) {
  using S = const PhaseStep&;
  const bool several = profile.ranks > 1;
  const auto over_ranks = [several](double PhaseStep::* time_s) {
    return [=](S step) { return several ? seconds_text(step.*time_s) : ""; };
  };
  return List<PhaseStep>{
      {.key = "label",
       .value = &PhaseStep::label,
       .text = {.title = phase, .cell = [](S step) { return step.label; }, .align = left, .gives_way = true}},
      {.key = "number", .value = &PhaseStep::number},
      {.key = "visits",
       .value = [](S step) { return Whole{step.visits}; },
       .text = {.title = "visits", .cell = [](S step) { return count_text(step.visits); }}},
      {.key = "mean_s",
       .value = &PhaseStep::mean_s,
       .text = {.title = "mean s", .cell = [](S step) { return seconds_text(step.mean_s); }}},
      {.key = "min_s", .value = &PhaseStep::min_s, .text = {.title = "min s", .cell = over_ranks(&PhaseStep::min_s)}},
      {.key = "max_s", .value = &PhaseStep::max_s, .text = {.title = "max s", .cell = over_ranks(&PhaseStep::max_s)}},
      {.key = "max_rank",
       .value = &PhaseStep::max_rank,
       .text = {.title = "rank", .cell = [several](S step) { return several ? std::to_string(step.max_rank) : ""; }}},
      {.key = "communication_s",
       .value = &PhaseStep::communication_s,
       .text = {.title = "comm. s", .cell = [](S step) { return positive(step.communication_s); }}},
      {.key = "idle_s",
       .value = &PhaseStep::idle_s,
       .text = {.title = "idle s", .cell = [](S step) { return positive(step.idle_s.value_or(0)); }}},
      {.key = "io_s",
       .value = &PhaseStep::io_s,
       .text = {.title = "i/o s", .cell = [](S step) { return positive(step.io_s.value_or(0)); }}},
  };
}

} // namespace andes::postproc::columns
