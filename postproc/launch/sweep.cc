// The sweep. One SweepState goes through the stages; each stage is a function.
#include "postproc/launch/sweep.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "common/message.h"
#include "postproc/inspect/mpi_libraries.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/launch/conclusion.h"
#include "postproc/launch/one_run.h"
#include "postproc/launch/process.h"
#include "postproc/launch/progress.h"
#include "postproc/launch/sweep_state.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

/// Decides where the run files go; reserves the directory.
void prepare_output(SweepState& state) {
  const Request& request = state.request;
  if (value_of(request.settings, "monitor") == "off") return;
  const std::string program = program_name(state.command);
  if (request.output.empty()) {
    state.series = reserve_series(program, request.label);
    return;
  }
  const fs::path path = expand_output(request.output, program);
  state.pattern = path.filename();
  state.directory = path.has_parent_path() ? path.parent_path().string() : ".";
  const bool ranks_later = state.pattern.find("%p") != std::string::npos;
  check_output(ranks_later ? (fs::path(state.directory) / "p").string() : request.output);
}

/// Says before the run what of the program cannot be seen, or that every rank will be alone since the launcher does not
/// start programs of this MPI.
void say_what_is_known(const SweepState& state) {
  const Command& command = state.command;
  const std::string& name = command.words[command.program];
  const auto file = ElfFile::open(find_executable(name));
  if (!file || value_of(state.request.settings, "monitor") == "off") return;
  const auto mpi = mpi_libraries(*file, linked_libraries(find_executable(name)));
  if (mpi.size() == 1 && is_hidden(mpi[0])) {
    say("{}: {} is linked into it from archives, so that nothing of MPI can be seen; {}", name, name_of(mpi[0].family),
        how_to_link(mpi[0]));
    return;
  }
  if (mpi.size() != 1 || mpi[0].family == MpiFamily::unknown || command.family == MpiFamily::unknown ||
      mpi[0].family == command.family)
    return;
  say("{}: it is linked with {}, and {} starts programs of {}: each rank will be alone in a world of its own; start it "
      "with {}, or build it with the mpicc of {}",
      name, name_of(mpi[0].family), command.words[command.launcher], name_of(command.family), mpirun_of(mpi[0].family),
      name_of(command.family));
}

/// The sizes that take part in the turn of this repeat.
std::vector<Size> sizes_in_turn(SweepState& state, int repeat) {
  std::vector<Size> sizes;
  if (repeat > state.request.repeats.count) return sizes;
  for (const Size& size : state.sizes) {
    const SizeRuns& runs = state.runs[size];
    if (!runs.refused && wants_repeat(state.request.repeats, runs.times_s, runs.failures)) sizes.push_back(size);
  }
  return sizes;
}

/// All turns; ends early on a signal, with a launcher that starts nothing, or when the time of --repeat auto is used.
void run_turns(SweepState& state) {
  const Stopwatch watch;
  for (int repeat = 1;; ++repeat) {
    const std::vector<Size> sizes = sizes_in_turn(state, repeat);
    if (sizes.empty()) return;
    for (const Planned& planned : plan_turn(sizes, repeat, state.request.overhead)) {
      if (stop_signal() || state.refused_all) return;
      if (state.runs[planned.size].refused) continue;
      if (state.request.repeats.automatic && repeat > 1 && watch.seconds() >= state.request.repeats.time_s) {
        state.time_is_up = true;
        return;
      }
      show_progress(state, planned, watch);
      run_one(state, planned);
    }
  }
}

} // namespace

int run_sweep(const Request& request) {
  check_request(request);
  SweepState state(request);
  check_library(state.installation);
  if (find_executable(request.command[0]).empty())
    if (const auto trouble = start_trouble(request.command[0]))
      refuse(request.command[0], trouble->fact, trouble->remedy);
  prepare_output(state);
  watch_signals();
  ask_launcher(state.command);
  say_what_is_known(state);

  try {
    run_turns(state);
    conclude_overhead(state);
  } catch (...) {
    if (state.series) rmdir(state.series->directory.c_str()); // goes only if nothing is in it
    throw;
  }
  if (state.series) rmdir(state.series->directory.c_str());
  conclude(state);
  if (const int number = stop_signal()) return 128 + number;
  return state.status ? state.status : state.missing || state.unreadable ? 1 : 0;
}

} // namespace andes::postproc
