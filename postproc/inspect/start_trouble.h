// Why a program cannot be started on this machine, found without starting it.
#pragma once
#include <optional>
#include <string>

namespace andes::postproc {

/// As the middle and the end of a message: "andes: PROGRAM: fact; remedy".
struct StartTrouble {
  std::string fact, remedy;
  bool of_host = false;  // on another host the file may be there, or another one
  bool of_shell = false; // a starter may hand the file to a shell
};

/// `word` is what the command line names: a path, or a name to be looked up in PATH. Nothing: no obstacle is known.
std::optional<StartTrouble> start_trouble(const std::string& word);

/// Path of an executable as the shell would find it; empty if there is none.
std::string find_executable(const std::string& word);

/// The same, if it is a binary; empty: it is none. execvp gives what the kernel does not take to a shell, which reads a
/// binary of another processor as commands: use execve for these.
std::string path_of_binary(const std::string& word);

} // namespace andes::postproc
