// The tree is walked once, with a stack of its own, as depth comes from the file: on the way it is known of each row
// whether a row of the same function is above it.
#include "postproc/analysis/flat.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "common/nearest.h"
#include "common/refusal.h"
#include "postproc/analysis/medians.h"

namespace andes::postproc {
namespace {

/// What makes two rows one: kind, name, file, line.
using FlatKey = std::tuple<std::string, std::string, std::string, int>;

FlatKey key_of(const TreeRow& row, FlatBy by) {
  switch (by) {
  case FlatBy::kind: return {row.kind, row.kind, "", 0};
  case FlatBy::file:
    if (!row.file.empty()) return {"", row.file, "", 0};
    if (!is_mpi_kind(row.kind)) return {"", "(no file)", "", 0};
    return {"", row.kind == "io" && !row.name.starts_with("MPI_") ? "(C library)" : "(MPI)", "", 0};
  default: return {row.kind, row.name, row.file, row.line};
  }
}

FlatKey key_of(const FlatRow& row) { return {row.kind, row.name, row.file, row.line}; }

/// Numbers of the keys of all rows, counted from 0 in the order in which they are met.
struct Numbered {
  std::vector<std::size_t> of_row;
  std::vector<FlatKey> keys;
};

Numbered numbered(const Tree& tree, FlatBy by) {
  Numbered result;
  std::map<FlatKey, std::size_t> known;
  for (const TreeRow& row : tree.rows) {
    const auto [at, is_new] = known.try_emplace(key_of(row, by), result.keys.size());
    if (is_new) result.keys.push_back(at->first);
    result.of_row.push_back(at->second);
  }
  return result;
}

/// Calls `enter(row, parent)` and `leave(row, parent)` for each row, callees between the two; a root is its own parent.
template <class Enter, class Leave> void walk(const Tree& tree, Enter enter, Leave leave) {
  struct Step {
    std::size_t row, parent;
    bool leaves;
  };
  std::vector<Step> stack;
  for (auto root = tree.roots.rbegin(); root != tree.roots.rend(); ++root) stack.push_back({*root, *root, false});
  while (!stack.empty()) {
    const Step step = stack.back();
    stack.pop_back();
    if (step.leaves) {
      leave(step.row, step.parent);
      continue;
    }
    enter(step.row, step.parent);
    stack.push_back({step.row, step.parent, true});
    const std::vector<std::size_t>& children = tree.rows[step.row].children;
    for (auto child = children.rbegin(); child != children.rend(); ++child) stack.push_back({*child, step.row, false});
  }
}

/// A row that is summed in another one; `outermost`: none above it is.
struct Summand {
  std::size_t row;
  bool outermost;
};

/// Whether rows are all those of their functions: samples tell more of the sum of these than of each.
enum class Rows { all, some };

/// The sum of these rows of the tree. What has less than one per cent of its visits and of its time does not make it
/// unreliable: many functions have a rare call path of which few visits were timed.
FlatRow sum_of(const Profile& profile, const std::vector<Statistic>& statistics, const Tree& tree, const FlatKey& key,
               const std::vector<Summand>& summands, Rows rows) {
  constexpr double light = 0.01;
  FlatRow sum;
  std::tie(sum.kind, sum.name, sum.file, sum.line) = key;
  sum.callpaths = summands.size();
  for (const Summand& summand : summands) {
    const TreeRow& row = tree.rows[summand.row];
    sum.visits += row.visits;
    sum.exclusive_s += row.exclusive_s;
    sum.bytes_sent += row.bytes_sent;
    sum.bytes_received += row.bytes_received;
    sum.messages_sent += row.messages_sent;
    sum.messages_received += row.messages_received;
    sum.bytes_read += row.bytes_read;
    sum.bytes_written += row.bytes_written;
    add(sum.sizes, row.sizes);
    sum.sampled_visits += row.sampled_visits;
    sum.timed_visits += row.timed_visits;
    sum.muted = sum.muted || row.muted;
    if (!summand.outermost) continue;
    sum.inclusive_s += row.inclusive_s;
    sum.communication_s += row.communication_s;
    if (row.idle_s) sum.idle_s = sum.idle_s.value_or(0) + *row.idle_s;
    if (row.io_s) sum.io_s = sum.io_s.value_or(0) + *row.io_s;
  }
  std::vector<Statistic> inclusive(profile.metrics()), all(profile.metrics());
  SamplingError estimated, by_probes; // of exclusive times; of the second samples tell nothing
  double from_samples_s = 0;
  for (const Summand& summand : summands) {
    const TreeRow& row = tree.rows[summand.row];
    const Statistic* own = &statistics[static_cast<std::size_t>(row.id) * profile.metrics()];
    for (std::size_t m = 0; m < all.size(); ++m) all[m].sum += own[m].sum;
    const bool few = row.visits < light * sum.visits;
    SamplingError exclusive = row.exclusive_error_s;
    if (few && std::abs(row.exclusive_s) < light * sum.exclusive_s) exclusive.reliable = true;
    SamplingError& of = exclusive.by_probes ? by_probes : estimated;
    of = error_of_sum(of, exclusive);
    from_samples_s = std::hypot(from_samples_s, row.region_error_s);
    if (!summand.outermost) continue;
    const bool is_light = few && row.inclusive_s < light * sum.inclusive_s;
    for (const int metric :
         {run_file::sampled_visits, run_file::timed_visits, run_file::cost_error_ns, run_file::probe_error_ns,
          run_file::below_ns2, run_file::above_ns2, run_file::unreliable}) {
      const auto m = static_cast<std::size_t>(metric);
      if (metric != run_file::unreliable || !is_light) {
        inclusive[m].sum += own[m].sum;
        inclusive[m].mean += own[m].mean;
      }
    }
    // A call path of which nothing was timed has left its time to its caller.
    if (row.sampled_visits > 0 && row.timed_visits == 0 && !is_light) inclusive[run_file::unreliable].sum += 1;
  }
  sum.visits_below = visits_below(all.data());
  sum.visits_above = visits_above(all.data());
  sum.inclusive_error_s = scaled(inclusive_error(inclusive.data()), 1e-9);
  if (rows == Rows::all) estimated = narrowed(estimated, from_samples_s);
  sum.exclusive_error_s = error_of_sum(estimated, by_probes);
  return sum;
}

bool heavier(const FlatRow& a, const FlatRow& b, double FlatRow::* first, double FlatRow::* second) {
  return std::tuple(b.*first, b.*second, b.visits, a.name) < std::tuple(a.*first, a.*second, a.visits, b.name);
}

void sort_by_own_time(std::vector<FlatRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const FlatRow& a, const FlatRow& b) {
    return heavier(a, b, &FlatRow::exclusive_s, &FlatRow::inclusive_s);
  });
}

