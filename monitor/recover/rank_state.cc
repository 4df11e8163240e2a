#include "monitor/recover/rank_state.h"

#include <algorithm>

#include "common/index.h"
#include "monitor/finish/run.h"
#include "monitor/interface/ending_text.h"
#include "monitor/recover/asleep.h"
#include "monitor/recover/recover_run.h"
#include "monitor/recover/recovered_clock.h"
#include "monitor/recover/started_collective.h"
#include "monitor/recover/waited_operations.h"

namespace andes::monitor {
namespace {

using What = HangState::What;

class RankReading {
public:
  RankReading(const RecoveredProcess& process, const Profile& profile, const JobState& job)
      : job_(job), found_(process), process_(process.process), events_(process.process.events), profile_(profile),
        scale_(tick_scale(process.process.clock)) {}

  ThreadActivity thread(std::size_t i) const {
    ThreadActivity state;
    const std::vector<andes_frame>& frames = found_.open[i].frames;
    const Location& location = *process_.locations[i];
    state.thread = static_cast<int>(location.number);
    if (location.suspended) state.what = What::off;
    if (set_polls(state, i) || frames.size() < 2) return state;
    const andes_frame& frame = frames.back();
    const andes_node& node = location.tree.node_at(frame.place);
    const bool is_call = ANDES_KIND_IS_MPI(node.kind) && node.kind != ANDES_KIND_LOCAL;
    set_path(state, profile_.path_of_node[i][location.tree.number(node)], is_call);
    state.idle = ANDES_KIND_IS_IDLE(node.kind);
    state.since_s = since_s(frame);
    if (!is_call) return state;
    state.what = What::calls;
    const Intent& intent = found_.open[i].intent;
    if (intent.kind == IntentKind::none || intent.enter_ticks != frame.enter_ticks) return state;
    set_operations(state, events_, find_started_, intent);
    if (!state.operations.empty()) state.what = What::waits;
    return state;
  }

  /// Epochs that this process has completed as origin, as its log says. None where the log is a sample.
  void set_completes(RankState& state) const {
    if (state.starts.empty() || events_.levels.any()) return;
    for (std::uint32_t i = 0; i < process_.location_count; ++i) {
      const EventLog& log = process_.locations[i]->log;
      for (std::uint32_t at = 0; at < log.count; ++at) {
        const EventRecord& record = log.records[at];
        if (record.kind != static_cast<std::uint64_t>(EventKind::complete)) continue;
        const Channel& channel = events_.channels[record.channel];
        Progress& done = state.completes[{events_.communicators[channel.communicator].id, channel.peer, channel.tag}];
        done.begun = std::max(done.begun, static_cast<std::uint32_t>(record.number) + 1);
      }
    }
  }

  void set_called(RankState& state) const {
    if (events_.levels.any()) return;
    constexpr std::size_t most = 64;
    constexpr std::uint32_t most_read = 4096; // records of a thread
    for (std::uint32_t i = 0; i < process_.location_count; ++i) {
      const EventLog& log = process_.locations[i]->log;
      for (std::uint32_t back = 1; back <= std::min(log.count, most_read) && state.called.size() < most; ++back) {
        const EventRecord& record = log.records[log.count - back];
        const Channel& channel = events_.channels[record.channel];
        const std::vector<std::int32_t>& paths = profile_.path_of_node[i];
        if (channel.end != ChannelEnd::member || record.kind < std::uint64_t(EventKind::barrier) ||
            record.kind >= std::uint64_t(EventKind::collective_completion) || record.node >= paths.size())
          continue;
        ThreadActivity call;
        set_path(call, paths[record.node], true);
        const std::uint64_t comm = events_.communicators[channel.communicator].id;
        if (!call.function.empty())
          state.called[{comm, channel.tag, static_cast<std::uint32_t>(record.number)}] = call.function;
      }
    }
  }

