// monitor/recover does the work; this file decides when, and reports it.
#include "postproc/launch/rescue.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/ranges.h>
#include <map>
#include <thread>

#include "common/message.h"
#include "monitor/recover/nothing_to_recover.h"
#include "monitor/recover/recover.h"
#include "postproc/launch/facts.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

constexpr int patience = 60;                              // number of looks at processes that still run
constexpr std::chrono::milliseconds between_looks{50};
constexpr std::size_t most_lines = 3; // of how ranks ended: the file holds all of it

using Looks = std::map<std::string, std::vector<monitor::ArenaLook>>; // by directory

Looks look_at_all(const std::vector<std::string>& directories) {
  Looks looks;
  for (const std::string& directory : directories) looks[directory] = monitor::look_at(directory);
  return looks;
}

std::ptrdiff_t count_living(const Looks& looks) {
  std::ptrdiff_t living = 0;
  for (const auto& [directory, arenas] : looks)
    living += std::count_if(arenas.begin(), arenas.end(), [](const monitor::ArenaLook& arena) { return arena.alive; });
  return living;
}

bool has_arenas(const Looks& looks) {
  return std::any_of(looks.begin(), looks.end(), [](const auto& look) { return !look.second.empty(); });
}

void remove_all(const Looks& looks) {
  for (const auto& [directory, arenas] : looks) monitor::remove_arenas(directory, arenas);
}

/// Processes that the command has left behind may be about to end.
Looks look_until_ended(const std::vector<std::string>& directories) {
  Looks looks = look_at_all(directories);
  for (int look = 0; look < patience && count_living(looks) > 0; ++look) {
    std::this_thread::sleep_for(between_looks);
    looks = look_at_all(directories);
  }
  return looks;
}

/// As the user names files: from the working directory where they are below it.
std::string shown(const std::string& path) {
  std::error_code none;
  const std::string relative = fs::path(path).lexically_relative(fs::current_path(none)).string();
  return relative.empty() || relative.rfind("..", 0) == 0 ? path : relative;
}

void say_lines(const monitor::RecoveredFile& file) {
  for (const std::string& line : file.hang) say("{}", line);
  const std::size_t count = file.lines.size();
  const std::size_t told = count > most_lines ? most_lines - 1 : count;
  for (std::size_t i = 0; i < told; ++i) say("{}", file.lines[i]);
  if (told < count) say("andes show {} lists how the other ranks ended and what is missing", shown(file.path));
}

/// Says what no process of the run has said before.
void say_once(const std::vector<std::string>& directories, const std::string& trouble) {
  if (!monitor::is_said(directories, trouble)) say("{}", trouble);
}

/// Does it, and says what is wrong instead of throwing.
template <class Action> bool attempt(const std::vector<std::string>& directories, Action action) {
  try {
    action();
    return true;
  } catch (const monitor::NothingToRecover&) {
    throw;
  } catch (const monitor::NothingReadable&) {
    throw;
  } catch (const std::exception& trouble) { // Refusal, no memory
    say_once(directories, trouble.what());
    return false;
  }
}

} // namespace

std::string new_job_name() {
  static int number = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("run-{}-{:x}-{}", getpid(), std::chrono::duration_cast<std::chrono::seconds>(now).count(),
                     ++number);
}

Rescued rescue(const JobPlace& job, const std::string& libraries, const std::map<std::string, monitor::Death>& deaths,
               const std::optional<monitor::Stop>& stop) {
  Rescued rescued;
  const auto ended = std::chrono::steady_clock::now(); // the command, just now
  const std::vector<std::string> directories =
      monitor::directories_of_job(job.places, monitor::job_directory_name(job.name));
  if (directories.empty()) return rescued;
  const std::string directory = fmt::format("{}", fmt::join(directories, " "));
  const Looks looks = look_until_ended(directories);
  if (const std::ptrdiff_t living = count_living(looks); living > 0) {
    say("{} process{} of the run still run{}; when they have ended, andes recover {} makes the run file", living,
        living == 1 ? "" : "es", living == 1 ? "s" : "", directory);
    rescued.kept = true;
    return rescued;
  }
  if (!has_arenas(looks)) { // a process died while it made its own
    remove_all(looks);
    return rescued;
  }
  const auto say_kept = [&] {
    say("the data of the ranks are kept in {}; andes recover {} -o FILE makes the run file in another place", directory,
        directory);
    rescued.kept = true;
  };
  const auto recover_all = [&] {
    monitor::RecoverRequest request;
    request.directories = directories;
    request.keep_parts = true;
    request.deaths = deaths;
    request.stop = stop;
    request.ended_s = [ended] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - ended).count();
    };
    request.tell = [](const std::string& line) { say("{}", line); };
    request.libraries = libraries;
    const monitor::Recovery recovery = recover(request);
    for (const Refusal& trouble : recovery.troubles) say_once(directories, trouble.what());
    if (recovery.unwritten > 0) say_kept();
    rescued.as_usual =
        recovery.troubles.empty() && std::all_of(recovery.files.begin(), recovery.files.end(),
                                                 [](const auto& file) { return file.sessions && file.complete; });
    for (const monitor::RecoveredFile& file : recovery.files) {
      say_lines(file);
      if (file.signal) rescued.signal = file.signal;
      if (file.hosts < file.job_hosts) {
        say("this covers {} of {} hosts; the other hosts keep the data of their ranks in {} too: copy them here, then "
            "andes recover {} COPY... makes one run file of all",
            file.hosts, file.job_hosts, directory, directory);
        rescued.kept = true;
      }
      rescued.files.push_back(shown(file.path));
    }
  };
  try {
    if (!attempt(directories, recover_all)) say_kept();
  } catch (const monitor::NothingToRecover&) { // helpers, and ranks that died before they were told that the run file
                                      // is written
    remove_all(looks);
  } catch (const monitor::NothingReadable& trouble) { // its remedy is the only one
    say_once(directories, trouble.what());
    rescued.kept = true;
  }
  return rescued;
}

Snapshots::Snapshots(std::string libraries, Facts facts) : libraries_(std::move(libraries)), facts_(std::move(facts)) {}

void Snapshots::make(const std::vector<std::string>& directories) {
  const auto make_next = [&] {
    monitor::RecoverRequest request;
    request.directories = directories;
    request.keep = true;
    request.libraries = libraries_;
    request.mark = fmt::format(".s{}", number_ + 1);
    const monitor::Recovery recovery = recover(request);
    ++number_;
    for (const monitor::RecoveredFile& file : recovery.files) {
      facts_["snapshot"] = std::int64_t{number_};
      annotate(file.path, file.spawned ? of_spawned(facts_) : facts_);
      say("snapshot: {}", shown(file.path));
    }
  };
  try {
    attempt(directories, make_next);
  } catch (const monitor::NothingToRecover&) { // not yet
  } catch (const monitor::NothingReadable& trouble) {
    say_once(directories, trouble.what());
  }
}

} // namespace andes::postproc
