// Rounds: each matches functions by certain keys first, then lambdas, loops and constructs inside matched functions,
// then what is left by likeness, as the matches of one round are what the next one knows callers and callees by.
#include "postproc/analysis/region_identity.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

#include "postproc/analysis/aligned.h"
#include "postproc/analysis/file_identity.h"
#include "postproc/analysis/mutual_best.h"
#include "postproc/analysis/region_comparison.h"
#include "postproc/analysis/region_names.h"

namespace andes::postproc {
namespace {

using Groups = std::map<std::string, Regions>;

constexpr std::size_t most_aligned = 2000; // of a group: the product of two is the time that this takes

/// Both builds, and the matches between them.
class Matcher {
public:
  Matcher(const BuildTree& older, const BuildTree& newer)
      : old_(evidence_of(older)), new_(evidence_of(newer)), files_(older.regions, newer.regions),
        matches_(newer.regions.size()) {}

  std::vector<Match> run() {
    std::size_t known = 0;
    do {
      known = known_;
      match_by_name();
      match_owned();
      match_in_other_files();
      match_without(Likeness::arguments, without_arguments, "template arguments");
      match_without(
          Likeness::arguments, [](const std::string& n) { return without_parameters(without_arguments(n)); },
          "parameters");
      match_in_other_scopes();
      match_renamed();
      match_divided();
      match_divided_in_order();
      if (known_ == known && !lines_decide_) {
        lines_decide_ = true;
        match_owned();
      }
    } while (known_ > known);
    return std::move(matches_);
  }

private:
  const Region& older(int r) const { return old_.tree.regions[static_cast<std::size_t>(r)]; }
  const Region& newer(int r) const { return new_.tree.regions[static_cast<std::size_t>(r)]; }
  template <class T> static decltype(auto) of(const std::vector<T>& values, int r) {
    return values[static_cast<std::size_t>(r)];
  }

  void match(int a, int b, Likeness by, std::string reason) {
    old_.partner[static_cast<std::size_t>(a)] = b;
    new_.partner[static_cast<std::size_t>(b)] = a;
    matches_[static_cast<std::size_t>(b)] = {a, by, std::move(reason)};
    ++known_;
  }

  /// Regions without a partner by key; an empty key: not in question.
  static Groups grouped(const RegionEvidence& side, const std::function<std::string(int)>& key) {
    Groups groups;
    for (std::size_t r = 0; r < side.partner.size(); ++r)
      if (side.partner[r] < 0)
        if (const std::string text = key(static_cast<int>(r)); !text.empty())
          groups[text].push_back(static_cast<int>(r));
    return groups;
  }

  /// Calls `with` for keys that both sides have.
  template <class With>
  void for_common(const std::function<std::string(int)>& old_key, const std::function<std::string(int)>& new_key,
                  With with) {
    const Groups news = grouped(new_, new_key);
    for (const auto& [key, olds] : grouped(old_, old_key))
      if (const auto found = news.find(key); found != news.end()) with(olds, found->second);
  }

  std::string renamed_file(int a, int b) const {
    const std::string &from = older(a).file, &to = newer(b).file;
    if (!files_.is_renamed(from)) return {};
    return fmt::format("its file was renamed from {} to {}", base_name(from), base_name(to));
  }

  /// Functions, MPI calls and marks by kind, name and file.
  void match_by_name() {
    const auto key = [](const RegionEvidence& side, int r, const std::string& file) {
      const Region& region = side.tree.regions[static_cast<std::size_t>(r)];
      return of(side.owned, r) ? std::string() : region.kind + '\n' + region.name + '\n' + file;
    };
    for_common([&](int a) { return key(old_, a, files_.in_newer(older(a).file)); },
               [&](int b) { return key(new_, b, newer(b).file); },
               [&](const Regions& olds, const Regions& news) {
                 if (olds.size() > 1 || news.size() > 1)
                   return align(olds, news, Likeness::order, "functions of this name");
                 std::string reason = renamed_file(olds[0], news[0]);
                 const Likeness by = reason.empty() ? Likeness::same : Likeness::file;
                 match(olds[0], news[0], by, std::move(reason));
               });
  }

