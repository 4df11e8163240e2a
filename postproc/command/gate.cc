// andes gate: two builds run in pairs, and what the pairs say (docs/gate.md). The exit status is the verdict.
#include "postproc/command/gate.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>
#include <memory>
#include <set>

#include "common/message.h"
#include "common/whole_file.h"
#include "postproc/analysis/gate.h"
#include "postproc/command/reading.h"
#include "postproc/command/subcommand.h"
#include "postproc/launch/amount.h"
#include "postproc/launch/baselines.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/paired_runs.h"
#include "postproc/launch/repeats.h"
#include "postproc/view/formats.h"
#include "postproc/view/gate_view.h"
#include "postproc/view/views.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

/// Bad input is 2, as everywhere.
enum Status { no_regression = 0, regression = 1, undecided = 3, could_not_run = 4 };

struct Options {
  std::string base, newer, tolerance = "3%", budget = "10m", runs = "20", baselines = baselines_place, config, format;
  std::optional<std::string> ranks, threads, label, directory, save;
  std::vector<std::string> set, untouched, write;
  bool oversubscribed_ok = false, force = false;
};

double tolerance_in(const std::string& text) {
  const auto percent = number_before(text, "%");
  if (!percent || *percent > 100)
    refuse("--tolerance " + text, "not a percentage above 0 and up to 100", "write for example 3%");
  return *percent / 100;
}

/// A format that --write has by the ending of a file's name; null: it has none.
std::string (*writer_of(const std::string& file))(const Gate&) {
  const std::string ending = fs::path(file).extension();
  if (ending == ".xml") return gate_junit;
  if (ending == ".json") return gate_json;
  if (ending == ".md") return gate_markdown;
  return nullptr;
}

void check(const Options& options, bool runs) {
  if (options.save) check_baseline_name("--save", *options.save);
  if (options.save && !runs) refuse("--save", "there is no command whose runs could be kept", "write it after --");
  if (options.base.empty() && !options.save)
    refuse("gate", "there is no --base", "name the older build, @NAME for a kept series, or --save NAME to keep one");
  if (options.newer.empty()) refuse("--new", "is empty", "name the newer build");
  if (runs && options.newer.front() == '@')
    refuse("--new " + options.newer, "a kept series is no program to run",
           "give it as --base, or leave out the command to compare it with other runs");
  for (const std::string& file : options.write) {
    if (!writer_of(file))
      refuse("--write " + file, "its ending is no format", "end it with .xml (JUnit), .json or .md (Markdown)");
    const fs::path directory = fs::path(file).parent_path();
    if (!directory.empty() && !fs::is_directory(directory))
      refuse("--write " + file, "there is no such directory", "make the directory first");
  }
}

GateOptions gate_options(const Options& options) {
  GateOptions result;
  result.tolerance = tolerance_in(options.tolerance);
  result.oversubscribed_ok = options.oversubscribed_ok;
  result.untouched = options.untouched;
  return result;
}

/// Whether the program alone is what changes in a command.
bool has_one_exe(const std::vector<std::string>& command) {
  return std::ranges::count_if(command, [](const std::string& word) { return word.find(exe_word) != word.npos; }) ==
             1 &&
         std::ranges::count(command, exe_word) == 1;
}

Gate judged(const std::string& base, const std::string& newer, const Options& options,
            std::optional<std::string> only_exe = {}) {
  const Series before = series_of({base}, options.force);
  const Series after = series_of({newer}, options.force, static_cast<unsigned>(before.builds.size()));
  for (const Series* series : {&before, &after})
    if (!series->builds.back().unfinished.empty())
      refuse(series == &before ? base : newer, "no run of it came to its end", "run it again");
  GateOptions how = gate_options(options);
  how.only_exe = std::move(only_exe);
  return gate_of(before.builds.back(), after.builds.back(), how);
}

/// The directory of the kept series that `word` of an option names; empty: it names none.
std::string kept_series(const Options& options, const char* option, const std::string& word) {
  const std::string name = baseline_name(option, word);
  return name.empty() ? "" : find_baseline(options.baselines, name);
}
std::string kept_base(const Options& options) { return kept_series(options, "--base", options.base); }

std::vector<KeptTime> kept_times(const Build& build) {
  std::vector<KeptTime> times;
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs)
      times.push_back({point.ranks, static_cast<int>(fact_number(run.profile, "threads_started").value_or(0)),
                       static_cast<int>(fact_number(run.profile, "repeat").value_or(0)), run.summary.time_s});
  return times;
}

