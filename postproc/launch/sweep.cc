// The sweep. One State goes through the stages; each stage is a function.
#include "postproc/launch/sweep.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "common/message.h"
#include "monitor/interface/run_file.h"
#include "postproc/inspect/mpi_libraries.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/inspect/unmeasured.h"
#include "postproc/launch/annotate.h"
#include "postproc/launch/cores.h"
#include "postproc/launch/count_list.h"
#include "postproc/launch/environment.h"
#include "postproc/launch/facts.h"
#include "postproc/launch/failure.h"
#include "postproc/launch/hang_watch.h"
#include "postproc/launch/launcher.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/overhead.h"
#include "postproc/launch/plan.h"
#include "postproc/launch/process.h"
#include "postproc/launch/rescue.h"
#include "postproc/launch/watch.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

struct State {
  State(const Request& asked) : request(asked), command(read_command(asked.command)) {}

  const Request& request;
  Installation installation = find_installation();
  Command command; // before substitution
  std::optional<RunDirectory> series;
  std::string directory, pattern; // of the one run file, without a series
  std::vector<Planned> plan;

  std::map<std::string, Size> written;                          // path -> size of the plan
  std::vector<std::string> spawned;                             // files of worlds that runs have spawned
  std::map<Size, std::vector<Pair>> pairs;
  std::map<std::pair<Size, bool>, std::vector<double>> seconds; // by size and monitored
  std::set<Size> refused;   // sizes for which there are not enough slots
  bool refused_all = false; // the launcher starts nothing
  std::set<Size> oversubscribed;
  std::int64_t cores = 0; // of the last oversubscribed run
  bool bound = false;     // one of them had fewer cores than this host would give
  int status = 0;         // of the first failure
  int missing = 0;        // successful runs without a run file
  int empty = 0;          // run files without a measurement
  int unreadable = 0;     // run files that could not be completed
};