  /// Lambdas, loops, constructs and places of calls in a function that is matched; those inside others after them.
  void match_owned() {
    const auto key = [](const RegionEvidence& side, int r, const std::string& file,
                        const std::function<std::string(int)>& in) {
      if (!of(side.owned, r)) return std::string();
      const Region& region = side.tree.regions[static_cast<std::size_t>(r)];
      const int owner = of(side.owner, r);
      const std::string text = owner_in_name(region);
      if (owner >= 0) { // the name counts from there
        const std::string rest = text.empty() ? region.name : of(side.stable, r).substr(of(side.stable, owner).size());
        return region.kind + '\n' + in(owner) + '\n' + rest + '\n' + file;
      }
      return region.kind + '\n' + of(side.stable, r) + '\n' + file;
    };
    std::size_t known = 0;
    do {
      known = known_;
      for_common(
          [&](int a) {
            return key(old_, a, files_.in_newer(older(a).file), [&](int owner) {
              return of(old_.partner, owner) < 0 ? fmt::format("old {}", owner)
                                                 : fmt::format("{}", of(old_.partner, owner));
            });
          },
          [&](int b) {
            return key(new_, b, newer(b).file, [&](int owner) {
              return of(new_.partner, owner) < 0 ? fmt::format("new {}", owner) : fmt::format("{}", owner);
            });
          },
          [&](const Regions& olds, const Regions& news) {
            align(olds, news, Likeness::order, "of them in its function");
          });
    } while (known_ > known);
  }

  /// Callees of the newer one, as numbers of the newer build; those without a partner are left out.
  std::set<int> known_of(const std::set<int>& olds) const {
    std::set<int> news;
    for (const int a : olds)
      if (of(old_.partner, a) >= 0) news.insert(of(old_.partner, a));
    return news;
  }

  /// Whether a part of the function that these lie in may be one of its own in the other build.
  bool may_be_divided(int a, int b) const {
    const auto calls_unmatched = [](const RegionEvidence& side, int function) {
      return function >= 0 && std::ranges::any_of(of(side.callees, function), [&](int r) {
               return of(side.partner, r) < 0 && is_function(of(side.tree.regions, r));
             });
    };
    return calls_unmatched(old_, of(old_.owner, a)) || calls_unmatched(new_, of(new_.owner, b));
  }

  /// Lines move, and decide between equals: where these are as far from the begin of their functions, and neither is as
  /// far from the end as another one.
  bool lines_agree(int a, int b, const Regions& olds, const Regions& news) const {
    return both_.at_same_line(a, b) &&
           std::ranges::none_of(olds, [&](int c) { return c != a && both_.at_same_line_from_end(c, b); }) &&
           std::ranges::none_of(news, [&](int c) { return c != b && both_.at_same_line_from_end(a, c); });
  }

  /// Of two that names do not tell apart, beside their order; 0: they do other things.
  double likeness_in_order(int a, int b) const {
    Overlap content = both_.callees(a, b);
    const bool both = !of(old_.callees, a).empty() && !of(new_.callees, b).empty();
    if (both && content.common == 0) content = both_.callees_through(a, b);
    if (both && content.common == 0) return 0;
    double score = content.all == 0 ? 1 : 0.5 + content.part();
    if (of(old_.depth, a) == of(new_.depth, b)) score += 1;
    for (const Often often : {both_.called_as_often(a, b), both_.calls_as_often(a, b)})
      if (often == Often::yes) score += 0.5;
    return score;
  }

  /// Matches groups that names do not tell apart, in the order of their lines.
  void align(const Regions& older_group, const Regions& newer_group, Likeness by, const std::string& what) {
    if (older_group.size() > most_aligned || newer_group.size() > most_aligned) return;
    const auto by_line = [](const BuildTree& tree, Regions group) {
      std::stable_sort(group.begin(), group.end(), [&](int a, int b) {
        const Region &x = tree.regions[static_cast<std::size_t>(a)], &y = tree.regions[static_cast<std::size_t>(b)];
        return std::tie(x.line, x.name) < std::tie(y.line, y.name);
      });
      return group;
    };
    const Regions olds = by_line(old_.tree, older_group), news = by_line(new_.tree, newer_group);
    const auto likeness = [&](std::size_t i, std::size_t j) {
      const int a = olds[i], b = news[j];
      const double alike = likeness_in_order(a, b);
      return alike > 0 && (lines_decide_ || !may_be_divided(a, b)) && lines_agree(a, b, olds, news) ? alike + 0.1
                                                                                                    : alike;
    };
    for (const auto& [i, j] : aligned(olds.size(), news.size(), likeness)) {
      const int a = olds[i], b = news[j];
      const Overlap content = both_.callees(a, b);
      const bool in_place = both_.at_same_line(a, b) && content.common == content.all;
      const bool by_content = content.all > 0 && content.common == content.all;
      const bool certain = olds.size() == news.size() && (in_place || by_content || is_only_mark(a, olds));
      std::string reason = renamed_file(a, b);
      if (certain && by == Likeness::order)
        match(a, b, reason.empty() ? Likeness::same : Likeness::file, std::move(reason));
      else match(a, b, by, by == Likeness::order ? fmt::format("number {} of {} {}", j + 1, news.size(), what) : what);
    }
  }

  /// A mark in the source has the name that its author gave it.
  bool is_only_mark(int a, const Regions& group) const {
    return group.size() == 1 && has_own_name(older(a)) && owner_in_name(older(a)).empty();
  }