std::optional<double> per(double amount, double count) {
  return count > 0 ? std::optional(amount / count) : std::nullopt;
}

/// `ns::C::f<int>(double)` as `f`.
std::string short_name(const std::string& name) {
  std::string text = name.substr(0, name.find('(', 1));
  int depth = 0;
  std::string flat; // without template arguments
  for (const char c : text) {
    if (c == '<') ++depth;
    if (depth == 0) flat += c;
    if (c == '>' && depth > 0) --depth;
  }
  const std::size_t colon = flat.rfind("::");
  return colon == flat.npos ? flat : flat.substr(colon + 2);
}

/// Numbers of the keys with this name; throws Refusal without one.
std::vector<std::size_t> functions_named(const Profile& profile, const Numbered& functions, const std::string& name) {
  std::vector<std::size_t> found, inexact;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < functions.keys.size(); ++i) {
    const std::string& own = std::get<1>(functions.keys[i]);
    names.push_back(own);
    if (own == name) found.push_back(i);
    if (const std::string simple = short_name(own); simple == name) inexact.push_back(i);
    else names.push_back(simple);
  }
  if (found.empty()) found = inexact;
  if (!found.empty()) return found;
  const std::string near = nearest(name, names);
  refuse(profile.file, "it has no function " + name,
         near.empty() ? "andes show --flat lists them" : "did you mean " + near + "?");
}

} // namespace

std::optional<double> inclusive_per_visit_s(const FlatRow& row) { return per(row.inclusive_s, row.visits); }
std::optional<double> exclusive_per_visit_s(const FlatRow& row) { return per(row.exclusive_s, row.visits); }
std::optional<double> mean_bytes_sent(const FlatRow& row) { return per(row.bytes_sent, row.messages_sent); }
std::optional<double> mean_bytes_received(const FlatRow& row) { return per(row.bytes_received, row.messages_received); }

std::vector<FlatRow> flat_profile(const Profile& profile, const std::vector<Statistic>& statistics, const Tree& tree,
                                  FlatBy by) {
  const Numbered numbers = numbered(tree, by);
  std::vector<std::size_t> open(numbers.keys.size());
  std::vector<std::vector<Summand>> summands(numbers.keys.size());
  walk(
      tree,
      [&](std::size_t row, std::size_t) {
        const std::size_t number = numbers.of_row[row];
        summands[number].push_back({row, open[number]++ == 0});
      },
      [&](std::size_t row, std::size_t) { --open[numbers.of_row[row]]; });
  std::vector<FlatRow> rows;
  for (std::size_t i = 0; i < summands.size(); ++i)
    if (by != FlatBy::kind || is_mpi_kind(std::get<0>(numbers.keys[i])))
      rows.push_back(sum_of(profile, statistics, tree, numbers.keys[i], summands[i], Rows::all));
  sort_by_own_time(rows);
  return rows;
}

