// The server of readings: a process that `andes build` starts and ends, which has Clang loaded, and what the sources of
// the build begin with read. An `andes cc` of the build that reads a source asks it through a socket in the build's
// private directory; a child of the server reads, and sends back what collect() returns.
//
//   andes cc  --- LeadRequest, RestRequest --->  server: which holder has most of these directives? A new one
//                                                   |  where more of them are those of another source, too
//                                                   |  the connection
//                                                holder (collect/hold.cc): has read the directives
//                                                   |  fork
//   andes cc  <------------ Source ------------  child: files unchanged? Reads the rest
//
// Invariants: whatever goes wrong, there is no answer, and who asks reads as without a server. The server writes no
// file. It and its children end with the build, or with whoever runs it: the kernel kills each with the process above.
// Nobody waits longer for a process that hangs than the seconds that are set here. Nobody else is served: the directory
// is private, and the other side must have the same user, the same andes and the same view of the file system (decision
// 292).
#pragma once
#include <string>
#include <vector>

#include <sys/types.h>

#include "preprocessor/collect/collect.h"

namespace andes::preprocessor {

class ReadingServer {
public:
  /// Starts it, listening at a new socket in `directory`. Without one if that fails, or a standard stream is closed.
  explicit ReadingServer(const std::string& directory);
  /// Ends it, and waits for its end: 11 s at most.
  ~ReadingServer();
  ReadingServer(const ReadingServer&) = delete;
  ReadingServer& operator=(const ReadingServer&) = delete;

  /// Of its socket; empty: there is none.
  const std::string& path() const { return path_; }

private:
  std::string path_;
  int life_ = -1; // open as long as the server is to live
  pid_t process_ = -1;
};

/// What collect() would return, from the server whose socket `server` is. False if it has no answer.
bool read_by_server(const std::string& server, const std::vector<std::string>& arguments, const Reading& reading,
                    Source& source);

} // namespace andes::preprocessor
