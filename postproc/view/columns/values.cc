// Values of call paths, and the ends of ranks: for people the latter stand in sentences (run_head.cc).
#include "postproc/view/columns/values.h"

#include "monitor/interface/ending_text.h"
#include "postproc/analysis/paths.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

template <class Member> auto number(Member member) {
  return [member](const PathValue& v) { return v.*member ? significant(*(v.*member)) : std::string(); };
}

} // namespace

List<PathValue> values(const Profile& profile) {
  using V = const PathValue&;
  return List<PathValue>{
      {.key = "value",
       .value = &PathValue::name,
       .text = {.title = "value", .cell = [](V v) { return v.name; }, .align = left},
       .json_path = {"name"}},
      {.key = "callpath", .value = [&profile](V v) { return callpath_of(profile, v); }},
      {.key = "path",
       .value = [&profile](V v) { return path_of(profile, callpath_of(profile, v)); },
       .text = {.title = "call path",
                .cell = [&profile](V v) { return joined_path(path_of(profile, callpath_of(profile, v))); },
                .align = left,
                .gives_way = true},
       .text_after = "last"},
      {.key = "count",
       .means = "how often the value was given",
       .value = [](V v) { return Whole{v.count}; },
       .text = {.title = "count", .cell = [](V v) { return count_text(v.count); }}},
      {.key = "not_finite",
       .means = "how often it was not finite; these are in no other figure",
       .value = [](V v) { return v.not_finite > 0 ? Value(Whole{v.not_finite}) : Value(); },
       .text = {.title = "not finite", .cell = [](V v) { return v.not_finite > 0 ? count_text(v.not_finite) : ""; }},
       .csv_value = [](V v) { return Whole{v.not_finite}; },
       .text_after = "last"},
      {.key = "mean",
       .means = "mean of what was given",
       .value = &PathValue::mean,
       .text = {.title = "mean", .cell = number(&PathValue::mean)}},
      {.key = "min",
       .means = "the smallest that was given",
       .value = &PathValue::min,
       .text = {.title = "min", .cell = number(&PathValue::min)}},
      {.key = "max",
       .means = "the largest that was given",
       .value = &PathValue::max,
       .text = {.title = "max", .cell = number(&PathValue::max)}},
      {.key = "last",
       .means = "what was given last, of one location only",
       .value = &PathValue::last,
       .text = {.title = "last", .cell = number(&PathValue::last)}},
  };
}

List<RankEnding> endings(const Profile& profile) {
  using E = const RankEnding&;
  return List<RankEnding>{
      {.key = "rank", .value = &RankEnding::rank},
      {.key = "how", .value = &RankEnding::how},
      {.key = "detail",
       .value =
           [](E e) {
             const bool detailed =
                 e.how == run_file::end_signal || e.how == run_file::end_abort || e.how == run_file::end_error;
             return detailed ? Value(e.detail) : Value();
           }},
      {.key = "time_s", .value = [](E e) { return e.time_ns ? Value(*e.time_ns * 1e-9) : Value(); }},
      {.key = "last_event", .value = [](E e) { return e.time_ns ? Value(e.last_event) : Value(); }},
      {.key = "path", .value = [&profile](E e) { return e.callpath ? Value(path_of(profile, *e.callpath)) : Value(); }},
      {.key = "text", .value = [](E e) { return known(e.text); }},
      {.key = "after_rank",
       .value = [first = order_of_ends(profile.endings, silence_tells(fact_text(profile, "mpi_library"))).first](
                    E e) { return first && is_by_launcher(e, *first) ? Value(first->rank) : Value(); }},
  };
}

} // namespace andes::postproc::columns