std::vector<FunctionCalls> calls_of(const Profile& profile, const std::vector<Statistic>& statistics, const Tree& tree,
                                    const std::string& name) {
  const Numbered numbers = numbered(tree, FlatBy::function);
  std::vector<double> visits(numbers.keys.size()); // by number
  for (std::size_t row = 0; row < tree.rows.size(); ++row) visits[numbers.of_row[row]] += tree.rows[row].visits;
  std::vector<FunctionCalls> all;
  for (const std::size_t function : functions_named(profile, numbers, name)) {
    std::vector<Summand> own;
    std::map<std::size_t, std::vector<Summand>> callers, callees; // by number
    std::map<std::size_t, std::size_t> open; // calls of callees that have not returned
    std::size_t depth = 0;
    const auto is_call = [&](std::size_t row, std::size_t parent) {
      return row != parent && numbers.of_row[parent] == function;
    };
    walk(
        tree,
        [&](std::size_t row, std::size_t parent) {
          const std::size_t number = numbers.of_row[row];
          if (is_call(row, parent)) callees[number].push_back({row, open[number]++ == 0});
          if (number != function) return;
          own.push_back({row, depth == 0});
          if (row != parent) callers[numbers.of_row[parent]].push_back({row, depth == 0});
          ++depth;
        },
        [&](std::size_t row, std::size_t parent) {
          if (numbers.of_row[row] == function) --depth;
          if (is_call(row, parent)) --open[numbers.of_row[row]];
        });
    const auto sum = [&](std::size_t number, const std::vector<Summand>& summands, Rows rows = Rows::some) {
      return sum_of(profile, statistics, tree, numbers.keys[number], summands, rows);
    };
    FunctionCalls calls{sum(function, own, Rows::all), {}, {}};
    const FlatRow& whole = calls.function;
    for (const auto& [number, summands] : callers)
      calls.callers.push_back({sum(number, summands), whole.visits, whole.inclusive_s});
    for (const auto& [number, summands] : callees)
      calls.callees.push_back({sum(number, summands), visits[number], whole.inclusive_s});
    for (auto* between : {&calls.callers, &calls.callees})
      std::stable_sort(between->begin(), between->end(), [](const CallsBetween& a, const CallsBetween& b) {
        return heavier(a.calls, b.calls, &FlatRow::inclusive_s, &FlatRow::exclusive_s);
      });
    all.push_back(std::move(calls));
  }
  std::stable_sort(all.begin(), all.end(), [](const FunctionCalls& a, const FunctionCalls& b) {
    return a.function.inclusive_s > b.function.inclusive_s;
  });
  return all;
}

FlatProfile flat_profiles(const Profile& profile, const std::vector<Statistic>& statistics, const Tree& tree) {
  const auto by = [&](FlatBy what) { return flat_profile(profile, statistics, tree, what); };
  return {by(FlatBy::function), by(FlatBy::file), by(FlatBy::kind), {}};
}

FlatRun median_flat(const std::vector<FlatRun>& repeats) {
  std::map<FlatKey, std::vector<FlatRow>> by_key;
  std::vector<double> times;
  for (const FlatRun& repeat : repeats) {
    times.push_back(repeat.time_s);
    for (const FlatRow& row : repeat.rows) by_key[key_of(row)].push_back(row);
  }
  FlatRun result;
  if (repeats.empty()) return result;
  result.time_s = median(std::move(times));
  for (auto& [key, rows] : by_key) {
    FlatRow row = rows.front();
    row.callpaths = 0;
    for (const FlatRow& one : rows) {
      row.callpaths = std::max(row.callpaths, one.callpaths);
      row.muted = row.muted || one.muted;
    }
    rows.resize(repeats.size()); // not met in a repeat: zero
    for (auto member :
         {&FlatRow::visits, &FlatRow::visits_below, &FlatRow::visits_above, &FlatRow::inclusive_s,
          &FlatRow::exclusive_s, &FlatRow::communication_s, &FlatRow::bytes_sent, &FlatRow::bytes_received,
          &FlatRow::messages_sent, &FlatRow::messages_received, &FlatRow::bytes_read, &FlatRow::bytes_written,
          &FlatRow::sampled_visits, &FlatRow::timed_visits})
      row.*member = median_over(rows, member);
    row.idle_s = median_over(rows, &FlatRow::idle_s);
    row.io_s = median_over(rows, &FlatRow::io_s);
    std::vector<SizeCounts> sizes;
    std::vector<SamplingError> inclusive, exclusive;
    for (const FlatRow& one : rows) {
      sizes.push_back(one.sizes);
      inclusive.push_back(one.inclusive_error_s);
      exclusive.push_back(one.exclusive_error_s);
    }
    row.sizes = median_sizes(sizes);
    row.inclusive_error_s = error_of_median(inclusive);
    row.exclusive_error_s = error_of_median(exclusive);
    result.rows.push_back(std::move(row));
  }
  sort_by_own_time(result.rows);
  return result;
}

FlatRun median_flat(const std::vector<Profile>& trees) {
  std::vector<FlatRun> repeats;
  for (const Profile& profile : trees) {
    const Tree tree = tree_of(profile, profile.statistics);
    repeats.push_back({flat_profile(profile, profile.statistics, tree, FlatBy::function), tree.time_s});
  }
  return median_flat(repeats);
}

} // namespace andes::postproc