/// Refuses sizes that a kept series does not have.
void check_sizes(const std::string& base, const PairedRequest& paired) {
  if (paired.kept.empty()) return;
  std::set<int> ranks;
  for (const KeptTime& time : paired.kept) ranks.insert(time.ranks);
  const SizeLists& sizes = paired.request.sizes;
  for (const int asked : sizes.ranks)
    if (!ranks.contains(asked))
      refuse(base, fmt::format("no run of it has {} rank{}", asked, asked == 1 ? "" : "s"),
             fmt::format("give --ranks {}, or keep a series of this size", fmt::join(ranks, ",")));
  for (const int asked : sizes.threads)
    if (std::ranges::none_of(paired.kept, [&](const KeptTime& time) { return time.threads == asked; }))
      refuse(base, fmt::format("no run of it has --threads {}", asked), "keep a series of this size");
}

PairedRequest request_of(const Options& options, const std::vector<std::string>& behind) {
  PairedRequest paired;
  if (const std::string kept = kept_base(options); !kept.empty())
    paired.kept = kept_times(series_of({kept}, false).builds.back());
  else if (options.base.empty()) paired.alone = read_repeat_count(options.runs);
  else paired.base = options.base;
  paired.newer = options.newer;
  paired.tolerance = tolerance_in(options.tolerance);
  paired.budget_s = read_seconds("--budget", options.budget);
  paired.oversubscribed_ok = options.oversubscribed_ok;
  paired.directory = options.directory.value_or("");
  if (options.directory && options.directory->empty()) refuse("-o", "the name is empty", "give a directory like gate");
  Request& request = paired.request;
  request.command = behind;
  if (options.ranks) request.sizes.ranks = read_count_list(*options.ranks, counted_ranks);
  if (options.threads) request.sizes.threads = read_count_list(*options.threads, counted_threads);
  check_sizes(options.base, paired);
  request.label = options.label.value_or("");
  if (options.label) check_label(*options.label);
  request.settings = gather_settings(options.set, environ, options.config);
  if (value_of(request.settings, "monitor") == "off")
    refuse("gate", "the monitor is off", "leave out the setting monitor: the runs are compared by what it writes");
  return paired;
}

/// Keeps the newer build's runs; those of a regression would hide the next one.
void save(const Options& options, const PairedRuns& runs, bool is_regression) {
  if (!options.save) return;
  if (is_regression || !runs.trouble.empty() || runs.stopped_by) {
    say("--save {}: nothing is kept of {}", *options.save, is_regression ? "a regression" : "runs that failed");
    return;
  }
  say("kept as {}: andes gate --base @{} --new NEW",
      save_baseline(options.baselines, *options.save, runs.new_directory), *options.save);
}

/// Runs of the newer build alone, for a baseline.
int run_and_save(const Options& options, const std::vector<std::string>& behind) {
  const PairedRuns runs = run_pairs(request_of(options, behind));
  save(options, runs, false);
  if (runs.stopped_by) return 128 + runs.stopped_by;
  return runs.trouble.empty() ? 0 : could_not_run;
}

void say_it_is_kept(const std::string& name) {
  say("{}: a kept series is compared run by run, not in pairs: what changed on the machine since counts as change; run "
      "both builds to be sure",
      name);
}

/// Judges runs that there are, each side's a directory or a kept series.
Gate judge_runs(const Options& options) {
  const std::string base = kept_base(options), newer = kept_series(options, "--new", options.newer);
  Gate gate = judged(base.empty() ? options.base : base, newer.empty() ? options.newer : newer, options);
  if (!base.empty() || !newer.empty()) say_it_is_kept(base.empty() ? options.newer : options.base);
  return gate;
}

/// Runs the pairs; the result of those that went well.
Gate run_and_judge(const Options& options, const std::vector<std::string>& behind, int& stopped_by) {
  const std::string kept = kept_base(options);
  const PairedRequest request = request_of(options, behind);
  const PairedRuns runs = run_pairs(request);
  stopped_by = runs.stopped_by;
  if (!kept.empty()) say_it_is_kept(options.base);
  Gate gate;
  try {
    gate = judged(kept.empty() ? runs.base_directory : kept, runs.new_directory, options,
                  !kept.empty() && has_one_exe(behind) ? std::optional(options.newer) : std::nullopt);
    say("runs kept in {}", fs::path(runs.new_directory).parent_path().string());
  } catch (const Refusal& refusal) { // not one pair
    gate.program = runs.program;
    gate.trouble = refusal.what();
    gate.verdict = GateVerdict::not_run;
  }
  gate.tolerance_percent = 100 * request.tolerance;
  if (!runs.trouble.empty()) gate.trouble = runs.trouble;
  if (stopped_by) gate.trouble = fmt::format("stopped by signal {}", stopped_by);
  save(options, runs, gate.verdict == GateVerdict::regression);
  if (!gate.trouble.empty() && gate.verdict == GateVerdict::no_regression) gate.verdict = GateVerdict::undecided;
  return gate;
}

