// The start of one command, and what becomes of its end: the run file with its facts, or the reason why there is none.
#include "postproc/launch/one_run.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <fmt/ranges.h>

#include "common/message.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/inspect/unmeasured.h"
#include "postproc/launch/annotate.h"
#include "postproc/launch/cores.h"
#include "postproc/launch/environment.h"
#include "postproc/launch/facts.h"
#include "postproc/launch/failure.h"
#include "postproc/launch/hang_watch.h"
#include "postproc/launch/process.h"
#include "postproc/launch/rescue.h"
#include "postproc/launch/watch.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

std::string directory_of(const SweepState& state) { return state.series ? state.series->directory : state.directory; }

/// The file's name, with %p where the number of ranks is not known yet.
std::string pattern_of(const SweepState& state, const Planned& planned) {
  if (!state.series) return state.pattern;
  return state.names.pattern(planned.size, planned.repeat);
}

bool is_measured(const SweepState& state, const Planned& planned) {
  return planned.monitored && value_of(state.request.settings, "monitor") != "off";
}

/// The arenas of the run that is about to start: no other run has this job's name.
JobPlace job_of(const SweepState& state) {
  JobPlace job;
  job.name = new_job_name();
  job.places = monitor::arena_places(value_of(state.request.settings, "arena"));
  return job;
}

std::string libraries_of(const SweepState& state) {
  return fs::path(state.installation.library).parent_path().string();
}

/// Facts of a running run that are not in its arenas.
Facts started_facts(const SweepState& state, Facts facts) {
  if (state.series) facts["series"] = state.series->name;
  if (!state.request.label.empty()) facts["label"] = state.request.label;
  return facts;
}

Outcome start(const SweepState& state, const Planned& planned, const JobPlace& job) {
  const bool measured = is_measured(state, planned);
  Start what;
  std::vector<std::string> variables = {"ANDES_MONITOR=off"};
  if (measured) {
    variables = monitor_variables(state.installation, output_variable(directory_of(state), pattern_of(state, planned)),
                                  state.request.settings);
    variables.push_back("ANDES_JOB=" + job.name);
  }
  if (planned.size.threads) variables.push_back(fmt::format("{}={}", threads_variable, planned.size.threads));
  what.words =
      words_for(with_variables(state.command, variables, measured ? state.installation.library : ""), planned.size);
  what.environment = environment_with(variables);
  what.measured = measured && is_program(state.command);
  what.watch_stderr = state.command.has_launcher;
  if (!measured) return run_process(what);
  Snapshots snapshots(libraries_of(state),
                      started_facts(state, facts_of(state.command, planned, state.request.sizes.weak)));
  HangWatch hangs(state.request.hang_after_s, libraries_of(state));
  WatchPlan plan;
  plan.places = job.places;
  plan.job_directory = monitor::job_directory_name(job.name);
  plan.every_s = std::stod(value_of(state.request.settings, "snapshot_s"));
  plan.look_every_s = hangs.every_s();
  plan.look = [&hangs](const std::vector<std::string>& directories) { hangs.look(directories); };
  plan.make_snapshot = [&snapshots](const std::vector<std::string>& directories, SnapshotReason) {
    snapshots.make(directories);
  };
  Watch watch(std::move(plan));
  Outcome outcome = run_process(what);
  outcome.deaths = watch.deaths();
  return outcome;
}

/// Names that the run may write: of its file, and of those of worlds that it spawns.
std::set<std::string> names_taken(const SweepState& state, const Planned& planned) {
  return matches(directory_of(state), pattern_of(state, planned));
}

/// The files that the run has written.
std::vector<std::string> find_written(const SweepState& state, const Planned& planned,
                                      const std::set<std::string>& before) {
  std::vector<std::string> files;
  const std::string directory = directory_of(state);
  for (const std::string& name : names_taken(state, planned))
    if (!before.count(name))
      if (const auto file = own_file(directory == "." ? name : (fs::path(directory) / name).string());
          file && std::find(files.begin(), files.end(), *file) == files.end())
        files.push_back(*file);
  return files;
}

