#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "postproc/view/columns/changes.h"
#include "postproc/view/diff_view.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

constexpr std::size_t most_paths = 8, most_terms = 3;

bool is_grid(const Diff& diff) { return diff.comparison.grid; }

std::string size_text(const Diff& diff, const SizeChanges& size) {
  return place_text(size.ranks, size.threads, is_grid(diff));
}

const ComparedPoint* point_of(const Diff& diff, const SizeChanges& size) {
  for (const ComparedPoint& p : diff.comparison.points)
    if (p.ranks == size.ranks && p.threads == size.threads) return &p;
  return nullptr;
}

/// The size whose call paths are shown: the largest that counts.
const SizeChanges& shown_size(const Diff& diff) {
  const auto at = std::find_if(diff.changes.sizes.begin(), diff.changes.sizes.end(), [&](const SizeChanges& size) {
    return size.ranks == diff.comparison.ranks && size.threads == diff.comparison.threads;
  });
  return at == diff.changes.sizes.end() ? diff.changes.sizes.back() : *at;
}

std::string terms_text(const std::vector<TermChange>& terms, double least_s, std::size_t most) {
  std::string text;
  for (const TermChange& term : terms) {
    if (std::fabs(term.change_s) < least_s || most == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", term.title, signed_seconds(term.change_s));
    --most;
  }
  return text;
}

/// The terms of a call path, and why it computes more, as counters tell.
std::string what_changed(const PathChange& path) {
  std::string text = path.is_new ? "new: " : path.vanished ? "vanished: " : "";
  text += terms_text(path.terms, std::fabs(path.figures.change_s.median) / 20, most_terms);
  if (path.computation) {
    const ComputationSplit& split = *path.computation;
    text += fmt::format(" (instructions {}, cycles for each {}, frequency {})", signed_seconds(split.instructions_s),
                        signed_seconds(split.per_cycle_s), signed_seconds(split.frequency_s));
  }
  if (path.guess.is_guess())
    text += path.guess.by == Likeness::below ? " (guess)" : " (guess: " + path.guess.reason + ")";
  return text;
}

std::string sizes_with(const Diff& diff, ChangeVerdict verdict) {
  std::string text;
  for (const SizeChanges& size : diff.changes.sizes)
    if (size.time.verdict == verdict) text += (text.empty() ? "" : ", ") + size_text(diff, size);
  return text;
}

/// What changed in total: the first line.
std::string head_text(const Diff& diff) {
  const SizeChanges& size = shown_size(diff);
  const ChangeFigures& time = size.time;
  const ComparedPoint* point = point_of(diff, size);
  std::string text;
  switch (time.verdict) {
  case ChangeVerdict::slower: text = "Slower"; break;
  case ChangeVerdict::faster: text = "Faster"; break;
  case ChangeVerdict::equal: text = fmt::format("Equal within {:g} %", diff.changes.margin_percent); break;
  default: text = "Cannot be told with these runs"; break;
  }
  text += fmt::format(" at {}: T {} -> {} s", size_text(diff, size), significant(time.before_s.median, 4),
                      significant(time.after_s.median, 4));
  if (point)
    text += fmt::format(", {:+.1f} %{}{}", point->change_percent.median,
                        point->change_percent.kind == Estimate::Kind::point ? "" : " ",
                        spread_text(point->change_percent, 3));
  if (time.verdict == ChangeVerdict::undecided)
    text += time.more_runs ? fmt::format("; about {:.0f} more runs of each would tell", *time.more_runs)
                           : "; single runs have no spread: --repeat 6";
  text += ".";
  if (diff.changes.sizes.size() > 1)
    for (const ChangeVerdict other : {ChangeVerdict::slower, ChangeVerdict::faster})
      if (const std::string sizes = sizes_with(diff, other); other != time.verdict && !sizes.empty())
        text += fmt::format(" But {} at {}.", name_of(other), sizes);
  return text;
}

std::string build_line(const char* title, const ComparedBuild& build) {
  return fmt::format("  {} build {}{}, {} run{}\n", title, build.hash.empty() ? "unknown" : build.hash,
                     build.started.empty() ? "" : ", last started " + build.started, build.files.size(),
                     build.files.size() == 1 ? "" : "s");
}

/// What is not in the table: equal call paths, those that cannot be told, light ones.
std::string rest_text(const Diff& diff, const SizeChanges& size) {
  const double margin = diff.changes.margin_percent;
  std::size_t equal = 0, undecided = 0;
  const PathChange* open = nullptr; // the most changed that cannot be told
  for (const PathChange& path : size.paths) {
    equal += path.figures.verdict == ChangeVerdict::equal;
    if (path.figures.verdict != ChangeVerdict::undecided) continue;
    if (undecided++ == 0) open = &path;
  }
  std::string text = fmt::format("{} of {} call paths equal within {:g} % of T", equal, size.paths.size(), margin);
  if (size.light > 0) text += fmt::format(", {} more lighter than {:g} % of it", size.light, margin / 10);
  text += ".";
  if (open) {
    text += fmt::format(" Cannot be told with these runs: {}, first of them {} ({}", undecided, joined_path(open->path),
                        (open->figures.change_s.median > 0 ? "+" : "") + time_text(open->figures.change_s.median));
    text += open->figures.more_runs ? fmt::format("; about {:.0f} more runs of each would)", *open->figures.more_runs)
                                    : "; single runs)";
    text += ".";
  }
  text += fmt::format(" Of the changes named, {:.0f} in 100 are none on average (false discovery rate, {} tested).",
                      100 * false_discovery_rate, diff.changes.tested);
  return text;
}

/// How call paths of the one build were found in the other.
std::string identity_text(const Diff& diff) {
  std::map<Likeness, std::size_t> guesses;
  std::size_t came = 0, gone = 0, guessed = 0;
  std::string example;
  for (const Unlike& unlike : diff.changes.unlike) {
    came += unlike.was.empty() && !unlike.guess.is_guess();
    gone += unlike.path.empty();
    if (!unlike.guess.is_guess()) continue;
    ++guessed;
    ++guesses[unlike.guess.by];
    if (example.empty() && unlike.guess.by != Likeness::below)
      example = joined_path(unlike.path) + ": " + unlike.guess.reason;
  }
  if (guessed + came + gone == 0) return {};
  std::string text = fmt::format("{} of {} call paths are in both builds, {} new, {} vanished", diff.changes.matched,
                                 diff.changes.callpaths, came, gone);
  if (guessed > 0) {
    text += fmt::format("; {} of them guessed (", guessed);
    bool first = true;
    for (const auto& [by, count] : guesses) {
      text += fmt::format("{}{} {}", first ? "" : ", ", count, name_of(by));
      first = false;
    }
    text += fmt::format("; --json lists them): {}", example);
  }
  return text + ".";
}

/// What the older build's runs promised for its heaviest cause of waiting, and what came of it.
std::string promise_text(const Diff& diff) {
  const auto promised_s = [](const ComparedCause& cause) {
    return cause.predicted.value_s.value_or(cause.predicted.high_s);
  };
  const auto heaviest =
      std::max_element(diff.comparison.causes.begin(), diff.comparison.causes.end(),
                       [&](const ComparedCause& a, const ComparedCause& b) { return promised_s(a) < promised_s(b); });
  if (heaviest == diff.comparison.causes.end() || promised_s(*heaviest) <= 0) return {};
  return fmt::format("The earlier build promised {} without '{}' in {}; its waits became {} {}.",
                     heaviest->predicted.value_s ? time_text(promised_s(*heaviest))
                                                 : "up to " + time_text(promised_s(*heaviest)),
                     heaviest->title.empty() ? heaviest->cause : heaviest->title, joined_path(heaviest->path),
                     time_text(std::fabs(heaviest->realised_s)), heaviest->realised_s < 0 ? "longer" : "shorter");
}

} // namespace

