// Directories, reservations and the % patterns.
#include "postproc/launch/naming.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "common/message.h"
#include "monitor/finish/make_run.h"
#include "monitor/interface/part_of_name.h"
#include "monitor/interface/run_file.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

constexpr const char* runs = "runs";

/// Number of "<program>-<nnn>" or "<program>-<nnn>-<label>"; 0 if the name is neither.
int number_of(const std::string& name, const std::string& program) {
  if (name.size() < program.size() + 4 || name.rfind(program + "-", 0) != 0) return 0;
  const std::size_t digits = program.size() + 1;
  std::size_t end = digits;
  while (end < name.size() && end - digits < 6 && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
  if (end - digits < 3 || (end < name.size() && name[end] != '-')) return 0;
  return std::stoi(name.substr(digits, end - digits));
}

[[noreturn]] void refuse_directory(const std::string& directory, int error) {
  refuse(directory, fmt::format("cannot be written: {}", std::strerror(error)),
         "go to another directory or give -o FILE");
}

std::multiset<int> numbers_taken(const std::string& program) {
  std::multiset<int> numbers;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(runs, failed))
    numbers.insert(number_of(entry.path().filename(), program));
  if (failed) refuse_directory(runs, failed.value());
  return numbers;
}

/// Splits `pattern` at %p: what stands before and behind, %% resolved.
std::pair<std::string, std::string> around_p(const std::string& pattern) {
  std::string parts[2];
  int part = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '%' && i + 1 < pattern.size()) {
      ++i;
      if (pattern[i] == 'p' && part == 0) {
        part = 1;
        continue;
      }
    }
    parts[part] += pattern[i];
  }
  return {parts[0], parts[1]};
}

bool is_own(const struct stat& status) { return geteuid() == 0 || status.st_uid == geteuid(); }

/// Some file systems give all files to one user, whoever makes them: then to the one that has this user's next one.
bool has_owner_of_new_files(const struct stat& status, const fs::path& directory) {
  std::string name = (directory / ".andes-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return false;
  struct stat fresh;
  const bool same = fstat(file, &fresh) == 0 && fresh.st_uid == status.st_uid;
  close(file);
  unlink(name.c_str());
  return same;
}

bool has_p(const std::string& pattern) {
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i)
    if (pattern[i] == '%' && pattern[++i] == 'p') return true;
  return false;
}

bool is_match(const std::string& name, const std::string& pattern) {
  return has_p(pattern) ? ranks_in_name(name, pattern).has_value() : name == around_p(pattern).first;
}

/// The name of a spawned world's file without what tells it from its spawner's; empty: it is none.
std::string name_of_spawner(const fs::path& name) {
  fs::path stem = name.stem();
  const std::string number = stem.extension();
  if (number.size() > 1 && number.find_first_not_of("0123456789", 1) == std::string::npos) stem = stem.stem();
  return stem.extension() == run_file::spawned_mark ? stem.stem().string() + name.extension().string() : std::string();
}

} // namespace

RunDirectory reserve_series(const std::string& program, const std::string& label) {
  if (mkdir(runs, 0777) != 0 && errno != EEXIST) refuse_directory(runs, errno);
  struct stat status;
  if (lstat(runs, &status) == 0 && S_ISLNK(status.st_mode) && !is_own(status))
    refuse(runs, "is a link made by another user", "remove it, or give -o");
  const std::multiset<int> before = numbers_taken(program);
  for (int number = before.empty() ? 1 : *before.rbegin() + 1;; ++number) {
    const std::string plain = fmt::format("{}-{:03}", program, number);
    const std::string name = label.empty() ? plain : plain + "-" + label;
    const std::string lock = std::string(runs) + "/" + plain;
    const std::string directory = std::string(runs) + "/" + name;
    if (mkdir(lock.c_str(), 0777) != 0) {
      if (errno == EEXIST) continue;
      refuse_directory(runs, errno);
    }
    // The plain name is the lock, also of labelled series. One that was renamed since the look at
    // the directory shows now: the lock is held, so nobody else can take this number any more.
    if (numbers_taken(program).count(number) > 1) {
      rmdir(lock.c_str());
      continue;
    }
    if (!label.empty() && rename(lock.c_str(), directory.c_str()) != 0) refuse_directory(directory, errno);
    return {directory, name};
  }
}

