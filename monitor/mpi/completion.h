// Calls that receive or complete: they need a status even where the user gives none, and must look
// at the requests before MPI overwrites them. One class per shape of call: constructed before the
// visit, may replace the user's status argument, done() after it.
//
// Invariants: without entries in the table of requests they cost one load; persistent requests stay
// in the table; completed requests are removed even if the visit is not measured; after a failed
// call requests that have become null are removed, and counted if their status says that they have succeeded.
//
// With several threads, MPI may give a freed handle to another thread at once: calls that certainly
// free it remove the entries before (and put them back on failure), other calls look them up before
// and remove just these. Without threads only the handles are copied before.
#pragma once
#include <utility>

#include "monitor/mpi/own_status.h"
#include "monitor/mpi/polled.h"
#include "monitor/mpi/polling.h"
#include "monitor/mpi/requests.h"
#include "monitor/mpi/scratch.h"

namespace andes::monitor::mpi {

/// A blocking receive: with a status of its own if the user ignores it.
class Receive {
public:
  Receive(MPI_Status*& status, int source, int tag, MPI_Comm comm, unsigned flags = 0)
      : comm_(comm), source_(source), tag_(tag), flags_(flags), status_(status) {}
  [[gnu::always_inline]] void done(const Visit& visit, int result) {
    if (!measuring || result != MPI_SUCCESS || source_ == MPI_PROC_NULL) return;
    const std::int64_t bytes = visit ? arrived(visit, status_.get(), flags_ & event_combined) : 0;
    Comm* known = comm_of(comm_);
    if (__builtin_expect(visit && is_settled(known), 1)) {
      // The program's arguments are known long before the content of the status.
      log_settled(visit, *known, source_ >= 0 ? source_ : status_->MPI_SOURCE, tag_ >= 0 ? tag_ : status_->MPI_TAG,
                  flags_, bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0);
    } else {
      log_received(visit, known, status_.get(), flags_);
    }
  }

private:
  MPI_Comm comm_;
  int source_, tag_;
  unsigned flags_;
  OwnStatus status_;
};

/// Counts and logs a completed request, by `status`; null: it has failed. `flags`: event_alone where the call completes
/// no other request.
[[gnu::noinline]] inline void completed_slowly(const Visit& visit, const Entry& entry, const MPI_Status* status,
                                               unsigned flags = 0) {
  if (entry.kept == Kept::none) return;
  if (entry.kept == Kept::communicator) {
    if (status) made_duplicate(visit, entry.duplicate.comm(), entry.duplicate.id);
    return;
  }
  if (entry.kept == Kept::both) {
    Entry send, receive;
    send.kept = Kept::send;
    send.ticket = entry.both->sent;
    receive.kept = Kept::receive;
    receive.ticket = entry.both->received;
    free(entry.both);
    completed_slowly(visit, send, status);
    completed_slowly(visit, receive, status);
    return;
  }
  const bool persistent = entry.kept == Kept::persistent;
  if (persistent && !entry.persistent->active) return;
  const Ticket& ticket = persistent ? entry.persistent->ticket : entry.ticket;
  const bool receives = persistent ? entry.persistent->of == Persistent::Of::receive : entry.kept == Kept::receive;
  const bool collective =
      persistent ? entry.persistent->of == Persistent::Of::collective : entry.kept == Kept::collective;
  if (persistent) entry.persistent->active = false;
  int flag = 0;
  if (any_cancelled && status && PMPI_Test_cancelled(status, &flag) == MPI_SUCCESS && flag) {
    cancelled_receive(ticket); // makes the channel unordered, for a send as for a receive
    return;
  }
  if (!receives) {
    if (status)
      log_completion(visit, collective ? EventKind::collective_completion : EventKind::send_completion, ticket, flags);
    return;
  }
  if (visit && status) arrived(visit, status);
  complete_receive(visit, ticket, status, flags);
}

[[gnu::always_inline]] inline void completed(const Visit& visit, const Entry& entry, const MPI_Status* status,
                                             unsigned flags = 0) {
  const bool plain = visit && status && !any_cancelled;
  if (__builtin_expect(plain && entry.kept == Kept::send, 1)) {
    log_completion(visit, EventKind::send_completion, entry.ticket, flags);
  } else if (__builtin_expect(plain && entry.kept == Kept::receive, 1)) {
    arrived(visit, status);
    complete_receive(visit, entry.ticket, status, flags);
  } else {
    completed_slowly(visit, entry, status, flags);
  }
}

/// MPI_Wait.
class CompleteOne {
public:
  CompleteOne(MPI_Request* request, MPI_Status*& status) {
    if (!requests_kept() || !request || *request == MPI_REQUEST_NULL) return;
    entry_ = take_request(*request);
    kept_ = entry_.kept != Kept::none;
    if (kept_) status_.take(status);
  }
  [[gnu::always_inline]] void done(const Visit& visit, int result) {
    if (kept_) completed(visit, entry_, result == MPI_SUCCESS ? status_.get() : nullptr, event_alone);
  }
  /// Null: nothing is known of the request.
  const Entry* entry() const { return kept_ ? &entry_ : nullptr; }

private:
  bool kept_ = false;
  union { // not touched by calls that complete nothing relevant
    Entry entry_;
  };
  OwnStatus status_;
};

/// MPI_Test. Without threads, the request's entry is only looked up if it has completed.
class TestOne {
public:
  TestOne(const MPI_Request* request, const int* flag, MPI_Status*& status)
      : flag_(flag), handle_(request ? *request : MPI_REQUEST_NULL), status_(status) {
    if (__builtin_expect(threads, 0)) entry_ = requests_kept() ? find_request(handle_) : Entry();
  }
  bool missed() const { return !*flag_; }
  bool found() const { return *flag_ && handle_ != MPI_REQUEST_NULL && requests_kept(); }
  void ask(Polled& polled) const { polled.add(threads ? entry_ : requests_kept() ? find_request(handle_) : Entry()); }
  [[gnu::always_inline]] void done(const Visit& visit, int result) {
    if (!found()) return;
    if (!threads) entry_ = take_request(handle_);
    else if (entry_.kept != Kept::none && entry_.kept != Kept::persistent) drop_request(entry_);
    if (entry_.kept != Kept::none)
      completed(visit, entry_, result == MPI_SUCCESS ? status_.get() : nullptr, event_alone);
  }

private:
  const int* flag_;
  MPI_Request handle_;
  union { // not touched by calls that complete nothing
    Entry entry_;
  };
  OwnStatus status_;
};

/// The requests of an array before a call that may complete some of them.
class Requests {
public:
  Requests(int count, const MPI_Request* requests)
      : count_(requests_kept() && requests && count > 0 ? count : 0), now_(requests), handles_(threads ? 0 : count_),
        entries_(threads ? count_ : 0) {
    if (count_ == 0 || !(threads ? static_cast<void*>(entries_.get()) : static_cast<void*>(handles_.get()))) {
      count_ = 0;
      return;
    }
    if (!threads) {
      memcpy(handles_.get(), requests, sizeof(MPI_Request) * static_cast<std::size_t>(count_));
      return;
    }
    for (int i = 0; i < count_; i++)
      entries_.get()[i] = requests[i] == MPI_REQUEST_NULL ? Entry{} : find_request(requests[i]);
  }
  /// Whether any of them may have an entry.
  bool any() const { return count_ != 0; }
  int count() const { return count_; }
  bool is_open(int i) const { return now_[i] != MPI_REQUEST_NULL; }
  /// An entry of the i-th request, the newest where that is certain, which stays where it is; null: it has none.
  [[gnu::always_inline]] const Entry* look(int i) {
    if (threads) return entries_.get()[i].kept == Kept::none ? nullptr : &entries_.get()[i];
    const RequestTable& table = request_tables[0];
    for (std::uint32_t at = table.home(now_[i]); table.entries[at].kept != Kept::none;
         at = (at + 1) & (table.capacity - 1))
      if (table.entries[at].request == now_[i]) return &table.entries[at];
    return nullptr;
  }
  /// The requests that are open.
  void ask(Polled& polled) {
    if (count_ == 0) return polled.add({});
    for (int i = 0; i < count_; i++) {
      if (!is_open(i)) continue;
      const Entry* entry = look(i);
      polled.add(entry ? *entry : Entry());
    }
  }
  /// Removes and returns the entry of the i-th request, which has completed.
  Entry take(int i) {
    if (i < 0 || i >= count_) return {};
    if (!threads) return handles_.get()[i] == MPI_REQUEST_NULL ? Entry{} : take_request(handles_.get()[i]);
    const Entry entry = std::exchange(entries_.get()[i], {});
    if (entry.kept != Kept::none && entry.kept != Kept::persistent) drop_request(entry);
    return entry;
  }
  /// After a call that failed with an error in its statuses: what the status of the i-th request says.
  [[gnu::noinline, gnu::cold]] void settle(const Visit& visit, int i, const MPI_Status* status) {
    if (status->MPI_ERROR == MPI_SUCCESS) completed(visit, take(i), status);
    else if (status->MPI_ERROR != MPI_ERR_PENDING) completed_slowly(visit, take(i), nullptr);
  }
  /// After a failed call: other requests that have become null have completed, but their results are not known.
  [[gnu::noinline, gnu::cold]] void drop_completed(const Visit& visit) {
    for (int i = 0; i < count_; i++)
      if (now_[i] == MPI_REQUEST_NULL) completed_slowly(visit, take(i), nullptr);
  }
  /// After a failed call without statuses: the i-th request may be a persistent one whose operation has failed. It is
  /// inactive then, which means complete with an empty status (MPI 4.1, section 3.7.3).
  [[gnu::noinline, gnu::cold]] void end_persistent(const Visit& visit, int i) {
    if (i < 0 || i >= count_ || now_[i] == MPI_REQUEST_NULL) return;
    const Entry* entry = look(i);
    if (!entry || entry->kept != Kept::persistent || !entry->persistent->active) return;
    MPI_Status status;
    int complete = 0;
    if (PMPI_Request_get_status(now_[i], &complete, &status) == MPI_SUCCESS && complete &&
        status.MPI_SOURCE == MPI_ANY_SOURCE)
      completed_slowly(visit, take(i), nullptr);
  }

private:
  int count_;
  const MPI_Request* now_;
  Scratch<MPI_Request> handles_;
  Scratch<Entry> entries_;
};

/// MPI_Waitall.
class WaitAll {
public:
  WaitAll(int count, const MPI_Request* requests, MPI_Status*& statuses)
      : count_(requests_kept() && requests && count > 0 ? count : 0), now_(requests), entries_(count_),
        statuses_(count_ != 0, count, statuses) {
    if (!entries_.get()) count_ = 0;
    for (int i = 0; i < count_; i++)
      entries_.get()[i] = requests[i] == MPI_REQUEST_NULL ? Entry{} : take_request(requests[i]);
  }
  int count() const { return count_; }
  const Entry& entry(int i) { return entries_.get()[i]; }
  void done(const Visit& visit, int result) {
    if (__builtin_expect(result != MPI_SUCCESS, 0)) return failed(visit, result);
    if (__builtin_expect(count_ == 1, 0))
      return completed_slowly(visit, entries_.get()[0], statuses_.at(0), event_alone);
    for (int i = 0; i < count_; i++) completed(visit, entries_.get()[i], statuses_.at(i));
  }

private:
  /// Requests that are still pending stay in the table.
  [[gnu::noinline, gnu::cold]] void failed(const Visit& visit, int result) {
    const bool told = statuses_.tell_errors(result);
    for (int i = 0; i < count_; i++) {
      const Entry& entry = entries_.get()[i];
      const bool persistent = entry.kept == Kept::persistent;
      const int error = told ? statuses_.at(i)->MPI_ERROR : MPI_ERR_OTHER;
      if (persistent ? error == MPI_ERR_PENDING : now_[i] != MPI_REQUEST_NULL) {
        if (!persistent && entry.kept != Kept::none) keep(entry);
      } else {
        completed_slowly(visit, entry, error == MPI_SUCCESS ? statuses_.at(i) : nullptr);
      }
    }
  }

