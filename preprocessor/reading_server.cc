#include "preprocessor/reading_server.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <list>
#include <map>
#include <set>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preprocessor/collect/own_headers.h"
#include "preprocessor/compiler.h"
#include "preprocessor/own_libraries.h"
#include "preprocessor/pack.h"
#include "preprocessor/process.h"
#include "preprocessor/reading_messages.h"

namespace andes::preprocessor {
namespace {

constexpr std::size_t most_holders = 4; // each has the syntax tree of some headers in its memory

/// A holder costs the reading of its directives. Where another one has read their beginning, so many sources have to
/// begin with all of them.
constexpr int sources_for_longer = 3;
/// Of one kind: each new one is compared with them.
constexpr std::size_t most_sources_known = 100;

constexpr int most_seconds_of_end = 5; // nobody may wait for a process that hangs

bool set_address(const std::string& path, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  path.copy(address.sun_path, path.size());
  return true;
}

void set_patience(int socket, long seconds) {
  const timeval time{seconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

std::vector<std::size_t> place_of(const std::string& path) {
  struct stat facts = {};
  stat(path.c_str(), &facts);
  return {facts.st_dev, facts.st_ino};
}

constexpr const char* own_program = "/proc/self/exe";

/// Which program this is, and of which state.
std::vector<std::string> own_identity() { return {identity_of(own_program), identity_of(own_library(reader_library))}; }

/// Its files, its root directory and its mounts: for whom these are the same, paths lead to the same files.
std::vector<std::size_t> own_places() {
  std::vector<std::size_t> places;
  for (const std::string& path :
       {std::string(own_program), own_library(reader_library), std::string("/"), std::string("/proc/self/ns/mnt")}) {
    const std::vector<std::size_t> place = place_of(path);
    places.insert(places.end(), place.begin(), place.end());
  }
  return places;
}

std::vector<std::optional<std::string>> own_variables() {
  std::vector<std::optional<std::string>> values;
  for (const char* name : clang_variables) {
    const char* value = std::getenv(name);
    values.push_back(value ? std::optional<std::string>(value) : std::nullopt);
  }
  return values;
}

void set_variables(const std::vector<std::optional<std::string>>& values) {
  for (std::size_t i = 0; i < std::min(values.size(), std::size(clang_variables)); ++i)
    if (values[i]) setenv(clang_variables[i], values[i]->c_str(), 1);
    else unsetenv(clang_variables[i]);
}

/// Signals on which the end of processes depends, whatever the build was started with.
void obey_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGALRM, SIGCHLD}) std::signal(signal, SIG_DFL);
}

/// The server itself.
class Server {
public:
  Server(int listening, int life)
      : listening_(listening), life_(life), identity_(own_identity()), places_(own_places()) {}

  /// Until `life` is closed at its other end.
  void run() {
    for (;;) {
      pollfd events[] = {{life_, 0, 0}, {listening_, POLLIN, 0}};
      if (poll(events, 2, -1) < 0 && errno != EINTR) break;
      if (events[0].revents) break;
      if (!(events[1].revents & POLLIN)) continue;
      const int connection = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) continue;
      bury();
      serve(connection);
      close(connection);
    }
    for (const Holder& holder : holders_) kill(holder.process, SIGKILL); // and the kernel ends what they have started
    if (leaving_ > 0) kill(leaving_, SIGKILL);
    alarm(most_seconds_of_end);
    while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {}
  }

private:
  /// What holders are found by.
  struct Directives {
    std::string circumstances; // a LeadRequest without them, as bytes
    std::string text;
    auto operator<=>(const Directives&) const = default;
  };

  struct Holder {
    Directives directives;
    pid_t process = -1;
    int channel = -1;
  };

