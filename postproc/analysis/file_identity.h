// Source files of two builds, matched: by path, else by name (another checkout), else by the functions in them
// (renamed).
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Without folders.
std::string base_name(const std::string& file);

class FileIdentity {
public:
  FileIdentity(const std::vector<Region>& older, const std::vector<Region>& newer);

  /// The path of an older build's file in the newer build; of one without a partner, a text that is no file's.
  std::string in_newer(const std::string& file) const;

  /// Whether a file of the older build has another name in the newer one.
  bool is_renamed(const std::string& file) const { return renamed_.contains(file); }

private:
  std::map<std::string, std::string> newer_of_;
  std::set<std::string> renamed_;
};

} // namespace andes::postproc
