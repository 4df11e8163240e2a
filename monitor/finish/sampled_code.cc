#include "monitor/finish/sampled_code.h"

#include <algorithm>
#include <set>

namespace andes::monitor {
namespace {

constexpr double little = 0.1; // of a function's closed calls: its others
constexpr double enough = 0.9; // of a function's samples, whose addresses are known

/// Whether it is code of the program, which samples are of.
bool is_code(std::uint32_t kind) {
  switch (kind) {
  case ANDES_KIND_FUNCTION:
  case ANDES_KIND_BLOCK:
  case ANDES_KIND_LOOP:
  case ANDES_KIND_PHASE:
  case ANDES_KIND_INSTANCE:
  case ANDES_KIND_PARALLEL:
  case ANDES_KIND_WORKSHARE:
  case ANDES_KIND_CRITICAL: return true;
  default: return false;
  }
}

} // namespace

bool is_code_known(const Tree& tree, std::uint32_t node) {
  const NodeAccount& account = tree.accounts[node];
  return is_code(tree.node(node).kind) && account.code != 0 &&
         (tree.node(node).kind != ANDES_KIND_PARALLEL || account.code == account.function);
}

SampledCode::SampledCode(const Tree& tree, const FunctionSamples& samples, const CodeScopes& scopes)
    : of_nodes_(tree.node_count, none) {
  const std::map<std::uintptr_t, Division> divided = divisions(tree, samples, scopes);
  for (const FunctionCount& count : samples.functions)
    if (count.has_probe) numbers_[{count.begin, 0}] = none;
  number_nodes(tree, divided, scopes);
  count_samples(tree, samples, divided);
}

/// Functions are divided whose probes all have known scopes, of more than one function of the source, and most of whose
/// samples do.
std::map<std::uintptr_t, SampledCode::Division> SampledCode::divisions(const Tree& tree, const FunctionSamples& samples,
                                                                       const CodeScopes& scopes) const {
  std::map<std::uintptr_t, Division> divided;
  std::set<std::uintptr_t> whole;
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i) {
    const NodeAccount& account = tree.accounts[i];
    if (!is_code_known(tree, i)) continue;
    if (const Scopes* const around = scopes.at(account.code))
      divided[account.function].periods[around->front()] = divided[account.function].apart[around->front()] = 0;
    else whole.insert(account.function);
  }
  std::map<std::uintptr_t, double> placed;
  for (const AddressCount& count : samples.addresses) {
    const auto division = divided.find(count.function);
    const Scopes* const around = count.address == 0 ? nullptr : scopes.at(count.address);
    if (division == divided.end() || !around) continue;
    placed[count.function] += count.periods + count.apart_periods;
    Division& into = division->second;
    const auto scope =
        std::find_if(around->begin(), around->end(), [&](auto of) { return into.periods.count(of) != 0; });
    if (scope == around->end()) {
      into.rest += count.periods;
      continue;
    }
    into.periods[*scope] += count.periods;
    into.apart[*scope] += count.apart_periods;
  }
  for (const FunctionCount& count : samples.functions)
    if (placed[count.begin] < enough * (count.periods + count.apart_periods)) whole.insert(count.begin);
  std::erase_if(divided, [&](const auto& of) { return whole.count(of.first) || of.second.periods.size() < 2; });
  return divided;
}

void SampledCode::number_nodes(const Tree& tree, const std::map<std::uintptr_t, Division>& divided,
                               const CodeScopes& scopes) {
  std::map<std::uint32_t, std::int32_t> of_regions;
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i) {
    const NodeAccount& account = tree.accounts[i];
    if (!numbers_.count({account.function, 0}) || (tree.node(i).kind == ANDES_KIND_PARALLEL && !is_code_known(tree, i)))
      continue;
    const bool is_divided = account.code != 0 && divided.count(account.function) != 0;
    of_nodes_[i] = number_of({account.function, is_divided ? scopes.at(account.code)->front() : 0});
    of_regions.emplace(tree.node(i).region, of_nodes_[i]);
  }
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i) {
    const andes_node& node = tree.node(i);
    const auto of_region = of_regions.find(node.region);
    if (!is_code(node.kind)) of_nodes_[i] = none;
    else if (of_nodes_[i] == none && node.kind != ANDES_KIND_PARALLEL)
      of_nodes_[i] = of_region != of_regions.end() ? of_region->second : of_nodes_[node.parent];
  }
}