  void set_other_groups(RankState& state) const {
    for (std::uint32_t i = 0; i < events_.communicator_count; ++i)
      if (const Communicator& one = events_.communicators[i]; one.local_size < one.size)
        state.other_groups.push_back(senders_of(one));
  }

  void set_progress(RankState& state) const {
    for (std::uint32_t i = 1; i < events_.channel_count; ++i) {
      const Channel& channel = events_.channels[i];
      if (channel.key == 0) continue;
      const std::uint64_t comm = events_.communicators[channel.communicator].id;
      const Progress progress = {channel.next, channel.unordered != 0};
      const RankState::Name name = {comm, channel.peer, channel.tag};
      state.progress += channel.next;
      switch (channel.end) {
      case ChannelEnd::member: state.collectives[{comm, channel.tag}] = progress; break;
      case ChannelEnd::source: state.sends[name] = progress; break;
      case ChannelEnd::destination: state.receives[name] = progress; break;
      case ChannelEnd::origin:
        if (channel.tag == 0) state.starts[name] = progress;
        break;
      case ChannelEnd::target:
        if (channel.tag == 0) state.posts[name] = progress;
        break;
      }
    }
  }

private:
  double seconds(std::uint64_t ticks) const { return 1e-9 * scale_.duration_ns(static_cast<double>(ticks)); }

  /// Whether the thread is in a long polling loop, and then what it does there.
  bool set_polls(ThreadActivity& state, std::size_t i) const {
    const OpenVisits& open = found_.open[i];
    const PollReport& polls = open.polls;
    const Location& location = *process_.locations[i];
    if (location.suspended || polls.first_ticks == 0 || polls.span_ticks == 0 || polls.seen_ticks < polls.first_ticks ||
        open.intent.enter_ticks != polls.first_ticks || open.frames.empty())
      return false;
    const andes_node& innermost = location.tree.node_at(open.frames.back().place);
    if (ANDES_KIND_IS_IDLE(innermost.kind) || (ANDES_KIND_IS_MPI(innermost.kind) && !innermost.is_polled)) return false;
    // It is seen each tenth of a second, rarely later on a busy machine. Much later it does something else.
    constexpr double least_s = 2, most_s = 10;
    const double fresh_s = std::clamp(seconds(polls.seen_ticks - polls.first_ticks) / 4, least_s, most_s);
    const std::uint64_t end_ticks = found_.end_known ? std::max(found_.end_ticks, polls.seen_ticks) : polls.seen_ticks;
    if (seconds(end_ticks - polls.seen_ticks) > fresh_s) return false;
    constexpr std::uint64_t busy_part = 10, usual_part = 3; // of its time; times what it has waited before
    set_path(state, profile_.path_of_node[i][location.tree.number(location.tree.node_at(polls.place))], true);
    state.since_s = seconds(end_ticks - polls.first_ticks);
    state.usual = end_ticks - polls.first_ticks < usual_part * polls.longest_ticks;
    set_operations(state, events_, find_started_, open.intent);
    if (polls.busy_ticks > polls.span_ticks / busy_part) state.operations.clear(); // it computes between the polls
    else state.what = state.operations.empty() ? What::calls : What::polls;
    return true;
  }

  double since_s(const andes_frame& frame) const {
    if (!is_timed(frame)) return 0;
    const bool guess = !found_.end_known;
    if (guess && (!job_.ended_s || found_.boot_id != this_boot_id())) return -1;
    const std::uint64_t end_ticks = guess ? ticks_now(process_.clock) : found_.end_ticks;
    if (end_ticks < frame.enter_ticks) return 0;
    const double open_s = 1e-9 * scale_.duration_ns(static_cast<double>(end_ticks - frame.enter_ticks));
    return guess ? std::max(0.0, open_s - *job_.ended_s) : open_s;
  }

