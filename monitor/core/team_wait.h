// A member's waits for its team: when such a wait has ended, and the time apart that follows. Called by the member's
// thread, and from outside when measuring is switched or ends. Rejected: letting the forker close its members' visits
// (a remote cache line for each, while the program waits); a time stamp in the team's record, which no longer exists
// by then.
#pragma once
#include "monitor/core/location.h"

namespace andes::monitor {

/// Guards a member's wait. Held for a few stores; its holder never waits.
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

/// Ends the member's wait if its team is known to be complete, or must be complete because the member `goes_on`;
/// the member is apart since the team was complete. Under TeamHeld.
void end_team_wait(Location& location, bool goes_on, std::uint64_t now_ticks);

/// From now on the member is apart. Under TeamHeld.
void begin_apart(Location& location, std::uint64_t now_ticks);

/// Adds the time apart so far. Under TeamHeld.
void add_apart(Location& location, std::uint64_t now_ticks);

/// To be called before times are stopped, restarted or closed from outside: accounts for waits that have ended.
void account_ended_waits(Location& location, std::uint64_t now_ticks);
/// Times continue, or begin, now.
void resume_team(Location& location, std::uint64_t now_ticks);
/// The thread has ended.
void forget_team(TeamState& team);

} // namespace andes::monitor
