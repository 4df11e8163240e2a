// People see the name first, which gives way to the numbers. Where there is no room, what can be computed from other
// columns goes first: the times of a visit, then bytes and errors.
#include "postproc/view/columns/flat.h"

#include "postproc/view/columns/message_sizes.h"
#include "postproc/view/diagnosis_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

std::string per_visit(const std::optional<double>& time_s) { return time_s ? seconds_text(*time_s) : std::string(); }

auto whole(double FlatRow::* count) {
  return [count](const FlatRow& r) { return Value(Whole{r.*count}); };
}

/// A number of visits that only estimated functions tell.
auto if_estimated(double FlatRow::* visits) {
  return [visits](const FlatRow& r) { return r.inclusive_error_s.estimated ? Value(Whole{r.*visits}) : Value(); };
}

/// What of the whole time a part is, in text.
std::string share(double part_s, const FlatKinds& kinds, const SamplingError& error) {
  return kinds.time_s > 0 ? marked(fixed(100 * part_s / kinds.time_s, 1), error) : std::string();
}

TextPart<FlatRow> name_of_row(const char* title) {
  return {.title = title,
          .cell = [](const FlatRow& r) -> Cell {
            return {readable_name(r.name) + (r.muted ? " (muted)" : ""),
                    is_mpi_kind(r.kind) ? Style::cyan : Style::plain};
          },
          .align = left,
          .gives_way = true};
}

List<FlatRow> times(const FlatKinds& kinds) {
  return List<FlatRow>{
      {.text = {.title = "excl. %",
                .cell = [=](const FlatRow& r) { return share(r.exclusive_s, kinds, r.exclusive_error_s); }}},
      {.text = {.title = "incl. %",
                .cell = [=](const FlatRow& r) { return share(r.inclusive_s, kinds, r.inclusive_error_s); },
                .steps = 3}},
      {.key = "callpaths", .value = [](const FlatRow& r) { return static_cast<std::int64_t>(r.callpaths); }},
      {.key = "visits",
       .value = whole(&FlatRow::visits),
       .text = {.title = "visits",
                .cell =
                    [](const FlatRow& r) {
                      return visits_text(r.visits, r.visits_above, r.inclusive_error_s, r.muted);
                    }}},
      {.key = "inclusive_s",
       .value = &FlatRow::inclusive_s,
       .text = {
           .title = "incl. s",
           .cell = [](const FlatRow& r) { return marked(seconds_text(r.inclusive_s), r.inclusive_error_s); },
           .error = [](const FlatRow& r,
                       ErrorColumn column) { return time_error_text(r.inclusive_s, r.inclusive_error_s, column); }}},
      {.key = "exclusive_s",
       .value = &FlatRow::exclusive_s,
       .text = {
           .title = "excl. s",
           .cell = [](const FlatRow& r) { return marked(seconds_text(r.exclusive_s), r.exclusive_error_s); },
           .error = [](const FlatRow& r,
                       ErrorColumn column) { return time_error_text(r.exclusive_s, r.exclusive_error_s, column); }}},
      {.key = "inclusive_per_visit_s",
       .value = inclusive_per_visit_s,
       .text = {.title = "incl. s/visit",
                .cell =
                    [](const FlatRow& r) { return marked(per_visit(inclusive_per_visit_s(r)), r.inclusive_error_s); },
                .steps = 0}},
      {.key = "exclusive_per_visit_s",
       .value = exclusive_per_visit_s,
       .text = {.title = "excl. s/visit",
                .cell =
                    [](const FlatRow& r) { return marked(per_visit(exclusive_per_visit_s(r)), r.exclusive_error_s); },
                .steps = 1}},
      {.key = "communication_s",
       .value = &FlatRow::communication_s,
       .text = {.title = "comm. s",
                .cell = [](const FlatRow& r) { return seconds_above_zero(r.communication_s); },
                .steps = 4}},
      {.key = "idle_s",
       .value = &FlatRow::idle_s,
       .text = {.title = "idle s",
                .cell = [](const FlatRow& r) { return seconds_above_zero(r.idle_s.value_or(0)); },
                .steps = 4}},
      {.key = "io_s",
       .value = &FlatRow::io_s,
       .text = {.title = "i/o s",
                .cell = [](const FlatRow& r) { return seconds_above_zero(r.io_s.value_or(0)); },
                .steps = 4}},
  };
}

