#include "monitor/mpi/polled.h"

#include "monitor/mpi/intents.h"

namespace andes::monitor::mpi {

Polled::Polled(andes_node* node) : location_(location_here()) {
  if (!node || !location_ || !events) return;
  const PollReport& told = location_->polls;
  if (told.first_ticks == 0 || told.first_ticks != polling.first_ticks) return;
  location_->polls.place = node->place;
  intent_ = &location_->intent;
  fresh_ = intent_->enter_ticks != told.first_ticks;
  if (fresh_) intent_->listed = intent_->more = 0;
  before_ = intent_->listed;
}

Polled::~Polled() {
  if (!intent_) return;
  const IntentKind kind = all_ ? IntentKind::poll_all : IntentKind::poll_any;
  if (fresh_) intent_->kind = kind;
  else if (intent_->listed != before_ || intent_->kind != kind) intent_->kind = IntentKind::poll_any;
  if (intent_->listed != before_) polling.to_ask = polls_to_ask;
  __atomic_store_n(&intent_->enter_ticks, location_->polls.first_ticks, __ATOMIC_RELEASE);
}

/// Of the entries from `from` on, keeps those that no earlier poll has and that there is room for.
void Polled::keep_new(std::uint32_t from) {
  std::uint32_t kept = from;
  for (std::uint32_t i = from; i < intent_->listed; ++i) {
    const Waited one = intent_->list[i];
    const WaitedKind kind = intent_->of[i];
    std::uint32_t at = cursor_, looked = 0;
    for (; looked < before_; ++looked, at = at + 1 < before_ ? at + 1 : 0)
      if (intent_->of[at] == kind && intent_->list[at].channel == one.channel && intent_->list[at].number == one.number)
        break;
    if (looked < before_) {
      cursor_ = at + 1 < before_ ? at + 1 : 0;
      continue;
    }
    intent_->list[kept] = one;
    intent_->of[kept++] = kind;
  }
  intent_->listed = kept;
  if (kept <= most_waited) return;
  intent_->listed = most_waited;
  intent_->more = 1;
}

void Polled::put(WaitedKind kind, std::uint32_t channel, std::uint32_t number) {
  if (is_beyond()) return;
  const std::uint32_t from = intent_->listed;
  intent_->list[from] = {channel, number};
  intent_->of[from] = kind;
  intent_->listed = from + 1;
  keep_new(from);
}

void Polled::add(const Entry& entry) {
  if (is_beyond()) return;
  const std::uint32_t from = intent_->listed;
  list(*intent_, entry, most_waited + spare_waited);
  keep_new(from);
}

void Polled::add_probe(int source, int tag, MPI_Comm comm) {
  const Comm* known = comm_of(comm);
  if (!known || known->id == 0) return put(WaitedKind::unknown, 0, 0);
  const bool any_source = source == MPI_ANY_SOURCE, any_tag = tag == MPI_ANY_TAG;
  const int world = any_source ? 0 : world_rank(known, source);
  if (world < 0) return put(WaitedKind::unknown, 0, 0);
  if (any_source && any_tag) return put(WaitedKind::probe_from_any_with_any, known->index, 0);
  if (any_source) return put(WaitedKind::probe_from_any, known->index, static_cast<std::uint32_t>(tag));
  if (any_tag) return put(WaitedKind::probe_with_any_tag, known->index, static_cast<std::uint32_t>(world));
  const std::uint32_t channel = channel_of(location_, *known, world, tag, ChannelEnd::destination);
  put(channel != 0 ? WaitedKind::probe : WaitedKind::unknown, channel, 0);
}

void Polled::add_exposure(MPI_Win win) {
  for (std::uint32_t i = events->communicator_count; i-- > 0;) {
    const Communicator& one = events->communicators[i];
    if (one.handle == handle_bits(win) && one.size != 0) return put(WaitedKind::exposure, i, 0);
  }
  put(WaitedKind::unknown, 0, 0);
}

} // namespace andes::monitor::mpi
