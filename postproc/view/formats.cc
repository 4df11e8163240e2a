#include "postproc/view/formats.h"

#include "common/printable.h"
#include "postproc/view/export/export.h"
#include "postproc/view/gate_view.h"
#include "postproc/view/overview_view.h"
#include "postproc/view/top_text.h"

namespace andes::postproc {
namespace {

constexpr FormatName as_text = {"text"};
constexpr FormatName as_json = {"json", "Print the JSON document"};

std::string shown_text(const Terminal& terminal, const ShownRun& run) {
  if (run.flat) return flat_text(terminal, run.profile, run.tree, run.ranks, *run.flat, run.parts.cut_percent);
  return show_text(terminal, run.profile, run.tree, run.ranks, run.parts);
}

std::string shown_json(const Terminal&, const ShownRun& run) {
  return show_json(run.profile, run.tree, run.ranks, run.flat ? &*run.flat : nullptr);
}

std::string shown_csv(const Terminal&, const ShownRun& run) {
  if (run.flat) return flat_csv(run.profile, run.tree, *run.flat);
  return run.parts.each_thread ? threads_csv(run.profile, run.ranks) : show_csv(run.profile, run.tree);
}

std::string diagnoses_text(const Terminal& terminal, const Diagnoses& results) {
  std::string text;
  for (const DiagnosedRun& run : results.runs) {
    if (results.runs.size() > 1) text += (text.empty() ? "" : "\n") + printable(run.profile.file) + ":\n";
    text += diagnosis_text(terminal, run.profile, run.diagnosis, results.threshold_percent);
  }
  return text;
}

std::string frame_text(const Terminal& terminal, const LiveView& view) {
  std::string text;
  for (const std::string& line : top_lines(terminal, view, {})) text += line + "\n";
  return text;
}

/// `formats`, and those that export/ adds.
template <class Results> Formats<Results> and_exports(Formats<Results> formats) {
  for (const Export* one : exports)
    if (const auto* format = std::get_if<Format<Results>>(one)) formats.push_back(*format);
  return formats;
}

} // namespace

const Formats<ShownRun>& show_formats() {
  static const auto formats =
      and_exports<ShownRun>({{as_text, shown_text},
                             {as_json, shown_json},
                             {{"csv", "Print the call paths as CSV, with --threads the threads"}, shown_csv}});
  return formats;
}

const Formats<Reports>& report_formats() {
  static const auto formats = and_exports<Reports>(
      {{as_text, [](const Terminal& terminal,
                    const Reports& r) { return reports_text(terminal, r.overview, r.reports, r.full); }},
       {as_json, [](const Terminal&, const Reports& r) { return reports_json(r.overview, r.reports); }},
       {{"csv", "Print the points and the routines as CSV"},
        [](const Terminal&, const Reports& r) { return reports_csv(r.overview, r.reports); }}});
  return formats;
}

const Formats<Histories>& history_formats() {
  static const Formats<Histories> formats = {
      {as_text, [](const Terminal& terminal,
                   const Histories& h) { return history_text(terminal, h.history, h.between, h.full); }},
      {as_json, [](const Terminal&, const Histories& h) { return history_json(h.history, h.between); }}};
  return formats;
}

const Formats<Diagnoses>& diagnose_formats() {
  static const auto formats = and_exports<Diagnoses>(
      {{as_text, diagnoses_text},
       {as_json, [](const Terminal&, const Diagnoses& d) { return diagnosis_json(d.runs, d.threshold_percent); }}});
  return formats;
}

const Formats<Diff>& diff_formats() {
  static const auto formats = and_exports<Diff>(
      {{as_text, diff_text}, {as_json, [](const Terminal&, const Diff& diff) { return diff_json(diff); }}});
  return formats;
}

const Formats<Examined>& doctor_formats() {
  static const auto formats = and_exports<Examined>(
      {{as_text, [](const Terminal& terminal, const Examined& e) { return doctor_text(terminal, e.head, e.checks); }},
       {as_json, [](const Terminal&, const Examined& e) { return doctor_json(e.name, e.subject, e.checks); }},
       {{"csv", "Print the checks as CSV"}, [](const Terminal&, const Examined& e) { return doctor_csv(e.checks); }}});
  return formats;
}

const Formats<LiveView>& top_formats() {
  static const auto formats =
      and_exports<LiveView>({{as_text, frame_text},
                             {{"json", "Print one frame as a JSON document"},
                              [](const Terminal&, const LiveView& view) { return top_json(view); }}});
  return formats;
}

const Formats<Gate>& gate_formats() {
  static const Formats<Gate> formats = {
      {as_text, gate_text},
      {as_json, [](const Terminal&, const Gate& gate) { return gate_json(gate); }},
      {{"junit", "Print JUnit's XML"}, [](const Terminal&, const Gate& gate) { return gate_junit(gate); }},
      {{"markdown", "Print Markdown for a merge request"},
       [](const Terminal&, const Gate& gate) { return gate_markdown(gate); }}};
  return formats;
}

} // namespace andes::postproc
