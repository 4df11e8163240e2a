// Why ranks were late for whom others waited: what a chain of waits began with. Docs/metrics.md, "Ledger of lost
// time", "Origins".
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Why ranks were idle, at the root: what ranks did that others waited for in the end.
enum class OriginKind {
  imbalance, // computation that several ranks have a part in
  serial, // computation that one rank does alone
  input_output,
  late_messages, // no computation that ranks have different amounts of: the order of calls, or transfers
  end, // ranks come to the end of the program before others
  not_known
};
/// As in JSON: `late_messages`.
const char* name_of(OriginKind kind);

/// Whether most of what a call path computes is in what it calls: as that which was computed before a late call it only
/// says where to look.
bool stands_for_callees(const Profile& profile, std::size_t callpath);

/// What made the rank of an origin late.
struct LateReason {
  OriginKind kind = OriginKind::late_messages;
  int callpath = -1; // what it did; of late messages the late call
};
LateReason late_reason(const Profile& profile, const WaitOrigin& origin);

/// Whether the rank of an origin has more of the call path than the others, without what it calls, by half of the waits
/// or more.
bool is_late_by_itself(const Profile& profile, const WaitOrigin& origin, int callpath);

/// What most waits of a finding began with.
struct MainOrigin {
  LateReason reason;
  std::vector<int> ranks; // that were late with it, those with most waits first
};

/// The origins of a run, by late call path. The profile must outlive it.
class Origins {
public:
  explicit Origins(const Profile& profile);

  /// Of the waits of a finding; absent: no reason has half of them. The origins of one late call path are not told
  /// apart by finding: each finding gets them in proportion.
  std::optional<MainOrigin> main_of(const std::vector<const Wait*>& waits) const;

private:
  struct Known {
    const WaitOrigin* origin;
    LateReason reason;
    double share; // of the waits for the late call path
  };
  std::map<int, std::vector<Known>> by_late_call_;
};

/// Of the waits at the end: what the last rank computes beyond the mean.
std::optional<MainOrigin> main_origin_at_end(const Profile& profile);

} // namespace andes::postproc
