// Calls that receive or complete: they need a status even where the user gives none, and must look
// at the requests before MPI overwrites them. One class per shape of call: constructed before the
// visit, may replace the user's status argument, done() after it.
//
// Invariants: without entries in the table of requests they cost one load; persistent requests
// stay in the table; what completed is removed also when the visit is not measured; a failed call
// counts nothing.
#pragma once
#include "monitor/mpi/requests.h"
#include "monitor/mpi/scratch.h"

namespace andes::mpi {

/// A blocking receive: its own status where the user ignores it.
class Receive {
public:
  explicit Receive(MPI_Status*& status) {
    if (status == MPI_STATUS_IGNORE) status = &own_;
    status_ = status;
  }
  void done(Visit visit, int result) {
    if (visit && result == MPI_SUCCESS) arrived(visit, status_);
  }

private:
  MPI_Status own_;
  MPI_Status* status_;
};

/// Counts and removes a request that has completed, as `status` tells.
inline void completed(Visit visit, const Entry& entry, const MPI_Status* status) {
  if (entry.kept == Kept::receive) drop_request(entry.request);
  if (entry.kept != Kept::receive && entry.kept != Kept::persistent_receive) return;
  if (!visit || !status) return;
  int flag = 0;
  if (any_cancelled && PMPI_Test_cancelled(status, &flag) == MPI_SUCCESS && flag) return;
  arrived(visit, status);
}

/// MPI_Wait, MPI_Test.
class CompleteOne {
public:
  CompleteOne(MPI_Request* request, MPI_Status*& status, const int* flag = nullptr) : flag_(flag) {
    if (!requests_kept() || !request || *request == MPI_REQUEST_NULL) return;
    entry_ = find_request(*request);
    kept_ = entry_.kept != Kept::none;
    if (kept_ && status == MPI_STATUS_IGNORE) status = &own_;
    status_ = status;
  }
  void done(Visit visit, int result) {
    if (!kept_ || (flag_ && !*flag_)) return;
    completed(visit, entry_, result == MPI_SUCCESS ? status_ : nullptr);
  }

private:
  const int* flag_;
  const MPI_Status* status_;
  bool kept_ = false;
  union { // neither is touched by calls that complete nothing of interest
    Entry entry_;
  };
  MPI_Status own_;
};

/// The entries of an array of requests; `any()` is false when none of them is of interest.
class Entries {
public:
  Entries(int count, const MPI_Request* requests)
      : count_(requests_kept() && requests ? count : 0), entries_(count_) {
    for (int i = 0; i < count_ && entries_.get(); i++) {
      entries_.get()[i] = requests[i] == MPI_REQUEST_NULL ? Entry{requests[i], Kept::none, -1, {}}
                                                          : find_request(requests[i]);
      any_ = any_ || entries_.get()[i].kept != Kept::none;
    }
  }
  bool any() const { return any_; }
  const Entry& operator[](int i) { return entries_.get()[i]; }

private:
  int count_;
  Scratch<Entry> entries_;
  bool any_ = false;
};

/// MPI_Waitall, MPI_Testall.
class CompleteAll {
public:
  CompleteAll(int count, const MPI_Request* requests, MPI_Status*& statuses,
              const int* flag = nullptr)
      : count_(count), flag_(flag), entries_(count, requests),
        own_(entries_.any() && statuses == MPI_STATUSES_IGNORE ? count : 0) {
    if (!entries_.any()) return;
    if (statuses == MPI_STATUSES_IGNORE && own_.get()) statuses = own_.get();
    if (statuses != MPI_STATUSES_IGNORE) statuses_ = statuses;
  }
  void done(Visit visit, int result) {
    if (!entries_.any() || (flag_ && !*flag_)) return;
    bool fine = result == MPI_SUCCESS && statuses_;
    for (int i = 0; i < count_; i++) completed(visit, entries_[i], fine ? statuses_ + i : nullptr);
  }

private:
  int count_;
  const int* flag_;
  Entries entries_;
  Scratch<MPI_Status> own_;
  const MPI_Status* statuses_ = nullptr;
};

/// MPI_Waitany, MPI_Testany.
class CompleteAny {
public:
  CompleteAny(int count, const MPI_Request* requests, const int* index, MPI_Status*& status)
      : CompleteAny(count, requests, index, nullptr, status) {}
  CompleteAny(int count, const MPI_Request* requests, const int* index, const int* flag,
              MPI_Status*& status)
      : flag_(flag), index_(index), entries_(count, requests) {
    if (!entries_.any()) return;
    if (status == MPI_STATUS_IGNORE) status = &own_;
    status_ = status;
  }
  void done(Visit visit, int result) {
    if (!entries_.any() || (flag_ && !*flag_)) return;
    if (result == MPI_SUCCESS && *index_ != MPI_UNDEFINED)
      completed(visit, entries_[*index_], status_);
  }

private:
  const int* flag_;
  const int* index_;
  Entries entries_;
  MPI_Status own_;
  const MPI_Status* status_ = nullptr;
};

/// MPI_Waitsome, MPI_Testsome.
class CompleteSome {
public:
  CompleteSome(int count, const MPI_Request* requests, const int* done, const int* indices,
               MPI_Status*& statuses)
      : done_(done), indices_(indices), entries_(count, requests),
        own_(entries_.any() && statuses == MPI_STATUSES_IGNORE ? count : 0) {
    if (!entries_.any()) return;
    if (statuses == MPI_STATUSES_IGNORE && own_.get()) statuses = own_.get();
    if (statuses != MPI_STATUSES_IGNORE) statuses_ = statuses;
  }
  void done(Visit visit, int result) {
    if (!entries_.any() || result != MPI_SUCCESS || *done_ == MPI_UNDEFINED) return;
    for (int i = 0; i < *done_; i++)
      completed(visit, entries_[indices_[i]], statuses_ ? statuses_ + i : nullptr);
  }

private:
  const int* done_;
  const int* indices_;
  Entries entries_;
  Scratch<MPI_Status> own_;
  const MPI_Status* statuses_ = nullptr;
};

/// MPI_Request_free: what is freed is not counted any more.
class Forget {
public:
  explicit Forget(const MPI_Request* request) : request_(request ? *request : MPI_REQUEST_NULL) {}
  void done(Visit, int result) {
    if (result == MPI_SUCCESS && requests_kept()) drop_request(request_);
  }

private:
  MPI_Request request_;
};

} // namespace andes::mpi
