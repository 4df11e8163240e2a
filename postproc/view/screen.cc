// Signal handlers only note the number; the signals are blocked but for the moment of waiting (ppoll),
// so none is missed and no handler meets a half-drawn frame.
#include "postproc/view/screen.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>

#include "common/refusal.h"

namespace andes::postproc {
namespace {

constexpr int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};

std::atomic<bool> stopped, suspended, resized;
termios before;                       // of the terminal
struct sigaction actions[std::size(watched)]; // of the process
sigset_t mask;

void note(int number) {
  if (number == SIGTSTP) suspended = true;
  else if (number == SIGWINCH || number == SIGCONT) resized = true;
  else stopped = true;
}

bool send(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t bytes = write(STDOUT_FILENO, text.data() + at, text.size() - at);
    if (bytes < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (bytes > 0) at += static_cast<std::size_t>(bytes);
  }
  return true;
}

winsize size_now() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    size.ws_col = 80;
    size.ws_row = 24;
  }
  return size;
}

} // namespace

bool has_screen() { return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1; }

Screen::Screen() {
  if (tcgetattr(STDIN_FILENO, &before) != 0)
    refuse("standard input", "is no terminal", "use --once for one frame as text");
  stopped = suspended = resized = false;
  sigset_t blocked;
  sigemptyset(&blocked);
  struct sigaction action = {};
  action.sa_handler = note;
  for (std::size_t i = 0; i < std::size(watched); ++i) {
    sigaddset(&blocked, watched[i]);
    sigaction(watched[i], &action, &actions[i]);
  }
  sigprocmask(SIG_BLOCK, &blocked, &mask);
  take();
}

Screen::~Screen() {
  give_back();
  for (std::size_t i = 0; i < std::size(watched); ++i) sigaction(watched[i], &actions[i], nullptr);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
}

void Screen::take() {
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO); // Ctrl-C and Ctrl-Z stay signals
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  send("\033[?1049h\033[?25l\033[?7l"); // alternate screen, no cursor, long lines are cut
}

void Screen::give_back() {
  send("\033[?7h\033[?25h\033[?1049l");
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

Terminal Screen::terminal(const Terminal& of) const {
  Terminal terminal = of;
  terminal.width = size_now().ws_col;
  return terminal;
}

int Screen::height() const { return size_now().ws_row; }

void Screen::draw(const std::vector<std::string>& lines) {
  // A line is cleared before it is written: behind a full line the cursor still stands on its last character.
  std::string text = "\033[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += "\r\n";
    text += "\033[K" + lines[i];
  }
  if (lines.size() < static_cast<std::size_t>(height())) text += "\r\n\033[J";
  gone_ = !send(text) || gone_;
}

int Screen::wait(double seconds) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double until = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) + seconds;
  for (;;) {
    if (stopped || gone_) return key_stop;
    if (suspended.exchange(false)) {
      give_back();
      kill(getpid(), SIGSTOP);
      take();
      return key_resized;
    }
    if (resized.exchange(false)) return key_resized;
    if (const int key = read_key(); key != key_none) return key;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double left =
        std::max(0.0, until - static_cast<double>(now.tv_sec) - 1e-9 * static_cast<double>(now.tv_nsec));
    const timespec time = {static_cast<time_t>(left), static_cast<long>(std::fmod(left, 1) * 1e9)};
    pollfd ready = {STDIN_FILENO, POLLIN, 0};
    const int count = ppoll(&ready, 1, &time, &mask);
    if (count == 0) return key_none;
    if (count < 0) continue; // a signal
    char bytes[64];
    const ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got > 0) keys_.append(bytes, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR) gone_ = true; // the terminal has hung up
  }
}

/// The first key of what was typed.
int Screen::read_key() {
  struct Sequence {
    const char* bytes;
    int key;
  };
  static constexpr Sequence sequences[] = {{"\033[A", key_up},   {"\033OA", key_up},       {"\033[B", key_down},
                                           {"\033OB", key_down}, {"\033[5~", key_page_up}, {"\033[6~", key_page_down},
                                           {"\033[H", key_home}, {"\033OH", key_home},     {"\033[1~", key_home},
                                           {"\033[F", key_end},  {"\033OF", key_end},      {"\033[4~", key_end}};
  while (!keys_.empty()) {
    for (const Sequence& sequence : sequences)
      if (keys_.rfind(sequence.bytes, 0) == 0) {
        keys_.erase(0, std::string(sequence.bytes).size());
        return sequence.key;
      }
    const char first = keys_[0];
    if (first == '\033') { // another sequence, or Escape: whatever it is, nobody waits for it
      keys_.clear();
      return key_none;
    }
    keys_.erase(0, 1);
    return static_cast<unsigned char>(first);
  }
  return key_none;
}

} // namespace andes::postproc