/// Compares what reported with what was started, and completes the facts.
void compare_size(SweepState& state, const Planned& planned, const Written& written, Facts& facts) {
  const int ranks = planned.size.ranks, threads = planned.size.threads;
  if (ranks && written.ranks < ranks) {
    say("{}: only {} of {} ranks reported; start the others with the monitor too: "
        "{} -n {{p}} andes exec PROGRAM",
        describe(state, planned), written.ranks, ranks,
        state.command.has_launcher ? state.command.words[state.command.launcher] : "mpirun");
    facts["complete"] = std::int64_t{0};
  }
  if (!written.usable_cores) return;
  const bool too_many = std::max(written.ranks * std::max(1, threads), written.busy_threads) > *written.usable_cores;
  facts["oversubscribed"] = std::int64_t{too_many};
  if (too_many) {
    state.oversubscribed.insert({static_cast<int>(written.ranks), threads});
    state.cores = *written.usable_cores;
    state.bound = state.bound ||
                  ((threads > 1 || written.busy_threads > written.ranks) && *written.usable_cores < usable_cores());
  }
}

/// Explains a launcher's refusal; false if it was none. Sweeps go on without that size.
bool explain_refusal(SweepState& state, const Planned& planned, const Outcome& outcome) {
  const Refused refused = refusal_in(outcome.stderr_end);
  if (!outcome.failed() || refused == Refused::none) return false;
  const Command& command = state.command;
  const std::string launcher = command.words[command.launcher];
  const char* option = refused == Refused::slots ? "--oversubscribe" : "--allow-run-as-root";
  std::string example = launcher + " " + option;
  for (std::size_t i = command.launcher + 1; i < command.program; ++i) example += " " + command.words[i];
  if (refused == Refused::slots)
    say("{}: refused to start {} ranks: not enough slots on {} cores; add {} ({} ...)", launcher,
        planned.size.ranks ? planned.size.ranks : ranks_asked(command), usable_cores(), option, example);
  else say("{}: refuses to run as root; add {} ({} ...)", launcher, option, example);
  if (refused == Refused::slots) state.runs[planned.size].refused = true;
  else state.refused_all = true;
  return true;
}

/// Explains why the program was not started; false if it was. A sweep goes on if its sizes have programs of their own.
bool explain_failed_start(SweepState& state, const Planned& planned, const Outcome& outcome) {
  const Command& command = state.command;
  const std::string word = command.words[command.program];
  const std::string program = words_for({word}, planned.size)[0];
  const auto trouble =
      failed_start(program, command.has_launcher ? command.words[command.launcher] : std::string(), outcome);
  if (!trouble) return false;
  say("{}: {}; {}", program, trouble->fact, trouble->remedy);
  if (program == word) state.refused_all = true;
  else state.runs[planned.size].refused = true;
  return true;
}

/// Completes a run file that was written or recovered.
/// Its T, of the run's own world, is kept in `time_s`.
void complete_file(SweepState& state, const Planned& planned, const std::string& path, Facts facts,
                   std::optional<double>& time_s) {
  tolerate(state, [&] {
    const Written written = read_written(path);
    if (!written.spawned && written.wall_ns) time_s = static_cast<double>(*written.wall_ns) * 1e-9;
    if (written.spawned) facts = of_spawned(std::move(facts));
    else compare_size(state, planned, written, facts);
    annotate(path, facts);
    if (written.spawned) state.spawned.push_back(path);
    else state.written[path] = planned.size;
  });
}

/// Whether one of `files` is the file at `path`.
bool is_among(const std::vector<std::string>& files, const std::string& path) {
  return std::any_of(files.begin(), files.end(), [&path](const std::string& file) {
    std::error_code none;
    return fs::equivalent(file, path, none);
  });
}

/// A file with the facts alone, for a run that has left nothing else.
void write_facts(SweepState& state, const Planned& planned, const Outcome& outcome, Facts facts) {
  std::string name = pattern_of(state, planned);
  const std::string ranks = std::to_string(ranks_asked(state.command));
  if (const std::size_t at = name.find("%p"); at != std::string::npos) name.replace(at, 2, ranks);
  const std::string file = (fs::path(directory_of(state)) / name).lexically_normal().string();
  write_minimal(file, minimal_facts(state.command, std::move(facts)));
  state.written[file] = planned.size;
  ++state.empty;
  say("{}: {} before it wrote its run file; marked as failed: {}", describe(state, planned), ending_of(outcome, 0),
      file);
}

