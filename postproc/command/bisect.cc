// andes bisect: which commit made a program slower (docs/history.md). The exit status is the answer.
#include "postproc/command/bisect.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/message.h"
#include "postproc/command/subcommand.h"
#include "postproc/inspect/command_output.h"
#include "postproc/launch/amount.h"
#include "postproc/launch/bisect.h"
#include "postproc/launch/installation.h"
#include "postproc/model/source_version.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {
namespace {

/// Exit status. Bad input is 2, as everywhere.
struct Bisected {
  enum { found = 0, not_slower = 1, undecided = 3, could_not_run = 4 };
};

struct BisectOptions {
  std::string good, bad, tolerance = "3%", budget = "10m";
  std::optional<std::string> executable, ranks, directory;
  std::vector<std::string> set;
  bool oversubscribed_ok = false;
};

BisectRequest bisect_request(const BisectOptions& options, const std::vector<std::string>& behind) {
  // The last --: the command that builds may have its own, as andes build -- make.
  const auto dashes = std::find(behind.rbegin(), behind.rend(), "--");
  if (dashes == behind.rend())
    refuse("bisect", "a command is missing", "write andes bisect --good A --bad B -- make -- mpirun -n {p} ./program");
  BisectRequest request;
  request.good = options.good;
  request.bad = options.bad;
  request.build.assign(behind.begin(), dashes.base() - 1);
  request.command.assign(dashes.base(), behind.end());
  if (request.build.empty()) refuse("bisect", "no command that builds", "write it behind the first --");
  if (request.command.empty()) refuse("bisect", "no command to run", "write it behind the second --");
  request.executable = options.executable.value_or("");
  const bool has_place = std::any_of(request.command.begin(), request.command.end(),
                                     [](const std::string& word) { return word.find("{exe}") != word.npos; });
  if (has_place == request.executable.empty())
    refuse("bisect", has_place ? "{exe} stands for nothing" : "--exe has no {exe} in the command",
           "give both, or neither");
  request.budget_s = read_seconds("--budget", options.budget);
  request.directory = options.directory.value_or("");
  request.gate = {"--tolerance", options.tolerance};
  if (options.ranks) request.gate.insert(request.gate.end(), {"--ranks", *options.ranks});
  for (const std::string& setting : options.set) request.gate.insert(request.gate.end(), {"--set", setting});
  if (options.oversubscribed_ok) request.gate.emplace_back("--oversubscribed-ok");
  return request;
}

/// The gate's own words about runs that it has judged: by how much, where, and why.
std::string cause_of(const BisectRequest& request, const BisectResult& result) {
  std::vector<std::string> words = {
      find_installation().command, "gate", "--base", result.runs[0], "--new", result.runs[1]};
  words.insert(words.end(), request.gate.begin(), request.gate.begin() + 2); // --tolerance
  if (std::find(request.gate.begin(), request.gate.end(), "--oversubscribed-ok") != request.gate.end())
    words.emplace_back("--oversubscribed-ok");
  return output_of(words).text;
}

void print_result(const BisectRequest& request, const BisectResult& result) {
  if (result.kind == BisectResult::Kind::found) {
    print(fmt::format("{} is the first slower commit\n{}\n\n{}", result.commits.front(), printable(result.title),
                      result.runs.empty() ? "" : cause_of(request, result)));
    return;
  }
  if (result.kind == BisectResult::Kind::stopped) return;
  say("bisect: {}", result.trouble);
  if (!result.commits.empty())
    print(fmt::format("The first slower commit is among\n  {}\n", fmt::join(result.commits, "\n  ")));
}

int status_of(const BisectResult& result) {
  switch (result.kind) {
  case BisectResult::Kind::found: return Bisected::found;
  case BisectResult::Kind::not_slower: return Bisected::not_slower;
  case BisectResult::Kind::could_not_run: return Bisected::could_not_run;
  case BisectResult::Kind::stopped: return 128 + result.signal;
  case BisectResult::Kind::undecided: break;
  }
  return Bisected::undecided;
}

} // namespace

void add_bisect(CLI::App& app, const std::vector<std::string>& behind, int& status) {
  const auto options = std::make_shared<BisectOptions>();
  const Subcommand command(app, "bisect", "Find the commit that made a program slower, by andes gate");
  command.footer(
      "Usage: andes bisect --good COMMIT --bad COMMIT [OPTIONS] -- BUILD -- COMMAND\n"
      "  andes bisect --good v1.2 --bad main --ranks 2 -- make -j4 -- mpirun -n {p} ./app 1000\n"
      "  andes bisect --good v1.2 --bad main --exe build/app -- sh build.sh -- mpirun -n 2 {exe} 1000\n"
      "Exit status: 0 found, 1 not slower, 2 bad input, 3 undecided, 4 a commit named cannot be built or run.");
  command.option("--good", options->good, "A commit that is fast enough: the base of all pairs")
      .required()
      .value_name("COMMIT");
  command.option("--bad", options->bad, "A later one that is slower").required().value_name("COMMIT");
  command.option("--tolerance", options->tolerance, "How much longer a commit may take than --good; 3% unless given")
      .value_name("PERCENT");
  command
      .option("--budget", options->budget,
              "For the runs of a commit, 10m unless given; three times as much where they do not decide")
      .value_name("TIME");
  command
      .option("--exe", options->executable,
              "The program that BUILD makes, for {exe} in COMMAND; else the first word of COMMAND that it makes")
      .value_name("PATH");
  command.option("--ranks", options->ranks, "Rank counts: 1,2,4 or 1-4; {p} in COMMAND stands for each")
      .value_name("LIST");
  command.flag("--oversubscribed-ok", options->oversubscribed_ok, "Judge runs with more ranks than cores, too");
  command.repeated_option("--set", options->set, "One setting of the runs; may be given several times")
      .value_name("KEY=VALUE");
  command.option("-o,--output", options->directory, "A new directory that keeps the runs; else they are removed")
      .value_name("DIRECTORY");
  command.does([options, &behind, &status] {
    const BisectRequest request = bisect_request(*options, behind);
    bisect(request, [&](const BisectResult& result) {
      print_result(request, result);
      if (!request.directory.empty()) say("bisect: runs kept in {}", request.directory);
      status = status_of(result);
    });
  });
}

} // namespace andes::postproc