  int count_;
  const MPI_Request* now_;
  Scratch<Entry> entries_;
  OwnStatuses statuses_;
};

/// MPI_Testall.
class TestAll {
public:
  TestAll(int count, const MPI_Request* requests, MPI_Status*& statuses, const int* flag)
      : count_(count), flag_(flag), requests_(count, requests), statuses_(requests_.any(), count, statuses) {}
  bool missed() const { return !*flag_; }
  bool found() const { return requests_.any() && *flag_; }
  void ask(Polled& polled) {
    polled.needs_all();
    requests_.ask(polled);
  }
  void done(const Visit& visit, int result) {
    if (!requests_.any()) return;
    if (__builtin_expect(result != MPI_SUCCESS, 0)) return failed(visit, result);
    for (int i = 0; *flag_ && i < count_; i++) completed(visit, requests_.take(i), statuses_.at(i));
  }

private:
  [[gnu::noinline, gnu::cold]] void failed(const Visit& visit, int result) {
    const bool told = statuses_.tell_errors(result); // MPICH: with a false flag, too, where one is pending
    for (int i = 0; told && i < count_; i++) requests_.settle(visit, i, statuses_.at(i));
    requests_.drop_completed(visit);
  }

  int count_;
  const int* flag_;
  Requests requests_;
  OwnStatuses statuses_;
};

/// MPI_Waitany, MPI_Testany.
class CompleteAny {
public:
  CompleteAny(int count, const MPI_Request* requests, const int* index, MPI_Status*& status)
      : CompleteAny(count, requests, index, nullptr, status) {}
  CompleteAny(int count, const MPI_Request* requests, const int* index, const int* flag, MPI_Status*& status)
      : flag_(flag), index_(index), requests_(count, requests) {
    if (requests_.any()) status_.take(status);
  }
  bool missed() const { return !*flag_; } // MPI_Testany
  bool found() const { return requests_.any() && (!flag_ || *flag_) && *index_ != MPI_UNDEFINED; }
  void ask(Polled& polled) { requests_.ask(polled); }
  void done(const Visit& visit, int result) {
    if (!requests_.any()) return;
    if (__builtin_expect(result != MPI_SUCCESS, 0)) {
      requests_.drop_completed(visit);
      return requests_.end_persistent(visit, *index_);
    }
    if (found()) completed(visit, requests_.take(*index_), status_.get());
  }
  Requests& requests() { return requests_; }

private:
  const int* flag_;
  const int* index_;
  Requests requests_;
  OwnStatus status_;
};

/// MPI_Waitsome, MPI_Testsome.
class CompleteSome {
public:
  CompleteSome(int count, const MPI_Request* requests, const int* done, const int* indices, MPI_Status*& statuses)
      : done_(done), indices_(indices), requests_(count, requests), statuses_(requests_.any(), count, statuses) {}
  bool missed() const { return *done_ == 0; } // MPI_Testsome
  bool found() const { return requests_.any() && *done_ != MPI_UNDEFINED && *done_ > 0; }
  void ask(Polled& polled) { requests_.ask(polled); }
  void done(const Visit& visit, int result) {
    if (!requests_.any()) return;
    if (__builtin_expect(result != MPI_SUCCESS, 0)) return failed(visit, result);
    for (int i = 0; found() && i < *done_; i++) completed(visit, requests_.take(indices_[i]), statuses_.at(i));
  }
  Requests& requests() { return requests_; }

private:
  [[gnu::noinline, gnu::cold]] void failed(const Visit& visit, int result) {
    const bool told = statuses_.tell_errors(result) && found();
    for (int i = 0; told && i < *done_; i++) requests_.settle(visit, indices_[i], statuses_.at(i));
    requests_.drop_completed(visit);
  }

  const int* done_;
  const int* indices_;
  Requests requests_;
  OwnStatuses statuses_;
};

/// MPI_Request_free: freed requests are not counted any more.
class Forget {
public:
  explicit Forget(const MPI_Request* request) {
    if (requests_kept() && request) entry_ = withdraw_request(*request);
  }
  void done(const Visit&, int result) {
    if (entry_.kept == Kept::none) return;
    if (result != MPI_SUCCESS) return keep(entry_);
    if (entry_.kept == Kept::receive) forget_receive(entry_.ticket);
    if (entry_.kept == Kept::both) {
      forget_receive(entry_.both->received);
      free(entry_.both);
    }
    if (entry_.kept != Kept::persistent) return;
    if (entry_.persistent->active && entry_.persistent->of == Persistent::Of::receive)
      forget_receive(entry_.persistent->ticket);
    if (entry_.persistent->comm) let_go(*entry_.persistent->comm);
    free(entry_.persistent);
  }

private:
  Entry entry_;
};

} // namespace andes::monitor::mpi