/// Says why a run that went well has left no run file.
void explain_missing_file(const SweepState& state, const Planned& planned) {
  const Command& command = state.command;
  const std::string word = words_for({command.words[command.program]}, planned.size)[0];
  if (const auto program = read_program(find_executable(word)))
    for (const auto& trouble : {unmeasured(*program), unseen_mpi(*program)})
      if (trouble) return say("{}: no run file was written: {}; {}", word, trouble->fact, trouble->remedy);
  const auto first = command.words.begin(), program = first + static_cast<std::ptrdiff_t>(command.program);
  const std::string before = first == program ? "" : fmt::format("{} ", fmt::join(first, program, " "));
  if (const std::string starter = starter_of(command); !starter.empty()) {
    const bool is_named = starter != command.words[command.program]; // a shell names the program in its script
    return say("{}: no run file was written: no process called MPI, and a program without MPI is not measured where {} "
               "starts it; put andes exec in front of the program ({}andes exec {} ...)",
               describe(state, planned), starter, is_named ? before : "", is_named ? word : "./program");
  }
  if (command.has_launcher)
    return say(
        "{}: no run file was written: no process called MPI_Init, or LD_PRELOAD was lost on the way; see whether "
        "the program ended before it, as at a wrong argument; else try {}andes exec {} ...",
        describe(state, planned), before, word);
  say("{}: no run file was written: the program called neither MPI nor a probe, or lost LD_PRELOAD; "
      "try {}andes exec {} ...",
      describe(state, planned), before, word);
}

/// Deals with the end of a monitored run: messages, facts, the file. Its T by the file; absent without one.
std::optional<double> finish_run(SweepState& state, const Planned& planned, const Outcome& outcome, const JobPlace& job,
                                 const std::set<std::string>& before) {
  const Rescued rescued = rescue(job, libraries_of(state), outcome.deaths, stopped());
  std::vector<std::string> files;
  for (const std::string& path : find_written(state, planned, before))
    if (!is_among(rescued.files, path)) files.push_back(path);
  files.insert(files.end(), rescued.files.begin(), rescued.files.end());
  if (rescued.kept && !outcome.failed() && state.status == 0) state.status = 1; // a run file is missing
  const Facts facts = started_facts(state, facts_of(state.command, planned, state.request.sizes.weak, outcome));
  std::optional<double> time_s;
  for (const std::string& file : files) complete_file(state, planned, file, facts, time_s);
  if (!files.empty()) {
    if (outcome.failed())
      say("{}: {}; the run file is kept and marked as failed: {}", describe(state, planned),
          ending_of(outcome, rescued.signal), fmt::join(files, ", "));
    else if (!rescued.files.empty() && !rescued.as_usual)
      say("{}: ended without writing its run file; recovered: {}", describe(state, planned),
          fmt::join(rescued.files, ", "));
  } else if (rescued.kept || stop_signal() || explain_refusal(state, planned, outcome) ||
             explain_failed_start(state, planned, outcome)) {
    return time_s;
  } else if (outcome.failed()) {
    write_facts(state, planned, outcome, facts);
  } else if (state.missing++ == 0) {
    explain_missing_file(state, planned);
  }
  return time_s;
}

} // namespace

std::string describe(const SweepState& state, const Planned& planned) {
  if (is_single(state) && planned.size == Size{}) return state.request.command[0];
  const std::string size = describe(planned.size);
  const std::string text = fmt::format("{}{}repeat {}", size, size.empty() ? "" : ", ", planned.repeat);
  return planned.monitored ? text : text + ", without the monitor";
}

void run_one(SweepState& state, const Planned& planned) {
  const bool files = is_measured(state, planned);
  const JobPlace job = files ? job_of(state) : JobPlace();
  const std::set<std::string> before = files ? names_taken(state, planned) : std::set<std::string>();
  ++state.started;
  const Outcome outcome = start(state, planned, job);
  SizeRuns& runs = state.runs[planned.size];
  if (outcome.failed() && state.status == 0) state.status = outcome.status();
  if (!outcome.failed()) runs.wall_s[planned.monitored].push_back(static_cast<double>(outcome.wall_ns) * 1e-9);
  std::optional<double> time_s = static_cast<double>(outcome.wall_ns) * 1e-9;
  if (files) time_s = finish_run(state, planned, outcome, job, before);
  else if (outcome.failed() && !stop_signal() && !explain_refusal(state, planned, outcome) &&
           !explain_failed_start(state, planned, outcome))
    say("{}: {}", describe(state, planned), ending_of(outcome, 0));
  if (planned.monitored) {
    const bool good = !outcome.failed() && time_s;
    if (good) runs.times_s.push_back(*time_s);
    runs.failures = good ? 0 : runs.failures + 1;
  }

  if (!state.request.overhead || outcome.failed()) return;
  // The two runs of a pair are neighbours in the plan; whichever comes second completes it.
  const auto repeat = static_cast<std::size_t>(planned.repeat);
  if (runs.pairs.size() < repeat) runs.pairs.resize(repeat);
  Pair& pair = runs.pairs[repeat - 1];
  (planned.monitored ? pair.with_ns : pair.without_ns) = static_cast<double>(outcome.wall_ns);
}

} // namespace andes::postproc
