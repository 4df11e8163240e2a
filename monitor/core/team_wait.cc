#include "monitor/core/team_wait.h"

namespace andes::monitor {

TeamHeld::TeamHeld(TeamState& team) : team_(team) {
  while (__atomic_exchange_n(&team_.busy, 1, __ATOMIC_ACQUIRE) != 0)
    while (__atomic_load_n(&team_.busy, __ATOMIC_RELAXED) != 0) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
    }
}

TeamHeld::~TeamHeld() { __atomic_store_n(&team_.busy, 0, __ATOMIC_RELEASE); }

void note_join(TeamState& forker, std::uint64_t team, std::uint64_t now_ticks) {
  Join& join = forker.joins[team % kept_joins];
  __atomic_store_n(&join.team, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&join.ticks, now_ticks, __ATOMIC_RELEASE);
  __atomic_store_n(&join.team, team, __ATOMIC_RELEASE);
}

namespace {

/// Finds when the member's team was complete. False: not known, and `ticks` stays; but if the ring holds a later
/// team by now, `ticks` becomes the end of the member's part, so that its whole wait may count as apart.
bool find_join(const TeamState& member, std::uint64_t& ticks) {
  if (!member.forker) return false;
  const Join& join = member.forker->team.joins[member.team % kept_joins];
  const std::uint64_t there = __atomic_load_n(&join.team, __ATOMIC_ACQUIRE);
  const std::uint64_t joined_ticks = __atomic_load_n(&join.ticks, __ATOMIC_ACQUIRE);
  const bool known = there == member.team && __atomic_load_n(&join.team, __ATOMIC_ACQUIRE) == there;
  if (known) ticks = joined_ticks;
  else if (there > member.team) ticks = member.done_ticks;
  return known; // false for a later team in the ring: it may be nested in the member's team, which is still open then
}

} // namespace

void begin_apart(Location& location, std::uint64_t now_ticks) {
  TeamState& team = location.team;
  team.phase = TeamPhase::apart;
  team.since_ticks = now_ticks;
  if (team.apart_node != 0) add_at_once(location.tree.node(team.apart_node).countdown, -1);
}

void end_team_wait(Location& location, bool goes_on, std::uint64_t now_ticks) {
  TeamState& team = location.team;
  if (team.phase != TeamPhase::waiting) return;
  std::uint64_t ticks = now_ticks;
  const bool known = find_join(team, ticks);
  if (!known && !goes_on) return;
  if (ticks > now_ticks) ticks = now_ticks;
  if (ticks < team.done_ticks) ticks = team.done_ticks;
  if (team.first) pop_frames(location, team.first, ticks);
  team.first = team.region = nullptr;
  begin_apart(location, ticks);
}

void add_apart(Location& location, std::uint64_t now_ticks) {
  TeamState& team = location.team;
  if (team.phase != TeamPhase::apart) return;
  if (location.suspended && now_ticks > location.suspended_since_ticks) now_ticks = location.suspended_since_ticks;
  if (team.apart_node != 0 && now_ticks > team.since_ticks)
    location.tree.node(team.apart_node).inclusive_ticks += now_ticks - team.since_ticks;
  team.since_ticks = now_ticks;
}

void account_ended_waits(Location& location, std::uint64_t now_ticks) {
  if (location.team.phase == TeamPhase::none) return;
  TeamHeld held(location.team);
  end_team_wait(location, false, now_ticks);
  add_apart(location, now_ticks);
}

void resume_team(Location& location, std::uint64_t now_ticks) {
  if (location.team.phase == TeamPhase::none) return;
  TeamHeld held(location.team);
  location.team.since_ticks = now_ticks;
  if (location.team.phase == TeamPhase::waiting) location.team.done_ticks = now_ticks;
}

void forget_team(TeamState& team) {
  team.phase = TeamPhase::none;
  team.fork_count = 0;
  team.region = team.first = nullptr;
}

} // namespace andes::monitor
