#include "postproc/launch/paired_runs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "postproc/analysis/gate.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/launch/one_run.h"
#include "postproc/launch/process.h"
#include "postproc/launch/progress.h"
#include "postproc/launch/sweep_state.h"

namespace andes::postproc {
namespace {

/// While it lives, what the programs write to standard output goes to a file: that is for the result of the gate.
class OutputAside {
public:
  explicit OutputAside(const std::string& file) : saved_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    const int log = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log < 0) refuse(file, fmt::format("cannot be written: {}", std::strerror(errno)), "make room");
    dup2(log, STDOUT_FILENO);
    close(log);
  }
  ~OutputAside() {
    if (saved_ < 0) return;
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
  }
  OutputAside(const OutputAside&) = delete;
  OutputAside& operator=(const OutputAside&) = delete;

private:
  int saved_;
};

/// One of the two builds.
struct Side {
  explicit Side(const Request& asked) : state(asked) {}
  SweepState state;

  /// T of the run, by its file; nothing: it failed.
  std::optional<double> run(const Planned& planned) {
    const std::size_t before = state.runs[planned.size].times_s.size();
    run_one(state, planned);
    const std::vector<double>& times = state.runs[planned.size].times_s;
    return times.size() > before ? std::optional(times.back()) : std::nullopt;
  }
  bool refused(const Size& size) { return state.refused_all || state.runs[size].refused; }
};

/// What is known of the pairs of a size.
struct SizePairs {
  std::vector<double> log_ratios;
  Judgement judgement = judge({}, {}, false);
  double seconds = 0; // that all of them took
  int failures = 0; // since the last whole pair
  bool is_given_up = false;
};

/// Refuses a program that is not there. What only the launcher's hosts have is left to it.
void check_program(const Command& command, const std::string& exe) {
  const std::string& program = command.words[command.program];
  if (program.find('{') == std::string::npos && find_executable(program).empty())
    if (const auto trouble = start_trouble(program)) refuse(program, trouble->fact, trouble->remedy);
  if (exe.empty()) refuse("andes gate", "a build is empty", "name an executable");
}

void make_directory(const std::string& directory) {
  if (mkdir(directory.c_str(), 0777) != 0)
    refuse(directory,
           errno == EEXIST ? "exists already and is not overwritten"
                           : fmt::format("cannot be made: {}", std::strerror(errno)),
           "name another directory");
}

RunDirectory series_for(const PairedRequest& request, const std::string& program) {
  if (request.directory.empty())
    return reserve_series(program, request.request.label.empty() ? "gate" : request.request.label);
  make_directory(request.directory);
  const std::string name = request.directory.substr(request.directory.find_last_of('/') + 1);
  return {request.directory, name};
}

void say_number_of_pairs(const std::string& size, const SizePairs& pairs, const PairedRequest& request, double used_s) {
  const Judgement& judgement = pairs.judgement;
  const double pair_s = pairs.seconds / static_cast<double>(pairs.log_ratios.size());
  const double wanted_s = pair_s * static_cast<double>(judgement.asked);
  const double left_s = request.budget_s - used_s + pairs.seconds;
  say("{}{}pairs differ by {:.2g} % (robust standard deviation): {}{} pairs for 95 % power at {:.2g} % more time, {} "
      "in "
      "all{}",
      size, size.empty() ? "" : ": ", 100 * judgement.spread, judgement.asked == most_pairs ? "at least " : "",
      judgement.asked, 100 * (request.tolerance + planned_excess), in_words(wanted_s),
      wanted_s > left_s ? fmt::format("; the budget has room for {:.0f}", std::floor(left_s / pair_s)) : "");
}

/// The gate while its pairs are run.
class Pairs {
public:
  Pairs(const PairedRequest& request, Side& base, Side& newer) : request_(request), base_(base), newer_(newer) {
    for (const Size& size : base.state.sizes) sizes_[size];
  }

  /// All pairs; returns why some are missing.
  std::string run() {
    for (int repeat = 1;; ++repeat) {
      bool any = false;
      for (auto& [size, pairs] : sizes_) {
        if (pairs.is_given_up || pairs.judgement.next_look == 0) continue;
        if (stop_signal() || is_time_up(pairs)) return trouble();
        run_pair(size, repeat, pairs);
        any = true;
      }
      if (!any) return trouble();
    }
  }

private:
  /// Whether the budget has no room for another pair.
  bool is_time_up(const SizePairs& pairs) const {
    const auto done = static_cast<double>(pairs.log_ratios.size());
    const double pair_s = done > 0 ? pairs.seconds / done : 0;
    return watch_.seconds() + pair_s > request_.budget_s;
  }

