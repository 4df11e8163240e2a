#include "postproc/model/source_version.h"

#include <fmt/format.h>

namespace andes::postproc {

BuildStamp stamp_of(const Profile& profile) {
  return {fact_text(profile, "commit"),   fact_text(profile, "commit_time"),
          fact_text(profile, "branch"),   fact_number(profile, "dirty").value_or(0) != 0,
          fact_text(profile, "compiler"), fact_text(profile, "compiler_flags")};
}

std::string short_commit(const std::string& commit) {
  constexpr std::size_t digits = 10;
  return commit.substr(0, digits);
}

std::string text_of_sources(const BuildStamp& stamp) {
  if (stamp.commit.empty()) return {};
  return fmt::format("commit {}{}{}", short_commit(stamp.commit),
                     stamp.branch.empty() ? "" : fmt::format(" ({})", stamp.branch),
                     stamp.dirty ? ", with changes that are not committed" : "");
}

} // namespace andes::postproc