std::int32_t SampledCode::number_of(Piece piece) {
  std::int32_t& number = numbers_.try_emplace(piece, none).first->second;
  if (number == none) {
    number = static_cast<std::int32_t>(pieces_.size());
    pieces_.push_back(piece);
  }
  return number;
}

void SampledCode::count_samples(const Tree& tree, const FunctionSamples& samples,
                                const std::map<std::uintptr_t, Division>& divided) {
  periods_.resize(pieces_.size());
  apart_.resize(pieces_.size());
  unknown_ = samples.unknown;
  for (const FunctionCount& count : samples.functions) {
    const auto known = numbers_.find({count.begin, 0});
    if (known == numbers_.end() || divided.count(count.begin)) continue;
    if (known->second == none) { // its probe is that of a parallel region, whose code is elsewhere
      unknown_ += count.periods;
      continue;
    }
    periods_[static_cast<std::size_t>(known->second)] = count.periods;
    apart_[static_cast<std::size_t>(known->second)] = count.apart_periods;
  }
  for (const auto& [function, division] : divided) {
    for (const auto& [scope, periods] : division.periods) {
      const auto number = static_cast<std::size_t>(numbers_.at({function, scope}));
      periods_[number] += periods;
      apart_[number] += division.apart.at(scope);
    }
    give_rest(tree, function, division.rest);
  }
}

/// What is of a function without a probe, into which others were inlined, is of the one that calls it.
void SampledCode::give_rest(const Tree& tree, std::uintptr_t function, double periods) {
  std::set<std::int32_t> callers;
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i)
    if (tree.accounts[i].function == function)
      if (const std::int32_t caller = of_nodes_[tree.node(i).parent];
          caller != none && pieces_[static_cast<std::size_t>(caller)].first != function)
        callers.insert(caller);
  (callers.size() == 1 ? periods_[static_cast<std::size_t>(*callers.begin())] : unknown_) += periods;
}

void SampledCode::add_calls(const Tree& tree, std::vector<KnownTime>& known) {
  std::vector<double> closed(pieces_.size()), exact(pieces_.size());
  const auto caller_of = [&](std::uint32_t i) {
    return ANDES_KIND_IS_MPI(tree.node(i).kind) ? of_nodes_[tree.node(i).parent] : none;
  };
  const auto is_closed = [&](std::uint32_t i) {
    return tree.node(i).record != 0 && tree.records[tree.node(i).record].windows.windows != 0;
  };
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i)
    if (const std::int32_t caller = caller_of(i); caller != none)
      (is_closed(i) ? closed : exact)[static_cast<std::size_t>(caller)] += known[i].own;
  std::vector<std::int32_t> calls_of(pieces_.size(), none);
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece)
    if (closed[piece] > 0 && exact[piece] < little * closed[piece]) {
      calls_of[piece] = static_cast<std::int32_t>(periods_.size());
      periods_.push_back(apart_[piece]);
    }
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i)
    if (const std::int32_t caller = caller_of(i); caller != none)
      known[i].function = calls_of[static_cast<std::size_t>(caller)];
}

bool SampledCode::are_inlined(std::int32_t a, std::int32_t b) const {
  const auto is_piece = [&](std::int32_t number) { return number >= 0 && std::size_t(number) < pieces_.size(); };
  return a != b && is_piece(a) && is_piece(b) &&
         pieces_[static_cast<std::size_t>(a)].first == pieces_[static_cast<std::size_t>(b)].first;
}

} // namespace andes::monitor
