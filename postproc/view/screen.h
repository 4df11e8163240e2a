// Screen: the whole terminal, for a view that is drawn anew again and again. Plain ANSI sequences, which
// every terminal of today knows (curses would bring a library and a database of terminals to every host for 100
// lines): the alternate screen, so that what was there before comes back, no cursor, keys without Enter.
//
// However andes ends (keys, Ctrl-C, SIGTERM, an exception), the terminal is as it was: by the destructor.
// While a Screen lives, the signals it watches are delivered in wait() only.
#pragma once
#include <string>
#include <vector>

#include "postproc/view/terminal.h"

namespace andes::postproc {

/// What wait() came back for. A letter stands for itself.
enum Key : int {
  key_none = 0, // the time has passed
  key_stop = 256, // Ctrl-C, SIGTERM, SIGHUP: or nobody is there any more
  key_resized,
  key_up,
  key_down,
  key_page_up,
  key_page_down,
  key_home,
  key_end
};

/// Whether standard input and output are both terminals.
bool has_screen();

class Screen {
public:
  /// Takes the terminal. Throws Refusal if it is none.
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Of the terminal now; width of a Terminal with the rest of `of`.
  Terminal terminal(const Terminal& of) const;
  int height() const;

  /// Draws the lines from the top, and clears the rest.
  void draw(const std::vector<std::string>& lines);

  /// Waits for a key or a signal, at most so long.
  int wait(double seconds);

private:
  void take();
  void give_back();
  int read_key();
  bool gone_ = false;
  std::string keys_; // read and not yet told
};

} // namespace andes::postproc
