// Process: one command, started and waited for.
//
// Standard input and output go straight through. Standard error does too, except that of launchers:
// theirs passes through a pipe whose end is remembered, so that a refusal to start can be
// explained. Ctrl-C reaches the command from the terminal; andes itself survives it, and a signal
// sent to andes alone is handed on, so that no command is left running.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "monitor/recover/recover.h"
#include "postproc/launch/disturbance.h"

namespace andes::postproc {

struct Start {
  std::vector<std::string> words;       // the command
  std::vector<std::string> environment; // all of it, "NAME=VALUE"
  bool measured = false;                // gets ANDES_PID, its own process id
  bool watch_stderr = false;
};

struct Outcome {
  int exit_status = 0;
  int signal = 0; // what ended it, or 0
  std::int64_t wall_ns = 0;
  Disturbance disturbance;
  std::map<std::string, monitor::Death> deaths; // of its ranks, by arena, as far as they were seen (watch.h)
  std::string stderr_end; // the last 64 KiB, if watched

  bool failed() const { return exit_status != 0 || signal != 0; }
  /// As a shell reports it: 128 + signal, or the exit status.
  int status() const { return signal ? 128 + signal : exit_status; }
};

/// Starts a command and waits for its end. Throws Refusal if it cannot be started.
Outcome run_process(const Start& start);

/// The signal that asked andes to stop, or 0. From the first call of watch_signals on.
int stop_signal();
/// The same, with the time at which the first came.
std::optional<monitor::Stop> stopped();

/// Whether SIGUSR1 has come since the last call: a snapshot of the run is wanted.
bool take_snapshot_signal();

/// Installs the handlers: SIGINT, SIGTERM and SIGHUP stop the sweep, not andes in mid-writing; SIGUSR1 asks
/// for a snapshot and goes no further.
void watch_signals();

} // namespace andes::postproc
