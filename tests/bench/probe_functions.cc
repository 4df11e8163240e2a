// The measured functions; see probe_functions.h. Compiled twice, with PROBE_PLACE as the name of
// the function that hands them out.
#include "tests/bench/probe_functions.h"

#include "monitor/interface/probe.h"

namespace andes::bench {
namespace {

andes_site site = ANDES_SITE("probed", __FILE__, __LINE__, ANDES_KIND_FUNCTION);

__attribute__((noinline)) std::uint64_t bare(std::uint64_t x) { return x * 5 + 1; }

__attribute__((noinline)) std::uint64_t probed(std::uint64_t x) {
  ANDES_PROBE(&site)
  return x * 5 + 1;
}

} // namespace

Functions PROBE_PLACE() { return {bare, probed}; }

} // namespace andes::bench
