#include "postproc/launch/bisect.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "common/message.h"
#include "common/private_directory.h"
#include "postproc/inspect/git.h"
#include "postproc/launch/installation.h"
#include "postproc/launch/process.h"

namespace andes::postproc {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// The first line that git prints; empty if it fails.
std::string line_of_git(const std::string& directory, Words words) {
  const CommandOutput output = git(directory, std::move(words));
  return output.status == 0 ? output.text.substr(0, output.text.find('\n')) : "";
}

struct Commits {
  std::string top, prefix; // of the user's tree; of the working directory in it
  std::string good, bad;
};

Commits commits_of(const BisectRequest& request) {
  Commits commits;
  commits.top = line_of_git(".", {"rev-parse", "--show-toplevel"});
  if (commits.top.empty()) refuse("bisect", "this is no git tree", "change to the directory of the sources");
  commits.prefix = line_of_git(".", {"rev-parse", "--show-prefix"});
  const auto resolved = [](const std::string& name) {
    const std::string commit = line_of_git(".", {"rev-parse", "--verify", "--quiet", name + "^{commit}"});
    if (commit.empty() || name.starts_with('-')) refuse(name, "no such commit", "git log lists them");
    return commit;
  };
  commits.good = resolved(request.good);
  commits.bad = resolved(request.bad);
  if (commits.good == commits.bad) refuse(request.bad, "the same commit as --good", "name a later one");
  if (git(".", {"merge-base", "--is-ancestor", commits.good, commits.bad}).status != 0)
    refuse(request.good, fmt::format("{} does not descend from it", request.bad),
           "name one of its ancestors as --good");
  const CommandOutput changes = git(".", {"status", "--porcelain", "--untracked-files=no"});
  if (changes.status != 0 || !changes.text.empty())
    refuse("bisect", "the tree has changes that are not committed", "commit or stash them: they would be in no build");
  return commits;
}

/// The worktrees, which do not outlive this.
class Worktrees {
public:
  explicit Worktrees(const Commits& commits, const std::string& kept) : top_(commits.top) {
    if (place_->path().empty())
      refuse("bisect", fmt::format("no temporary directory: {}", std::strerror(errno)),
             "set TMPDIR to a directory with room");
    runs = kept.empty() ? place_->path() + "/runs" : fs::absolute(kept).string();
  }
  ~Worktrees() {
    for (const std::string& tree : trees_) {
      git(tree, {"bisect", "reset"});
      git(top_, {"worktree", "remove", "--force", tree});
    }
    place_.reset();
    git(top_, {"worktree", "prune"});
  }
  Worktrees(const Worktrees&) = delete;
  Worktrees& operator=(const Worktrees&) = delete;

  std::string add(const char* name, const std::string& commit) {
    const std::string tree = place_->path() + "/" + name;
    const CommandOutput output = git(top_, {"worktree", "add", "--detach", tree, commit});
    if (output.status != 0)
      refuse("git worktree", output.text.substr(output.text.rfind('\n', output.text.size() - 2) + 1),
             "see git worktree");
    trees_.push_back(tree);
    return tree;
  }

  std::string runs; // directory of all gates' runs

private:
  std::string top_;
  std::optional<PrivateDirectory> place_{std::in_place};
  std::vector<std::string> trees_;
};

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);
  return variables;
}

/// Runs a command in a directory, with what it prints on standard error: standard output is for the result.
int run_in(const std::string& directory, const Words& words) {
  Words all = {"/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\" >&2", "sh", directory};
  all.insert(all.end(), words.begin(), words.end());
  return run_process({all, own_environment(), false, false}).status();
}

enum class Verdict { good, bad, unknown, broken };

class Bisection {
public:
  Bisection(const BisectRequest& request, const Commits& commits, Worktrees& trees)
      : request_(request), commits_(commits), trees_(trees) {}

  BisectResult result() {
    BisectResult result;
    base_ = trees_.add("good", commits_.good);
    if (!is_built(base_)) return trouble(fmt::format("{} cannot be built; see above", request_.good));
    find_program();
    tree_ = trees_.add("tree", commits_.bad);
    switch (verdict()) {
    case Verdict::broken: return trouble(fmt::format("{} cannot be built or run; see above", request_.bad));
    case Verdict::good:
      result.kind = BisectResult::Kind::not_slower;
      result.trouble = fmt::format("{} is not slower than {}; name others, or give a smaller --tolerance", request_.bad,
                                   request_.good);
      return result;
    case Verdict::unknown:
      result.trouble = fmt::format("whether {} is slower than {} cannot be told in that time; give a larger --budget",
                                   request_.bad, request_.good);
      return result;
    case Verdict::bad: break;
    }
    std::string said = git(tree_, {"bisect", "start", commits_.bad, commits_.good}).text;
    for (;;) {
      if (stop_signal()) return trouble("stopped");
      if (is_over(said, result)) return result;
      const Verdict found = verdict();
      if (stop_signal()) return trouble("stopped");
      said = git(tree_, {"bisect", found == Verdict::good ? "good" : found == Verdict::bad ? "bad" : "skip"}).text;
    }
  }

private:
  BisectResult trouble(const std::string& text) const {
    BisectResult result;
    result.kind = stop_signal() ? BisectResult::Kind::stopped : BisectResult::Kind::could_not_run;
    result.trouble = text;
    result.signal = stop_signal();
    return result;
  }

