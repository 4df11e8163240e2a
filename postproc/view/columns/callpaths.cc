// Beside names that can be read not all numbers find room. The mean is inclusive / ranks: it goes first, when errors
// have become short; then bytes; then the errors, overlap and the largest time. Where errors are wide, the others and
// the balance go before them.
#include "postproc/view/columns/callpaths.h"

#include <algorithm>

#include "postproc/analysis/warnings.h"
#include "postproc/view/columns/message_sizes.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

/// Of a rank, in bytes per second: sums over ranks are divided by each other.
std::optional<double> io_rate(const TreeRow& r) {
  return r.inclusive_io_bytes > 0 && r.io_s.value_or(0) > 0 ? std::optional(r.inclusive_io_bytes / *r.io_s)
                                                            : std::nullopt;
}

Cell balance(const TreeRow& r) {
  const bool uneven = r.load_balance && *r.load_balance < acceptable_efficiency;
  return {marked(r.load_balance ? fixed(r.load_balance, 2) : "", r.inclusive_error_s),
          uneven ? Style::yellow : Style::plain};
}

auto whole(double TreeRow::* count) {
  return [count](const TreeRow& r) { return Value(Whole{r.*count}); };
}

/// A number of visits that only estimated call paths tell.
auto if_estimated(double TreeRow::* visits) {
  return [visits](const TreeRow& r) { return r.inclusive_error_s.estimated ? Value(Whole{r.*visits}) : Value(); };
}

List<TreeRow> place(const Profile& profile) {
  return List<TreeRow>{
      {.key = "id", .value = &TreeRow::id},
      {.key = "parent",
       .value = [](const TreeRow& r) { return r.parent ? Value(*r.parent) : Value(Json()); }}, // null: a root
      {.key = "path", .value = [&profile](const TreeRow& r) { return path_of(profile, r.id); }},
      {.key = "kind", .value = &TreeRow::kind},
      {.key = "file", .value = [](const TreeRow& r) { return known(r.file); }},
      {.key = "line", .value = [](const TreeRow& r) { return known_line(r.line); }},
  };
}