std::string verdict_text(const ChangeFigures& figures, double margin_percent) {
  if (figures.verdict == ChangeVerdict::equal) return fmt::format("equal within {:g} %", margin_percent);
  if (figures.verdict != ChangeVerdict::undecided) return name_of(figures.verdict);
  if (!figures.more_runs) return "cannot be told: single runs";
  return fmt::format("cannot be told: about {:.0f} more runs", *figures.more_runs);
}

std::string diff_text(const Terminal& terminal, const Diff& diff) {
  const Changes& changes = diff.changes;
  const std::string step = comparison_text(terminal, diff.comparison);
  if (changes.sizes.empty()) return step; // of runs that did not finish
  const SizeChanges& size = shown_size(diff);
  const int width = std::min(terminal.width, 100);
  std::string text = styled(terminal, Style::bold, wrapped(head_text(diff), width, "", ""));
  text += build_line("before:", diff.comparison.before) + build_line("after: ", diff.comparison.after);
  const auto verdict = [&](const ChangeFigures& figures) { return verdict_text(figures, changes.margin_percent); };
  if (changes.sizes.size() > 1)
    text += table_text(
        terminal, columns::text_table(columns::size_changes(verdict, is_grid(diff), terminal.utf8 ? "\u2192" : "->"),
                                      changes.sizes));
  const std::string terms = terms_text(size.terms, std::fabs(size.time.before_s.median) / 1000, 6);
  text += wrapped(fmt::format("Seconds of each core at {}: {}.", size_text(diff, size),
                              terms.empty() ? "no term changed by 0.1 % of T" : terms),
                  width, "  ", "  ");
  std::vector<PathChange> shown;
  for (const PathChange& path : size.paths)
    if (path.figures.verdict != ChangeVerdict::equal && path.figures.verdict != ChangeVerdict::undecided &&
        shown.size() < most_paths)
      shown.push_back(path);
  const auto changed =
      static_cast<std::size_t>(std::count_if(size.paths.begin(), size.paths.end(), [](const PathChange& p) {
        return p.figures.verdict != ChangeVerdict::equal && p.figures.verdict != ChangeVerdict::undecided;
      }));
  if (!shown.empty())
    text += table_text(terminal,
                       columns::text_table(columns::path_changes(size.time.before_s.median, what_changed), shown));
  if (changed > shown.size())
    text += fmt::format("  and {} that changed less (--json lists them)\n", changed - shown.size());
  text += wrapped(rest_text(diff, size), width, "  ", "  ");
  for (const std::string& line : {identity_text(diff), promise_text(diff)})
    if (!line.empty()) text += wrapped(line, width, "  ", "  ");
  text += promises_text(terminal, diff.promises);
  return diff.full ? text + step : text;
}

