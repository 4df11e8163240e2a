// Probes in Fortran: the user's own command with the plug-in for GCC (preprocessor/plugin), where there is one for its
// compiler. What it is asked, and what it answers, stands in a private directory (plugin/request.h).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/private_directory.h"
#include "preprocessor/command.h"
#include "preprocessor/options.h"
#include "preprocessor/process.h"
#include "preprocessor/rows.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

/// What the plug-in says of the sources.
struct PluginAnswer {
  struct Counts {
    std::string source;
    unsigned probes = 0, functions = 0;
  };
  std::vector<std::string> lines; // for the user
  std::vector<Explanation> rows; // of --explain
  std::vector<Counts> counts;
};

/// The plug-in for one command. While it exists, the environment of this process leads to its request.
class Plugin {
public:
  Plugin(const CompilerCommand& command, const Options& options, const Selection& selection, bool explain = false);
  ~Plugin();
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  /// Flags that load it. Empty: there is none for the command's compiler.
  const std::vector<std::string>& flags() const { return flags_; }
  PluginAnswer answer() const;
  /// Passes the answer on to the user, and to the record of the build.
  void report(const CompilerCommand& command) const;
  const std::string& directory() const { return directory_.path(); }

private:
  PrivateDirectory directory_;
  std::vector<std::string> flags_;
};

/// Says that the Fortran sources are compiled without probes because of the plug-in.
void report_plugin_fails(const CompilerCommand& command);

/// Runs the command with probes, and passes on what it prints; where the source has errors, those of the command as
/// written. Nothing if the compiler and the plug-in do not go together: then the user has seen nothing of it.
std::optional<Ended> run_with_plugin(const Plugin& plugin, const std::vector<std::string>& as_written,
                                     const CompilerCommand& command);

} // namespace andes::preprocessor
