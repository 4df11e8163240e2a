#include "monitor/recover/read_hang.h"

#include <algorithm>
#include <chrono>

#include "monitor/finish/fold_phases.h"
#include "monitor/recover/jobs.h"
#include "monitor/recover/open_visits.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recover_run.h"
#include "monitor/recover/recovered_clock.h"
#include "monitor/recover/wait_for_graph.h"

namespace andes::monitor {
namespace {

using Steady = std::chrono::steady_clock;

std::vector<RankState> states_of(const RecoveredJob& world, const std::string& libraries) {
  std::vector<RecoveredProcess*> processes;
  std::vector<const Registry*> registries;
  for (const auto& one : world) {
    processes.push_back(one.get());
    registries.push_back(&one->process.registry);
  }
  set_clocks(processes);
  const Names names = names_of_addresses(registries, libraries);
  std::vector<RankState> states;
  for (RecoveredProcess* one : processes) {
    close_process(*one);
    states.push_back(rank_state(*one, own_profile(one->process, one->host, names), {.lives = true, .ended_s = {}}));
  }
  return states;
}

void add(HangReading& reading, const std::vector<RankState>& states, double least_wait_s) {
  Hang hang = find_hang(states, least_wait_s);
  for (HangFinding& finding : hang.findings) reading.hang.findings.push_back(std::move(finding));
  for (const RankState& state : states) {
    reading.progress += state.progress;
    for (const ThreadActivity& thread : state.threads) {
      if (thread.what != HangState::What::waits && thread.what != HangState::What::polls) continue;
      reading.least_wait_s = reading.waits ? std::min(reading.least_wait_s, thread.since_s) : thread.since_s;
      reading.waits = true;
    }
  }
}

} // namespace

HangReading read_hang(const std::vector<std::string>& directories, const std::string& libraries) {
  HangReading reading;
  const Steady::time_point begin = Steady::now();
  std::vector<std::unique_ptr<RecoveredProcess>> all;
  for (const std::string& directory : directories)
    for (const ArenaLook& arena : look_at(directory)) try {
        all.push_back(load_process(arena.path));
      } catch (const Refusal&) { // it is about to begin, or has just ended
      }
  const double took_s = std::chrono::duration<double>(Steady::now() - begin).count();
  for (const RecoveredJob& world : jobs_of(std::move(all)))
    if (world.front()->process.mpi.present &&
        std::any_of(world.begin(), world.end(), [](const auto& one) { return one->alive; }))
      add(reading, states_of(world, libraries), usual_least_wait_s + took_s);
  return reading;
}

} // namespace andes::monitor
