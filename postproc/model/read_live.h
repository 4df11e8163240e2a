// Reading running jobs from their arenas, from outside: nothing is asked of the processes.
#pragma once
#include <memory>
#include <string>

#include "postproc/model/live.h"

namespace andes::postproc {

/// Reads one job again and again.
class LiveReader {
public:
  /// `directory`: one of those of the job's arenas. `libraries`: that of libandes-symbols.so, for functions known by
  /// their addresses.
  LiveReader(std::string directory, std::string libraries);
  ~LiveReader();

  /// One reading of the job: its processes on this host, of several programs in turn only the living one's.
  /// Without ranks: the job has gone, or has not begun. Throws Refusal if `required` and there is no
  /// arena.
  LiveJob read(bool required);

private:
  struct Known; // names of addresses
  std::string directory_;
  std::unique_ptr<Known> known_;
};

} // namespace andes::postproc
