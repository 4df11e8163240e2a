// Sentences of a gate, its text, and its JSON document (docs/json.md, "andes gate").
#include "postproc/view/gate_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/view/columns/gate.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

const char* word_of(GateVerdict verdict) {
  switch (verdict) {
  case GateVerdict::regression: return "regression";
  case GateVerdict::no_regression: return "no regression";
  case GateVerdict::not_run: return "not run";
  case GateVerdict::undecided: break;
  }
  return "undecided";
}

Style style_of(GateVerdict verdict) {
  return verdict == GateVerdict::regression      ? Style::red
         : verdict == GateVerdict::no_regression ? Style::green
                                                 : Style::yellow;
}

std::string percent_words(const Shift& percent) {
  if (!percent.low || !percent.high) return fmt::format("{:+.1f} %", percent.middle);
  return fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", percent.middle, *percent.low, *percent.high);
}

/// The noise asks for more pairs than are ever run: how many is not known, and they would hardly decide.
bool is_too_noisy(const Judgement& judgement) { return judgement.asked >= most_pairs; }

std::string pairs_words(const GatedSize& size) {
  const Judgement& judgement = size.judgement;
  std::string text = fmt::format("{} pair{}", size.pairs.size(), size.pairs.size() == 1 ? "" : "s");
  if (judgement.asked > 0)
    text += fmt::format(" of {}{} that the noise asks for (spread {:.2g} %)",
                        is_too_noisy(judgement) ? "at least " : "", judgement.asked, 100 * judgement.spread);
  return text;
}

std::string build_words(const GatedBuild& build) {
  return fmt::format("{}{}, {} run{}", build.executable.empty() ? "an unknown executable" : build.executable,
                     build.hash.empty() ? "" : " (build " + build.hash + ")", build.runs, build.runs == 1 ? "" : "s");
}

Json build_json(const GatedBuild& build) {
  Json json = Json::object();
  set(json, "build", build.hash);
  set(json, "executable", build.executable);
  json["runs"] = build.runs;
  return json;
}

Json size_json(const Gate& gate, const GatedSize& size) {
  Json json{{"ranks", size.ranks}, {"threads", size.threads}, {"verdict", name_of(size.verdict)}};
  json["pairs_verdict"] = name_of(size.judgement.verdict);
  json["sentence"] = verdict_sentence(gate, size);
  set(json, "cause", cause_sentence(size));
  json["time_base_s"] = estimate_json(size.base_s);
  json["time_new_s"] = estimate_json(size.new_s);
  const Shift& change = size.judgement.log_change;
  Json percent{{"median", percent_of_log(change.middle)}};
  if (change.low) percent["low"] = percent_of_log(*change.low);
  if (change.high) percent["high"] = percent_of_log(*change.high);
  json["change_percent"] = std::move(percent);
  json["pairs_asked"] = size.judgement.asked;
  json["pairs_judged"] = size.judgement.pairs;
  json["spread_percent"] = 100 * size.judgement.spread;
  json["unpaired_runs"] = size.unpaired;
  json["doubts"] = size.doubts;
  json["notes"] = size.notes;
  json["controls"] = columns::json_rows(columns::gate_controls(), size.controls);
  json["callpaths_compared"] = size.changes.compared;
  json["callpaths"] = columns::json_rows(columns::changed_paths(), size.changes.paths);
  json["terms"] = columns::json_rows(columns::changed_terms(), size.changes.terms);
  json["pairs"] = columns::json_rows(columns::gate_pairs(), size.pairs);
  return json;
}

/// Call paths that people see: those found, the most changed ones first, ten at most.
std::vector<ChangedPath> shown_paths(const GatedSize& size) {
  constexpr std::size_t most = 10;
  std::vector<ChangedPath> shown;
  for (const ChangedPath& path : size.changes.paths)
    if (path.is_longer || path.is_shorter) shown.push_back(path);
  std::stable_sort(shown.begin(), shown.end(), [](const ChangedPath& a, const ChangedPath& b) {
    return std::fabs(a.whole.seconds) > std::fabs(b.whole.seconds);
  });
  if (shown.size() > most) shown.resize(most);
  return shown;
}

/// Why call paths that people see are taken for others in the older build.
std::vector<std::string> guesses(const GatedSize& size) {
  std::vector<ChangedPath> seen = shown_paths(size);
  if (seen.empty() && !cause_sentence(size).empty()) seen.push_back(size.changes.paths.front()); // that it may be
  std::vector<std::string> sentences;
  for (const ChangedPath& path : seen)
    if (path.guess.is_guess())
      sentences.push_back(fmt::format("Guess: {} was {}: {}.", joined_path(path.path),
                                      path.was.empty() ? "the same" : joined_path(path.was), path.guess.reason));
  return sentences;
}

/// Terms that changed as far as the pairs tell.
std::vector<ChangedTerm> shown_terms(const GatedSize& size) {
  std::vector<ChangedTerm> shown;
  for (const ChangedTerm& term : size.changes.terms)
    if ((term.percent.low && *term.percent.low > 0.05) || (term.percent.high && *term.percent.high < -0.05))
      shown.push_back(term);
  return shown;
}

