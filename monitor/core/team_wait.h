// A team's waits seen from the location: when a member's wait for its team has ended, and the time it spends apart.
// By its own thread, and from outside when measuring is switched or ends. Rejected: that the forker closes its members'
// visits (a remote cache line for each, while the program waits); a time stamp in the team's record, which is gone by
// then.
#pragma once
#include "monitor/core/location.h"

namespace andes {

/// Guards a member's wait. Held for some stores; what it waits for is never waiting itself.
class TeamHeld {
public:
  explicit TeamHeld(TeamState& team);
  ~TeamHeld();
  TeamHeld(const TeamHeld&) = delete;
  TeamHeld& operator=(const TeamHeld&) = delete;

private:
  TeamState& team_;
};

/// Notes that the forker's team is complete.
void note_join(TeamState& forker, std::uint64_t team, std::uint64_t now_ticks);

/// If the member waits and its team is known to be complete, or must be since it `goes_on`: it is apart since then.
/// Under TeamHeld.
void end_team_wait(Location& location, bool goes_on, std::uint64_t now_ticks);

/// From now on it is apart. Under TeamHeld.
void begin_apart(Location& location, std::uint64_t now_ticks);

/// Adds the time apart so far. Under TeamHeld.
void add_apart(Location& location, std::uint64_t now_ticks);

/// Before times are stopped, restarted or closed from outside: what has ended is where it belongs.
void settle_team(Location& location, std::uint64_t now_ticks);
/// Times go on, or begin, now.
void resume_team(Location& location, std::uint64_t now_ticks);
/// The thread has ended.
void forget_team(TeamState& team);

} // namespace andes
