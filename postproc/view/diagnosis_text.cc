// The diagnosis of a run for people: findings with the largest effect on T first, each with both
// sides, ranks and advice; then, a line each, what the findings do not cover.
#include "postproc/view/diagnosis_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "postproc/view/hang_view.h"
#include "postproc/view/left_overs_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/run_head.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

constexpr int label_width = 9, margin = 4;

std::string line(const Terminal& terminal, const char* label, const std::string& text) {
  const std::string first = std::string(margin, ' ') + styled(terminal, Style::dim, label) +
                            std::string(static_cast<std::size_t>(label_width - width_of(label)), ' ');
  return wrapped(text, std::min(terminal.width, readable_width), first, std::string(margin + label_width, ' '));
}

const char* ellipsis_of(const Terminal& terminal) { return terminal.utf8 ? "\u2026" : ".."; }

/// A call path below the one that waits: what both begin with is not told again where it is long, "… > step >
/// MPI_Send (jacobi.c:41)", but for the last name of it. Sets `any_shortened` where it leaves something out.
class PathsBeside {
public:
  PathsBeside(const Terminal& terminal, const std::vector<std::string>& waiting, bool& any_shortened)
      : waiting_(waiting), ellipsis_(ellipsis_of(terminal)), any_shortened_(any_shortened) {}

  std::string operator()(const std::vector<std::string>& path, const Place& place) const {
    return shortened(path) + place_text(path, place);
  }

private:
  std::string shortened(const std::vector<std::string>& path) const {
    constexpr std::ptrdiff_t least_common = 4;
    const auto common = std::mismatch(path.begin(), path.end(), waiting_.begin(), waiting_.end()).first - path.begin();
    if (common < least_common) return joined_path(path);
    any_shortened_ = true;
    return fmt::format("{} > {}", ellipsis_, joined_path({path.begin() + common - 1, path.end()}));
  }

  const std::vector<std::string>& waiting_;
  const char* ellipsis_;
  bool& any_shortened_;
};

/// The other sides of a finding, those of one call path together. A rank stays where nine tenths of their waits may be
/// for it: where it is named for so many, and ranks other than it wait so long, as no rank waits for itself.
std::vector<WaitPeer> by_path(const Finding& f) {
  constexpr double mainly = 0.9;
  std::vector<WaitPeer> together;
  std::vector<double> named_s; // waits for the rank of the first, which has most
  for (const WaitPeer& side : f.peers) {
    const auto same = std::find_if(together.begin(), together.end(), [&](const WaitPeer& other) {
      return !side.path.empty() && other.path == side.path && other.place.line == side.place.line;
    });
    if (same == together.end()) {
      together.push_back(side);
      named_s.push_back(side.wait_s);
    } else {
      same->wait_s += side.wait_s;
      if (side.rank == same->rank) named_s[static_cast<std::size_t>(same - together.begin())] += side.wait_s;
    }
  }
  for (std::size_t i = 0; i < together.size(); ++i) {
    WaitPeer& side = together[i];
    double others_s = f.severity_s;
    for (const WaitingRank& r : f.ranks)
      if (r.rank == side.rank) others_s -= r.wait_s;
    if (std::min(named_s[i], others_s) < mainly * side.wait_s) side.rank.reset();
  }
  std::stable_sort(together.begin(), together.end(),
                   [](const WaitPeer& a, const WaitPeer& b) { return a.wait_s > b.wait_s; });
  return together;
}

/// Who stands on the other side: "main > MPI_Send (jacobi.c:41), 8.1 s, most with rank 1".
std::string side_text(const PathsBeside& path_text, const WaitPeer& side) {
  std::string text = path_text(side.path, side.place);
  text += (text.empty() ? "" : ", ") + in_seconds(side.wait_s);
  return side.rank ? text + fmt::format(", most with rank {}", *side.rank) : text;
}