/// What would decide where pairs may.
std::string remedy(const Gate& gate, const GatedSize& size) {
  const Judgement& judgement = size.judgement;
  if (is_too_noisy(judgement))
    return fmt::format(
        "The machine is too noisy for this tolerance: it may take more than {} pairs. A larger tolerance "
        "or a quieter machine would decide.",
        most_pairs);
  if (judgement.pairs < judgement.asked)
    return fmt::format(
        "{} more pairs would decide a change of 0 or of {:.3g} % in 95 of 100 cases: give more with --budget.",
        judgement.asked - judgement.pairs, gate.tolerance_percent + 100 * planned_excess);
  if (judgement.asked > 0)
    return "The change is near the tolerance, or the machine is too noisy for it: a larger tolerance or a quieter "
           "machine would decide.";
  return fmt::format("No verdict is possible below six pairs, and {} are wanted first.", first_pairs);
}

} // namespace

std::string size_words(const GatedSize& size) {
  return fmt::format("p = {}{}", size.ranks, size.threads > 1 ? fmt::format(", t = {}", size.threads) : "");
}

std::string change_words(const Shift& log_change) {
  Shift percent{percent_of_log(log_change.middle), {}, {}};
  if (log_change.low) percent.low = percent_of_log(*log_change.low);
  if (log_change.high) percent.high = percent_of_log(*log_change.high);
  return percent_words(percent);
}

std::string verdict_sentence(const Gate& gate, const GatedSize& size) {
  return fmt::format("{}: {}: T {}, tolerance {:.3g} %; {}, {}", size_words(size), word_of(size.verdict),
                     change_words(size.judgement.log_change), gate.tolerance_percent,
                     before_and_after(size.base_s.median, size.new_s.median, "->"), pairs_words(size));
}

std::string cause_sentence(const GatedSize& size) {
  if (size.judgement.verdict == GateVerdict::no_regression || size.changes.paths.empty()) return {};
  const ChangedPath& first = size.changes.paths.front();
  if (first.whole.seconds <= 0) return {};
  return fmt::format(
      "{}{}{}{}: {} of the core time, mostly {} ({}){}", first.is_longer ? "" : "most likely ", joined_path(first.path),
      first.file.empty() ? "" : fmt::format(" ({}:{})", first.file, first.line),
      first.guess.is_guess() ? ", a guess" : "", percent_words(first.whole.percent), first.most.title,
      percent_words(first.most.percent),
      first.is_longer ? "" : fmt::format(", not certain among {} call paths with these pairs", size.changes.compared));
}

std::vector<std::string> remarks(const Gate& gate, const GatedSize& size) {
  std::vector<std::string> sentences;
  for (const std::string& doubt : size.doubts) sentences.push_back("Undecided, whatever the pairs say: " + doubt + ".");
  if (size.judgement.verdict == GateVerdict::undecided && size.doubts.empty()) sentences.push_back(remedy(gate, size));
  if (size.unpaired > 0)
    sentences.push_back(fmt::format("{} run{} had no run of the other build to be compared with.", size.unpaired,
                                    size.unpaired == 1 ? "" : "s"));
  for (const std::string& guess : guesses(size)) sentences.push_back(guess);
  for (const std::string& note : size.notes) sentences.push_back("Note: " + note + ".");
  for (const GateControl& control : size.controls)
    if (control.pairs > 0)
      sentences.push_back(fmt::format("Watched: {}: {} in {} pair{}.", control.title, change_words(control.log_change),
                                      control.pairs, control.pairs == 1 ? "" : "s"));
  return sentences;
}

std::string gate_text(const Terminal& terminal, const Gate& gate) {
  std::string text =
      fmt::format("Gate of {}: {}\n", gate.program, styled(terminal, style_of(gate.verdict), word_of(gate.verdict)));
  if (!gate.trouble.empty()) text += wrapped("Not complete: " + gate.trouble + ".", terminal.width, "  ", "  ");
  if (!gate.sizes.empty())
    text += fmt::format("  base: {}\n  new:  {}\n", build_words(gate.base), build_words(gate.newer));
  for (const GatedSize& size : gate.sizes) {
    text += '\n' + wrapped(verdict_sentence(gate, size), terminal.width, "  ", "    ");
    if (const std::string cause = cause_sentence(size); !cause.empty())
      text += wrapped(cause, terminal.width, terminal.utf8 ? "  \u2192 " : "  -> ", "    ");
    if (const auto paths = shown_paths(size); !paths.empty())
      text += "  Call paths (change of core time, in per cent of that of base; 5 % of those listed may be false):\n" +
              table_text(terminal, columns::text_table(columns::changed_paths(), paths));
    if (const auto terms = shown_terms(size); !terms.empty())
      text += "  Terms of the ledger, the whole program:\n" +
              table_text(terminal, columns::text_table(columns::changed_terms(), terms));
    for (const std::string& sentence : remarks(gate, size)) text += wrapped(sentence, terminal.width, "  ", "    ");
  }
  return text;
}

std::string gate_json(const Gate& gate) {
  Json json{{"schema", 1}, {"program", gate.program}, {"verdict", name_of(gate.verdict)}};
  set(json, "trouble", gate.trouble);
  json["tolerance_percent"] = gate.tolerance_percent;
  json["base"] = build_json(gate.base);
  json["new"] = build_json(gate.newer);
  json["points"] = Json::array();
  for (const GatedSize& size : gate.sizes) json["points"].push_back(size_json(gate, size));
  return document(json);
}

} // namespace andes::postproc