  void run_pair(const Size& size, int repeat, SizePairs& pairs) {
    const double begun_s = watch_.seconds();
    const Planned planned{size, repeat, true};
    const bool base_first = repeat % 2 == 1;
    Side &first = base_first ? base_ : newer_, &second = base_first ? newer_ : base_;
    const auto first_s = first.run(planned);
    std::optional<double> second_s;
    if (first_s && !stop_signal()) second_s = second.run(planned);
    if (stop_signal()) return;
    const std::string text = describe(size);
    if (!first_s || !second_s) {
      Side& failed = first_s ? second : first;
      pairs.is_given_up = failed.refused(size) || ++pairs.failures >= most_failures;
      if (pairs.is_given_up)
        trouble_ = fmt::format("{}{}the {} build could not be run", text, text.empty() ? "" : ": ",
                               &failed == &base_ ? "older" : "newer");
      return;
    }
    pairs.failures = 0;
    pairs.seconds += watch_.seconds() - begun_s;
    const double base_s = (base_first ? first_s : second_s).value(),
                 newer_s = (base_first ? second_s : first_s).value();
    pairs.log_ratios.push_back(std::log(newer_s / base_s));
    say("pair {}{}{}: {:.4g} s, {:.4g} s ({:+.1f} %)", repeat, text.empty() ? "" : ", ", text, base_s, newer_s,
        percent_of_log(pairs.log_ratios.back()));
    if (pairs.log_ratios.size() < pairs.judgement.next_look) return;
    const std::size_t asked = pairs.judgement.asked;
    pairs.judgement = judge(pairs.log_ratios, rule_for(request_.tolerance, sizes_.size()), false);
    if (pairs.judgement.asked > asked) say_number_of_pairs(text, pairs, request_, watch_.seconds());
  }

  std::string trouble() const { return trouble_; }

  const PairedRequest& request_;
  Side &base_, &newer_;
  std::map<Size, SizePairs> sizes_;
  Stopwatch watch_;
  std::string trouble_;
};

Request request_of(const PairedRequest& paired, const std::string& exe) {
  Request request = paired.request;
  request.command = command_with(request.command, exe);
  request.repeats.automatic = true; // the numbers in names have one length
  request.repeats.count = most_pairs;
  check_request(request);
  return request;
}

} // namespace

std::vector<std::string> command_with(const std::vector<std::string>& command, const std::string& exe) {
  std::vector<std::string> words = command;
  bool any = false;
  for (std::string& word : words)
    for (std::size_t at = 0; (at = word.find(exe_word, at)) != std::string::npos; at += exe.size()) {
      word.replace(at, std::strlen(exe_word), exe);
      any = true;
    }
  if (!any)
    refuse("gate", "the command has no {exe}", "write it where the program belongs: mpirun -n {p} {exe} ARGUMENTS");
  return words;
}

PairedRuns run_pairs(const PairedRequest& paired) {
  const Request base_request = request_of(paired, paired.base), new_request = request_of(paired, paired.newer);
  Side base(base_request), newer(new_request);
  check_library(base.state.installation);
  for (const Side* side : {&base, &newer})
    check_program(side->state.command, side == &base ? paired.base : paired.newer);
  const RunDirectory series = series_for(paired, program_name(newer.state.command));
  PairedRuns runs{series.directory + "/base", series.directory + "/new", {}, 0};
  make_directory(runs.base_directory);
  make_directory(runs.new_directory);
  base.state.series = {runs.base_directory, series.name};
  newer.state.series = {runs.new_directory, series.name};
  watch_signals();
  for (Side* side : {&base, &newer}) ask_launcher(side->state.command);
  const OutputAside aside(series.directory + "/output.log");
  try {
    runs.trouble = Pairs(paired, base, newer).run();
  } catch (const Refusal& refusal) { // a command that cannot be started
    say("{}", refusal.what());
    runs.trouble = refusal.what();
  }
  runs.stopped_by = stop_signal();
  return runs;
}

} // namespace andes::postproc