int status_of(const Gate& gate) {
  if (gate.verdict == GateVerdict::regression)
    return regression; // shown by its pairs, whatever could not be run beside
  if (!gate.trouble.empty()) return could_not_run;
  return gate.verdict == GateVerdict::no_regression ? no_regression : undecided;
}

void print_result(const Options& options, const Gate& gate) {
  for (const std::string& file : options.write)
    if (const std::string error = write_whole(file, writer_of(file)(gate)); !error.empty())
      refuse(file, error, "choose another place for --write");
  print_as(options.format, gate_formats(), gate);
}

int gate(const Options& options, const std::vector<std::string>& behind) {
  check(options, !behind.empty());
  if (options.base.empty()) return run_and_save(options, behind);
  int stopped_by = 0;
  Gate result;
  if (behind.empty()) result = judge_runs(options);
  else result = run_and_judge(options, behind, stopped_by);
  print_result(options, result);
  return stopped_by ? 128 + stopped_by : status_of(result);
}

} // namespace

void add_gate(CLI::App& app, const std::vector<std::string>& behind, int& status) {
  const auto options = std::make_shared<Options>();
  const Subcommand command(app, "gate", "Judge in pairs of runs whether a build is slower than another");
  command.footer(
      "Usage: andes gate --base OLD --new NEW [OPTIONS] -- COMMAND with {exe}\n"
      "  andes gate --base old/a.out --new new/a.out --ranks 2 -- mpirun -n {p} {exe} ARGUMENTS\n"
      "  andes gate --base runs/a.out-001-gate/base --new runs/a.out-001-gate/new --markdown\n"
      "  andes gate --new a.out --save main -- mpirun -n 2 {exe}; andes gate --base @main --new b.out -- mpirun -n 2 "
      "{exe}\n"
      "Exit status: 0 no regression, 1 regression, 2 bad input, 3 undecided, 4 the programs could not be run (at some "
      "sizes, and no regression at the others).");
  command
      .option("--base", options->base,
              "What stands for {exe} in the older build's runs; without COMMAND its runs; @NAME: a kept series")
      .value_name("OLD");
  command.option("--new", options->newer, "The same of the newer build; @NAME without COMMAND alone")
      .required()
      .value_name("NEW");
  command.option("--tolerance", options->tolerance, "How much longer the newer build may take; 3% unless given")
      .value_name("PERCENT");
  command.option("--budget", options->budget, "No pair begins that would end after this time; 10m unless given")
      .value_name("TIME");
  command.option("--ranks", options->ranks, "Rank counts: 1,2,4 or 1-4; {p} in COMMAND stands for each")
      .value_name("LIST");
  command.option("--threads", options->threads, "Threads per rank, run with every rank count").value_name("LIST");
  command
      .repeated_option("--untouched", options->untouched,
                       "A region that the change cannot have touched: a difference there makes the gate undecided")
      .value_name("NAME");
  command.flag("--oversubscribed-ok", options->oversubscribed_ok, "Judge runs with more ranks than cores, too");
  command.flag("--force", options->force, "Without COMMAND: take runs of different programs or arguments");
  command.option("-o,--output", options->directory, "Directory of the runs; else runs/<program>-<nnn>-gate")
      .value_name("DIRECTORY");
  command.option("--label", options->label, "Word in the place of gate in that name").value_name("WORD");
  command
      .repeated_option("--write", options->write, "Write the result to a file, too: .xml is JUnit, .json, .md Markdown")
      .value_name("FILE");
  command
      .option(
          "--save", options->save,
          "Keep the newer build's runs as the series @NAME unless they are a regression; without --base it runs alone")
      .value_name("NAME");
  command.option("--runs", options->runs, "Runs of each size with --save and no --base; 20 unless given")
      .value_name("N");
  command.option("--baselines", options->baselines, "Where series are kept; .andes/baselines unless given")
      .value_name("DIRECTORY");
  command.option("--config", options->config, "Settings file; configs/andes.info explains them").value_name("FILE");
  command.repeated_option("--set", options->set, "One setting; may be given several times").value_name("KEY=VALUE");
  command.explains();
  command.formats(options->format, gate_formats());
  command.does([options, &behind, &status] { status = gate(*options, behind); });
}

} // namespace andes::postproc
