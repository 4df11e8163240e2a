// Launcher: knowledge about mpirun and similar launchers.
//
// A command given to `andes run` is mostly a launcher with options and then a program. Three things
// follow from that: which program is measured (it names the run's directory), whether the command
// itself may be the measured process (a launcher never is), and how remote ranks get the monitor:
// Open MPI's mpirun takes -x NAME for each variable; hydra, srun, aprun and the others pass the
// environment on by themselves.
#pragma once
#include <string>
#include <vector>

#include "postproc/inspect/mpi_family.h"

namespace andes::postproc {

struct Command {
  std::vector<std::string> words;
  std::size_t launcher = 0; // index of the launcher's word; meaningless without has_launcher
  bool has_launcher = false;
  std::size_t program = 0; // index of the word that names the measured program
  MpiFamily family = MpiFamily::unknown; // of the launcher; Open MPI's wants -x
};

/// Takes a command apart. Does not run anything: the family is left for ask_launcher.
Command read_command(const std::vector<std::string>& words);

/// Asks the launcher for its version, to set the family. Runs "LAUNCHER --version" at most once.
void ask_launcher(Command& command);

/// Base name of the program, as it names the directory of a series; {p} reads "p", and so on.
std::string program_name(const Command& command);

/// What starts the program as a process of its own without being a launcher: a shell, a shell's script, timeout, perf
/// or similar; empty: nothing.
std::string starter_of(const Command& command);

/// Whether the command is to be measured itself, when it never calls MPI: it is no launcher and nothing else that only
/// starts another program.
bool is_program(const Command& command);

/// The command with what makes the launcher hand `variables` ("NAME=VALUE") on to remote ranks.
/// A LD_PRELOAD that the user gives to the launcher is kept behind `library`.
std::vector<std::string> with_variables(const Command& command, const std::vector<std::string>& variables,
                                        const std::string& library);

/// The number of ranks that the launcher is asked for (-n, -np, --ntasks); 1 without a launcher, 0
/// if it cannot be seen.
int ranks_asked(const Command& command);

} // namespace andes::postproc
