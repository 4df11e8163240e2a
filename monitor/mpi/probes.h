// Messages that are looked for before they are received: MPI_Probe, MPI_Mprobe and their kin, and the receives of
// messages that these have matched. One class per shape of call, as in completion.h.
#pragma once
#include "monitor/mpi/completion.h"
#include "monitor/mpi/found_messages.h"

namespace andes::monitor::mpi {

/// MPI_Probe.
class Probe {
public:
  Probe(MPI_Comm comm, MPI_Status*& status) : comm_(comm), status_(status) {}
  void done(const Visit& visit, int result) {
    if (measuring && result == MPI_SUCCESS && status_->MPI_SOURCE != MPI_PROC_NULL)
      probed(visit, comm_of(comm_), status_.get());
  }

private:
  MPI_Comm comm_;
  OwnStatus status_;
};

/// MPI_Iprobe. One call does not wait; a loop over it may.
class ProbeNow {
public:
  ProbeNow(int source, int tag, MPI_Comm comm, const int* flag, MPI_Status*& status)
      : comm_(comm), source_(source), tag_(tag), flag_(flag), status_(status) {}
  bool missed() const { return !*flag_; }
  bool found() const { return *flag_ && polling.begin_ticks != 0; }
  void ask(Polled& polled) const { polled.add_probe(source_, tag_, comm_); }
  void done(const Visit& visit, int result) {
    if (measuring && polling.waited && result == MPI_SUCCESS && status_->MPI_SOURCE != MPI_PROC_NULL)
      probed(visit, comm_of(comm_), status_.get());
  }

private:
  MPI_Comm comm_;
  int source_, tag_;
  const int* flag_;
  OwnStatus status_;
};

/// MPI_Mprobe: the message that it finds is matched from then on.
class Match {
public:
  Match(MPI_Comm comm, const MPI_Message* message, MPI_Status*& status)
      : comm_(comm), message_(message), status_(status) {}
  void done(const Visit& visit, int result) {
    if (result == MPI_SUCCESS) matched(visit, visit);
  }

protected:
  /// `wait`: the call that waited for the message; no visit: none has.
  void matched(const Visit& visit, const Visit& wait) {
    if (measuring && events && status_->MPI_SOURCE != MPI_PROC_NULL)
      keep_message(*message_, probe_matched(visit, comm_of(comm_), status_.get(), wait));
  }

  MPI_Comm comm_;

private:
  const MPI_Message* message_;
  OwnStatus status_;
};

/// MPI_Improbe. One call does not wait; a loop over it may.
class MatchNow : Match {
public:
  MatchNow(int source, int tag, MPI_Comm comm, const MPI_Message* message, const int* flag, MPI_Status*& status)
      : Match(comm, message, status), source_(source), tag_(tag), flag_(flag),
        enter_ticks_(threads ? andes_ticks_now() : 0) {}
  bool missed() const { return !*flag_; }
  bool found() const { return *flag_; }
  void ask(Polled& polled) const { polled.add_probe(source_, tag_, comm_); }
  void done(const Visit& loop, int result) {
    if (result != MPI_SUCCESS || (!loop && inside(ANDES_STACK()))) return;
    Visit visit = loop;
    if (visit && threads) { // the order of calls of several threads is that of this call, not of the loop
      visit.enter_ticks = enter_ticks_;
      visit.ticks = andes_ticks_now() - enter_ticks_;
    }
    matched(visit, polling.waited ? loop : Visit());
  }

private:
  int source_, tag_;
  const int* flag_;
  std::uint64_t enter_ticks_; // only with several threads
};

/// Data that MPI_Mprobe has kept about the message that is received now.
struct TakenMessage {
  explicit TakenMessage(const MPI_Message* message)
      : handle(message ? *message : MPI_MESSAGE_NULL), ticket(take_message(handle)) {}
  void put_back() const {
    if (ticket.place.channel != 0) keep_message(handle, ticket);
  }
  MPI_Message handle;
  Ticket ticket;
};

/// MPI_Mrecv.
class ReceiveMatched {
public:
  ReceiveMatched(const MPI_Message* message, MPI_Status*& status) : message_(message), status_(status) {}
  void done(const Visit& visit, int result) {
    if (!measuring) return;
    if (result != MPI_SUCCESS) return message_.put_back();
    const std::int64_t bytes = visit ? arrived(visit, status_.get()) : 0;
    receive_matched(visit, message_.ticket, bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0, false);
  }

private:
  TakenMessage message_;
  OwnStatus status_;
};

/// MPI_Imrecv.
class StartMatched {
public:
  StartMatched(const MPI_Message* message, const MPI_Request* request) : message_(message), request_(request) {}
  void done(const Visit& visit, int result) {
    if (!measuring || message_.handle == MPI_MESSAGE_NO_PROC) return;
    if (result != MPI_SUCCESS) return message_.put_back();
    receive_matched(visit, message_.ticket, 0, true);
    keep_ticket(*request_, Kept::receive, message_.ticket);
  }

private:
  TakenMessage message_;
  const MPI_Request* request_;
};

} // namespace andes::monitor::mpi
