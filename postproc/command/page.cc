// The documents are those that the commands print, byte for byte, so that every figure of a page can be looked up.
#include "postproc/command/page.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>

#include "common/printable.h"
#include "common/whole_file.h"
#include "postproc/analysis/points.h"
#include "postproc/command/reading.h"
#include "postproc/model/read_events.h"
#include "postproc/model/read_location_values.h"
#include "postproc/model/read_run.h"
#include "postproc/view/html_page.h"
#include "postproc/view/overview_view.h"
#include "postproc/view/rank_cells.h"
#include "postproc/view/source_lines.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

constexpr std::size_t most_cells = 500 * 1024 * 8; // of a metric on a page: each is a byte before it is compressed
constexpr std::size_t cells_of_a_pair = 12;        // of ranks that waited: it takes as many bytes as so many cells
constexpr std::size_t most_runs = 32;              // of a page of several series: then only their largest ones

/// What a page is made of, as its parts come in.
class PageParts {
public:
  PageParts(const std::string& kind, std::size_t runs, bool sources)
      : cells_of_a_run_(most_cells / std::max<std::size_t>(1, runs)), sources_(sources) {
    manifest_ = {{"schema", 1}, {"kind", kind}};
    manifest_["runs"] = Json::array();
  }

  void document(const std::string& name, std::string text) {
    manifest_["documents"].push_back(name);
    parts_.push_back({name, std::move(text)});
  }

  /// A run with its call tree; the object that names its parts, for more of them.
  Json& run(Profile profile, std::size_t series) {
    require_documents(profile);
    const std::string number = std::to_string(manifest_["runs"].size());
    Tree tree = tree_of(profile, profile.statistics);
    tree.event_totals = event_totals(profile);
    if (has_overlap(tree)) tree.overlaps = overlaps_of_ranks(profile);
    tree.sent = sent_messages(profile);
    tree.wait_pairs = wait_pairs(profile);
    const std::size_t taken = std::min(cells_of_a_run_ / 2, cells_of_a_pair * tree.wait_pairs.size());
    RankCells cells = rank_cells(profile, values_of_locations(profile), cells_of_a_run_ - taken);
    Json& run = manifest_["runs"].emplace_back();
    run = {{"series", series},         {"ranks", profile.ranks},     {"threads", team_size_of(profile)},
           {"tree", "tree-" + number}, {"cells", "cells-" + number}, {"levels", "levels-" + number}};
    parts_.push_back({"tree-" + number, show_json(profile, tree, {})});
    parts_.push_back({"cells-" + number, cells.index.dump()});
    parts_.push_back({"levels-" + number, std::move(cells.levels)});
    if (sources_) profiles_.push_back(std::move(profile));
    return run;
  }

  void waits(Json& run, const Profile& profile) {
    const std::string name = "waits-" + std::to_string(manifest_["runs"].size() - 1);
    run["waits"] = name;
    parts_.push_back({name, diagnosis_json({{profile, diagnosis_of(profile)}}, 0)});
  }

  std::string page(const std::string& title) {
    if (sources_) {
      std::vector<const Profile*> runs;
      for (const Profile& profile : profiles_) runs.push_back(&profile);
      manifest_["sources"] = "sources";
      parts_.push_back({"sources", source_lines(runs).dump(-1, ' ', false, Json::error_handler_t::replace)});
    }
    return html_page(title, manifest_, parts_);
  }

private:
  static int team_size_of(const Profile& profile) {
    std::vector<int> threads(static_cast<std::size_t>(profile.ranks));
    for (const Location& location : profile.locations) ++threads[static_cast<std::size_t>(location.rank)];
    return *std::max_element(threads.begin(), threads.end());
  }

  std::size_t cells_of_a_run_;
  bool sources_;
  Json manifest_;
  std::vector<PagePart> parts_;
  std::vector<Profile> profiles_; // whose sources are asked for
};

/// Of each series the runs whose trees a page has, smallest first.
std::vector<std::vector<const SeriesRun*>> runs_of(const std::vector<Series>& all) {
  std::vector<std::vector<const SeriesRun*>> runs;
  std::size_t count = 0;
  for (const Series& series : all) {
    auto& of_series = runs.emplace_back();
    for (const Point& point : series.builds.back().points) of_series.push_back(&median_run(point));
    count += of_series.size();
  }
  if (count > most_runs && runs.size() > 1)
    for (auto& of_series : runs) of_series.erase(of_series.begin(), of_series.end() - 1);
  if (runs.size() > most_runs) runs.resize(most_runs);
  return runs;
}

} // namespace

void add_page_options(const Subcommand& command, PageOptions& options) {
  command.option("--html", options.file, "Write a page of HTML for a browser, in the place of text").value_name("FILE");
  command.flag("--source", options.sources, "With --html: put the source lines of call paths into the page");
}

void require_one_result(const PageOptions& options, const std::string& format) {
  if (!options.file.empty() && format != "text")
    refuse("--html with --" + format, "a command has one result", "give one of the two");
  if (options.sources && options.file.empty()) refuse("--source", "it is for pages of HTML", "give --html FILE, too");
}

std::string report_page(const Reports& results, bool sources) {
  const auto runs = runs_of(results.series);
  std::size_t count = 0;
  for (const auto& of_series : runs) count += of_series.size();
  PageParts parts("report", count, sources);
  parts.document("report", reports_json(results.overview, results.reports));
  for (std::size_t series = 0; series < runs.size(); ++series)
    for (const SeriesRun* run : runs[series]) parts.run(read_run(run->profile.file, Detail::tree), series);
  return parts.page(results.reports.front().command);
}

std::string runs_page(const std::vector<std::string>& files, bool sources) {
  PageParts parts("run", files.size(), sources);
  std::string title;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Series series = read_series({files[i]}, false, print_skipped);
    const Report report = report_of(series, nullptr, true);
    if (title.empty()) title = report.command;
    parts.document("report-" + std::to_string(i), report_json(report));
    const Profile profile = read_run(files[i], Detail::tree);
    parts.waits(parts.run(profile, i), profile);
  }
  return parts.page(title);
}

std::string diff_page(const Diff& diff, const Build& before, const Build& after, const CommonSize& size, bool sources) {
  PageParts parts("diff", 2, sources);
  parts.document("diff", diff_json(diff));
  const auto add = [&](const Build& build, const std::vector<Profile>& trees, const char* side) {
    const Profile& profile = median_tree(*find_point(build, size.ranks, size.threads), trees);
    Json& run = parts.run(profile, 0);
    run["side"] = side;
    parts.waits(run, profile);
  };
  add(before, size.before, "before");
  add(after, size.after, "after");
  return parts.page("andes diff");
}

std::string history_page(const Histories& histories) {
  PageParts parts("history", 0, false);
  parts.document("history", history_json(histories.history, histories.between));
  return parts.page("andes report --history");
}

std::string followed(std::string page) {
  constexpr std::string_view policy = "default-src 'none';";
  page.insert(page.find(policy) + policy.size(), " connect-src 'self';");
  return page;
}

void write_page(const PageOptions& options, const std::string& page) {
  if (const std::string reason = write_whole(options.file, page); !reason.empty())
    refuse(printable(options.file), "cannot be written (" + reason + ")", "choose another place with --html");
}

} // namespace andes::postproc
