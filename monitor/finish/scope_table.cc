#include "monitor/finish/scope_table.h"

namespace andes::monitor {

Parcel packed(const ScopeQuestion& question) {
  Parcel parcel;
  put_text(parcel, question.path);
  put(parcel, question.most_ns);
  put_all(parcel, question.addresses);
  return parcel;
}

Parcel packed(const FileScopes& scopes) {
  Parcel parcel;
  put(parcel, static_cast<std::uint64_t>(scopes.around.size()));
  for (const auto& [address, around] : scopes.around) {
    put(parcel, address);
    put_all(parcel, around);
  }
  for (const auto& [function, place] : scopes.places) {
    put(parcel, function);
    put_text(parcel, place.name);
    put_text(parcel, place.file);
    put(parcel, static_cast<std::uint64_t>(place.line));
  }
  return parcel;
}

ScopeQuestion question_in(const Parcel& parcel) {
  Unpacking from(parcel);
  ScopeQuestion question;
  question.path = take_text(from);
  question.most_ns = from.take<std::uint64_t>();
  question.addresses = from.take_all<std::uint64_t>();
  return from.good() ? question : ScopeQuestion{};
}

FileScopes scopes_in(const Parcel& parcel) {
  FileScopes scopes;
  Unpacking from(parcel);
  for (auto left = from.take<std::uint64_t>(); left > 0 && from.good(); --left) {
    const auto address = from.take<std::uint64_t>();
    scopes.around[address] = from.take_all<std::uint64_t>();
  }
  while (from.good() && !from.at_end()) {
    ScopePlace& place = scopes.places[from.take<std::uint64_t>()];
    place.name = take_text(from);
    place.file = take_text(from);
    place.line = static_cast<unsigned>(from.take<std::uint64_t>());
  }
  return from.good() ? scopes : FileScopes{};
}

} // namespace andes::monitor
