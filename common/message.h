// Messages to the user: one line on standard error, "andes: object: fact; remedy".
//
// Whatever stops a command is thrown as a Refusal and printed by main, which then exits with
// status 2; nothing half-written may be left when it is thrown. Everything else that a user should
// know during a run goes through say(): standard output belongs to the measured program. Names of files
// and words of command lines may hold anything: they are made printable on the way.
#pragma once
#include <fmt/core.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/printable.h"

namespace andes {

/// Bad input: what() is "object: fact; remedy", without the leading "andes: ".
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
  std::string excerpt; // of a file at fault: lines to be shown below, each with its newline
};

/// Throws a Refusal with the text formatted by fmt.
template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Refusal(fmt::format(text, std::forward<Args>(args)...));
}

/// Prints "andes: TEXT" as one line on standard error.
template <typename... Args> void say(fmt::format_string<Args...> text, Args&&... args) {
  const std::string line = printable(fmt::format(text, std::forward<Args>(args)...));
  std::fputs(("andes: " + line + "\n").c_str(), stderr);
}

} // namespace andes
