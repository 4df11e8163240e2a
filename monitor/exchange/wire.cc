#include "monitor/exchange/wire.h"

namespace andes::monitor {

Sites::Sites(const std::vector<CallSite>& own) : all_(own) {
  for (std::size_t i = 0; i < all_.size(); ++i) by_path_.emplace(all_[i].path, static_cast<std::int32_t>(i));
}

std::int32_t Sites::number_of(CallSite site) {
  auto [found, fresh] = by_path_.try_emplace(site.path, static_cast<std::int32_t>(all_.size()));
  if (fresh) all_.push_back(std::move(site));
  return found->second;
}

std::uint32_t SiteList::number_of(std::int32_t site) {
  if (site < 0) return no_site;
  std::uint32_t& number = numbers_[static_cast<std::size_t>(site)];
  if (number == no_site) {
    number = static_cast<std::uint32_t>(list_.size());
    list_.push_back(site);
  }
  return number;
}

void SiteList::put_into(Parcel& parcel) {
  put(parcel, static_cast<std::uint32_t>(list_.size()));
  for (const std::int32_t site : list_) {
    const CallSite& s = sites_[site];
    put(parcel, s.path);
    put(parcel, static_cast<std::uint16_t>(s.function.size()));
    parcel.append(s.function, 0, static_cast<std::uint16_t>(s.function.size()));
    numbers_[static_cast<std::size_t>(site)] = no_site;
  }
  list_.clear();
}

std::vector<std::int32_t> read_sites(Unpacking& unpacking, Sites& sites) {
  std::vector<std::int32_t> list;
  for (auto left = unpacking.take<std::uint32_t>(); left > 0 && unpacking.good(); --left) {
    CallSite site;
    site.path = unpacking.take<std::uint64_t>();
    site.function = unpacking.take_bytes(unpacking.take<std::uint16_t>());
    if (unpacking.good()) list.push_back(sites.number_of(std::move(site)));
  }
  return list;
}

} // namespace andes::monitor