/// "p = 2, t = 4", as far as it is known.
std::string describe(const Size& size) {
  std::vector<std::string> parts;
  if (size.ranks) parts.push_back(fmt::format("p = {}", size.ranks));
  if (size.threads) parts.push_back(fmt::format("t = {}", size.threads));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Which run of the plan; a single run is named by its command.
std::string describe(const State& state, const Planned& planned) {
  if (state.plan.size() == 1 && planned.size == Size{}) return state.request.command[0];
  const std::string size = describe(planned.size);
  const std::string text = fmt::format("{}{}repeat {}", size, size.empty() ? "" : ", ", planned.repeat);
  return planned.monitored ? text : text + ", without the monitor";
}

// ---- before the first run ---------------------------------------------------------------------

/// Decides where the run files go; reserves the directory.
void prepare_output(State& state) {
  const Request& request = state.request;
  if (value_of(request.settings, "monitor") == "off") return;
  const std::string program = program_name(state.command);
  if (request.output.empty()) {
    state.series = reserve_series(program, request.label);
    return;
  }
  const fs::path path = expand_output(request.output, program);
  state.pattern = path.filename();
  state.directory = path.has_parent_path() ? path.parent_path().string() : ".";
  const bool ranks_later = state.pattern.find("%p") != std::string::npos;
  check_output(ranks_later ? (fs::path(state.directory) / "p").string() : request.output);
}

// ---- one run ----------------------------------------------------------------------------------

std::string directory_of(const State& state) { return state.series ? state.series->directory : state.directory; }

/// The file's name, with %p where the number of ranks is not known yet.
std::string pattern_of(const State& state, const Planned& planned) {
  if (!state.series) return state.pattern;
  const auto& [ranks, threads] = planned.size;
  return fmt::format("p{}{}.{}.andes", ranks ? std::to_string(ranks) : "%p", threads ? fmt::format("t{}", threads) : "",
                     planned.repeat);
}

void show_progress(const State& state, std::size_t index) {
  if (state.plan.size() == 1) return;
  double left = 0;
  for (std::size_t i = index; i < state.plan.size(); ++i) {
    if (state.refused.count(state.plan[i].size)) continue;
    const auto seen = state.seconds.find({state.plan[i].size, state.plan[i].monitored});
    if (seen == state.seconds.end()) {
      left = -1; // no estimate for sizes that have not run yet
      break;
    }
    double sum = 0;
    for (double second : seen->second) sum += second;
    left += sum / static_cast<double>(seen->second.size());
  }
  say("run {} of {}: {}{}", index + 1, state.plan.size(), describe(state, state.plan[index]),
      left < 0 ? "" : fmt::format("; about {} left", in_words(left)));
}

bool is_measured(const State& state, const Planned& planned) {
  return planned.monitored && value_of(state.request.settings, "monitor") != "off";
}

/// The arenas of the run that is about to start: no other run has this job's name.
JobPlace job_of(const State& state) {
  JobPlace job;
  job.name = new_job_name();
  job.places = monitor::arena_places(value_of(state.request.settings, "arena"));
  return job;
}

std::string libraries_of(const State& state) { return fs::path(state.installation.library).parent_path().string(); }

/// Facts of a running run that are not in its arenas.
Facts started_facts(const State& state, Facts facts) {
  if (state.series) facts["series"] = state.series->name;
  if (!state.request.label.empty()) facts["label"] = state.request.label;
  return facts;
}

Outcome start(const State& state, const Planned& planned, const JobPlace& job) {
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
      words_of(with_variables(state.command, variables, measured ? state.installation.library : ""), planned.size);
  what.environment = environment_with(variables);
  what.measured = measured && is_program(state.command);
  what.watch_stderr = state.command.has_launcher;
  if (!measured) return run_process(what);
  Snapshots snapshots(libraries_of(state), started_facts(state, facts_of(state.command, planned)));
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
  const Watch watch(std::move(plan));
  return run_process(what);
}

/// Names that the run may write: of its file, and of those of worlds that it spawns.
std::set<std::string> names_taken(const State& state, const Planned& planned) {
  return matches(directory_of(state), pattern_of(state, planned));
}

/// As they are numbered; the first has no number.
std::vector<std::string> by_number(std::vector<std::string> files) {
  std::sort(files.begin(), files.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return files;
}

/// The files that the run has written.
std::vector<std::string> find_written(const State& state, const Planned& planned, const std::set<std::string>& before) {
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
void compare_size(State& state, const Planned& planned, const Written& written, Facts& facts) {
  const auto& [ranks, threads] = planned.size;
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
    state.bound = state.bound || (threads > 1 && *written.usable_cores < usable_cores());
  }
}

/// Explains a launcher's refusal; false if it was none. Sweeps go on without that size.
bool explain_refusal(State& state, const Planned& planned, const Outcome& outcome) {
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
  if (refused == Refused::slots) state.refused.insert(planned.size);
  else state.refused_all = true;
  return true;
}

/// Explains why the program was not started; false if it was. A sweep goes on if its sizes have programs of their own.
bool explain_failed_start(State& state, const Planned& planned, const Outcome& outcome) {
  const Command& command = state.command;
  const std::string word = command.words[command.program];
  const std::string program = words_of({word}, planned.size)[0];
  const auto trouble =
      failed_start(program, command.has_launcher ? command.words[command.launcher] : std::string(), outcome);
  if (!trouble) return false;
  say("{}: {}; {}", program, trouble->fact, trouble->remedy);
  if (program == word) state.refused_all = true;
  else state.refused.insert(planned.size);
  return true;
}

/// Says before the run what of the program cannot be seen, or that every rank will be alone since the launcher does not
/// start programs of this MPI.
void say_what_is_known(const State& state) {
  const Command& command = state.command;
  const std::string& name = command.words[command.program];
  const auto file = ElfFile::open(find_executable(name));
  if (!file || value_of(state.request.settings, "monitor") == "off") return;
  const auto mpi = mpi_libraries(*file, linked_libraries(find_executable(name)));
  if (mpi.size() == 1 && mpi[0].soname.empty()) {
    say("{}: {} is linked into it from archives, so that nothing of MPI can be seen; link it with the shared library",
        name, name_of(mpi[0].family));
    return;
  }
  if (mpi.size() != 1 || mpi[0].family == MpiFamily::unknown || command.family == MpiFamily::unknown ||
      mpi[0].family == command.family)
    return;
  say("{}: it is linked with {}, and {} starts programs of {}: each rank will be alone in a world of its own; start it "
      "with the mpirun of {}, or build it with the mpicc of {}",
      name, name_of(mpi[0].family), command.words[command.launcher], name_of(command.family), name_of(mpi[0].family),
      name_of(command.family));
}

/// Does something to a run file; one file at fault does not end a night's sweep.
template <class Action> void tolerate(State& state, Action action) {
  try {
    action();
  } catch (const Refusal& refusal) {
    say("{}", refusal.what());
    ++state.unreadable;
  }
}

/// Completes a run file that was written or recovered.
void complete_file(State& state, const Planned& planned, const std::string& path, Facts facts) {
  tolerate(state, [&] {
    const Written written = read_written(path);
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
void write_facts(State& state, const Planned& planned, const Outcome& outcome, Facts facts) {
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
void explain_missing_file(const State& state, const Planned& planned) {
  const Command& command = state.command;
  const std::string word = words_of({command.words[command.program]}, planned.size)[0];
  if (const auto program = read_program(find_executable(word)))
    if (const auto trouble = unmeasured(*program)) {
      say("{}: no run file was written: {}; {}", word, trouble->fact, trouble->remedy);
      return;
    }
  say("{}: no run file was written: the program called neither MPI nor a probe, uses MPI sessions alone, or lost "
      "LD_PRELOAD; try {} andes exec {} ...",
      describe(state, planned), command.has_launcher ? command.words[command.launcher] + " -n {p}" : "", word);
}

/// Deals with the end of a monitored run: messages, facts, the file.
void finish_run(State& state, const Planned& planned, const Outcome& outcome, const JobPlace& job,
                const std::set<std::string>& before) {
  const Rescued rescued = rescue(job, libraries_of(state));
  std::vector<std::string> files;
  for (const std::string& path : find_written(state, planned, before))
    if (!is_among(rescued.files, path)) files.push_back(path);
  files.insert(files.end(), rescued.files.begin(), rescued.files.end());
  if (rescued.kept && !outcome.failed() && state.status == 0) state.status = 1; // a run file is missing
  const Facts facts = started_facts(state, facts_of(state.command, planned, outcome));
  for (const std::string& file : files) complete_file(state, planned, file, facts);
  if (!files.empty()) {
    if (outcome.failed())
      say("{}: {}; the run file is kept and marked as failed: {}", describe(state, planned),
          ending_of(outcome, rescued.signal), fmt::join(files, ", "));
    else if (!rescued.files.empty())
      say("{}: ended without writing its run file; recovered: {}", describe(state, planned),
          fmt::join(rescued.files, ", "));
  } else if (rescued.kept || stop_signal() || explain_refusal(state, planned, outcome) ||
             explain_failed_start(state, planned, outcome)) {
    return;
  } else if (outcome.failed()) {
    write_facts(state, planned, outcome, facts);
  } else if (state.missing++ == 0) {
    explain_missing_file(state, planned);
  }
}

void run_one(State& state, const Planned& planned) {
  const bool files = is_measured(state, planned);
  const JobPlace job = files ? job_of(state) : JobPlace();
  const std::set<std::string> before = files ? names_taken(state, planned) : std::set<std::string>();
  const Outcome outcome = start(state, planned, job);
  if (outcome.failed() && state.status == 0) state.status = outcome.status();
  if (!outcome.failed())
    state.seconds[{planned.size, planned.monitored}].push_back(static_cast<double>(outcome.wall_ns) * 1e-9);
  if (files) finish_run(state, planned, outcome, job, before);
  else if (outcome.failed() && !stop_signal() && !explain_refusal(state, planned, outcome) &&
           !explain_failed_start(state, planned, outcome))
    say("{}: {}", describe(state, planned), ending_of(outcome, 0));

  if (!state.request.overhead || outcome.failed()) return;
  // The two runs of a pair are neighbours in the plan; whichever comes second completes it.
  std::vector<Pair>& pairs = state.pairs[planned.size];
  if (pairs.size() < static_cast<std::size_t>(planned.repeat)) pairs.resize(static_cast<std::size_t>(planned.repeat));
  Pair& pair = pairs[static_cast<std::size_t>(planned.repeat) - 1];
  (planned.monitored ? pair.with_ns : pair.without_ns) = static_cast<double>(outcome.wall_ns);
}

// ---- after the last run -----------------------------------------------------------------------

void conclude_overhead(State& state) {
  for (auto& [size, pairs] : state.pairs) {
    std::vector<Pair> whole;
    for (const Pair& pair : pairs)
      if (pair.with_ns > 0 && pair.without_ns > 0) whole.push_back(pair);
    if (whole.empty()) continue;
    const Intrusion overhead = overhead_of(whole);
    const std::string where = size == Size{} ? "" : " at " + describe(size);
    if (overhead.low)
      say("overhead{}: {:.2f} % [{:.2f}, {:.2f}] of the command's wall time (median of {} pairs "
          "with and without the monitor; {})",
          where, overhead.percent, *overhead.low, *overhead.high, overhead.pairs,
          overhead.interval ? "interval of at least 95 %" : "range: use six pairs for an interval");
    else
      say("overhead{}: {:.2f} % of the command's wall time (one pair with and without the monitor; use six for an "
          "interval)",
          where, overhead.percent);
    Facts facts;
    facts["overhead_percent"] = overhead.percent;
    if (overhead.low) {
      facts["overhead_low"] = *overhead.low;
      facts["overhead_high"] = *overhead.high;
    }
    for (const auto& [path, size_of_run] : state.written)
      if (size_of_run == size) tolerate(state, [&, &file = path] { annotate(file, facts); });
  }
}

/// "p = 2, 4", or with threads "p x t = 2 x 4, 4 x 2".
std::string oversubscribed_sizes(const State& state) {
  std::vector<std::string> sizes;
  for (const auto& [ranks, threads] : state.oversubscribed)
    sizes.push_back(threads ? fmt::format("{} x {}", ranks, threads) : std::to_string(ranks));
  return fmt::format("{} = {}", state.request.threads.empty() ? "p" : "p x t", fmt::join(sizes, ", "));
}

void conclude(const State& state) {
  if (value_of(state.request.settings, "monitor") == "off")
    say("the monitor is off, so nothing was measured; remove the setting monitor to measure");
  if (!state.oversubscribed.empty()) {
    say("{}: more ranks x threads than the {} usable cores; these runs are marked oversubscribed, and andes report "
        "leaves them out of the serial fraction (unless --oversubscribed-ok)",
        oversubscribed_sizes(state), state.cores);
    if (state.bound)
      say("the launcher bound the ranks to fewer cores than the {} of this host; give each thread its own core (Open "
          "MPI: --map-by slot:pe={{t}}, or --bind-to none)",
          usable_cores());
  }
  if (state.missing > 1) say("{} runs wrote no run file", state.missing);
  if (const int number = stop_signal())
    say("stopped by signal {}: {} of {} runs done", number, state.written.size(), state.plan.size());
  const std::size_t spawned = state.spawned.size();
  if (state.plan.size() > 1 && spawned > 0)
    say("{} run file{} of worlds that these runs spawned, named *{}*", spawned, spawned == 1 ? "" : "s",
        run_file::spawned_mark);
  else if (spawned > 0)
    say("wrote {}: the world{} that the run spawned", fmt::join(by_number(state.spawned), ", "),
        spawned == 1 ? "" : "s");
  if (state.written.size() == static_cast<std::size_t>(state.empty)) return;
  const std::string first = state.written.begin()->first;
  if (state.series && state.plan.size() > 1) {
    say("{} run file{} in {}", state.written.size(), state.written.size() == 1 ? "" : "s", state.series->directory);
    say("next: andes report {}", state.series->directory);
  } else {
    say("wrote {}", first);
    say("next: andes show {}", first);
  }
}

} // namespace

int run_sweep(const Request& request) {
  check_request(request);
  State state(request);
  check_library(state.installation);
  if (find_executable(request.command[0]).empty())
    if (const auto trouble = start_trouble(request.command[0]))
      refuse(request.command[0], trouble->fact, trouble->remedy);
  prepare_output(state);
  watch_signals();
  ask_launcher(state.command);
  say_what_is_known(state);
  state.plan = plan_runs(request.ranks, request.threads, request.repeats, request.overhead);

  try {
    for (std::size_t i = 0; i < state.plan.size() && !stop_signal() && !state.refused_all; ++i) {
      if (state.refused.count(state.plan[i].size)) continue;
      show_progress(state, i);
      run_one(state, state.plan[i]);
    }
    conclude_overhead(state);
  } catch (...) {
    if (state.series) rmdir(state.series->directory.c_str()); // goes only if nothing is in it
    throw;
  }
  if (state.series) rmdir(state.series->directory.c_str());
  conclude(state);
  if (const int number = stop_signal()) return 128 + number;
  return state.status ? state.status : state.missing || state.unreadable ? 1 : 0;
}

} // namespace andes::postproc
