// MPI_Request_get_status and its kin: calls that look whether requests are complete, and leave it to another call to
// complete them; MPI_Parrived, which looks for a part of one. One class per shape of call, as in completion.h.
#pragma once
#include "monitor/mpi/completion.h"

namespace andes::monitor::mpi {

/// A loop over calls that only look has found a request complete, which another call completes. `status`: null where
/// memory was short.
inline void complete_from_now(const Visit& visit, MPI_Request request, const MPI_Status* status) {
  if (visit && polling.waited && !any_cancelled && request != MPI_REQUEST_NULL && status)
    known_complete(visit, request, status);
}

/// What a call that looks at these requests asks for.
inline void ask_for(Polled& polled, int count, const MPI_Request* requests) {
  if (!requests || count <= 0) return polled.add({});
  for (int i = 0; i < count; i++)
    if (requests[i] != MPI_REQUEST_NULL) polled.add(requests_kept() ? find_request(requests[i]) : Entry());
}

/// MPI_Request_get_status: the request is complete from then on, and is completed by another call.
class StatusOf {
public:
  StatusOf(MPI_Request request, const int* flag, MPI_Status*& status)
      : flag_(flag), handle_(request), status_(status) {}
  bool missed() const { return !*flag_; }
  bool found() const { return *flag_ && handle_ != MPI_REQUEST_NULL && requests_kept(); }
  void ask(Polled& polled) const { ask_for(polled, 1, &handle_); }
  void done(const Visit& visit, int result) {
    if (result == MPI_SUCCESS) complete_from_now(visit, handle_, status_.get());
  }

private:
  const int* flag_;
  MPI_Request handle_;
  OwnStatus status_;
};

/// MPI_Request_get_status_any: like StatusOf, for one of several requests.
class StatusOfAny {
public:
  StatusOfAny(int count, const MPI_Request* requests, const int* index, const int* flag, MPI_Status*& status)
      : count_(count), requests_(count > 0 ? requests : nullptr), index_(index), flag_(flag), status_(status) {}
  bool missed() const { return !*flag_; }
  bool found() const { return requests_ && *flag_ && *index_ != MPI_UNDEFINED && requests_kept(); }
  void ask(Polled& polled) const { ask_for(polled, count_, requests_); }
  void done(const Visit& visit, int result) {
    if (result == MPI_SUCCESS && found()) complete_from_now(visit, requests_[*index_], status_.get());
  }

private:
  int count_;
  const MPI_Request* requests_;
  const int *index_, *flag_;
  OwnStatus status_;
};

/// MPI_Request_get_status_all: the same, for all of them.
class StatusOfAll {
public:
  StatusOfAll(int count, const MPI_Request* requests, const int* flag, MPI_Status*& statuses)
      : count_(requests_kept() && requests && count > 0 ? count : 0), requests_(requests), flag_(flag),
        statuses_(count_ != 0, count, statuses) {}
  bool missed() const { return !*flag_; }
  bool found() const { return *flag_ && count_ != 0; }
  void ask(Polled& polled) const {
    polled.needs_all();
    ask_for(polled, count_, requests_);
  }
  void done(const Visit& visit, int result) const {
    if (result != MPI_SUCCESS || !found()) return;
    for (int i = 0; i < count_; i++) complete_from_now(visit, requests_[i], statuses_.at(i));
  }

private:
  int count_;
  const MPI_Request* requests_;
  const int* flag_;
  OwnStatuses statuses_;
};

/// MPI_Request_get_status_some: the same, for some of them.
class StatusOfSome {
public:
  StatusOfSome(int count, const MPI_Request* requests, const int* done, const int* indices, MPI_Status*& statuses)
      : count_(requests_kept() && requests && count > 0 ? count : 0), requests_(requests), done_(done),
        indices_(indices), statuses_(count_ != 0, count, statuses) {}
  bool missed() const { return *done_ == 0; }
  bool found() const { return count_ != 0 && *done_ != MPI_UNDEFINED && *done_ > 0; }
  void ask(Polled& polled) const { ask_for(polled, count_, requests_); }
  void done(const Visit& visit, int result) const {
    if (result != MPI_SUCCESS || !found()) return;
    for (int i = 0; i < *done_; i++) complete_from_now(visit, requests_[indices_[i]], statuses_.at(i));
  }

private:
  int count_;
  const MPI_Request* requests_;
  const int *done_, *indices_;
  OwnStatuses statuses_;
};

/// MPI_Parrived: a partition of a receive has come. Others may still come, so the receive remains open.
class PartArrived {
public:
  PartArrived(MPI_Request request, const int* flag) : flag_(flag), handle_(request) {}
  bool missed() const { return !*flag_; }
  bool found() const { return *flag_ && polling.begin_ticks != 0; } // one call does not wait; a loop over it may
  void ask(Polled& polled) const { ask_for(polled, 1, &handle_); }
  void done(const Visit& visit, int result) const {
    if (result == MPI_SUCCESS && visit && polling.waited) part_arrived(visit, handle_);
  }

private:
  const int* flag_;
  MPI_Request handle_;
};

} // namespace andes::monitor::mpi
