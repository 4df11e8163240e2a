// The loops of a function and the marked statements, as candidates for regions, with the obstacles
// to a pair of braces around them. Uses Clang; only for preprocessor/collect.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "preprocessor/collect/calls.h"
#include "preprocessor/collect/files.h"
#include "preprocessor/collect/pragmas.h"
#include "preprocessor/collect/work.h"
#include "preprocessor/pipeline.h"
#include "clang/AST/ASTContext.h"

namespace andes::preprocessor {

/// The blocks of the functions that were added, outer ones before those inside.
class BlockList {
public:
  BlockList(clang::ASTContext& context, const FileIndex& files, const Pragmas& pragmas)
      : context_(context), files_(files), pragmas_(pragmas), used_(pragmas.all.size()) {}

  /// Adds the blocks of `body`, which is `index` among the functions; nested lambdas and classes are
  /// functions of their own. `in_construct`: the function stands in a construct of OpenMP.
  void add(clang::Stmt* body, unsigned index, const BodyFacts& facts, bool in_construct);

  /// A line "FILE:LINE: fact; remedy" for each mark that is invalid, or is not followed by a statement.
  std::vector<std::string> complaints() const;

  std::vector<Block> blocks;
  std::vector<BodyWork> works; // of one round, as `blocks`

private:
  friend class BlockFinder;

  clang::ASTContext& context_;
  const FileIndex& files_;
  const Pragmas& pragmas_;
  std::vector<bool> used_; // marks with a block, as `pragmas_.all`
};

} // namespace andes::preprocessor
