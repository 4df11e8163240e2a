// Procedures of a source as decide.h knows functions: facts that are collected while the front end's trees are there,
// and put together when all of them have been seen.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/pipeline.h"
#include "preprocessor/plugin/gcc.h"
#include "preprocessor/plugin/request.h"

namespace andes::preprocessor::plugin {

/// Has each procedure looked at before the compiler makes its intermediate code of it, and placeholders put in
/// (blocks.h).
void watch_procedures(const Request& request);

/// What is decided about, with the declaration of each function and the placeholder of each block (0: none).
struct Source {
  Regions regions;
  std::vector<tree> functions;
  std::vector<unsigned> placeholders;
};

/// All procedures of the user that have been looked at; each has its control flow graph.
Source collected_source();

} // namespace andes::preprocessor::plugin
