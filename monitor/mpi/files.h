// Bytes of MPI-IO: what a call has read or written, without gaps, as its status says. The library knows it there, also
// where a file ended early. A non-blocking call counts what it was asked for when it starts: its completion is another
// call, of another call path. A split call counts at its end, which has the status.
//
// Invariant: a status that the program ignores is replaced by an own one, so that a call is counted in either case.
#pragma once
#include "monitor/mpi/bytes.h"
#include "monitor/mpi/status.h"

namespace andes::monitor::mpi {

inline void bytes_read(const Visit& visit, Bytes amount) { moved(visit, 0, amount); }
inline void bytes_written(const Visit& visit, Bytes amount) { moved(visit, amount, 0); }

/// A call that moves data between a file and memory until it returns.
template <void count(const Visit&, Bytes)> class FileCall {
public:
  explicit FileCall(MPI_Status*& status) {
    if (status == MPI_STATUS_IGNORE) status = &own_;
    status_ = status;
  }
  void done(const Visit& visit, int result) {
    if (!visit || result != MPI_SUCCESS) return;
    if (const std::int64_t amount = asked_bytes(status_); amount > 0) count(visit, static_cast<Bytes>(amount));
  }

private:
  MPI_Status own_;
  const MPI_Status* status_;
};

using FileRead = FileCall<bytes_read>;
using FileWrite = FileCall<bytes_written>;

} // namespace andes::monitor::mpi
