#include "monitor/exchange/messages.h"

#include <algorithm>
#include <span>

namespace andes::monitor {
namespace {

/// A channel of which this rank is the destination.
struct OwnChannel {
  const Operation *begin = nullptr, *end = nullptr; // its receives
  bool unordered = false;
  std::uint32_t next = 0; // number of receives that were counted
};

std::unordered_map<std::uint64_t, OwnChannel> own_channels(const std::vector<Operation>& receives,
                                                           const EventTables& tables) {
  std::unordered_map<std::uint64_t, OwnChannel> channels;
  for (std::uint32_t i = 0; i < tables.channel_count; ++i) {
    const Channel& channel = tables.channels[i];
    if (channel.end == ChannelEnd::destination && (channel.unordered || channel.next > 0))
      channels[channel.key] = {nullptr, nullptr, channel.unordered != 0, channel.next};
  }
  const Operation* const end = receives.data() + receives.size();
  for (const Operation* at = receives.data(); at != end;) {
    const Operation* last = at;
    while (last != end && last->channel == at->channel) ++last;
    OwnChannel& channel = channels[tables.channels[at->channel].key];
    channel.begin = at;
    channel.end = last;
    at = last;
  }
  return channels;
}

// Rounding error of a time that was stored as a float.
double rounding_ns(const Call& call) { return 1 + 1e-7 * static_cast<double>(call.exit_ns - call.enter_ns); }

/// The calls that waited for the message of `receive`, which is one of `own`, before the call that received it.
std::span<const Probe> probes_of(const Operation& receive, const Operations& own) {
  const auto index = static_cast<std::size_t>(&receive - own.receives.data());
  return std::ranges::equal_range(own.probes, index, {}, &Probe::receive);
}

/// Sets the call that waited for the message. Returns for how long the message had been received before it was sent,
/// in which case it counts as sent when it was received.
std::int64_t set_wait(Message& message, const Call& wait) {
  message.wait = &wait;
  const std::int64_t early_ns = message.send.start.enter_ns - wait.exit_ns;
  if (!message.receive->completed || early_ns <= 0) return 0;
  message.send.start.enter_ns = wait.exit_ns;
  return early_ns;
}

constexpr std::size_t most_lone = 1 << 16; // of each side: the rest is counted only

void note(Messages& messages, const Operation& send, const ArrivedChannel& arrived, const OwnChannel& own) {
  if (messages.lone_sends.size() < most_lone)
    messages.lone_sends.push_back({arrived.rank, arrived.tag, send.start.site, send.number, own.next});
}
void note(Messages& messages, const Operation& receive, const ArrivedChannel* arrived) {
  if (messages.lone_receives.size() < most_lone)
    messages.lone_receives.push_back({&receive, arrived != nullptr, arrived ? arrived->next : 0});
}

} // namespace

Messages match_messages(std::vector<ArrivedChannel>& sends, const Operations& operations, const EventTables& tables,
                        double clock_error_ns) {
  Messages messages;
  auto channels = own_channels(operations.receives, tables);
  messages.all.reserve(operations.receives.size() + operations.probes.size());
  for (ArrivedChannel& arrived : sends) {
    OwnChannel& own = channels[arrived.key];
    if (own.unordered) {
      messages.unordered += arrived.operations.size();
      continue;
    }
    const auto of_channel = static_cast<std::uint64_t>(own.end - own.begin);
    if (arrived.unordered) {
      messages.unordered += of_channel;
      own.begin = own.end;
      continue;
    }
    const Operation* receive = own.begin;
    std::uint64_t matched = 0;
    for (const Operation& send : arrived.operations) {
      while (receive != own.end && receive->number < send.number) note(messages, *receive++, &arrived);
      if (receive == own.end || receive->number != send.number) {
        note(messages, send, arrived, own);
        continue;
      }
      Message message;
      message.send = send;
      message.receive = receive++;
      message.source = arrived.rank;
      ++matched;
      const Operation& received = *message.receive;
      const auto probes = probes_of(received, operations);
      const bool in_parts = !probes.empty() && probes.front().call.enter_ns >= received.start.enter_ns;
      if (in_parts)
        for (const Probe& probe : probes) {
          Message part = message;
          part.is_part = true;
          set_wait(part, probe.call); // parts may come before the last one is sent
          messages.all.push_back(part);
        }
      const std::int64_t early_ns = set_wait(message, probes.empty() || in_parts ? received.end : probes.front().call);
      if (static_cast<double>(early_ns) > 2 * clock_error_ns + rounding_ns(*message.wait)) ++messages.violations;
      messages.all.push_back(message);
    }
    for (; receive != own.end; ++receive) note(messages, *receive, &arrived);
    messages.matched += matched;
    messages.unmatched += arrived.operations.size() + of_channel - 2 * matched;
    own.begin = own.end;
    std::vector<Operation>().swap(arrived.operations);
  }
  for (const auto& [key, own] : channels) {
    if (own.unordered) continue;
    messages.unmatched += static_cast<std::uint64_t>(own.end - own.begin);
    for (const Operation* receive = own.begin; receive != own.end; ++receive) note(messages, *receive, nullptr);
  }
  return messages;
}

} // namespace andes::monitor