/// Text: of groups, where messages are what matters.
List<FlatRow> messages(bool text) {
  const auto sent = [](const FlatRow& r) { return r.messages_sent > 0 ? count_text(r.messages_sent) : std::string(); };
  const auto received = [](const FlatRow& r) {
    return r.messages_received > 0 ? count_text(r.messages_received) : std::string();
  };
  const auto moved = [](double FlatRow::* amount) {
    return [amount](const FlatRow& r) { return r.*amount > 0 ? bytes_text(r.*amount) : std::string(); };
  };
  const auto size = [](const std::optional<double>& bytes) { return bytes ? bytes_text(*bytes) : std::string(); };
  List<FlatRow> list{
      {.key = "messages_sent", .value = whole(&FlatRow::messages_sent), .text = {.title = "sent", .cell = sent}},
      {.key = "bytes_sent", .value = whole(&FlatRow::bytes_sent)},
      {.key = "mean_bytes_sent",
       .value = mean_bytes_sent,
       .text = {.title = "mean size", .cell = [=](const FlatRow& r) { return size(mean_bytes_sent(r)); }}},
      {.key = "messages_received",
       .value = whole(&FlatRow::messages_received),
       .text = {.title = "received", .cell = received}},
      {.key = "bytes_received", .value = whole(&FlatRow::bytes_received)},
      {.key = "mean_bytes_received",
       .value = mean_bytes_received,
       .text = {.title = "mean size", .cell = [=](const FlatRow& r) { return size(mean_bytes_received(r)); }}},
      {.key = "bytes_read",
       .value = whole(&FlatRow::bytes_read),
       .text = {.title = "read", .cell = moved(&FlatRow::bytes_read)}},
      {.key = "bytes_written",
       .value = whole(&FlatRow::bytes_written),
       .text = {.title = "written", .cell = moved(&FlatRow::bytes_written)}},
      {.key = "message_sizes", .value = [](const FlatRow& r) { return sizes_value(r.sizes); }, .csv = false},
  };
  return text ? list : without_text(std::move(list));
}

List<FlatRow> estimates(const FlatKinds& kinds) {
  const bool csv = kinds.estimates;
  List<FlatRow> list{
      estimated_column(&FlatRow::inclusive_error_s, csv, kinds.budget),
      {.key = "inclusive_s",
       .value = [](const FlatRow& r) { return ends_of(r.inclusive_s, r.inclusive_error_s); },
       .fields = Fields::ends,
       .csv = csv},
      {.key = "exclusive_s",
       .value = [](const FlatRow& r) { return ends_of(r.exclusive_s, r.exclusive_error_s); },
       .fields = Fields::ends,
       .csv = csv},
      {.key = "sampled_visits", .value = if_estimated(&FlatRow::sampled_visits), .csv = csv},
      {.key = "timed_visits", .value = if_estimated(&FlatRow::timed_visits), .csv = csv},
  };
  append(list, columns_behind_estimates(&FlatRow::exclusive_error_s, csv));
  return list;
}

List<FlatRow> with_figures(List<FlatRow> place, const FlatKinds& kinds, bool messages_in_text) {
  append(place, times(kinds));
  append(place, messages(messages_in_text));
  append(place, estimates(kinds));
  return place;
}

std::optional<double> percent(double part, double of) { return of > 0 ? std::optional(100 * part / of) : std::nullopt; }

} // namespace

FlatKinds flat_kinds(const Profile& profile, const Tree& tree) {
  const ToolCost cost = tool_cost(profile);
  return {tree.time_s, knows_estimates(tree.sampling, cost), cost.budget_percent.has_value()};
}

