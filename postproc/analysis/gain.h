// Gains of findings (docs/metrics.md, "Gain"): values with a band from a replay, or bounds by what single ranks save.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Decrease of T, in seconds.
struct Gain {
  double low_s = 0, high_s = 0;
  std::optional<double> value_s = {}; // from a replay; absent: only the bounds are known
  std::string cure = {};              // that was replayed: run_file::cure_...
};

/// Bounds of what each rank would save by the cure of a finding, in nanoseconds.
struct Savings {
  std::vector<double> low, high; // by rank
  explicit Savings(int ranks) : low(static_cast<std::size_t>(ranks)), high(low) {}
};

/// Facts of the run that bound all gains.
struct Slack {
  std::vector<double> end_ns; // by rank: how much earlier than the last one it ends
  double work_ns = 0;         // T less the mean over ranks of what is surely not waiting
};
Slack slack_of(const Profile& profile);

/// T shrinks by the savings of the rank that is last then: its waits, and also its slack at the
/// end. Redistributed work stays the same amount: T is never below its mean over ranks.
Gain gain_of(const Savings& savings, const Slack& slack, bool at_end);

/// A replay's gain with its band: what the replay leaves open, but at least the share by which gains that were realised
/// differed from those of replays (docs/metrics.md, "Gain"). No cure makes T longer: it is not applied then.
Gain replayed(double gain_ns, double error_ns, const std::string& cure);

/// Whether in waits of this cause all ranks wait for the last one.
bool is_of_all(const std::string& cause);

/// The cure that suits a cause: where all wait for the last one the work must be shared, else the late call be made
/// earlier. Where that gains less than a quarter of what the other one does, the other one.
Gain best_of(const std::string& cause, const std::vector<Gain>& gains);

} // namespace andes::postproc
