// See files.h.
#include "monitor/mpi/files.h"

#include <cstdlib>

#include "monitor/mpi/requests.h"

namespace andes::monitor::mpi {

struct File {
  File* next;
  MPI_File handle;
  Comm comm; // the file's own entry among the communicators, with the members of its communicator
};

namespace {

File* files;
unsigned char lock;

// Under the lock.
File** link_of(MPI_File handle) {
  File** link = &files;
  while (*link && (*link)->handle != handle) link = &(*link)->next;
  return link;
}

// Under the lock.
Place log_next_of(const Visit& visit, File& file, Bytes amount, unsigned flags) {
  const std::uint32_t channel = collectives_of(&file.comm);
  return channel == 0 ? Place() : log_next(visit, channel, EventKind::file, flags, amount);
}

} // namespace

void OpenFile::begin(MPI_Comm comm) {
  Comm* parent = comm_of(comm);
  if (!parent || parent->inter || parent->size < 2) return;
  number_ = __atomic_add_fetch(&parent->files, 1, __ATOMIC_RELAXED);
  if (parent->id != 0) comm_ = parent;
}

void OpenFile::opened(const Visit& visit) {
  auto* made = static_cast<File*>(calloc(1, sizeof(File)));
  if (!made) return count_up(events->lost);
  made->handle = file_.get();
  made->comm = *comm_;
  made->comm.collectives = 0;
  Communicator entry = events->communicators[comm_->index];
  entry.id = made->comm.id =
      event_hash(event_hash(comm_->id, number_), static_cast<std::uint64_t>(EventKind::file)) | 1;
  entry.handle = reinterpret_cast<std::uintptr_t>(made->handle);
  made->comm.index = andes_communicator(&entry);
  if (made->comm.index == 0) made->comm.id = 0;
  Guard guard(lock);
  made->next = files;
  files = made;
  log_next_of(visit, *made, 0, 0);
}

File* CloseFile::withdraw(MPI_File handle) {
  Guard guard(lock);
  File** link = link_of(handle);
  File* file = *link;
  if (file) *link = file->next;
  return file;
}

void CloseFile::closed(const Visit& visit, File* file) {
  log_next_of(visit, *file, 0, 0);
  if (file->comm.id != 0) events->communicators[file->comm.index].handle = 0;
  free(file);
}

Place log_of_all(const Visit& visit, MPI_File handle, Bytes amount, unsigned flags) {
  if (!measuring || !events) return {};
  Guard guard(lock);
  File* file = *link_of(handle);
  return file ? log_next_of(visit, *file, amount, flags) : Place();
}

void file_started(const Visit& visit, MPI_Request request, MPI_File file, Bytes amount) {
  const bool pending = request != complete_request;
  const Place place = log_of_all(visit, file, amount, pending ? event_pending : 0);
  if (place.channel != 0 && pending && visit) keep_ticket(request, Kept::collective, ticket_of(visit, place));
}

void forget_files() {
  while (File* file = files) {
    files = file->next;
    free(file);
  }
}

} // namespace andes::monitor::mpi