FlatKinds flat_kinds(const Report& report) {
  return {report.flat.time_s, knows_estimates(report.sampling, report.cost), report.cost.budget_percent.has_value()};
}

List<FlatRow> functions(const FlatKinds& kinds) {
  return with_figures(
      List<FlatRow>{
          {.key = "name", .value = &FlatRow::name, .text = name_of_row("function")},
          {.key = "kind", .value = &FlatRow::kind},
          {.key = "file", .value = [](const FlatRow& r) { return known(r.file); }},
          {.key = "line",
           .value = [](const FlatRow& r) { return known_line(r.line); },
           .text = {.cell = [](const FlatRow& r) { return source_text(r.file, r.line); }, .align = left, .steps = 2},
           .text_after = "io_s"},
      },
      kinds, false);
}

List<FlatRow> files(const FlatKinds& kinds) {
  return with_figures(List<FlatRow>{{.key = "file", .value = &FlatRow::name, .text = name_of_row("file")}}, kinds,
                      false);
}

List<FlatRow> groups(const FlatKinds& kinds) {
  TextPart<FlatRow> name = name_of_row("calls");
  name.cell = [](const FlatRow& r) -> Cell { return {group_title(r.kind), Style::cyan}; };
  List<FlatRow> list = with_figures(List<FlatRow>{{.key = "kind", .value = &FlatRow::kind, .text = name}}, kinds, true);
  for (Column<FlatRow>& column : list) // MPI calls have nothing below them, and people see messages instead
    if (column.text.title.starts_with("incl.") || column.text.title.ends_with("visit")) column.text = {};
  return list;
}

List<CallsBetween> calls_between(const FlatKinds& kinds) {
  const auto of_visits = [](const CallsBetween& c) { return percent(c.calls.visits, c.of_visits); };
  const auto of_time = [](const CallsBetween& c) { return percent(c.calls.inclusive_s, c.of_time_s); };
  List<CallsBetween> list = of_part<CallsBetween>(functions(kinds), [](const CallsBetween& c) { return &c.calls; });
  std::erase_if(list, [](const Column<CallsBetween>& c) { return c.text.title.ends_with('%'); });
  append(list, List<CallsBetween>{
                   {.key = "time_share_percent",
                    .value = of_time,
                    .text = {.title = "time %",
                             .cell =
                                 [=](const CallsBetween& c) {
                                   const auto share = of_time(c);
                                   return share ? marked(fixed(*share, 1), c.calls.inclusive_error_s) : std::string();
                                 },
                             .legend = {"of the function's inclusive time"}},
                    .text_after = "name"},
                   {.key = "visits_share_percent",
                    .value = of_visits,
                    .text = {.title = "visits %",
                             .cell =
                                 [=](const CallsBetween& c) {
                                   const auto share = of_visits(c);
                                   return share ? fixed(*share, 1) : std::string();
                                 },
                             .legend = {"of the visits of the one that is called"}},
                    .text_after = "visits"},
               });
  return list;
}

std::vector<CallLine> lines_of(const std::vector<FunctionCalls>& calls) {
  std::vector<CallLine> lines;
  for (const FunctionCalls& block : calls) {
    const FlatRow& function = block.function;
    for (const CallsBetween& caller : block.callers) lines.push_back({function.name, "caller", caller});
    lines.push_back({function.name, "function", {function, function.visits, function.inclusive_s}});
    for (const CallsBetween& callee : block.callees) lines.push_back({function.name, "callee", callee});
  }
  return lines;
}

List<CallLine> call_lines(const FlatKinds& kinds) {
  List<CallLine> list{
      {.key = "function", .value = &CallLine::function},
      {.key = "relation",
       .value = &CallLine::relation,
       .text = {.cell = [](const CallLine& l) { return std::string(l.relation); }, .align = left}},
  };
  append(list, of_part<CallLine>(calls_between(kinds), [](const CallLine& l) { return &l.between; }));
  return list;
}

} // namespace andes::postproc::columns
