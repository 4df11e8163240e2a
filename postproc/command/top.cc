// andes top. A reading every interval, compared with the one before; in a terminal drawn on its whole screen
// until a key or the end of the job, with --once or into a pipe printed once.
#include "postproc/command/top.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <optional>

#include "common/refusal.h"
#include "monitor/recover/jobs.h"
#include "postproc/command/reading.h"
#include "postproc/command/subcommand.h"
#include "postproc/launch/installation.h"
#include "postproc/model/read_live.h"
#include "postproc/view/formats.h"
#include "postproc/view/screen.h"
#include "postproc/view/top_text.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

constexpr double intervals_s[] = {0.2, 0.5, 1, 2, 5, 10, 30, 60};

struct TopOptions {
  std::string directory;
  double interval_s = 1;
  bool once = false;
  std::string format;
};

bool is_over(const LiveJob& job) {
  return std::all_of(job.ranks.begin(), job.ranks.end(),
                     [](const LiveRank& rank) { return rank.status == LiveRank::Status::ended; });
}

void sleep_for(double seconds) {
  const timespec time = {static_cast<time_t>(seconds), static_cast<long>(std::fmod(seconds, 1) * 1e9)};
  nanosleep(&time, nullptr);
}

// ---- one frame ---------------------------------------------------------------------------------

/// Shares of the last interval need two readings; of a job that has ended there is one only.
void print_once(LiveReader& reader, const TopOptions& options) {
  const LiveJob before = reader.read(true);
  LiveJob now;
  if (!is_over(before)) {
    sleep_for(options.interval_s);
    now = reader.read(false);
  }
  const bool gone = now.ranks.empty();
  const LiveView view = gone ? live_view(nullptr, before) : live_view(&before, now);
  print_as(options.format, top_formats(), view);
}

// ---- the screen --------------------------------------------------------------------------------

struct State {
  std::optional<LiveJob> before, now;
  double interval_s;
  bool paused = false;
  TopLayout layout;
};

/// The keys, as far as there is room for them.
std::string foot_of(const State& state, int width) {
  std::string foot =
      fmt::format("q quit  space {}  s sort: {}", state.paused ? "continue" : "pause", name_of(state.layout.order));
  for (const std::string& more :
       {fmt::format("  + - every {:g} s", state.interval_s), std::string("  %: of p x T, of a rank's own time")})
    if (width_of(foot) + width_of(more) <= width) foot += more;
  return foot;
}

std::vector<std::string> frame_of(const Screen& screen, const Terminal& plain, State& state) {
  const Terminal terminal = screen.terminal(plain);
  state.layout.height = screen.height();
  state.layout.state = state.paused ? "paused" : "";
  state.layout.foot = foot_of(state, terminal.width);
  return top_lines(terminal, live_view(state.before ? &*state.before : nullptr, *state.now), state.layout);
}

/// Does what a key asks for; false: quit.
bool obey(State& state, int key) {
  const auto scroll = [&state](int by) {
    const std::size_t last = state.now->ranks.empty() ? 0 : state.now->ranks.size() - 1;
    const auto at = static_cast<std::ptrdiff_t>(std::min(state.layout.first, last)) + by;
    state.layout.first = std::min(last, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at)));
  };
  const auto change = [&state](int by) {
    const auto* at = std::lower_bound(std::begin(intervals_s), std::end(intervals_s), state.interval_s);
    const auto place = std::clamp<std::ptrdiff_t>(at - intervals_s + by, 0, std::ssize(intervals_s) - 1);
    state.interval_s = intervals_s[place];
  };
  const int page = std::max(1, state.layout.height / 2 - 2);
  switch (key) {
  case key_stop:
  case 'q':
  case 'Q': return false;
  case ' ': state.paused = !state.paused; break;
  case 's':
    state.layout.order = static_cast<LiveOrder>((static_cast<int>(state.layout.order) + 1) % live_orders);
    state.layout.first = 0;
    break;
  case '+': change(1); break;
  case '-': change(-1); break;
  case key_up: scroll(-1); break;
  case key_down: scroll(1); break;
  case key_page_up: scroll(-page); break;
  case key_page_down: scroll(page); break;
  case key_home: state.layout.first = 0; break;
  case key_end: scroll(static_cast<int>(state.now->ranks.size())); break;
  default: break;
  }
  return true;
}

double now_s() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The last frame if the job has ended, nothing if the user has.
std::vector<std::string> watch(LiveReader& reader, State& state) {
  const Terminal plain = standard_output();
  Screen screen;
  double due_s = now_s() + state.interval_s;
  for (;;) {
    const std::vector<std::string> frame = frame_of(screen, plain, state);
    if (is_over(*state.now)) {
      state.layout.height = 0;
      state.layout.foot.clear();
      return top_lines(screen.terminal(plain), live_view(state.before ? &*state.before : nullptr, *state.now),
                       state.layout);
    }
    screen.draw(frame);
    const int key = screen.wait(state.paused ? 3600 : std::max(0.0, due_s - now_s()));
    if (key != key_none) {
      const double interval_s = state.interval_s;
      if (!obey(state, key)) return {};
      if (state.interval_s != interval_s) due_s = now_s() + state.interval_s;
      if (state.paused || now_s() < due_s) continue;
    } else if (state.paused) {
      continue;
    }
    due_s = now_s() + state.interval_s;
    LiveJob next = reader.read(false);
    if (next.ranks.empty()) { // gone, as after every good end: show the last frame
      state.now->hang = {};
      for (LiveRank& rank : state.now->ranks) {
        rank.status = LiveRank::Status::ended;
        if (rank.ending.empty()) rank.ending = "ended";
      }
      continue;
    }
    state.before = std::move(state.now);
    state.now = std::move(next);
  }
}

void top(const TopOptions& options) {
  if (!(options.interval_s >= 0.05 && options.interval_s <= 3600))
    refuse(fmt::format("--interval {:g}", options.interval_s), "is not between 0.05 and 3600 s",
           "give seconds, like 2");
  const std::string directory = options.directory.empty() ? monitor::newest_running_job() : options.directory;
  if (directory.empty())
    refuse("top", "you have no measured program running on this host",
           "start one with andes run, or name the directory of its arenas");
  LiveReader reader(directory, fs::path(find_installation().library).parent_path().string());
  if (options.once || options.format != top_formats().front().name.name || !has_screen())
    return print_once(reader, options);
  State state;
  state.interval_s = options.interval_s;
  state.now = reader.read(true);
  const std::vector<std::string> last = watch(reader, state);
  if (last.empty()) return;
  std::string text;
  for (const std::string& line : last) text += line + "\n";
  print(text + "andes: the job has ended; andes report and andes show analyse its run file\n");
}

} // namespace

void add_top(CLI::App& app) {
  const Subcommand command(app, "top", "Show a running job live: where its time goes");
  const auto options = std::make_shared<TopOptions>();
  command.footer("Keys: q quit, space pause, s sort, + - interval, arrows and pages scroll the ranks.");
  command.option("job", options->directory, "Directory of the job's arenas (default: the newest running job)");
  command.option("--interval", options->interval_s, "Seconds between two readings (1)").value_name("S");
  command.flag("--once", options->once, "Print one frame and exit; works in a pipe too");
  command.formats(options->format, top_formats());
  command.does([options] { top(*options); });
}

} // namespace andes::postproc
