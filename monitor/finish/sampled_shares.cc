#include "monitor/finish/sampled_shares.h"

#include <algorithm>
#include <set>

#include "monitor/core/function_samples.h"
#include "monitor/core/location.h"
#include "monitor/finish/left_out.h"

namespace andes::monitor {
namespace {

constexpr double enough_samples = 100; // samples of a region: a share of a tenth has a standard error of 3 points

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Functions without a probe by where they are in the source, or by name where debug information has no lines.
class LeftOutFunctions {
public:
  explicit LeftOutFunctions(const std::vector<NotedFunction>& functions) {
    for (const NotedFunction& function : functions) {
      by_place_.emplace(std::pair(base_name(function.file), function.line), &function);
      by_name_.emplace(function.name, &function);
    }
  }

  const NotedFunction* find(const ScopePlace& place) const {
    if (place.line == 0) {
      const auto known = by_name_.find(place.name);
      return known == by_name_.end() ? nullptr : known->second;
    }
    const auto known = by_place_.find({base_name(place.file), place.line});
    return known == by_place_.end() ? nullptr : known->second;
  }

private:
  std::map<std::pair<std::string, unsigned>, const NotedFunction*> by_place_;
  std::map<std::string, const NotedFunction*> by_name_;
};

} // namespace

void add_shares(const Location& location, const CodeScopes& scopes, const std::vector<NotedFunction>& left_out,
                const std::function<NotedFunction(std::uint32_t region)>& region_of, SampledShares& shares) {
  if (!location.function_samples || scopes.around.empty()) return;
  std::map<std::pair<std::uintptr_t, std::uint64_t>, std::uint32_t> regions; // by function in memory and of the source
  for (std::uint32_t i = first_free_node; i < location.tree.node_count; ++i) {
    const NodeAccount& account = location.tree.accounts[i];
    const Scopes* const around = scopes.at(account.code);
    if (location.tree.node(i).kind == ANDES_KIND_FUNCTION && around)
      regions.emplace(std::pair(account.function, around->front()), location.tree.node(i).region);
  }
  const LeftOutFunctions functions(left_out);
  for (const AddressCount& count : location.function_samples->addresses) {
    const Scopes *const around = scopes.at(count.address), *const inside = scopes.at(count.innermost);
    if (count.periods == 0 || !around) continue;
    const auto probed = std::find_if(around->begin(), around->end(),
                                     [&](auto scope) { return regions.count({count.function, scope}) != 0; });
    if (probed == around->end()) continue;
    const NotedFunction caller = region_of(regions.at({count.function, *probed}));
    shares[{caller, {}}] += count.periods;
    const NotedFunction* found = nullptr;
    const auto look = [&](const Scopes& of) {
      for (auto scope = of.begin(); scope != of.end() && *scope != *probed && !found; ++scope)
        if (const auto place = scopes.places.find(*scope); place != scopes.places.end())
          found = functions.find(place->second);
    };
    if (inside) look(*inside);
    if (!found) look(*around);
    if (found) shares[{caller, *found}] += count.periods;
  }
}

void take_shares(const SampledShares& shares, const std::vector<RegionRow>& regions, std::vector<LeftOutRow>& rows) {
  std::map<NotedFunction, std::int32_t> numbers;
  for (std::size_t i = 0; i < regions.size(); ++i)
    numbers.emplace(function_of(regions[i]), static_cast<std::int32_t>(i));
  std::map<NotedFunction, std::pair<std::int32_t, double>> sampled; // region and number of samples
  for (const auto& [of, periods] : shares)
    if (const auto number = numbers.find(of.first);
        of.second.name.empty() && periods >= enough_samples && number != numbers.end())
      sampled.emplace(of.first, std::pair(number->second, periods));
  std::set<std::int32_t> replaced;
  for (const auto& [function, of] : sampled) replaced.insert(of.first);
  std::erase_if(rows, [&](const LeftOutRow& row) { return replaced.count(row.region) != 0; });
  for (const auto& [of, periods] : shares) {
    const auto region = sampled.find(of.first);
    if (of.second.name.empty() || region == sampled.end() || periods < least_share * region->second.second) continue;
    const double all = region->second.second;
    rows.push_back(
        {region->second.first, of.second, std::min(1.0, periods / all), false, static_cast<std::int64_t>(all)});
  }
  sort_rows(rows);
}

} // namespace andes::monitor