  /// Functions of equal name whose file is not the same.
  void match_in_other_files() {
    const auto key = [](const RegionEvidence& side, int r) {
      const Region& region = side.tree.regions[static_cast<std::size_t>(r)];
      return of(side.owned, r) || !is_probed_kind(region.kind) ? std::string() : region.kind + '\n' + region.name;
    };
    for_common([&](int a) { return key(old_, a); }, [&](int b) { return key(new_, b); },
               [&](const Regions& olds, const Regions& news) {
                 if (olds.size() > 1 || news.size() > 1) return;
                 const int a = olds[0], b = news[0];
                 const bool other_content =
                     !of(old_.callees, a).empty() && !of(new_.callees, b).empty() && both_.callees(a, b).common == 0;
                 if (other_content && both_.callers(a, b).common == 0) return;
                 if (older(a).file.empty() || newer(b).file.empty())
                   return match(a, b, Likeness::same, {}); // not known
                 match(a, b, Likeness::file,
                       fmt::format("moved from {} to {}", base_name(older(a).file), base_name(newer(b).file)));
               });
  }

  /// Functions of a file whose names are equal without some part.
  void match_without(Likeness by, const std::function<std::string(const std::string&)>& without, const char* what) {
    const auto key = [&](const RegionEvidence& side, int r, const std::string& file) {
      const Region& region = side.tree.regions[static_cast<std::size_t>(r)];
      return of(side.owned, r) || !is_function(region) ? std::string() : without(region.name) + '\n' + file;
    };
    for_common(
        [&](int a) { return key(old_, a, files_.in_newer(older(a).file)); },
        [&](int b) { return key(new_, b, newer(b).file); },
        [&](const Regions& olds, const Regions& news) { align(olds, news, by, fmt::format("its {} changed", what)); });
  }

  /// Functions of a file whose class or namespace is another one, or got another name; those that they call after them.
  void match_in_other_scopes() {
    const auto key = [](const RegionEvidence& side, int r, const std::string& file) {
      const Region& region = side.tree.regions[static_cast<std::size_t>(r)];
      return of(side.owned, r) || !is_function(region) ? std::string() : without_scopes(region.name) + '\n' + file;
    };
    std::size_t known = 0;
    do {
      known = known_;
      for_common([&](int a) { return key(old_, a, files_.in_newer(older(a).file)); },
                 [&](int b) { return key(new_, b, newer(b).file); },
                 [&](const Regions& olds, const Regions& news) {
                   if (olds.size() > 1 || news.size() > 1) return;
                   const int a = olds[0], b = news[0];
                   if (both_.callers(a, b).common == 0 && both_.callees(a, b).common == 0) return;
                   match(a, b, Likeness::scope, fmt::format("in another scope before: {}", older(a).name));
                 });
    } while (known_ > known);
  }

  /// How much speaks for b being a under another name; 0: not enough.
  double renamed_score(int a, int b) const {
    const Overlap by = both_.callers(a, b), content = both_.callees(a, b);
    if (by.common == 0 || by.part() < 0.5) return 0;
    const double name = name_likeness(last_name(older(a).name), last_name(newer(b).name));
    const Often calls = both_.called_as_often(a, b);
    const bool often = calls != Often::no, place = both_.at_same_place(a, b);
    const bool old_calls = !of(old_.callees, a).empty(), new_calls = !of(new_.callees, b).empty();
    const bool alike_name = name >= 0.5;
    bool enough = false;
    if (old_calls && new_calls)
      enough = content.part() >= 0.5 && (content.part() >= 0.75 || often || place || alike_name);
    else if (!old_calls && !new_calls) enough = (alike_name && (often || place)) || (calls == Often::yes && place);
    return enough ? 2 * content.part() + by.part() + name + often + place : 0;
  }

  /// Loops and lambdas of a function that was divided, or of two that became one.
  void match_divided() {
    constexpr double most = 0.75; // of the callees
    const auto candidates = [&](const RegionEvidence& side) {
      std::map<std::string, Regions> by_name;
      for (std::size_t r = 0; r < side.partner.size(); ++r)
        if (side.partner[r] < 0 && side.owned[r] && side.owner[r] >= 0 && !side.callees[r].empty())
          by_name[side.tree.regions[r].kind + '\n' + name_in_owner(side, static_cast<int>(r))].push_back(
              static_cast<int>(r));
      return by_name;
    };
    const auto news = candidates(new_);
    Bests of_old, of_new;
    for (const auto& [name, olds] : candidates(old_)) {
      const auto found = news.find(name);
      if (found == news.end()) continue;
      for (const int a : olds)
        for (const int b : found->second) {
          const bool is_new = of(new_.partner, of(new_.owner, b)) < 0,
                     is_gone = of(old_.partner, of(old_.owner, a)) < 0;
          const double content = both_.callees(a, b).part();
          if ((!is_new && !is_gone) || content < most || files_.in_newer(older(a).file) != newer(b).file) continue;
          const double score = content + (both_.called_as_often(a, b) == Often::yes ? 0.5 : 0) +
                               (of(old_.depth, a) == of(new_.depth, b) ? 0.5 : 0);
          of_old[a].offer(score, b);
          of_new[b].offer(score, a);
        }
    }
    for_mutual(of_old, of_new, [&](int a, int b) {
      match(a, b, Likeness::moved,
            fmt::format("moved from {} to {}: the same callees", older(of(old_.owner, a)).name,
                        newer(of(new_.owner, b)).name));
    });
  }

