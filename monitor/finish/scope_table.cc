#include "monitor/finish/scope_table.h"

namespace andes::monitor {

Parcel packed(const ScopeQuestion& question) {
  Parcel parcel;
  put(parcel, static_cast<std::uint64_t>(question.path.size()));
  parcel.append(question.path);
  put(parcel, question.most_ns);
  put_all(parcel, question.addresses);
  return parcel;
}

Parcel packed(const FileScopes& scopes) {
  Parcel parcel;
  for (const auto& [address, around] : scopes) {
    put(parcel, address);
    put_all(parcel, around);
  }
  return parcel;
}

ScopeQuestion question_in(const Parcel& parcel) {
  Unpacking from(parcel);
  ScopeQuestion question;
  question.path = from.take_bytes(from.take<std::uint64_t>());
  question.most_ns = from.take<std::uint64_t>();
  question.addresses = from.take_all<std::uint64_t>();
  return from.good() ? question : ScopeQuestion{};
}

FileScopes scopes_in(const Parcel& parcel) {
  FileScopes scopes;
  Unpacking from(parcel);
  while (from.good() && !from.at_end()) {
    const auto address = from.take<std::uint64_t>();
    scopes[address] = from.take_all<std::uint64_t>();
  }
  return from.good() ? scopes : FileScopes{};
}

} // namespace andes::monitor