std::string sides_text(const PathsBeside& path_text, const std::vector<WaitPeer>& sides) {
  constexpr std::size_t most = 3;
  std::vector<std::string> texts;
  double others_s = 0;
  for (const WaitPeer& side : sides) {
    if (texts.size() < most) texts.push_back(side_text(path_text, side));
    else others_s += side.wait_s;
  }
  if (sides.size() > most) texts.push_back(fmt::format("{} more, {}", sides.size() - most, in_seconds(others_s)));
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// Where chains of waits began: "rank 0 in main > MPI_Send (jacobi.c:41), 8.1 s here, 9.0 s in all; before it computed
/// in main > step (jacobi.c:30)".
std::string origins_text(const PathsBeside& path_text, const std::vector<WaitPeer>& origins) {
  constexpr std::size_t most = 2;
  constexpr double all_but_rounding = 0.99;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most, origins.size()); ++i) {
    const WaitPeer& side = origins[i];
    // No more of the waits here can have begun with the rank than all that began with it; the rest did with others.
    const bool several = side.rank && side.cost_s && *side.cost_s < all_but_rounding * side.wait_s;
    std::string text = side.rank ? fmt::format("rank {}{} in ", *side.rank, several ? " and others" : "") : "";
    text += path_text(side.path, side.place) + ", " + in_seconds(side.wait_s);
    if (side.cost_s) text += fmt::format(" of these waits, {} in all", in_seconds(*side.cost_s));
    if (several) text += fmt::format(" with rank {}", *side.rank);
    if (!side.doing_path.empty())
      text +=
          fmt::format(", after {} in {}{}", side.doing_io ? "input or output" : "computing",
                      side.doing_in_callees ? "what is called by " : "", path_text(side.doing_path, side.doing_place));
    texts.push_back(std::move(text));
  }
  if (origins.size() > most) {
    double others_s = 0;
    for (std::size_t i = most; i < origins.size(); ++i) others_s += origins[i].wait_s;
    texts.push_back(fmt::format("{} more, {}", origins.size() - most, in_seconds(others_s)));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// Whether there is more to be said of origins than of the other sides.
bool tells_origins(const Finding& f) {
  return std::any_of(f.origins.begin(), f.origins.end(), [&](const WaitPeer& origin) {
    return !origin.doing_path.empty() || std::none_of(f.peers.begin(), f.peers.end(), [&](const WaitPeer& peer) {
      return peer.path == origin.path && peer.rank == origin.rank;
    });
  });
}

/// The cures beside the one that the head names.
std::string other_gains_text(const Finding& f) {
  std::vector<std::string> texts;
  for (const Gain& gain : f.gains)
    if (gain.cure != f.gain.cure && gain.high_s > 0) texts.push_back(gain_text(gain) + ' ' + cure_text(gain.cure));
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string ranks_text(const Finding& finding, bool some_ranks) {
  constexpr std::size_t most = 8;
  std::vector<std::string> texts;
  double others_s = 0;
  for (std::size_t i = 0; i < finding.ranks.size(); ++i) {
    const WaitingRank& r = finding.ranks[i];
    if (i < most) texts.push_back(fmt::format("{}: {}", r.rank, in_seconds(r.wait_s)));
    else others_s += r.wait_s;
  }
  if (finding.ranks.size() > most)
    texts.push_back(fmt::format("{} more: {}", finding.ranks.size() - most, in_seconds(others_s)));
  if (some_ranks && finding.cause != wait_at_end) texts.push_back("values of other ranks are not kept");
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// `follows`: the number of the finding from which it follows; 0: of none. `told`: the number of a finding before it
/// that has told what its cause is; 0: this one does. `any_shortened` as in PathsBeside.
std::string finding_text(const Terminal& terminal, std::size_t number, const Finding& f, bool some_ranks,
                         std::size_t follows, std::size_t told, bool& any_shortened) {
  std::string head = fmt::format("{} {} % of {} ({}", styled(terminal, Style::bold, title_of(f) + ":"),
                                 fixed(f.percent, 1), f.whole, in_seconds(f.severity_s));
  if (f.error_s) head += fmt::format(" +- {}", in_seconds(*f.error_s));
  if (f.events) head += fmt::format(" in {} wait{}", count_text(*f.events), *f.events == 1 ? "" : "s");
  head += fmt::format("); T would shrink by {}", gain_text(f.gain));
  if (f.gain.value_s) head += ' ' + cure_text(f.gain.cure);
  if (follows > 0) head += fmt::format("; follows from {}", follows);
  std::string text = wrapped(head, std::min(terminal.width, readable_width), fmt::format("{:>2}  ", number), "    ");
  if (told == 0 && !f.description.empty()) text += line(terminal, "what", f.description);
  text += line(terminal, "where", joined_path(f.path) + place_text(f.path, f.place));
  const PathsBeside path_text(terminal, f.path, any_shortened);
  if (!f.peers.empty()) text += line(terminal, "for", sides_text(path_text, by_path(f)));
  if (tells_origins(f)) text += line(terminal, "since", origins_text(path_text, f.origins));
  if (!f.ranks.empty() || some_ranks)
    text += line(terminal, f.ranks.size() == 1 ? "rank" : "ranks", ranks_text(f, some_ranks));
  if (const std::string others = other_gains_text(f); !others.empty()) text += line(terminal, "else", others);
  if (told > 0) text += line(terminal, "advice", fmt::format("see {} above", told));
  else if (!f.advice.empty()) text += line(terminal, "advice", f.advice);
  return text;
}

/// What shares are of, explained.
std::string whole_meaning(const std::string& whole) {
  if (whole == WaitWhole::ranks) return whole + ": the time of all ranks together";
  if (whole == WaitWhole::cores) return whole + ": the time of all ranks and of the threads of their teams together";
  return whole + ": that of all ranks and of the threads of their teams, and the wall times of the others";
}

/// What the labels of those findings mean that have two sides.
std::string legend_text(const Terminal& terminal, std::span<const Finding> findings, bool any_shortened) {
  const auto any = [&](const std::vector<WaitPeer> Finding::* sides) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return !(f.*sides).empty(); });
  };
  if (!any(&Finding::peers)) return {};
  std::string text = "where: the call that waits; for: the call of the other rank that it waits for";
  if (std::any_of(findings.begin(), findings.end(), tells_origins))
    text += "; since: the first late call in the chain of waits, and what its rank did before";
  if (std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return !other_gains_text(f).empty(); }))
    text += "; else: what other cures gain";
  if (any_shortened) text += fmt::format("; {}: as in where", ellipsis_of(terminal));
  text += "; line numbers: of the calling functions; " + whole_meaning(findings.front().whole);
  return wrapped(text, std::min(terminal.width, readable_width), "", "");
}