List<TreeRow> times(const Tree& tree, const std::string& whole_time) {
  const bool idle =
      std::any_of(tree.rows.begin(), tree.rows.end(), [](const TreeRow& r) { return r.idle_s.value_or(0) > 0; });
  const std::string sums = "sums over ranks", over_ranks = "of the inclusive time over ranks";
  return List<TreeRow>{
      {.text = {.title = "%",
                .cell =
                    [&tree](const TreeRow& r) {
                      return tree.time_s > 0 ? marked(fixed(100 * r.inclusive_s / tree.time_s, 1), r.inclusive_error_s)
                                             : std::string();
                    },
                .legend = {"of " + whole_time}}},
      {.key = "visits",
       .value = whole(&TreeRow::visits),
       .text = {.title = "visits",
                .cell =
                    [](const TreeRow& r) {
                      return visits_text(r.visits, r.visits_above, r.inclusive_error_s, r.muted);
                    }}},
      {.key = "inclusive_s",
       .value = &TreeRow::inclusive_s,
       .text = {.title = "incl. s",
                .cell = [](const TreeRow& r) { return marked(seconds_text(r.inclusive_s), r.inclusive_error_s); },
                .error = [](const TreeRow& r,
                            ErrorColumn column) { return time_error_text(r.inclusive_s, r.inclusive_error_s, column); },
                .legend = {sums}}},
      {.key = "exclusive_s",
       .value = &TreeRow::exclusive_s,
       .text = {.title = "excl. s",
                .cell = [](const TreeRow& r) { return marked(seconds_text(r.exclusive_s), r.exclusive_error_s); },
                .error = [](const TreeRow& r,
                            ErrorColumn column) { return time_error_text(r.exclusive_s, r.exclusive_error_s, column); },
                .legend = {sums}}},
      {.key = "mean_s",
       .value = &TreeRow::mean_s,
       .text = {.title = "mean s",
                .cell = [](const TreeRow& r) { return marked(seconds_text(r.mean_s), r.inclusive_error_s); },
                .steps = 1,
                .legend = {over_ranks}}},
      {.key = "max_s",
       .value = &TreeRow::max_s,
       .text = {.title = "max s",
                .cell = [](const TreeRow& r) { return marked(seconds_text(r.max_s), r.inclusive_error_s); },
                .steps = 5,
                .legend = {over_ranks}}},
      {.key = "communication_s",
       .value = &TreeRow::communication_s,
       .text = {.title = "comm. s",
                .cell = [](const TreeRow& r) { return seconds_above_zero(r.communication_s); },
                .legend = {sums, idle ? "without waiting" : ""}}},
      {.key = "idle_s",
       .value = &TreeRow::idle_s,
       .text = {.title = "idle s",
                .cell = [](const TreeRow& r) { return seconds_above_zero(r.idle_s.value_or(0)); },
                .legend = {idle ? sums : "", "waiting"}}},
      {.key = "load_balance",
       .value = &TreeRow::load_balance,
       .text = {.title = "bal.", .cell = balance, .steps = 6, .legend = {"mean / max of the time outside MPI"}},
       .csv_after = "max_s",
       .text_after = "max_s"},
      {.text = {.title = "overlap %",
                .cell =
                    [](const TreeRow& r) {
                      return r.overlap_percent ? bounds_text(r.overlap_percent->low, r.overlap_percent->high)
                                               : std::string();
                    },
                .steps = 4,
                .legend = {has_overlap(tree)
                               ? "the part of the transfer time of non-blocking operations that computation "
                                 "hides, at least..at most, callees included"
                               : ""}}},
      {.text = {.title = "bytes",
                .cell =
                    [](const TreeRow& r) {
                      return r.inclusive_bytes > 0 ? bytes_text(r.inclusive_bytes) : std::string();
                    },
                .steps = 2,
                .legend = {"sent and received, callees included"}}},
      {.key = "bytes_sent", .value = whole(&TreeRow::bytes_sent)},
      {.key = "bytes_received", .value = whole(&TreeRow::bytes_received)},
      {.key = "messages_sent", .value = whole(&TreeRow::messages_sent)},
      {.key = "messages_received", .value = whole(&TreeRow::messages_received)},
      {.key = "message_sizes", .value = [](const TreeRow& r) { return sizes_value(r.sizes); }, .csv = false},
  };
}

/// Input and output; people see it where there is any.
List<TreeRow> input_output(bool any) {
  const List<TreeRow> list{
      {.key = "io_s",
       .value = &TreeRow::io_s,
       .text = {.title = "i/o s",
                .cell = [](const TreeRow& r) { return seconds_above_zero(r.io_s.value_or(0)); },
                .legend = {"sums over ranks", "input and output"}},
       .text_after = "idle_s"},
      {.key = "bytes_read", .value = whole(&TreeRow::bytes_read)},
      {.key = "bytes_written",
       .value = whole(&TreeRow::bytes_written),
       .text = {.title = "i/o bytes",
                .cell =
                    [](const TreeRow& r) {
                      return r.inclusive_io_bytes > 0 ? bytes_text(r.inclusive_io_bytes) : std::string();
                    },
                .steps = 3,
                .legend = {"read and written, callees included"}}},
      {.key = "io_bytes_per_s",
       .value = [](const TreeRow& r) { return Value(io_rate(r)); },
       .text = {.title = "i/o MB/s",
                .cell =
                    [](const TreeRow& r) {
                      const std::optional<double> rate = io_rate(r);
                      return rate ? significant(*rate * 1e-6) : std::string();
                    },
                .steps = 3,
                .legend = {"bytes per time of input and output, of one rank"}}},
  };
  return any ? list : without_text(list);
}

List<TreeRow> own_overlap(bool any) {
  return List<TreeRow>{
      {.key = "transfer_s",
       .value = [](const TreeRow& r) { return r.transfer_s > 0 ? Value(r.transfer_s) : Value(); },
       .csv = any,
       .csv_value = [](const TreeRow& r) { return r.own_overlap_percent ? Value(r.transfer_s) : Value(); },
       .csv_after = "messages_received"},
      {.key = "overlap_percent",
       .value = &TreeRow::own_overlap_percent,
       .fields = Fields::ends,
       .csv = any,
       .csv_after = "transfer_s"},
  };
}

