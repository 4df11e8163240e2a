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
void check_program(const Command& command) {
  const std::string& program = command.words[command.program];
  if (program.find('{') == std::string::npos && find_executable(program).empty())
    if (const auto trouble = start_trouble(program)) refuse(program, trouble->fact, trouble->remedy);
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
  /// `base` is null where its runs are kept ones.
  Pairs(const PairedRequest& request, Side* base, Side& newer) : request_(request), base_(base), newer_(newer) {
    for (const Size& size : newer.state.sizes) sizes_[size];
  }

  /// All pairs; returns why some are missing.
  std::string run() {
    for (int repeat = 1;; ++repeat) {
      bool any = false;
      for (auto& [size, pairs] : sizes_) {
        if (pairs.is_given_up || !wants_more(size, repeat, pairs)) continue;
        if (stop_signal() || is_time_up(pairs)) return trouble_;
        run_pair(size, repeat, pairs);
        any = true;
      }
      if (!any) return trouble_;
    }
  }

private:
  /// Whether the budget has no room for another pair.
  bool is_time_up(const SizePairs& pairs) const {
    const auto done = static_cast<double>(pairs.log_ratios.size());
    const double pair_s = done > 0 ? pairs.seconds / done : 0;
    return watch_.seconds() + pair_s > request_.budget_s;
  }

  const KeptTime* kept(const Size& size, int repeat) const {
    for (const KeptTime& time : request_.kept)
      if ((size.ranks == 0 || time.ranks == size.ranks) && time.threads == size.threads && time.repeat == repeat)
        return &time;
    return nullptr;
  }

  /// Whether a pair of this number is of use, and can be made.
  bool wants_more(const Size& size, int repeat, const SizePairs& pairs) const {
    if (request_.alone > 0) return repeat <= request_.alone;
    return pairs.judgement.next_look > 0 && (base_ || kept(size, repeat));
  }

  std::optional<double> run_base(const Planned& planned) {
    if (base_) return base_->run(planned);
    const KeptTime* time = kept(planned.size, planned.repeat);
    return time ? std::optional(time->time_s) : std::nullopt;
  }

  void run_pair(const Size& size, int repeat, SizePairs& pairs) {
    const double begun_s = watch_.seconds();
    const Planned planned{size, repeat, true};
    const bool base_first = repeat % 2 == 1 && request_.alone == 0;
    const std::size_t oversubscribed = newer_.state.oversubscribed.size(); // sizes
    std::optional<double> base_s, newer_s;
    if (base_first) base_s = run_base(planned);
    if ((!base_first || base_s) && !stop_signal()) newer_s = newer_.run(planned);
    if (!base_first && newer_s && !stop_signal()) base_s = request_.alone > 0 ? newer_s : run_base(planned);
    if (stop_signal()) return;
    const std::string text = describe(size);
    if (!base_s || !newer_s) {
      const bool base_failed = base_first ? !base_s : newer_s.has_value();
      pairs.is_given_up = (base_failed ? *base_ : newer_).refused(size) || ++pairs.failures >= most_failures;
      if (pairs.is_given_up)
        trouble_ = fmt::format("{}{}the {} build could not be run", text, text.empty() ? "" : ": ",
                               base_failed ? "older" : "newer");
      return;
    }
    pairs.failures = 0;
    pairs.seconds += watch_.seconds() - begun_s;
    pairs.log_ratios.push_back(std::log(*newer_s / *base_s));
    if (request_.alone > 0) {
      say("run {}{}{}: {:.4g} s", repeat, text.empty() ? "" : ", ", text, *newer_s);
      return;
    }
    say("pair {}{}{}: {:.4g} s, {:.4g} s ({:+.1f} %)", repeat, text.empty() ? "" : ", ", text, *base_s, *newer_s,
        percent_of_log(pairs.log_ratios.back()));
    if (!request_.oversubscribed_ok && newer_.state.oversubscribed.size() > oversubscribed) {
      say("{}{}more ranks than cores, so no pairs would decide: no more of them (--oversubscribed-ok judges them)",
          text, text.empty() ? "" : ": ");
      pairs.is_given_up = true;
      return;
    }
    if (pairs.log_ratios.size() < pairs.judgement.next_look) return;
    const std::size_t asked = pairs.judgement.asked;
    pairs.judgement = judge(pairs.log_ratios, rule_for(request_.tolerance, sizes_.size()), false);
    if (pairs.judgement.asked > asked) say_number_of_pairs(text, pairs, request_, watch_.seconds());
  }

  const PairedRequest& request_;
  Side* base_;
  Side& newer_;
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
  const bool runs_base = !paired.base.empty();
  const Request base_request = request_of(paired, runs_base ? paired.base : paired.newer),
                new_request = request_of(paired, paired.newer);
  Side base(base_request), newer(new_request);
  check_library(newer.state.installation);
  check_program(base.state.command);
  check_program(newer.state.command);
  const std::string program = program_name(newer.state.command);
  const RunDirectory series = series_for(paired, program);
  PairedRuns runs{program, runs_base ? series.directory + "/base" : "", series.directory + "/new", {}, 0};
  if (runs_base) make_directory(runs.base_directory);
  make_directory(runs.new_directory);
  base.state.series = {runs.base_directory, series.name};
  newer.state.series = {runs.new_directory, series.name};
  watch_signals();
  for (Side* side : {&base, &newer}) ask_launcher(side->state.command);
  const OutputAside aside(series.directory + "/output.log");
  try {
    runs.trouble = Pairs(paired, runs_base ? &base : nullptr, newer).run();
  } catch (const Refusal& refusal) { // a command that cannot be started
    say("{}", refusal.what());
    runs.trouble = refusal.what();
  }
  runs.stopped_by = stop_signal();
  return runs;
}

} // namespace andes::postproc