  /// Forgets holders that have ended.
  void bury() {
    int status = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended == leaving_) leaving_ = -1;
      const auto at = std::ranges::find(holders_, ended, &Holder::process);
      if (at == holders_.end()) continue;
      if (!WIFEXITED(status) || WEXITSTATUS(status) == holder_failed) hopeless_.insert(at->directives);
      close(at->channel);
      holders_.erase(at);
    }
  }

  void serve(int connection) {
    ucred other{};
    socklen_t size = sizeof other;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0 || other.uid != geteuid()) return;
    set_patience(connection, 5);
    const std::string message = receive_message(connection).value_or("");
    LeadRequest request;
    Unpacker unpack(message);
    members(request, unpack);
    if (!unpack.complete() || request.program != identity_ || request.places != places_) return;
    const std::string text = std::exchange(request.text, "");
    Packer pack;
    members(request, pack);
    request.text = beginning_to_hold(pack.bytes, text);
    if (!request.text.empty()) start_holder({pack.bytes, request.text}, request);
    const auto at = best_holder(pack.bytes, text);
    if (at == holders_.end()) return;
    holders_.splice(holders_.begin(), holders_, at); // the last one in use is the first
    if (!send_connection(at->channel, connection)) dismiss(at); // it has ended, or waits for what it has started
  }

  /// The one that has read most of what the source begins with.
  std::list<Holder>::iterator best_holder(const std::string& circumstances, const std::string& text) {
    auto best = holders_.end();
    for (auto at = holders_.begin(); at != holders_.end(); ++at)
      if (at->directives.circumstances == circumstances && text.starts_with(at->directives.text) &&
          (best == holders_.end() || at->directives.text.size() > best->directives.text.size()))
        best = at;
    return best;
  }

  /// Notes what a source begins with, and tells which beginning of it a holder is to be made for: the longest one that
  /// sources before had, too. Empty: for none.
  std::string beginning_to_hold(const std::string& circumstances, const std::string& text) {
    std::vector<std::string>& before = asked_[circumstances];
    std::string_view longest;
    for (const std::string& other : before)
      if (const std::string_view common = common_lead(text, other); common.size() > longest.size()) longest = common;
    const auto begins = [&](const std::string& other) { return std::string_view(other).starts_with(longest); };
    const auto sources = 1 + std::ranges::count_if(before, begins);
    const auto held = best_holder(circumstances, text);
    if (before.size() == most_sources_known) before.erase(before.begin());
    before.push_back(text);
    if (longest.empty() || hopeless_.contains({circumstances, std::string(longest)})) return "";
    if (held == holders_.end()) return std::string(longest);
    return held->directives.text.size() < longest.size() && sources >= sources_for_longer ? std::string(longest) : "";
  }

  /// Lets a holder end when it has served. False, and it stays, while another one still does that: so there are never
  /// more processes than holders and one.
  bool dismiss(std::list<Holder>::iterator holder) {
    if (leaving_ > 0) return false;
    leaving_ = holder->process;
    close(holder->channel);
    holders_.erase(holder);
    return true;
  }

  /// For the directives in `request`.
  void start_holder(const Directives& directives, LeadRequest& request) {
    if (!hold_) { // RTLD_NOW: else each child would bind what it calls
      void* const library = dlopen(own_library(reader_library).c_str(), RTLD_NOW | RTLD_LOCAL);
      hold_ = library ? reinterpret_cast<decltype(&andes_hold)>(dlsym(library, "andes_hold")) : nullptr;
      if (!hold_) return;
    }
    if (holders_.size() == most_holders && !dismiss(std::prev(holders_.end()))) return;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    const pid_t parent = getpid(), process = fork();
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);
      alarm(most_seconds_of_answer); // until the directives are read
      // No other end of a holder's channel, nor the build's end of anything, may stay open here.
      dup2(ends[1], STDERR_FILENO + 1);
      close_range(STDERR_FILENO + 2, ~0u, 0);
      if (chdir(request.working_directory.c_str()) != 0 || place_of(".") != request.working_place) _exit(holder_failed);
      set_variables(request.variables);
      hold_(request, STDERR_FILENO + 1);
      _exit(holder_failed);
    }
    close(ends[1]);
    if (process < 0) close(ends[0]);
    else holders_.push_front({directives, process, ends[0]});
  }

  const int listening_, life_;
  const std::vector<std::string> identity_;
  const std::vector<std::size_t> places_;
  decltype(&andes_hold) hold_ = nullptr; // of the reader, once it is open
  std::list<Holder> holders_;
  pid_t leaving_ = -1; // a dismissed holder that has not ended yet
  std::map<std::string, std::vector<std::string>> asked_; // by circumstances: what the last sources began with
  std::set<Directives> hopeless_; // cannot be read
};