void check_label(const std::string& label) {
  if (label.empty()) refuse("--label", "is empty", "give a word like before");
  for (unsigned char c : label)
    if (c <= ' ' || c == '/' || c == 127)
      refuse(fmt::format("--label \"{}\"", label), "blanks and slashes cannot be in a file name",
             "give a word like before");
}

void check_output(const std::string& file) {
  if (file.empty()) refuse("-o", "the name is empty", "give a file name like a.andes");
  const fs::path path = file;
  const std::string directory = path.has_parent_path() ? path.parent_path().string() : ".";
  struct stat status;
  if (lstat(file.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse(file, "is a directory", "-o takes the name of a run file");
    refuse(file, "exists already and is not overwritten", "remove it or choose another name");
  }
  if (stat(directory.c_str(), &status) != 0) refuse(directory, std::strerror(errno), "make the directory first");
  if (!S_ISDIR(status.st_mode)) refuse(directory, "is not a directory", "choose another place for -o");
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    refuse(directory, fmt::format("cannot be written: {}", std::strerror(errno)), "choose another place for -o");
}

std::string expand_output(const std::string& pattern, const std::string& program) {
  const auto doubled = [](const std::string& text) {
    std::string result;
    for (char c : text) result.append(c == '%' ? 2 : 1, c);
    return result;
  };
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      result += pattern[i];
      continue;
    }
    const char what = i + 1 < pattern.size() ? pattern[++i] : '\0';
    const char* job = std::getenv("SLURM_JOB_ID");
    if (!job) job = std::getenv("PBS_JOBID");
    if (!job) job = std::getenv("LSB_JOBID");
    if (what == 'x') result += doubled(part_of_name(program));
    else if (what == 'p' || what == '%') result += {'%', what};
    else if (what == 'j') result += doubled(part_of_name(job ? job : "0"));
    else if (what == 'u') result += fmt::format("{:x}", (time(nullptr) << 16) ^ getpid());
    else
      refuse(pattern, fmt::format("%{} has no meaning", what ? std::string(1, what) : ""),
             "%x is the program, %p the ranks, %j the job, %u unique, %% %");
  }
  return result;
}

std::string output_variable(const std::string& directory, const std::string& pattern) {
  std::string result;
  for (char c : fs::absolute(directory).lexically_normal().string()) result.append(c == '%' ? 2 : 1, c);
  if (result.back() != '/') result += '/';
  return result + pattern;
}

std::optional<int> ranks_in_name(const std::string& name, const std::string& pattern) {
  const auto [before, behind] = around_p(pattern);
  if (!has_p(pattern) || name.size() <= before.size() + behind.size() || name.rfind(before, 0) != 0 ||
      name.compare(name.size() - behind.size(), behind.size(), behind) != 0)
    return std::nullopt;
  const std::string digits = name.substr(before.size(), name.size() - before.size() - behind.size());
  if (digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoi(digits);
}

std::set<std::string> matches(const std::string& directory, const std::string& pattern) {
  std::set<std::string> result;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(directory, failed)) {
    const std::string name = entry.path().filename(), spawner = name_of_spawner(name);
    if (is_match(name, pattern) || (!spawner.empty() && is_match(spawner, pattern))) result.insert(name);
  }
  return result;
}

std::optional<std::string> own_file(const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) == 0 &&
      (is_own(status) || has_owner_of_new_files(status, fs::path(path).parent_path())))
    return path;
  std::optional<std::string> newest;
  timespec newest_time = {};
  for (int number = 2;; ++number) {
    const std::string other = monitor::marked_name(path, fmt::format(".{}", number));
    if (lstat(other.c_str(), &status) != 0) return newest;
    const timespec& time = status.st_mtim;
    if (!is_own(status) || std::tie(time.tv_sec, time.tv_nsec) < std::tie(newest_time.tv_sec, newest_time.tv_nsec))
      continue;
    newest = other;
    newest_time = time;
  }
}

} // namespace andes::postproc
