#include "monitor/exchange/left_overs.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "monitor/core/partitioned_tag.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t number_bits = 24; // of operations in records

auto key(const LeftOver& one) { return std::tuple(one.kind, one.path, one.peer_path); }

std::uint64_t path_of(const Sites& sites, std::int32_t site) { return site < 0 ? 0 : sites[site].path; }

/// Whether an end of a channel that has counted `next` operations has none of this number.
bool is_beyond(std::uint32_t number, std::uint32_t next) { return next >> number_bits == 0 && number >= next; }

} // namespace

void add_left_overs(std::vector<LeftOver>& into, const std::vector<LeftOver>& more) {
  into.insert(into.end(), more.begin(), more.end());
  std::stable_sort(into.begin(), into.end(), [](const LeftOver& a, const LeftOver& b) {
    return key(a) != key(b) ? key(a) < key(b)
                            : std::tie(a.rank, a.peer_rank, a.tag, a.root, a.peer_root) <
                                  std::tie(b.rank, b.peer_rank, b.tag, b.root, b.peer_root);
  });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < into.size(); ++i) {
    if (key(into[kept]) == key(into[i])) into[kept].events += into[i].events;
    else into[++kept] = into[i];
  }
  if (!into.empty()) into.resize(kept + 1);
  if (into.size() <= most_left_overs) return;
  std::stable_sort(into.begin(), into.end(), [](const LeftOver& a, const LeftOver& b) { return a.events > b.events; });
  into.resize(most_left_overs);
}

bool is_complete(const RankLog& log) {
  const EventTables& tables = *log.tables;
  if (tables.levels.any() || tables.lost != 0) return false;
  std::vector<std::uint32_t> started(tables.channel_count);
  for (const LocationLog& location : log.locations)
    for (std::uint32_t i = 0; location.log && i < location.log->count; ++i) {
      const EventRecord& record = location.log->records[i];
      started[record.channel < tables.channel_count ? record.channel : 0] += starts_operation(EventKind(record.kind));
    }
  for (std::uint32_t i = 1; i < tables.channel_count; ++i) {
    const Channel& channel = tables.channels[i];
    if (channel.unordered == left_out_of_log) continue;
    const bool counts = channel.end <= ChannelEnd::destination && channel.peer >= 0;
    if ((counts || channel.end == ChannelEnd::member) && (channel.unordered || started[i] != channel.next))
      return false;
  }
  return true;
}

std::vector<LeftOver> left_overs_of(const Messages& messages, const Collectives& collectives, const Operations& own,
                                    const EventTables& tables, const Sites& sites, int rank, bool all_complete) {
  std::vector<LeftOver> all;
  // A receive from any rank or with any tag that is still open may be the other side of a send.
  if (own.open_receives.empty())
    for (const LoneSend& send : messages.lone_sends)
      if (is_beyond(send.number, send.received))
        all.push_back({path_of(sites, send.site), 0, 1, LeftKind::send, send.source, rank, program_tag(send.tag)});
  std::unordered_set<const Operation*> lone;
  for (const LoneReceive& one : messages.lone_receives) {
    const Channel& channel = tables.channels[one.receive->channel];
    if (!(one.source_known ? is_beyond(one.receive->number, one.sent) : all_complete)) continue;
    lone.insert(one.receive);
    all.push_back({path_of(sites, one.receive->start.site), 0, 1, LeftKind::receive, rank, channel.peer,
                   program_tag(channel.tag)});
  }
  for (const auto* list : {&own.sends, &own.receives, &own.collectives})
    for (const Operation& one : *list) {
      if (!one.open || lone.contains(&one)) continue;
      const Channel& channel = tables.channels[one.channel];
      const bool message = channel.end != ChannelEnd::member;
      all.push_back({path_of(sites, one.start.site), 0, 1, LeftKind::request, rank, channel.peer,
                     message ? program_tag(channel.tag) : -1});
    }
  for (const OpenReceive& one : own.open_receives) {
    const Channel& channel = tables.channels[one.channel];
    all.push_back(
        {path_of(sites, one.start.site), 0, 1, LeftKind::request, rank, channel.peer, program_tag(channel.tag)});
  }
  for (const Disagreement& one : collectives.disagreements) {
    using In = Disagreement::In;
    if (one.in == In::missing && !all_complete) continue;
    const LeftKind kind = one.in == In::order  ? LeftKind::order
                          : one.in == In::root ? LeftKind::root
                                               : LeftKind::missing;
    all.push_back({path_of(sites, one.site), path_of(sites, one.peer_site), 1, kind, one.rank, one.peer_rank, -1,
                   one.root, one.peer_root});
  }
  std::vector<LeftOver> united;
  add_left_overs(united, all);
  return united;
}

} // namespace andes::monitor