/// What the findings do not cover, a line each.
std::string notes_text(const Terminal& terminal, const Profile& profile, const Diagnosis& d) {
  const std::string left_overs = left_overs_text(terminal, profile);
  std::vector<std::string> notes;
  const auto count = [](double number, const char* one, const char* many) {
    return fmt::format("{} {}", count_text(number), number == 1 ? one : many);
  };
  if (!d.kept.all())
    notes.push_back(
        fmt::format("Sampled: the log kept {} (setting log_mb); waits are scaled up, +- is half of their 95 % "
                    "interval.",
                    d.kept.text()));
  if (!d.why_no_gains.empty() && !d.findings.empty())
    notes.push_back(fmt::format("Gains are bounds: {}, so the run was not replayed.", d.why_no_gains));
  if (d.unclassified_s > 0)
    notes.push_back(
        fmt::format("Unclassified: {} of waiting, {} % of {}, in waits shorter than twice the error of the clocks{}.",
                    in_seconds(d.unclassified_s), fixed(100 * d.unclassified_s / d.whole.seconds, 2), d.whole.text,
                    d.clock_error_ns ? fmt::format(" ({} us)", significant(*d.clock_error_ns / 1000, 3)) : ""));
  if (d.unmatched > 0 && left_overs.empty())
    notes.push_back(count(d.unmatched, "operation has", "operations have") +
                    " only one side in the log, as measuring was off for the other or it could not be kept: no wait of "
                    "theirs is classified.");
  if (d.unordered > 0)
    notes.push_back(count(d.unordered, "operation", "operations") +
                    " of threads that share a channel, or of cancelled requests: their order is "
                    "not known, so they are not classified.");
  if (d.outside > 0)
    notes.push_back(
        count(d.outside, "call", "calls") +
        " with processes of another world (MPI_Comm_spawn, MPI_Comm_connect ...), which has a run file of its "
        "own or none: waits for these are not known, and count as communication.");
  if (d.lost > 0)
    notes.push_back(count(d.lost, "operation was", "operations were") + " not logged for lack of memory.");
  if (!d.left_out.empty())
    notes.push_back(fmt::format("Setting events left {} out of the log: no wait there is classified.", d.left_out));
  if (d.lost_function_calls > 0)
    notes.push_back(
        fmt::format("The log of function calls was full (setting log_mb): up to {} of a rank, its last ones, "
                    "are missing for the rules.",
                    count(d.lost_function_calls, "call", "calls")));
  if (d.clock_violations > 0)
    notes.push_back(
        count(d.clock_violations, "message", "messages") +
        " arrived before they were sent, by the clocks of their ranks: waits may be wrong by this difference.");
  std::string text = left_overs;
  for (const std::string& note : notes)
    text += wrapped(note, std::min(terminal.width, readable_width), styled(terminal, Style::yellow, "! "), "  ");
  return text;
}

