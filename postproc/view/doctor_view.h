// The results of `andes doctor`, as text and JSON; its CSV is the table of checks alone.
#pragma once
#include <string>

#include "postproc/inspect/built_program.h"
#include "postproc/inspect/check.h"
#include "postproc/view/json.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// What was looked at, and what was found.
struct Examined {
  std::string name, head; // `head`: one line
  Json subject;           // the object of what was looked at, under its `name`
  Checks checks;
};

/// `head`: what was looked at, one line.
std::string doctor_text(const Terminal& terminal, const std::string& head, const Checks& checks);

/// `subject` is the object of what was looked at, under its `name`.
std::string doctor_json(const std::string& name, const Json& subject, const Checks& checks);

std::string doctor_csv(const Checks& checks);

Json program_json(const BuiltProgram& program);

} // namespace andes::postproc
