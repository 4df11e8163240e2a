// The trace event format of Chrome and Perfetto (JSON): a process for each rank, a thread for each of its threads.
// It is no trace: a run file has none. Each call path is one event, as long as all its visits together, the callees
// of a caller one after the other; so the picture is the call tree of every rank, on a common scale.
#include "postproc/view/export/call_paths.h"
#include "postproc/view/export/export.h"
#include "postproc/view/json.h"

namespace andes::postproc {
namespace {

double in_us(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

Json name_of(const char* what, const LocationTimes& times, const std::string& name) {
  Json event{{"ph", "M"}, {"name", what}, {"pid", times.rank}, {"tid", times.thread}};
  event["args"]["name"] = name;
  return event;
}

void add_events(Json& events, const ShownRun& run, const std::vector<std::size_t>& order, const LocationTimes& times) {
  std::vector<std::int64_t> begins(run.tree.rows.size());
  std::int64_t next_ns = 0;
  for (const std::size_t root : run.tree.roots) {
    begins[root] = next_ns;
    next_ns += times.inclusive_ns[root];
  }
  for (const std::size_t row : order) {
    const TreeRow& path = run.tree.rows[row];
    std::int64_t begin_ns = begins[row];
    for (const std::size_t child : path.children) {
      begins[child] = begin_ns;
      begin_ns += times.inclusive_ns[child];
    }
    if (times.inclusive_ns[row] == 0) continue;
    Json& event = events.emplace_back(Json{{"ph", "X"},
                                           {"name", path.name},
                                           {"cat", path.kind},
                                           {"pid", times.rank},
                                           {"tid", times.thread},
                                           {"ts", in_us(begins[row])},
                                           {"dur", in_us(times.inclusive_ns[row])}});
    event["args"]["own_s"] = 1e-9 * static_cast<double>(times.own_ns[row]);
    set(event["args"], "file", path.file);
    if (path.line > 0) event["args"]["line"] = path.line;
  }
}

std::string trace(const Terminal&, const ShownRun& run) {
  require_call_paths(run, "trace");
  const std::vector<std::size_t> order = rows_in_order(run.tree);
  Json events = Json::array();
  for (const LocationTimes& times : times_by_location(run, "trace")) {
    if (times.thread == 0) events.push_back(name_of("process_name", times, "rank " + std::to_string(times.rank)));
    events.push_back(name_of("thread_name", times, "thread " + std::to_string(times.thread)));
    add_events(events, run, order, times);
  }
  Json json{{"displayTimeUnit", "ms"}};
  json["otherData"] = {{"command", command_line(run.profile)},
                       {"file", run.profile.file},
                       {"what", "the call tree of each rank: all visits of a call path together, not when they were"}};
  json["traceEvents"] = std::move(events);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace

const Export show_trace =
    Format<ShownRun>{{"trace", "Print the call tree of each rank as Perfetto and Chrome show it"}, trace};

} // namespace andes::postproc