std::string diff_json(const Diff& diff) {
  Json json{{"schema", 1}};
  json.update(comparison_object(diff.comparison));
  const Changes& changes = diff.changes;
  const auto no_text = [](const auto&) { return std::string(); };
  json["margin_percent"] = changes.margin_percent;
  json["false_discovery_rate"] = false_discovery_rate;
  json["tested"] = changes.tested;
  json["sizes"] = Json::array();
  for (const SizeChanges& size : changes.sizes) {
    Json object = Json::object();
    columns::add_columns(object, columns::size_changes(no_text, is_grid(diff), ""), size);
    object["terms"] = columns::json_rows(columns::term_changes(), size.terms);
    object["callpaths"] = Json::array();
    for (const PathChange& path : size.paths) {
      Json one = Json::object();
      columns::add_columns(one, columns::path_changes(1, no_text), path);
      one["terms"] = columns::json_rows(columns::term_changes(), path.terms);
      if (path.computation)
        one["computation"] = {{"instructions_s", path.computation->instructions_s},
                              {"instructions_per_cycle_s", path.computation->per_cycle_s},
                              {"frequency_s", path.computation->frequency_s}};
      object["callpaths"].push_back(std::move(one));
    }
    json["sizes"].push_back(std::move(object));
  }
  if (!diff.promises.all.empty()) json["predictions"] = promises_json(diff.promises, is_grid(diff));
  json["identity"] = {{"callpaths", changes.callpaths},
                      {"matched", changes.matched},
                      {"unlike", columns::json_rows(columns::unlike_paths(), changes.unlike)}};
  return document(json);
}

} // namespace andes::postproc
