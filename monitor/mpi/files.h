// MPI-IO: bytes, and the calls that all ranks of a file make together.
//
// Bytes are what a call has read or written, without gaps, as its status says. The library knows it there, also
// where a file ended early. A non-blocking call counts what it was asked for when it starts: its completion is another
// call, of another call path. A split call counts at its end, which has the status.
//
// A file is identified by the communicator it was opened on and the number of files opened on that before; all its
// ranks agree on both. Its collective calls are operations of a channel of its own, numbered in the order of the calls.
// Whether ranks wait for each other in them is found at the end (monitor/exchange/collectives.h).
//
// Invariants:
//  - a call that fails takes its number, too: files return errors by default, and one rank may fail alone;
//  - files of one rank are not kept: their calls wait for nobody.
#pragma once
#include "monitor/mpi/bytes.h"
#include "monitor/mpi/own_status.h"
#include "monitor/mpi/status.h"

namespace andes::monitor::mpi {

inline void bytes_read(const Visit& visit, Bytes amount) { moved(visit, 0, amount); }
inline void bytes_written(const Visit& visit, Bytes amount) { moved(visit, amount, 0); }

/// A call that moves data between a file and memory until it returns.
template <void count(const Visit&, Bytes)> class FileCall {
public:
  explicit FileCall(MPI_Status*& status) : status_(status) {}
  /// Returns the bytes that the call has moved.
  Bytes done(const Visit& visit, int result) {
    if (!visit || result != MPI_SUCCESS) return 0;
    const std::int64_t amount = asked_bytes(status_.get());
    if (amount <= 0) return 0;
    count(visit, static_cast<Bytes>(amount));
    return static_cast<Bytes>(amount);
  }

private:
  OwnStatus status_;
};

using FileRead = FileCall<bytes_read>;
using FileWrite = FileCall<bytes_written>;

/// Where a call writes or reads a file's handle: in C, or in Fortran as its number.
class FilePlace {
public:
  FilePlace(const MPI_File* handle) : handle_(handle) {}
  FilePlace(const int* number) : number_(number) {}
  MPI_File get() const { return handle_ ? *handle_ : number_ ? PMPI_File_f2c(*number_) : MPI_FILE_NULL; }

private:
  const MPI_File* handle_ = nullptr;
  const int* number_ = nullptr;
};

struct File;

/// MPI_File_open. The file takes its number before the call, which may fail in some ranks.
class OpenFile {
public:
  OpenFile(MPI_Comm comm, FilePlace file) : file_(file) {
    if (measuring && events) begin(comm);
  }
  void done(const Visit& visit, int result) {
    if (comm_ && result == MPI_SUCCESS) opened(visit);
  }

private:
  void begin(MPI_Comm comm);
  void opened(const Visit& visit);
  FilePlace file_;
  Comm* comm_ = nullptr; // null: its files are not kept
  std::uint32_t number_ = 0;
};

/// MPI_File_close: the file is forgotten before the call, since MPI may reuse the handle right after it.
class CloseFile {
public:
  explicit CloseFile(FilePlace file) : file_(measuring && events ? withdraw(file.get()) : nullptr) {}
  void done(const Visit& visit, int) {
    if (file_) closed(visit, file_);
  }

private:
  static File* withdraw(MPI_File file);
  static void closed(const Visit& visit, File* file);
  File* file_;
};

/// Logs a call of all ranks of a file. `flags`: EventFlag.
Place log_of_all(const Visit& visit, MPI_File file, Bytes amount, unsigned flags = 0);

/// A call of all ranks of a file that moves no data, or begins to.
class OfAll {
public:
  explicit OfAll(MPI_File file) : file_(file) {}
  void done(const Visit& visit, int) { log_of_all(visit, file_, 0); }

private:
  MPI_File file_;
};

/// The same of one that moves data until it returns.
template <class Call> class CallOfAll : Call {
public:
  CallOfAll(MPI_File file, MPI_Status*& status) : Call(status), file_(file) {}
  void done(const Visit& visit, int result) {
    const Bytes amount = Call::done(visit, result);
    log_of_all(visit, file_, amount);
  }

private:
  MPI_File file_;
};

using ReadOfAll = CallOfAll<FileRead>;
using WriteOfAll = CallOfAll<FileWrite>;

/// MPI_File_iwrite_all and its kin.
void file_started(const Visit& visit, MPI_Request request, MPI_File file, Bytes amount);

void forget_files(); // at the end

} // namespace andes::monitor::mpi
