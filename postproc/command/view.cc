// andes view RUNS: the page of `andes report --html`, or of --history DIR that of a history, served to the browser of
// this machine. It follows the runs: the page asks whether they are still the same, and is loaded anew when they are
// not.
#include "postproc/command/view.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/fnv.h"
#include "common/message.h"
#include "postproc/analysis/axis_models.h"
#include "postproc/analysis/report.h"
#include "postproc/command/history.h"
#include "postproc/command/page.h"
#include "postproc/command/reading.h"
#include "postproc/command/subcommand.h"
#include "postproc/model/run_files.h"
#include "postproc/serve/local_server.h"

namespace andes::postproc {
namespace {

struct ViewOptions {
  std::vector<std::string> runs;
  HistoryOptions history;
  double port = 0;
  bool no_browser = false, sources = false;
};

/// A page that looks again after a while, for what cannot be shown yet.
std::string waiting_page(const std::string& why) {
  std::string text;
  for (const char c : why) text += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"2\">"
         "<title>andes view</title><p>" +
         text + "</p>";
}

/// The page of the runs, as long as they stay the same.
class FollowedRuns {
public:
  FollowedRuns(std::vector<std::string> runs, bool sources, std::optional<HistoryRequest> history)
      : runs_(std::move(runs)), sources_(sources), history_(std::move(history)) {}

  /// Changes with the runs.
  std::string state() const {
    std::string all;
    for (const std::string& file : run_files(runs_)) {
      std::error_code gone;
      all += fmt::format("{} {} {}\n", file, std::filesystem::file_size(file, gone),
                         std::filesystem::last_write_time(file, gone).time_since_epoch().count());
    }
    return fmt::format("{:016x}", fnv_hash(all));
  }

  const std::string& page() {
    if (const std::string now = state(); now != of_) {
      page_ = made();
      of_ = now;
    }
    return page_;
  }

private:
  std::string made() const {
    try {
      if (run_files(runs_).empty()) return waiting_page("No run has come yet.");
      if (history_) return followed(history_page(histories_of(*history_)));
      Reports results;
      results.series = all_series_of(runs_, {});
      for (const Series& series : results.series) results.reports.push_back(report_of(series, nullptr, false));
      results.overview = overview_with_models(results.reports, results.series, false);
      return followed(report_page(results, sources_));
    } catch (const Refusal& trouble) {
      say("{}", trouble.what());
      return waiting_page(trouble.what());
    }
  }

  std::vector<std::string> runs_;
  bool sources_;
  std::optional<HistoryRequest> history_;
  std::string of_, page_;
};

/// A file of the user's own that leads to the page: as an argument of a program its token could be read by others.
class Pointer {
public:
  explicit Pointer(const std::string& url) {
    std::error_code error;
    name_ = (std::filesystem::temp_directory_path(error) / "andes-view-XXXXXX.html").string();
    constexpr int suffix = 5;
    const int file = mkstemps(name_.data(), suffix);
    const std::string text = fmt::format("<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={}\">\n", url);
    if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) name_.clear();
    if (file >= 0) close(file);
  }
  ~Pointer() {
    if (!name_.empty()) unlink(name_.c_str());
  }
  Pointer(const Pointer&) = delete;
  Pointer& operator=(const Pointer&) = delete;
  /// Empty if there is none: then the user opens the address that was printed.
  const std::string& name() const { return name_; }

private:
  std::string name_;
};

/// Where there is a desktop.
void open_browser(const Pointer& pointer) {
  if (pointer.name().empty()) return;
  std::string words[] = {"xdg-open", pointer.name()};
  char* const argv[] = {words[0].data(), words[1].data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, argv[0], nullptr, nullptr, argv, environ) == 0) waitpid(child, nullptr, 0);
}

void view(ViewOptions& options) {
  const auto history = history_request(
      options.history, options.runs,
      options.sources ? std::vector<std::string>{"--source"} : std::vector<std::string>(), "andes view");
  if (history) options.runs = {history->directory};
  if (options.runs.empty()) refuse("view", "no runs are named", "name run files or directories of them");
  run_files(options.runs); // refuses what is not there, before a server stands
  LocalServer server(static_cast<int>(options.port));
  fmt::print("{}\n", server.url());
  std::fflush(stdout);
  std::optional<Pointer> pointer;
  if (!options.no_browser && (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY")))
    open_browser(pointer.emplace(server.url()));
  FollowedRuns runs(options.runs, options.sources, history);
  server.run([&runs](const std::string& name) -> std::optional<Answer> {
    if (name.empty()) return Answer{"text/html", runs.page()};
    if (name == "state") return Answer{"text/plain", runs.state()};
    return std::nullopt;
  });
}

} // namespace

void add_view(CLI::App& app) {
  const Subcommand command(app, "view", "Look at runs in a browser, while they arrive");
  const auto options = std::make_shared<ViewOptions>();
  command.option("runs", options->runs, "Run files, or directories of them");
  add_history_options(command, options->history);
  command.option("--port", options->port, "Port of 127.0.0.1 (default: any)").range(0, 65535);
  command.flag("--no-browser", options->no_browser, "Only print the address");
  command.flag("--source", options->sources, "Put the source lines of call paths into the page");
  command.footer("The address has a token: whoever knows it, and is on this machine, sees the runs. Ctrl-C ends it.\n"
                 "From another machine: ssh -L 8080:127.0.0.1:8080 HOST, with --port 8080.");
  command.does([options] { view(*options); });
}

} // namespace andes::postproc
