#include "postproc/analysis/file_identity.h"

#include <algorithm>

namespace andes::postproc {
namespace {

using Names = std::set<std::string>;
using Files = std::map<std::string, Names>; // with the functions in them

Files files_of(const std::vector<Region>& regions) {
  Files files;
  for (const Region& region : regions) {
    if (region.file.empty()) continue;
    Names& names = files[region.file];
    if (region.kind == "function" && region.name.find('{') == region.name.npos) names.insert(region.name);
  }
  return files;
}

/// Equal folders and names at the end.
std::size_t common_end(const std::string& a, const std::string& b) {
  std::size_t folders = 0, length = 0;
  while (length < a.size() && length < b.size() && a[a.size() - 1 - length] == b[b.size() - 1 - length])
    if (a[a.size() - 1 - length++] == '/') ++folders;
  return folders + ((length == a.size() || length == b.size()) ? 1 : 0);
}

std::size_t common_names(const Names& a, const Names& b) {
  return static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [&](const std::string& n) { return b.contains(n); }));
}

using Score = std::size_t (*)(const Files::value_type&, const Files::value_type&);

/// Pairs that are each other's best, without a second as good; they leave `olds` and `news`.
std::map<std::string, std::string> best_pairs(Files& olds, Files& news, Score score) {
  struct Best {
    std::size_t score = 0;
    bool alone = false;
    std::string partner;
    void offer(std::size_t s, const std::string& p) {
      if (s == 0 || s < score) return;
      alone = s > score;
      score = s;
      partner = p;
    }
  };
  std::map<std::string, Best> of_old, of_new;
  for (const auto& a : olds)
    for (const auto& b : news) {
      const std::size_t s = score(a, b);
      of_old[a.first].offer(s, b.first);
      of_new[b.first].offer(s, a.first);
    }
  std::map<std::string, std::string> pairs;
  for (const auto& [file, best] : of_old)
    if (best.alone && of_new[best.partner].alone && of_new[best.partner].partner == file) pairs[file] = best.partner;
  for (const auto& [a, b] : pairs) {
    olds.erase(a);
    news.erase(b);
  }
  return pairs;
}

} // namespace

std::string base_name(const std::string& file) { return file.substr(file.rfind('/') + 1); }

FileIdentity::FileIdentity(const std::vector<Region>& older, const std::vector<Region>& newer) {
  Files olds = files_of(older), news = files_of(newer);
  for (auto a = olds.begin(); a != olds.end();) {
    const auto b = news.find(a->first);
    if (b == news.end()) {
      ++a;
      continue;
    }
    newer_of_[a->first] = a->first;
    news.erase(b);
    a = olds.erase(a);
  }
  newer_of_.merge(best_pairs(olds, news, [](const auto& a, const auto& b) {
    return base_name(a.first) == base_name(b.first) ? common_end(a.first, b.first) : 0;
  }));
  // Renamed: half of the functions of either are in the other.
  for (const auto& [a, b] : best_pairs(olds, news, [](const auto& x, const auto& y) {
         const std::size_t common = common_names(x.second, y.second);
         return 2 * common >= std::min(x.second.size(), y.second.size()) ? common : 0;
       })) {
    newer_of_[a] = b;
    renamed_.insert(a);
  }
}

std::string FileIdentity::in_newer(const std::string& file) const {
  if (file.empty()) return file;
  const auto found = newer_of_.find(file);
  return found == newer_of_.end() ? "\n" + file : found->second;
}

} // namespace andes::postproc
