#include "postproc/model/read_events.h"

#include <climits>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/printable.h"
#include "postproc/model/values.h"

namespace andes::postproc {
namespace {

constexpr std::size_t most_events = 64; // a setting has 32; others are passed over

} // namespace

void read_events(const Database& db, Profile& profile) {
  const auto list_of = [&](FactName fact) {
    const auto list = nlohmann::json::parse(fact_text(profile, fact, "[]"), nullptr, false);
    if (!list.is_array()) db.damaged(fmt::format("the fact {} is not a list", fact.text));
    return list;
  };
  for (const auto& name : list_of("counters"))
    if (name.is_string() && profile.events.size() < most_events)
      profile.events.push_back(printable(name.get<std::string>()));
  for (const auto& missing : list_of("counters_missing")) {
    if (!missing.is_object()) db.damaged("the fact counters_missing has an item that is not an object");
    MissingEvent event;
    const auto text = [&](const char* key) {
      const auto found = missing.find(key);
      return found != missing.end() && found->is_string() ? printable(found->get<std::string>()) : std::string();
    };
    event.event = text("event");
    event.reason = text("reason");
    if (const auto ranks = missing.find("ranks");
        ranks != missing.end() && ranks->is_number_integer() && *ranks >= 0 && *ranks < INT_MAX)
      event.ranks = ranks->get<int>();
    profile.missing_events.push_back(std::move(event));
  }
}

std::vector<std::optional<double>> event_totals(const Profile& profile) {
  const std::size_t events = profile.events.size();
  std::vector<std::optional<double>> totals(profile.locations.size() * events);
  if (events == 0) return totals;
  for (std::size_t i = 0; i < profile.locations.size(); ++i)
    for (std::size_t event = 0; event < events && profile.locations[i].has_values; ++event)
      totals[i * events + event] = 0;
  const Database db(profile.file);
  std::map<long long, int> metrics = metric_numbers(db, profile);
  for (auto& [number, metric] : metrics)
    if (metric < event_metric(0)) metric = -1;
  each_value(db, profile, metrics, [&](const Value& value) {
    if (profile.callpaths[value.callpath].parent >= 0) return; // the roots' contain all others
    auto& total = totals[value.location * events + static_cast<std::size_t>(value.metric - event_metric(0))];
    total = total.value_or(0) + value.value;
  });
  return totals;
}

} // namespace andes::postproc
