// Messages to the user: one line on standard error, "andes: object: fact; remedy".
//
// An error that stops a command is a Refusal (refusal.h). Everything else that a user should know during a run goes
// through say(): standard output belongs to the measured program. Names of files and words of command lines may contain
// any bytes: say() makes them printable.
#pragma once
#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <utility>

#include "common/printable.h"
#include "common/refusal.h"

namespace andes {

/// Prints "andes: TEXT" as one line on standard error.
template <typename... Args> void say(fmt::format_string<Args...> text, Args&&... args) {
  const std::string line = printable(fmt::format(text, std::forward<Args>(args)...));
  std::fputs(("andes: " + line + "\n").c_str(), stderr);
}

} // namespace andes
