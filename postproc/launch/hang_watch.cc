#include "postproc/launch/hang_watch.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>

#include "common/message.h"
#include "monitor/recover/read_hang.h"

namespace andes::postproc {
namespace {

using Clock = std::chrono::steady_clock;

/// What is found, without the times, which change from look to look.
std::string without_times(Hang hang) {
  std::string text;
  for (HangFinding& finding : hang.findings)
    for (HangState& state : finding.states) state.since_s = 0;
  for (const std::string& line : hang_lines(hang)) text += line + '\n';
  return text;
}

} // namespace

HangWatch::HangWatch(double after_s, std::string libraries)
    : after_s_(after_s), libraries_(std::move(libraries)), since_(Clock::now()) {}

double HangWatch::every_s() const { return after_s_ > 0 ? std::clamp(after_s_ / 4, 0.5, 10.0) : 0; }

void HangWatch::look(const std::vector<std::string>& directories) {
  try {
    const monitor::HangReading reading = monitor::read_hang(directories, libraries_);
    if (reading.progress != progress_) since_ = Clock::now();
    progress_ = reading.progress;
    const double still_s = std::chrono::duration<double>(Clock::now() - since_).count();
    if (!reading.waits || still_s < after_s_ || reading.least_wait_s < after_s_ || reading.hang.findings.empty())
      return;
    const std::string text = without_times(reading.hang);
    if (text == said_) return;
    said_ = text;
    say("no rank has made progress in MPI for {:.0f} s:", still_s);
    for (const std::string& line : hang_lines(reading.hang)) say("{}", printable(line));
  } catch (const std::exception& trouble) { // no memory
    say("--hang-after: {}", trouble.what());
  }
}

} // namespace andes::postproc