  /// Collectives whose requests threads wait for, or have waited for before.
  static std::set<ChannelNumber> wanted_of(const RecoveredProcess& process) {
    std::set<ChannelNumber> wanted;
    for (const OpenVisits& open : process.open) {
      const Intent& intent = open.intent;
      for (std::uint32_t i = 0; i < intent.listed; ++i)
        if (intent.of[i] == WaitedKind::collective)
          wanted.insert(channel_number(intent.list[i].channel, intent.list[i].number));
    }
    return wanted;
  }

  // ---- where ----------------------------------------------------------------------------------------

  /// Path and place of a node; of one of MPI its call, and its function, if that is known.
  void set_path(ThreadActivity& state, std::int32_t path, bool is_call) const {
    std::vector<const RegionRow*> regions;
    for (; path >= 0; path = profile_.paths[at(path)].parent)
      regions.push_back(&profile_.regions[at(profile_.paths[at(path)].region)]);
    for (const RegionRow* region : regions) {
      if (state.place.empty() && region->line > 0)
        state.place = region->file.substr(region->file.rfind('/') + 1) + ":" + std::to_string(region->line);
      if (region->kind == "root" || region->kind == call_site_kind) continue;
      if (is_call && state.call.empty() && is_mpi(*region)) {
        state.call = region->name;
        if (!region->name.starts_with('(')) state.function = region->name; // else it is one of many
      } else state.path = state.path.empty() ? region->name : region->name + "/" + state.path;
    }
  }

  const JobState& job_;
  const RecoveredProcess& found_;
  const Process& process_;
  const EventTables& events_;
  const Profile& profile_;
  TickScale scale_;
  mutable std::optional<std::map<ChannelNumber, StartedCollective>> started_; // read once it is asked for
  const FindStarted find_started_ = [this](std::uint32_t channel, std::uint32_t number) {
    if (!started_) started_ = find_started(process_, wanted_of(found_));
    const auto known = started_->find(channel_number(channel, number));
    if (known == started_->end()) return std::optional<StartedCollective>();
    std::optional<StartedCollective> started = known->second;
    const std::vector<std::int32_t>& paths = profile_.path_of_node[started->location];
    ThreadActivity call;
    if (started->node < paths.size()) set_path(call, paths[started->node], true);
    started->function = call.function;
    return started;
  };
};

/// Whether somebody else ended it: a launcher or the user, who ended all of the job.
bool was_killed(const RecoveredProcess& process) {
  constexpr int by_others[] = {1, 2, 9, 15}; // SIGHUP, SIGINT, SIGKILL, SIGTERM
  return process.ending.kind == EndKind::running ||
         (process.ending.kind == EndKind::signal &&
          std::count(std::begin(by_others), std::end(by_others), process.ending.detail) > 0);
}

} // namespace

RankState rank_state(const RecoveredProcess& process, const Profile& profile, const JobState& job) {
  RankState state;
  state.rank = process.process.mpi.rank;
  state.size = process.process.mpi.size;
  state.finalizes = came_to_end(process) || process.finalized;
  state.more_threads = process.process.events.constants.multiple != 0;
  const bool left = process.ending.kind == EndKind::exit; // also while it is in handlers of exit()
  state.gone = left || (!process.alive && !state.finalizes && (job.lives || !was_killed(process)));
  if (state.gone) state.ending = ending_words(process);
  const RankReading reading(process, profile, job);
  reading.set_progress(state);
  reading.set_completes(state);
  reading.set_other_groups(state);
  reading.set_called(state);
  state.lossy = process.process.events.lost != 0 || process.lost.channels != 0;
  if (state.gone || state.finalizes) return state;
  for (std::size_t i = 0; i < process.process.location_count; ++i)
    if (!process.open[i].frames.empty()) state.threads.push_back(reading.thread(i)); // else it has ended
  for (ThreadActivity& thread : state.threads) {
    if (!process.alive || thread.thread != 0 || thread.what != What::computes || !thread.call.empty()) continue;
    if (const std::optional<std::string> call = asleep_in(process.pid)) {
      thread.what = What::sleeps;
      thread.call = *call;
    }
  }
  return state;
}

} // namespace andes::monitor
