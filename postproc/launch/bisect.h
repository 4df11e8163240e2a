// Bisect: the commit that made a program slower, by git bisect with the verdicts of andes gate.
//
// Invariants:
//  - the user's tree is never touched: what is built lies in two worktrees of the same repository, one of the good
//    commit, which is the base of all pairs, and one that git bisect moves; both are removed whatever happens;
//  - a commit that cannot be built or run, or of which several gates cannot tell, is skipped, as git bisect has it.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace andes::postproc {

struct BisectRequest {
  std::string good, bad; // as the user names them
  std::vector<std::string> build; // runs in each tree, in the directory that corresponds to the working directory
  std::vector<std::string> command; // {exe} in it stands for the program
  std::string executable; // path of the program from that directory; empty: the first word of `command` that
      // is a program there
  std::vector<std::string> gate; // options for each gate but --base, --new, --budget and -o
  double budget_s = 600; // of a gate; those that repeat an undecided one get more
  std::string directory; // that keeps the runs; empty: they are removed
};

struct BisectResult {
  enum class Kind { found, not_slower, undecided, could_not_run, stopped } kind = Kind::undecided;
  std::vector<std::string> commits; // the one, or (undecided) those that it is among; full names
  std::string title; // of the one: first line of its message, author and day
  std::string trouble; // why nothing was found, with the remedy
  std::vector<std::string> runs; // of the gate that judged the one: directories of base and new
  int signal = 0; // that stopped it
};

/// Calls `finished` with the result while the runs are still there. Throws Refusal for bad input: no git tree, changes
/// that are not committed, unknown commits.
void bisect(const BisectRequest& request, const std::function<void(const BisectResult&)>& finished);

} // namespace andes::postproc