/// How much is waited in all: the findings add up to the last figure.
std::string idle_text(const Profile& profile, const Diagnosis& d) {
  std::string text;
  if (d.idle_percent)
    text = fmt::format("The ranks wait {} % of p x T = {} x {} in MPI calls.\n", fixed(*d.idle_percent, 1),
                       profile.ranks, in_seconds(profile.wall_s));
  if (d.other_threads_idle_s > 0)
    text += fmt::format(
        "Their other threads wait another {}{}.\n", in_seconds(d.other_threads_idle_s),
        d.idle_percent
            ? fmt::format(", together {} % of {}",
                          fixed((*d.idle_percent * profile.ranks * profile.wall_s + 100 * d.other_threads_idle_s) /
                                    d.whole.seconds,
                                1),
                          d.whole.text)
            : "");
  return text;
}

/// "0.101 (0.086 to 0.117)"; its unit in any case, or where it is not seconds.
std::string gain_in(const Gain& gain, bool with_seconds) {
  AlikeTimes times = alike_times({gain.low_s, gain.high_s, gain.value_s.value_or(gain.high_s)});
  const std::string &low = times.texts[0], &high = times.texts[1], &value = times.texts[2];
  std::string text = low == high ? high : fmt::format("{} to {}", low, high);
  if (gain.value_s && value != text) text = fmt::format("{} ({})", value, text);
  const bool is_short = std::string_view(times.unit) != "s";
  return with_seconds || is_short ? text + ' ' + times.unit : text;
}

} // namespace

std::string gain_range(const Gain& gain) { return gain_in(gain, false); }

std::string gain_text(const Gain& gain) { return gain_in(gain, true); }

std::string cure_text(const std::string& cure) {
  if (cure == run_file::cure_earlier) return "if the late calls came in time";
  if (cure == run_file::cure_share) return "if the work before the late calls was shared by all ranks";
  if (cure == run_file::cure_leave_out) return "if the work before the late calls was left out";
  return "with cure " + cure;
}

bool is_of_sharing(const Gain& gain) { return gain.value_s && gain.cure == run_file::cure_share; }

