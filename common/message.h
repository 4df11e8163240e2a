// Messages to the user: one line on standard error, "andes: object: fact; remedy".
//
// What stops a command is a Refusal (refusal.h). All else that a user should know during a run goes through say():
// standard output belongs to the measured program. Names of files and words of command lines may hold anything: they are
// made printable on the way.
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
