// The sentences are composed here, once for text and Markdown.
#include "postproc/view/diff_summary.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

constexpr std::size_t most_paths = 8, most_terms = 3;

bool is_grid(const Diff& diff) { return diff.comparison.grid; }

std::string size_text(const Diff& diff, const SizeChanges& size) {
  return place_text(size.ranks, size.threads, is_grid(diff)) + (size.oversubscribed ? " (oversubscribed)" : "");
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

std::string more_runs_text(double more) { return fmt::format("about {:.0f} more run{}", more, more < 1.5 ? "" : "s"); }

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
  text += fmt::format(" at {}: T {}", size_text(diff, size),
                      before_and_after(time.before_s.median, time.after_s.median, "->"));
  if (point)
    text += fmt::format(", {:+.1f} %{}{}", point->change_percent.median,
                        point->change_percent.kind == Estimate::Kind::point ? "" : " ",
                        spread_text(point->change_percent, 3));
  if (time.verdict == ChangeVerdict::undecided)
    text += time.more_runs ? fmt::format("; {} of each would tell", more_runs_text(*time.more_runs))
                           : "; single runs have no spread: --repeat 6";
  text += ".";
  if (diff.changes.sizes.size() > 1)
    for (const ChangeVerdict other : {ChangeVerdict::slower, ChangeVerdict::faster})
      if (const std::string sizes = sizes_with(diff, other); other != time.verdict && !sizes.empty())
        text += fmt::format(" But {} at {}.", name_of(other), sizes);
  return text;
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
    text += open->figures.more_runs ? fmt::format("; {} of each would)", more_runs_text(*open->figures.more_runs))
                                    : "; single runs)";
    text += ".";
  }
  if (equal + undecided < size.paths.size())
    text += fmt::format(" On average {:.0f} in 100 of the changes named are false (false discovery rate, {} tested).",
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

bool is_change(const PathChange& path) {
  return path.figures.verdict != ChangeVerdict::equal && path.figures.verdict != ChangeVerdict::undecided;
}

} // namespace

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

std::string verdict_text(const ChangeFigures& figures, double margin_percent) {
  if (figures.verdict == ChangeVerdict::equal) return fmt::format("equal within {:g} %", margin_percent);
  if (figures.verdict != ChangeVerdict::undecided) return name_of(figures.verdict);
  if (!figures.more_runs) return "cannot be told: single runs";
  return "cannot be told: " + more_runs_text(*figures.more_runs);
}

std::optional<DiffSummary> summary_of(const Diff& diff) {
  if (diff.changes.sizes.empty()) return {};
  DiffSummary summary;
  const SizeChanges& size = shown_size(diff);
  summary.before_s = size.time.before_s.median;
  summary.head = head_text(diff);
  if (std::ranges::any_of(diff.changes.sizes, &SizeChanges::oversubscribed))
    summary.of_sizes = "*: more ranks than cores: the times of this size show time slicing";
  const std::string terms = terms_text(size.terms, std::fabs(summary.before_s) / 1000, 6);
  summary.terms = fmt::format("Seconds of each {} at {}: {}.", size.other_threads_s > 0 ? "thread" : "core",
                              size_text(diff, size), terms.empty() ? "no term changed by 0.1 % of T" : terms);
  for (const PathChange& path : size.paths) {
    if (!is_change(path)) continue;
    if (summary.paths.size() < most_paths) summary.paths.push_back(path);
    else ++summary.more_paths;
  }
  summary.rest = rest_text(diff, size);
  summary.identity = identity_text(diff);
  return summary;
}

} // namespace andes::postproc