std::string remedy_text(const Finding& finding) {
  const auto earlier = std::ranges::find(finding.gains, run_file::cure_earlier, &Gain::cure);
  if (!is_of_sharing(finding.gain) || is_of_all(finding.cause) || earlier == finding.gains.end()) return finding.advice;
  return fmt::format("Share this work among the ranks, or do without it: in time alone, the late calls would gain {}.",
                     gain_text(*earlier));
}

std::string source_text(const std::string& file, int line) {
  return line > 0 ? fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line) : std::string();
}

std::string source_text(const std::vector<std::string>& path, const Place& place) {
  const std::string text = source_text(place.file, place.line);
  for (const std::string& name : path)
    if (name.ends_with(" " + text)) return {}; // a call site's name says so already
  return text;
}

std::string place_text(const std::vector<std::string>& path, const Place& place) {
  const std::string source = source_text(path, place);
  return source.empty() ? "" : " (" + source + ")";
}

std::string order_text(std::span<const Finding> findings) {
  // A cause takes the place of what follows from it, also where that gains more.
  const bool is_by_effect = std::ranges::is_sorted(findings, std::ranges::greater(), effect_of);
  return std::string("largest effect on T first") + (is_by_effect ? "" : ", what follows from a cause behind it");
}

std::string title_of(const Finding& finding) { return finding.title.empty() ? finding.cause : finding.title; }

std::string diagnosis_text(const Terminal& terminal, const Profile& profile, const Diagnosis& diagnosis,
                           double threshold_percent) {
  std::vector<Finding> findings = diagnosis.findings;
  const std::size_t shown = split_findings(findings, threshold_percent);
  std::string text = run_head(terminal, profile, shown > 0) + '\n';
  if (!diagnosis.why_no_waits.empty())
    text += wrapped("Wait states were not measured: " + diagnosis.why_no_waits + ".", terminal.width,
                    styled(terminal, Style::yellow, "! "), "  ");
  for (const std::string& one : hang_text(terminal, diagnosis.hang)) text += one + '\n';
  if (!diagnosis.hang.findings.empty()) text += '\n';
  text += idle_text(profile, diagnosis);
  if (shown == 0 && !diagnosis.hang.findings.empty()) text += "Calls that had not returned are not among the causes.\n";
  else if (shown == 0 && diagnosis.why_no_waits.empty())
    text += threshold_percent > 0 ? fmt::format("No cause above {} % of {}.\n", threshold_percent, diagnosis.whole.text)
                                  : "No rank waited for another.\n";
  else if (shown > 0)
    text += wrapped(fmt::format("The causes, {}{}:", order_text(std::span(findings).first(shown)),
                                shown > 1 ? " (gains overlap: they do not add up)" : ""),
                    terminal.width, "", "");
  const auto number_of = [&](const FindingName& name) {
    for (std::size_t i = 0; i < shown; ++i)
      if (FindingName{findings[i].cause, findings[i].path} == name) return i + 1;
    return std::size_t{0};
  };
  bool any_shortened = false;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto before = std::find_if(findings.begin(), findings.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](const Finding& f) { return f.cause == findings[i].cause; });
    const auto number = static_cast<std::size_t>(before - findings.begin());
    text += '\n' + finding_text(terminal, i + 1, findings[i], diagnosis.some_ranks,
                                findings[i].follows ? number_of(*findings[i].follows) : 0, number < i ? number + 1 : 0,
                                any_shortened);
  }
  double rest_percent = 0;
  for (std::size_t i = shown; i < findings.size(); ++i) rest_percent += findings[i].percent;
  if (shown > 0) text += '\n' + legend_text(terminal, {findings.data(), shown}, any_shortened);
  if (shown < findings.size())
    text += fmt::format("{} finding{} below {} % of {}, {} % together (--all shows {})\n", findings.size() - shown,
                        findings.size() - shown == 1 ? "" : "s", threshold_percent, diagnosis.whole.text,
                        fixed(rest_percent, 1), findings.size() - shown == 1 ? "it" : "them");
  return text + notes_text(terminal, profile, diagnosis);
}

} // namespace andes::postproc
