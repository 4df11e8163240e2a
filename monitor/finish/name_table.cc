#include "monitor/finish/name_table.h"

#include <cstdio>

namespace andes::monitor {
Parcel packed(const Names& names) {
  Parcel parcel;
  for (const auto& [address, place] : names) {
    put_text(parcel, address.module);
    put(parcel, address.offset);
    put(parcel, static_cast<std::uint8_t>(address.is_call));
    put_text(parcel, place.name);
    put_text(parcel, place.file);
    put(parcel, place.line);
    put(parcel, static_cast<std::uint8_t>(place.is_written));
  }
  return parcel;
}

void unpack(const Parcel& parcel, Names& names) {
  for (Unpacking from(parcel); from.good() && !from.at_end();) {
    CodeAddress address{take_text(from), from.take<std::uint64_t>(), from.take<std::uint8_t>() != 0};
    SourcePlace place{take_text(from), take_text(from), from.take<std::int32_t>(), from.take<std::uint8_t>() != 0};
    if (from.good()) names.insert_or_assign(std::move(address), std::move(place));
  }
}

SourcePlace bare_place(const CodeAddress& address) {
  if (address.module.empty()) return {"(code without a file)", "", 0};
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(address.offset));
  return {address.module.substr(address.module.rfind('/') + 1) + offset, "", 0};
}

} // namespace andes::monitor
