// Events that were counted, and those that were not (setting `counters`), as a run file has them.
#pragma once
#include <vector>

#include "postproc/model/database.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// Fills in Profile::events and missing_events. Throws Refusal for what is damaged.
void read_events(const Database& db, Profile& profile);

/// How often each location has counted each event: location * events + event; of locations without values
/// absent. Throws Refusal like read_run.
std::vector<std::optional<double>> event_totals(const Profile& profile);

} // namespace andes::postproc
