// Directories are opened and checked, then read by the same descriptor, so that the checked directory is the
// one that is read.
#include "monitor/recover/jobs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "monitor/core/layout.h"
#include "monitor/recover/recovered_clock.h"
#include "monitor/system/process_start.h"

namespace fs = std::filesystem;

namespace andes::monitor {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

bool is_private(const struct stat& status) {
  return S_ISDIR(status.st_mode) && status.st_uid == geteuid() && (status.st_mode & 077) == 0;
}

/// Names in a directory that belongs to this user; empty if it does not.
std::vector<std::string> names_in(const std::string& directory, bool ours) {
  std::vector<std::string> names;
  const int file = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | (ours ? O_NOFOLLOW : 0));
  struct stat status;
  if (file < 0) return names;
  if (ours && (fstat(file, &status) != 0 || !is_private(status))) {
    close(file);
    return names;
  }
  const std::unique_ptr<DIR, CloseDirectory> opened(fdopendir(file));
  if (!opened) {
    close(file);
    return names;
  }
  while (const dirent* entry = readdir(opened.get())) names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string arena_setting() {
  const char* setting = std::getenv("ANDES_ARENA");
  return setting ? setting : "";
}

/// The part of the header before its table.
constexpr std::size_t looked_at_bytes = offsetof(ArenaHeader, stretches);

ArenaLook look(const std::string& path, const std::string& boot_id) {
  ArenaLook arena;
  arena.path = path;
  alignas(ArenaHeader) char bytes[looked_at_bytes];
  if (PlainFile(path).read(bytes, sizeof bytes) != sizeof bytes) return arena;
  const auto field = [&bytes]<class T>(T& value, std::size_t offset) {
    std::memcpy(&value, bytes + offset, sizeof value);
  };
  std::uint32_t format = 0;
  std::uint64_t layout = 0, start = 0;
  char boot[sizeof ArenaHeader::boot_id], host[sizeof ArenaHeader::host];
  field(format, offsetof(ArenaHeader, format));
  field(layout, offsetof(ArenaHeader, layout));
  field(start, offsetof(ArenaHeader, pid_start));
  field(boot, offsetof(ArenaHeader, boot_id));
  field(host, offsetof(ArenaHeader, host));
  if (std::memcmp(bytes, arena_magic, sizeof arena_magic) != 0 || format != arena_format || layout != monitor_layout())
    return arena;
  arena.same_build = true;
  field(arena.pid, offsetof(ArenaHeader, pid));
  field(arena.ending, offsetof(ArenaHeader, ending));
  field(arena.snapshots, offsetof(ArenaHeader, snapshot_count));
  arena.host.assign(host, strnlen(host, sizeof host));
  arena.this_host = boot_id == std::string(boot, strnlen(boot, sizeof boot));
  arena.alive = arena.this_host && is_alive(arena.pid, start);
  return arena;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

bool is_alive(std::int32_t pid, std::uint64_t start) { return start != 0 && start_of(pid) == start; }

std::vector<std::string> arena_places(const std::string& setting) {
  std::vector<std::string> places;
  for (int number = 0; const char* place = place_to_try(setting.c_str(), number); ++number) places.emplace_back(place);
  return places;
}

std::vector<std::string> known_places() {
  std::vector<std::string> places = arena_places(arena_setting());
  for (const std::string& place : arena_places("")) places.push_back(place);
  places.emplace_back("/tmp"); // for processes with another TMPDIR
  std::vector<std::string> unique;
  for (const std::string& place : places)
    if (std::find(unique.begin(), unique.end(), place) == unique.end()) unique.push_back(place);
  return unique;
}

std::string job_directory_name(const std::string& job) {
  char name[name_bytes];
  directory_name(name, job.c_str());
  return name;
}

bool is_ours(const std::string& directory) {
  struct stat status;
  return lstat(directory.c_str(), &status) == 0 && is_private(status);
}

std::vector<std::string> directories_of_job(const std::vector<std::string>& places, const std::string& name) {
  std::vector<std::string> directories;
  for (const std::string& place : places)
    if (const std::string directory = place + "/" + name; is_ours(directory)) directories.push_back(directory);
  return directories;
}

std::vector<std::string> whole_jobs(const std::vector<std::string>& directories,
                                    const std::vector<std::string>& places) {
  std::error_code none;
  const auto are_one = [&](const fs::path& a, const fs::path& b) { return fs::equivalent(a, b, none); };
  std::vector<std::string> all = directories;
  for (const std::string& directory : directories) {
    const fs::path path = (fs::absolute(directory, none) / "").lexically_normal().parent_path();
    if (std::none_of(places.begin(), places.end(),
                     [&](const auto& place) { return are_one(path.parent_path(), place); }))
      continue;
    for (const std::string& other : directories_of_job(places, path.filename().string()))
      if (std::none_of(all.begin(), all.end(), [&](const auto& known) { return are_one(known, other); }))
        all.push_back(other);
  }
  return all;
}

std::vector<std::string> job_directories(const std::vector<std::string>& places) {
  const std::string begin = job_directory_name("");
  std::vector<std::pair<timespec, std::string>> found;
  for (const std::string& place : places)
    for (const std::string& name : names_in(place, false)) {
      const std::string path = place + "/" + name;
      struct stat status;
      if (name.rfind(begin, 0) == 0 && lstat(path.c_str(), &status) == 0 && is_private(status))
        found.emplace_back(status.st_mtim, path);
    }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    if (a.first.tv_sec != b.first.tv_sec) return a.first.tv_sec > b.first.tv_sec;
    if (a.first.tv_nsec != b.first.tv_nsec) return a.first.tv_nsec > b.first.tv_nsec;
    return a.second < b.second;
  });
  std::vector<std::string> directories;
  for (auto& [time, path] : found) directories.push_back(std::move(path));
  return directories;
}

std::string newest_running_job() {
  for (const auto& places : {arena_places(arena_setting()), known_places()})
    for (const std::string& directory : job_directories(places))
      for (const ArenaLook& arena : look_at(directory))
        if (arena.alive) return directory;
  return "";
}

ArenaRoom read_room(const PlainFile& file) {
  ArenaRoom room = {};
  if (file.read(&room, sizeof room) != sizeof room) room = {};
  return room;
}

bool is_said(const std::vector<std::string>& directories, const std::string& reason) {
  return std::any_of(directories.begin(), directories.end(), [&reason](const std::string& directory) {
    return read_room(PlainFile(directory + "/" + room_name)).said == mark_of(reason.c_str());
  });
}

std::vector<ArenaLook> look_at(const std::string& directory) {
  std::vector<ArenaLook> arenas;
  const std::string boot_id = this_boot_id();
  for (const std::string& name : names_in(directory, true))
    if (ends_with(name, arena_ending)) arenas.push_back(look(directory + "/" + name, boot_id));
  return arenas;
}

void remove_arenas(const std::string& directory, const std::vector<ArenaLook>& arenas) {
  if (!is_ours(directory)) return;
  for (const ArenaLook& arena : arenas) unlink(arena.path.c_str());
  for (const std::string& name : names_in(directory, true))
    if (ends_with(name, arena_ending)) return;
  unlink((directory + "/" + room_name).c_str());
  rmdir(directory.c_str());
}

} // namespace andes::monitor