/// Whether the source is read alike in any directory: what it includes by quotes is not beside it, and where it stands
/// does not decide about its headers.
bool could_be_anywhere(const std::string& directory, const std::string& text, const Lead& lead,
                       const Reading& reading) {
  const auto quoted = quoted_inclusions(text, lead);
  return quoted && is_usual_place(directory, reading.third_party) &&
         std::ranges::all_of(*quoted, [&](const std::string_view name) {
           struct stat facts;
           return name.starts_with('/') ||
                  (stat((directory + std::string(name)).c_str(), &facts) != 0 && errno == ENOENT);
         });
}

} // namespace

ReadingServer::ReadingServer(const std::string& directory) {
  sockaddr_un address;
  const std::string path = directory + "/readings";
  int life[2];
  // Where a standard stream is closed, what is opened here would take its place.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) return;
  if (!set_address(path, address) || pipe2(life, O_CLOEXEC) != 0) return;
  const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  life_ = life[1];
  const pid_t parent = getpid();
  if (listening >= 0 && bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      listen(listening, SOMAXCONN) == 0 && (process_ = fork()) == 0) {
    // Nothing may leave this block but by _exit: what lies above removes the directory of the build that runs.
    try {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      prctl(PR_SET_NAME, "andes-reading"); // so that ps and perf tell it, and what it starts, from `andes cc`
      // Whoever reads what the build writes is not to wait for this process.
      const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
      for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
      const int kept[] = {fcntl(listening, F_DUPFD, 100), fcntl(life[0], F_DUPFD, 100)};
      if (nothing < 0 || kept[0] < 0 || kept[1] < 0) _exit(1);
      dup2(kept[0], STDERR_FILENO + 1);
      dup2(kept[1], STDERR_FILENO + 2);
      close_range(STDERR_FILENO + 3, ~0u, 0);
      const rlimit no_core{0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
      obey_signals();
      Server(STDERR_FILENO + 1, STDERR_FILENO + 2).run();
    } catch (...) {}
    _exit(1);
  }
  close(listening);
  close(life[0]);
  if (process_ > 0) path_ = path;
}

ReadingServer::~ReadingServer() {
  close(life_);
  if (process_ <= 0) return;
  constexpr int ms = 1000, last = (most_seconds_of_end + 5) * 1000, all = last + 1000;
  for (int waited = 0; waited < all; ++waited) {
    if (waited == last) kill(process_, SIGKILL);
    if (const pid_t ended = waitpid(process_, nullptr, WNOHANG); ended > 0 || (ended < 0 && errno != EINTR)) return;
    usleep(ms);
  }
}

bool read_by_server(const std::string& server, const std::vector<std::string>& arguments, const Reading& reading,
                    Source& source) {
  sockaddr_un address;
  if (server.empty() || arguments.empty() || !set_address(server, address)) return false;
  RestRequest rest;
  rest.path = arguments.back();
  rest.text = read_file(rest.path).value_or("");
  if (rest.text.empty() || rest.text.size() > most_source_bytes || rest.text.find('\0') != std::string::npos)
    return false;
  const Lead lead = lead_of(rest.text);
  rest.lines = lead.lines;
  rest.end = lead.end;

  LeadRequest request;
  std::error_code failed;
  request.program = own_identity();
  request.places = own_places();
  request.working_directory = std::filesystem::current_path(failed).string();
  request.working_place = place_of(".");
  request.variables = own_variables();
  request.arguments.assign(arguments.begin(), arguments.end() - 1);
  request.directory = rest.path.substr(0, rest.path.rfind('/') + 1);
  if (could_be_anywhere(request.directory, rest.text, lead, reading)) request.directory = no_directory;
  request.reading = reading;
  request.text = lead.text;
  if (failed) return false;

  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  set_patience(connection, most_seconds_of_answer);
  Packer first, second;
  members(request, first);
  members(rest, second);
  std::optional<std::string> answer;
  errno = 0;
  if (connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      send_message(connection, first.bytes) && send_message(connection, second.bytes))
    answer = receive_message(connection);
  if (!answer && errno == EAGAIN) unlink(server.c_str()); // nobody else is to wait in vain
  close(connection);
  if (!answer) return false;
  Source read;
  Unpacker unpack(*answer);
  members(read, unpack);
  if (!unpack.complete()) return false;
  source = std::move(read);
  return true;
}

} // namespace andes::preprocessor
