// A check: whether something works on this machine, or for a program, and what to do if not.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

struct Check {
  enum class Result { works, limited, fails };
  std::string subject; // what was looked at, in one word or two
  Result result = Result::works;
  std::string fact;
  std::string remedy = {}; // empty: nothing is to be done
};

using Checks = std::vector<Check>;

} // namespace andes::postproc
