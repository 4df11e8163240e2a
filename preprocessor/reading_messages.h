// What andes cc, the server of readings and the processes that read (reading_server.h) say to each other: messages of
// bytes with their length before them, and connections handed on. Both andes-preprocess and the reader have it.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "preprocessor/collect/collect.h"
#include "preprocessor/lead.h"

namespace andes::preprocessor {

/// Variables that Clang reads.
inline constexpr const char* clang_variables[] = {
    "PWD", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH"};

/// Of a source for which it does not matter where it stands. There is no such directory.
inline constexpr const char* no_directory = "/.andes-held/";

/// All that the state behind the leading directives of a source depends on, but for the files that it enters. Sources
/// whose requests have equal bytes but for `text` are of one kind for the server.
struct LeadRequest {
  std::vector<std::string> program;   // which andes asks
  std::vector<std::size_t> places;    // its files, its root directory and its mounts, by device and inode
  std::string working_directory;
  std::vector<std::size_t> working_place; // by device and inode
  std::vector<std::optional<std::string>> variables; // the values of clang_variables
  std::vector<std::string> arguments; // as for collect(), without the path of the source
  std::string directory;              // of the source: the begin of its path, with the last slash; or no_directory
  Reading reading;
  std::string text; // Lead::text; of a holder, the beginning of it that it is to read
};

/// What a source has of its own.
struct RestRequest {
  std::string path, text;
  std::vector<std::pair<std::size_t, std::size_t>> lines; // Lead::lines
  std::size_t end = 0;                                    // Lead::end
};

template <typename Visit> void members(LeadRequest& request, Visit& visit) {
  auto& [program, places, working_directory, working_place, variables, arguments, directory, reading, text] = request;
  visit(program, places, working_directory, working_place, variables, arguments, directory, reading, text);
}
template <typename Visit> void members(RestRequest& request, Visit& visit) {
  auto& [path, text, lines, end] = request;
  visit(path, text, lines, end);
}

/// False if the other side is gone, or does not take it in time.
bool send_message(int socket, const std::string& bytes);
/// Nothing if the other side is gone, does not send in time, or sends more than a source may have.
std::optional<std::string> receive_message(int socket);

/// Hands a connection on to the process at the other end of `channel`.
bool send_connection(int channel, int connection);
/// Waits for the next one; -1: the other end is closed.
int receive_connection(int channel);

/// Of larger sources the text behind the leading directives takes most of the time.
inline constexpr std::size_t most_source_bytes = 1u << 17;

/// Who reads the directives, or the rest of a source, and who waits for it, has no more time.
inline constexpr unsigned most_seconds_of_answer = 20;

/// Exit statuses of a process that reads.
inline constexpr int holder_outdated = 3; // a file has changed: another one is to read them
inline constexpr int holder_failed = 4;   // these directives cannot be read, or are too large to be held

/// Reads the leading directives of `request`, then, in a child for each connection that comes through `channel`, the
/// rest of a source. Does not return. Exported by the reader.
extern "C" void andes_hold(LeadRequest& request, int channel);

} // namespace andes::preprocessor
