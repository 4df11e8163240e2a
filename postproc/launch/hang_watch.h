// HangWatch: `andes run --hang-after`: says why the program hangs, while it does. Looks at the arenas now and then; the
// processes take no part.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace andes::postproc {

class HangWatch {
public:
  /// `after_s`: time without progress that counts as a hang; 0: nothing is looked for.
  HangWatch(double after_s, std::string libraries);

  /// Time between two looks, in seconds.
  double every_s() const;

  /// Looks, and says what it finds, once: again only if it has changed. Throws nothing.
  void look(const std::vector<std::string>& directories);

private:
  double after_s_;
  std::string libraries_;
  std::uint64_t progress_ = 0;
  std::chrono::steady_clock::time_point since_; // when the progress was last seen to change
  std::string said_; // without times
};

} // namespace andes::postproc