  std::string directory_in(const std::string& tree) const { return tree + "/" + commits_.prefix; }

  bool is_built(const std::string& tree) const {
    std::error_code error;
    const std::string directory = directory_in(tree);
    return fs::is_directory(directory, error) && run_in(directory, request_.build) == 0;
  }

  std::string program_in(const std::string& tree) const {
    return (fs::path(directory_in(tree)) / program_).lexically_normal().string();
  }

  bool is_program(const std::string& path) const {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  }

  /// Finds out which program the build makes, and puts {exe} in its place.
  void find_program() {
    program_ = request_.executable;
    command_ = request_.command;
    for (std::string& word : command_) {
      if (!program_.empty() || fs::path(word).is_absolute()) continue;
      const std::string path = (fs::path(directory_in(base_)) / word).string();
      if (word.find('/') == word.npos || !is_program(path)) continue;
      program_ = word;
      word = "{exe}";
    }
    if (program_.empty())
      refuse("bisect", "the build made none of the programs of the command",
             "give --exe PATH, and {exe} in the command");
    if (!is_program(program_in(base_)))
      refuse(program_, fmt::format("the build of {} has not made it", request_.good), "give the path from here");
  }

  /// Builds what is checked out and judges it by as many gates as it takes. Says what came out.
  Verdict verdict() {
    constexpr int most_gates = 3;
    constexpr double more_time = 3;
    const std::string commit = line_of_git(tree_, {"rev-parse", "HEAD"});
    const std::string name = line_of_git(tree_, {"log", "-1", "--format=%h %s"});
    Verdict verdict = is_built(tree_) && is_program(program_in(tree_)) ? Verdict::unknown : Verdict::broken;
    double budget_s = request_.budget_s;
    for (int gate = 1; verdict == Verdict::unknown && gate <= most_gates && !stop_signal(); ++gate) {
      if (gate > 1) say("bisect: {}: undecided; once more, with {:.0f} s", name, budget_s);
      verdict = judged(commit, gate, budget_s);
      budget_s *= more_time;
    }
    constexpr const char* words[] = {"not slower", "slower", "undecided", "cannot be built or run"};
    if (!stop_signal()) say("bisect: {}: {}", name, words[static_cast<int>(verdict)]);
    return verdict;
  }

  Verdict judged(const std::string& commit, int gate, double budget_s) {
    const std::string place = fmt::format("{}/{}.{}", trees_.runs, commit.substr(0, 10), gate);
    std::error_code error;
    fs::create_directories(trees_.runs, error);
    Words words = {find_installation().command, "gate", "--base", program_in(base_), "--new", program_in(tree_)};
    words.insert(words.end(), request_.gate.begin(), request_.gate.end());
    for (const std::string& word :
         {std::string("--budget"), fmt::format("{}s", budget_s), std::string("-o"), place, std::string("--")})
      words.push_back(word);
    words.insert(words.end(), command_.begin(), command_.end());
    runs_[commit] = {place + "/base", place + "/new"};
    switch (run_in(fs::current_path().string(), words)) {
    case 0: return Verdict::good;
    case 1: return Verdict::bad;
    case 3: return Verdict::unknown;
    case 2: refuse("bisect", "andes gate refuses its options", "see the line above");
    default: return Verdict::broken;
    }
  }

  /// Whether git bisect has come to its end; then it says which commits are left.
  bool is_over(const std::string& said, BisectResult& result) {
    std::istringstream lines(said);
    bool among = false;
    for (std::string line; std::getline(lines, line);) {
      const std::string commit = line.substr(0, line.find(' '));
      const bool is_commit = commit.size() >= 40 && commit.find_first_not_of("0123456789abcdef") == commit.npos;
      if (is_commit && line.ends_with("is the first bad commit")) {
        result.kind = BisectResult::Kind::found;
        result.commits = {commit};
        result.title = line_of_git(tree_, {"show", "--no-patch", "--format=%s (%an, %as)", commit});
        result.runs = runs_[commit];
        return true;
      }
      among = among || line.find("first 'bad' commit could be any of") != line.npos ||
              line.find("first bad commit could be any of") != line.npos;
      if (among && is_commit) result.commits.push_back(commit);
    }
    if (among) result.trouble = "the commits between could not be built, run or told apart";
    else if (said.find("Bisecting:") == said.npos)
      refuse("git bisect", said.substr(0, said.find('\n')), "see git help bisect");
    return among;
  }

  const BisectRequest& request_;
  const Commits& commits_;
  Worktrees& trees_;
  std::string base_, tree_;   // worktrees
  std::string program_;       // path from the directory of the build
  Words command_;
  std::map<std::string, std::vector<std::string>> runs_; // of the last gate, by commit
};

} // namespace

void bisect(const BisectRequest& request, const std::function<void(const BisectResult&)>& finished) {
  const Commits commits = commits_of(request);
  if (std::error_code error; !request.directory.empty() && fs::exists(request.directory, error))
    refuse(request.directory, "it exists", "name a new directory for the runs");
  watch_signals();
  Worktrees trees(commits, request.directory);
  finished(Bisection(request, commits, trees).result());
}

} // namespace andes::postproc
