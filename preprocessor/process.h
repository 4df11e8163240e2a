// Starting compilers, and a private directory for temporary files of andes.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace andes::preprocessor {

/// The file that execvp would start for `name`; nothing if there is none.
std::optional<std::string> find_program(const std::string& name);

/// Replaces this process by the command. Returns (errno set) only if that fails.
void become(const std::vector<std::string>& words);

/// How a command ended, as waitpid says it.
struct Ended {
  bool started = false;
  int status = 0;
  bool good() const { return started && status == 0; }
};

/// Runs a command to its end, with outputs into the files `out` and `err` where given, and with the
/// variables of `environment` (NAME=VALUE) set. Signals that end this process are kept until the
/// command has ended: see leave_as.
Ended run(const std::vector<std::string>& words, const std::string& out = "", const std::string& err = "",
          const std::vector<std::string>& environment = {});

/// While it exists, what this process and its commands say on standard error goes into a file.
class KeptMessages {
public:
  explicit KeptMessages(const std::string& path);
  ~KeptMessages();
  KeptMessages(const KeptMessages&) = delete;
  KeptMessages& operator=(const KeptMessages&) = delete;

private:
  int before_; // the standard error of before; -1: it stays
};

/// The same exit status; if a signal ended the command, ends this process by that signal.
int leave_as(const Ended& ended);

/// Whether a noted signal asks this process to end.
bool interrupted();

/// Whole text of a file; nothing if it cannot be read.
std::optional<std::string> read_file(const std::string& path);
bool write_file(const std::string& path, const std::string& text);

} // namespace andes::preprocessor
