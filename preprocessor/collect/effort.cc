#include "preprocessor/collect/effort.h"

#include <algorithm>

#include "preprocessor/collect/mpi_calls.h"
#include "preprocessor/collect/name.h"
#include "preprocessor/collect/waits.h"
#include "preprocessor/left_out.h"

namespace andes::preprocessor {

using namespace clang;

namespace {

/// The functions that a call through a pointer may mean.
std::vector<unsigned> meant_by(const BodyWork::PointerCall& call, const PointedAt& pointed_at) {
  std::vector<unsigned> found;
  for (const auto& [function, number] : pointed_at)
    if (function->getASTContext().hasSameFunctionTypeIgnoringExceptionSpec(function->getType(), call.type))
      found.push_back(number);
  return found;
}

} // namespace

Effort effort_of(const BodyWork& body, const FunctionNumbers& by_declaration, const PointedAt& pointed_at) {
  Effort effort;
  effort.operations = body.operations;
  effort.size = body.size;
  effort.loops = body.loops;
  effort.scans = body.scans;
  effort.counted = body.counted;
  effort.unseen = body.unseen || !body.open_calls.empty() || !body.pointer_calls.empty();
  effort.mpi = body.mpi;
  effort.constructs = body.constructs;
  effort.marked_inline = body.marked_inline;
  effort.always_inline = body.always_inline;
  effort.is_template = body.is_template;
  effort.expression = body.expression;
  effort.statement = body.statement;
  effort.is_virtual = body.is_virtual;
  effort.long_loops = body.long_loops;
  effort.likely = body.expected;
  effort.obscure = body.unseen;
  for (const BodyWork::OpenCall& call : body.open_calls) {
    effort.likely += call.of_std * call.expected;
    effort.obscure |= !call.of_std;
  }
  for (const BodyWork::Step& step : body.steps) {
    if (step.kind != Step::Kind::call) {
      effort.steps.push_back({step.kind});
      continue;
    }
    const BodyWork::Place& place = body.places[step.place];
    const auto found = by_declaration.find(place.callee);
    if (found != by_declaration.end()) effort.steps.push_back({Step::Kind::call, found->second});
    else if (!place.operations && !place.of_std) effort.steps.push_back({Step::Kind::unknown_call});
  }
  for (const BodyWork::Place& place : body.places) {
    const auto found = by_declaration.find(place.callee);
    if (found == by_declaration.end()) {
      effort.likely += std::max(place.operations, place.of_std) * place.expected;
      effort.obscure |= !place.operations && !place.of_std;
    }
    if (found != by_declaration.end()) {
      effort.calls.insert(effort.calls.end(), place.rounds, found->second);
      effort.places.push_back(found->second);
    } else if (place.operations) {
      effort.operations += place.operations * place.rounds;
      effort.size += place.operations;
    } else {
      effort.unseen = true;
    }
  }
  if (!body.pointer_calls.empty()) {
    effort.guessed =
        !effort.obscure && std::ranges::none_of(body.pointer_calls, [&](const BodyWork::PointerCall& call) {
          return meant_by(call, pointed_at).empty();
        });
    effort.obscure = true;
  }
  return effort;
}

Expected expected_of(const BodyWork& body, const FunctionNumbers& by_declaration, const PointedAt& pointed_at,
                     const FileIndex& files, const SourceManager& sources) {
  Expected all;
  all.operations = body.expected;
  all.unknown = body.unseen || !body.pointer_calls.empty();
  for (const BodyWork::Place& place : body.places) {
    if (const auto found = by_declaration.find(place.callee); found != by_declaration.end())
      all.calls.push_back({found->second, place.expected});
    else if (const bool own = files.own(sources.getExpansionLoc(place.callee->getLocation())).has_value();
             !own && is_waiting(*place.callee))
      all.far_calls.push_back({waiting_call, place.expected});
    else if (place.operations) all.operations += place.operations * place.expected;
    else if (is_of_mpi(*place.callee)) continue; // its time is not its caller's
    else if (own)
      all.far_calls.push_back({linked_name(name_of(*place.callee), signature_of(*place.callee)), place.expected});
    else all.unknown = true;
  }
  for (const BodyWork::OpenCall& call : body.open_calls)
    if (const auto found = by_declaration.find(call.callee); found != by_declaration.end())
      all.calls.push_back({found->second, call.expected});
    else if (!call.callee || !is_of_mpi(*call.callee)) all.unknown = true;
  for (const BodyWork::PointerCall& call : body.pointer_calls) {
    const std::vector<unsigned> meant = meant_by(call, pointed_at);
    for (const unsigned function : meant)
      all.calls.push_back({function, call.expected / double(meant.size()), unsigned(meant.size())});
  }
  return all;
}

} // namespace andes::preprocessor
