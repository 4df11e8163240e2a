// Sampled code: what samples of the program counter can tell apart, and how many there are of each. That is a function,
// as the program has it in memory, or one of the functions of the source that the compiler has inlined into it
// (code_scopes.h).
//
// Numbers run from 0 on, and stand for a function, for one that is inlined in it, or for the closed calls of MPI that
// one makes.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "monitor/core/function_samples.h"
#include "monitor/finish/code_scopes.h"
#include "monitor/finish/function_fit.h"

namespace andes::monitor {

/// Whether a call path's code is known. The compiler makes a function of a parallel region, in which its probe does not
/// lie.
bool is_code_known(const Tree& tree, std::uint32_t node);

class SampledCode {
public:
  static constexpr std::int32_t none = -1;

  /// `scopes`: of addresses in functions that may be divided; without them these are one piece.
  SampledCode(const Tree& tree, const FunctionSamples& samples, const CodeScopes& scopes);

  /// Gives the closed calls of MPI that a piece of code makes a number of their own. Not where it makes others, too,
  /// that take a tenth as long or more: of samples in these, deep in MPI's libraries, it is often not known who has
  /// called.
  void add_calls(const Tree& tree, std::vector<KnownTime>& known);

  /// The number of each node; `none`: it is not known, or no code of the program. Where a node's own is not known it is
  /// that of another node of its region, or of its caller: to the innermost function on the stack that holds a known
  /// probe its samples were given.
  const std::vector<std::int32_t>& of_nodes() const { return of_nodes_; }

  std::size_t count() const { return periods_.size(); }
  /// Periods that samples stand for, by number.
  const std::vector<double>& periods() const { return periods_; }
  /// The same of samples that belong to one of them, but not known to which.
  double unknown() const { return unknown_; }

  /// Whether two numbers are of one function in memory that was divided.
  bool are_inlined(std::int32_t a, std::int32_t b) const;

private:
  /// A function in memory, and the one of the source; 0: all of it.
  using Piece = std::pair<std::uintptr_t, std::uint64_t>;
  struct Division {
    std::map<std::uint64_t, double> periods, apart; // of the functions of the source with a probe
    double rest = 0; // periods in code of none of them
  };

  std::map<std::uintptr_t, Division> divisions(const Tree& tree, const FunctionSamples& samples,
                                               const CodeScopes& scopes) const;
  void number_nodes(const Tree& tree, const std::map<std::uintptr_t, Division>& divided, const CodeScopes& scopes);
  void count_samples(const Tree& tree, const FunctionSamples& samples,
                     const std::map<std::uintptr_t, Division>& divided);
  void give_rest(const Tree& tree, std::uintptr_t function, double periods);
  std::int32_t number_of(Piece piece);

  std::map<Piece, std::int32_t> numbers_;
  std::vector<Piece> pieces_; // by number
  std::vector<std::int32_t> of_nodes_;
  std::vector<double> periods_, apart_; // by number; the second of pieces of code alone
  double unknown_ = 0;
};

} // namespace andes::monitor
