// Statuses of calls whose results must be known, also where the program ignores them: then the call gets one of the
// wrapper's own in the place of its argument.
#pragma once
#include <mpi.h>

#include "monitor/mpi/scratch.h"

namespace andes::monitor::mpi {

/// The status of a call, whose argument it may replace.
class OwnStatus {
public:
  OwnStatus() = default; // take() follows
  explicit OwnStatus(MPI_Status*& status) { take(status); }
  OwnStatus(const OwnStatus&) = delete;
  OwnStatus& operator=(const OwnStatus&) = delete;

  void take(MPI_Status*& status) {
    if (status == MPI_STATUS_IGNORE) status = &own_;
    status_ = status;
  }
  const MPI_Status* get() const { return status_; }
  const MPI_Status* operator->() const { return status_; }

private:
  const MPI_Status* status_; // not set by calls that need none
  MPI_Status own_;
};

/// The statuses of a call on many requests. `needed` false: they stay as they are.
class OwnStatuses {
public:
  OwnStatuses(bool needed, int count, MPI_Status*& statuses)
      : own_(needed && statuses == MPI_STATUSES_IGNORE ? count : 0) {
    if (!needed) return;
    if (statuses == MPI_STATUSES_IGNORE && own_.get()) statuses = own_.get();
    if (statuses != MPI_STATUSES_IGNORE) statuses_ = statuses;
  }
  /// Null: not known, as memory was short.
  const MPI_Status* at(int i) const { return statuses_ ? statuses_ + i : nullptr; }
  /// Whether they say what became of each request, after a call that returned `result` (MPI 4.1, section 3.7.5).
  bool tell_errors(int result) const {
    int kind = result;
    if (kind != MPI_ERR_IN_STATUS) PMPI_Error_class(result, &kind);
    return statuses_ && kind == MPI_ERR_IN_STATUS;
  }

private:
  Scratch<MPI_Status> own_;
  const MPI_Status* statuses_ = nullptr;
};

} // namespace andes::monitor::mpi
