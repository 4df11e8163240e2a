// andes doctor [PROGRAM]. Exit status 1 if something fails, so that scripts may ask.
#include "postproc/command/doctor.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "common/refusal.h"
#include "postproc/command/subcommand.h"
#include "postproc/doctor/machine_checks.h"
#include "postproc/doctor/program_checks.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/view/formats.h"

namespace andes::postproc {
namespace {

struct DoctorOptions {
  std::string program, format;
};

Examined examine_machine(const Installation& installation) {
  const Machine machine = this_machine();
  return {"machine",
          fmt::format("{}: {}, {}, {} usable core{}", machine.host, machine.system, machine.processor,
                      machine.usable_cores, machine.usable_cores == 1 ? "" : "s"),
          Json{{"host", machine.host},
               {"system", machine.system},
               {"processor", machine.processor},
               {"usable_cores", machine.usable_cores}},
          machine_checks(installation)};
}

Examined examine_program(const std::string& word, const Installation& installation) {
  const std::string found = find_executable(word);
  const std::string path = found.empty() ? word : found;
  const auto program = read_program(path);
  if (!program) {
    const auto trouble = start_trouble(word);
    if (!trouble)
      refuse(word, "it is a script", "name the program that it starts, or the interpreter in its first line");
    refuse(word, trouble->fact, trouble->remedy);
  }
  return {"program",
          fmt::format("{}: {}, linked {}", path, program->machine, program->is_static ? "statically" : "dynamically"),
          program_json(*program), program_checks(*program, installation)};
}

int doctor(const DoctorOptions& options) {
  const Installation installation = find_installation();
  const Examined examined =
      options.program.empty() ? examine_machine(installation) : examine_program(options.program, installation);
  print_as(options.format, doctor_formats(), examined);
  return std::any_of(examined.checks.begin(), examined.checks.end(),
                     [](const Check& check) { return check.result == Check::Result::fails; });
}

} // namespace

void add_doctor(CLI::App& app, int& status) {
  const Subcommand command(app, "doctor", "Say what works on this machine, or for a program, and what to do if not");
  const auto options = std::make_shared<DoctorOptions>();
  command.footer("  andes doctor              this machine: compilers, MPI, counters, memory, limits, permissions\n"
                 "  andes doctor ./a.out      this program: how it was built, and what of it will be measured");
  command.option("program", options->program, "Program to look at");
  command.formats(options->format, doctor_formats());
  command.does([options, &status] { status = doctor(*options); });
}

} // namespace andes::postproc