/// `csv`: the run can have any; `budget`: it can say that all times are exact.
List<TreeRow> estimates(bool csv, bool budget) {
  List<TreeRow> list{
      estimated_column(&TreeRow::inclusive_error_s, csv, budget),
      {.key = "inclusive_s",
       .value = [](const TreeRow& r) { return ends_of(r.inclusive_s, r.inclusive_error_s); },
       .fields = Fields::ends,
       .csv = csv},
      {.key = "exclusive_s",
       .value = [](const TreeRow& r) { return ends_of(r.exclusive_s, r.exclusive_error_s); },
       .fields = Fields::ends,
       .csv = csv},
      {.key = "sampled_visits", .value = if_estimated(&TreeRow::sampled_visits), .csv = csv},
      {.key = "timed_visits", .value = if_estimated(&TreeRow::timed_visits), .csv = csv},
  };
  append(list, columns_behind_estimates(&TreeRow::exclusive_error_s, csv));
  return list;
}

/// The tool itself counts nothing: what probes count is their callers'.
template <class Text> auto unless_tool(Text text) {
  return [text](const TreeRow& r) { return r.kind == "tool" ? std::string() : text(r); };
}

} // namespace

List<TreeRow> counts(const Profile& profile, std::size_t first, std::size_t end) {
  List<TreeRow> list;
  for (std::size_t event = first; event < end; ++event) {
    const std::string& name = profile.events[event];
    const auto count = [event](double EventCount::* part) {
      return [=](const TreeRow& r) { return Value(Whole{r.events[event].*part}); };
    };
    const auto text = [event](double EventCount::* part) {
      return unless_tool([=](const TreeRow& r) { return count_text(r.events[event].*part); });
    };
    append(list, List<TreeRow>{{.key = name,
                                .value = count(&EventCount::inclusive),
                                .text = {.title = name, .cell = text(&EventCount::inclusive)},
                                .json_path = {"counters", name, "inclusive"}},
                               {.key = name + "_exclusive",
                                .value = count(&EventCount::exclusive),
                                .text = {.title = "excl.", .cell = text(&EventCount::exclusive)},
                                .json_path = {"counters", name, "exclusive"}},
                               {.key = name + "_mean",
                                .value = [event](const TreeRow& r) { return r.events[event].mean; },
                                .csv = false,
                                .json_path = {"counters", name, "mean"}},
                               {.key = name + "_max",
                                .value = count(&EventCount::max),
                                .csv = false,
                                .json_path = {"counters", name, "max"}}});
  }
  if (!cycle_events(profile.events)) return list;
  append(list, List<TreeRow>{{.key = "instructions_per_cycle",
                              .value = &TreeRow::instructions_per_cycle,
                              .text = {.title = "IPC", .cell = unless_tool([](const TreeRow& r) {
                                                         return fixed(r.instructions_per_cycle, 2);
                                                       })}},
                             {.key = "own_instructions_per_cycle",
                              .value = &TreeRow::own_instructions_per_cycle,
                              .text = {.title = "excl.", .cell = unless_tool([](const TreeRow& r) {
                                                           return fixed(r.own_instructions_per_cycle, 2);
                                                         })}}});
  return list;
}

List<TreeRow> callpaths(const Profile& profile, const Tree& tree, const std::string& whole) {
  const ToolCost cost = tool_cost(profile);
  List<TreeRow> list = place(profile);
  append(list, times(tree, whole));
  const bool any_io =
      std::any_of(tree.rows.begin(), tree.rows.end(), [](const TreeRow& r) { return r.io_s.value_or(0) > 0; });
  append(list, input_output(any_io));
  append(list, without_text(counts(profile, 0, profile.events.size())));
  append(list, own_overlap(has_overlap(tree)));
  append(list, estimates(knows_estimates(tree.sampling, cost), cost.budget_percent.has_value()));
  return list;
}

} // namespace andes::postproc::columns