  /// What is owned by functions that became one, or by the one that was divided, in the order in which a rank comes to
  /// it: a new function that a matched one calls stands where it is called.
  void match_divided_in_order() {
    const OwnedRegions news = owned_in_order(new_);
    for (const auto& [key, olds] : owned_in_order(old_)) {
      const auto found = news.find({of(old_.partner, key.first), key.second});
      if (found == news.end() || std::max(olds.size(), found->second.size()) > most_aligned) continue;
      const Regions& now = found->second;
      const auto is_part = [](const RegionEvidence& side) {
        return [&side](int r) { return of(side.partner, of(side.owner, r)) < 0; };
      };
      if (std::none_of(olds.begin(), olds.end(), is_part(old_)) && std::none_of(now.begin(), now.end(), is_part(new_)))
        continue;
      for (const auto& [i, j] : aligned(olds.size(), now.size(), [&](std::size_t k, std::size_t l) {
             return likeness_in_order(olds[k], now[l]);
           })) {
        const int from = of(old_.owner, olds[i]), to = of(new_.owner, now[j]);
        const std::string number = fmt::format("number {} of {} of them", j + 1, now.size());
        if (of(old_.partner, from) == to) match(olds[i], now[j], Likeness::order, number + " in its function");
        else
          match(olds[i], now[j], Likeness::moved,
                fmt::format("moved from {} to {}: {} in both", older(from).name, newer(to).name, number));
      }
    }
  }

  void match_renamed() {
    find_places(old_);
    find_places(new_);
    const auto is_candidate = [](const RegionEvidence& side, std::size_t r) {
      return side.partner[r] < 0 && is_function(side.tree.regions[r]) && !side.owned[r];
    };
    std::map<int, Regions> by_caller; // of candidates of the newer build
    for (std::size_t b = 0; b < new_.partner.size(); ++b)
      if (is_candidate(new_, b))
        for (const int caller : new_.callers[b]) by_caller[caller].push_back(static_cast<int>(b));
    Bests of_old, of_new;
    for (std::size_t r = 0; r < old_.partner.size(); ++r) {
      if (!is_candidate(old_, r)) continue;
      const int a = static_cast<int>(r);
      std::set<int> candidates;
      for (const int caller : known_of(old_.callers[r]))
        if (const auto found = by_caller.find(caller); found != by_caller.end())
          candidates.insert(found->second.begin(), found->second.end());
      for (const int b : candidates)
        if (const double score = renamed_score(a, b); score > 0) of_old[a].offer(score, b), of_new[b].offer(score, a);
    }
    for_mutual(of_old, of_new, [&](int a, int b) { match(a, b, Likeness::renamed, renamed_reason(a, b)); });
  }

  std::string renamed_reason(int a, int b) const {
    std::vector<std::string> why{"the same callers"};
    if (both_.callees(a, b).common > 0) why.push_back("callees");
    if (both_.called_as_often(a, b) != Often::no) why.push_back("as many calls");
    if (both_.at_same_place(a, b)) why.push_back("the same place in its file");
    std::string text = fmt::format("renamed from {}: ", older(a).name);
    for (std::size_t i = 0; i < why.size(); ++i) text += (i == 0 ? "" : i + 1 == why.size() ? " and " : ", ") + why[i];
    return text;
  }

  RegionEvidence old_, new_;
  RegionComparison both_{old_, new_};
  FileIdentity files_;
  std::vector<Match> matches_;
  std::size_t known_ = 0;
  bool lines_decide_ = false; // when all else is matched: in a divided function lines are those of another one
};

} // namespace

const char* name_of(Likeness likeness) {
  constexpr const char* names[] = {"same", "file", "arguments", "scope", "renamed", "order", "split", "moved", "below"};
  return names[static_cast<int>(likeness)];
}

std::vector<Match> match_regions(const BuildTree& older, const BuildTree& newer) { return Matcher(older, newer).run(); }

} // namespace andes::postproc
