// Plan: the sizes of a sweep, and the order of the starts.
#pragma once
#include <compare>
#include <string>
#include <vector>

#include "postproc/launch/axes.h"

namespace andes::postproc {

/// What a start is asked for: ranks and threads (0: not known), and a value for each axis. Also the key of what is
/// known of its runs.
struct Size {
  int ranks = 0, threads = 0;
  std::vector<AxisValue> axes = {}; // in the order of the axes
  std::string weak_base = {};       // value of the axis of --weak at the smallest number of ranks
  auto operator<=>(const Size&) const = default;
};

/// The lists of a sweep, as the user gave them.
struct SizeLists {
  std::vector<int> ranks = {};             // empty: one rank count, not known beforehand
  std::vector<int> threads = {};           // of a rank; empty: what the program takes by itself
  std::vector<AxisList> axes = {};         // --vary
  std::vector<std::string> zipped = {};    // --zip: names of axes, and p, t; empty: all lists are crossed
  std::string weak = {};                   // --weak: name of an axis; empty: none grows
};

/// One start of the command.
struct Planned {
  Size size;
  int repeat = 1;
  bool monitored = true;
};

/// All sizes: axes outermost, then ranks, then threads. Throws Refusal for lists that do not fit together.
std::vector<Size> sizes_of(const SizeLists& lists);

/// A repeat of these sizes in turn. With `overhead` each as a pair with and without the monitor, whose order alternates
/// from repeat to repeat.
std::vector<Planned> plan_turn(const std::vector<Size>& sizes, int repeat, bool overhead);

/// The command of a start: the placeholders are replaced by what is known of its size.
std::vector<std::string> words_for(const std::vector<std::string>& command, const Size& size);

/// The names in braces, {NAME}, that stand in the words; each once, in their order.
std::vector<std::string> placeholders_in(const std::vector<std::string>& words);

/// "N = 1000, p = 2, t = 4", as far as it is known.
std::string describe(const Size& size);

/// "2 min 10 s", "45 s", "3 h 5 min".
std::string in_words(double seconds);

} // namespace andes::postproc
