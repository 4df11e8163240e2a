// The work is monitor/recover's; here is when it is done, and what is said of it.
#include "postproc/launch/rescue.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "monitor/recover/recover.h"
#include "postproc/launch/message.h"

namespace fs = std::filesystem;

namespace andes {
namespace {

constexpr int patience = 60;                              // looks at what still lives
constexpr std::chrono::milliseconds between_looks{50};
constexpr std::size_t most_lines = 3; // of how ranks ended: the file holds all of it

/// The directory of the run's arenas; empty: there is none.
std::string directory_of(const JobPlace& job) {
  for (const std::string& place : job.places)
    if (const std::string directory = place + "/" + job_directory_name(job.name); is_ours(directory))
      return directory;
  return "";
}

std::size_t count_living(const std::vector<ArenaLook>& arenas) {
  return static_cast<std::size_t>(std::count_if(
      arenas.begin(), arenas.end(), [](const ArenaLook& arena) { return arena.alive; }));
}

/// Processes that the command has left behind may be about to end.
std::vector<ArenaLook> look_until_ended(const std::string& directory) {
  std::vector<ArenaLook> arenas = look_at(directory);
  for (int look = 0; look < patience && count_living(arenas) > 0; ++look) {
    std::this_thread::sleep_for(between_looks);
    arenas = look_at(directory);
  }
  return arenas;
}

/// As the user names files: from the working directory where they are below it.
std::string shown(const std::string& path) {
  std::error_code none;
  const std::string relative = fs::path(path).lexically_relative(fs::current_path(none)).string();
  return relative.empty() || relative.rfind("..", 0) == 0 ? path : relative;
}

void say_lines(const RecoveredFile& file) {
  const std::size_t count = file.lines.size();
  const std::size_t told = count > most_lines ? most_lines - 1 : count;
  for (std::size_t i = 0; i < told; ++i) say("{}", file.lines[i]);
  if (told < count) say("how the other ranks ended, and what is missing: andes show {}", shown(file.path));
}

/// Does it, and says what is wrong instead of throwing.
template <class Action> bool attempt(Action action) {
  try {
    action();
    return true;
  } catch (const NothingToRecover&) {
    throw;
  } catch (const std::exception& trouble) { // RefusedArena, Refusal, no memory
    say("{}", trouble.what());
    return false;
  }
}

} // namespace

std::string new_job_name() {
  static int number = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("run-{}-{:x}-{}", getpid(),
                     std::chrono::duration_cast<std::chrono::seconds>(now).count(), ++number);
}

Rescued rescue(const JobPlace& job, const std::string& libraries) {
  Rescued rescued;
  const std::string directory = directory_of(job);
  if (directory.empty()) return rescued;
  const std::vector<ArenaLook> arenas = look_until_ended(directory);
  if (const std::size_t living = count_living(arenas); living > 0) {
    say("{} process{} of the run still live{}; when they have ended, andes recover {} makes its run file", living,
        living == 1 ? "" : "es", living == 1 ? "s" : "", directory);
    rescued.kept = true;
    return rescued;
  }
  if (arenas.empty()) { // a process died while it made its own
    remove_arenas(directory, {});
    return rescued;
  }
  const auto say_kept = [&] {
    say("what the ranks have left lies in {}; andes recover {} -o FILE makes its run file in another place",
        directory, directory);
    rescued.kept = true;
  };
  const auto recover_all = [&] {
    RecoverRequest request;
    request.directories = {directory};
    request.keep_parts = true;
    request.libraries = libraries;
    const Recovery recovery = recover(request);
    for (const std::string& trouble : recovery.troubles) say("{}", trouble);
    if (recovery.unwritten > 0) say_kept();
    for (const RecoveredFile& file : recovery.files) {
      say_lines(file);
      if (file.hosts < file.job_hosts) {
        say("that is {} of {} hosts; on the others, what the ranks have left lies in {} as well: copy it here, and "
            "andes recover {} COPY... makes one run file of all", file.hosts, file.job_hosts, directory, directory);
        rescued.kept = true;
      }
      rescued.files.push_back(shown(file.path));
    }
  };
  try {
    if (!attempt(recover_all)) say_kept();
  } catch (const NothingToRecover&) { // helpers, and ranks that did not live to hear that all is written
    remove_arenas(directory, arenas);
  }
  return rescued;
}

Snapshots::Snapshots(std::string libraries, Facts facts)
    : libraries_(std::move(libraries)), facts_(std::move(facts)) {}

void Snapshots::make(const std::string& directory) {
  const auto make_next = [&] {
    RecoverRequest request;
    request.directories = {directory};
    request.keep = true;
    request.libraries = libraries_;
    request.mark = fmt::format(".s{}", number_ + 1);
    const Recovery recovery = recover(request);
    ++number_;
    for (const RecoveredFile& file : recovery.files) {
      facts_["snapshot"] = std::int64_t{number_};
      annotate(file.path, facts_);
      say("snapshot: {}", shown(file.path));
    }
  };
  try {
    attempt(make_next);
  } catch (const NothingToRecover&) { // not yet
  }
}

} // namespace andes
