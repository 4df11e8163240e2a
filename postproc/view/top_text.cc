// A head of one line, the times by kind, two tables that share the lines that are left, a foot. Small
// screens lose empty lines first, then the times since the start, then columns.
#include "postproc/view/top_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/view/columns/live.h"
#include "postproc/view/hang_view.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {
namespace {

using Status = LiveRank::Status;
using Lines = std::vector<std::string>;

constexpr int small_height = 16;            // below it no empty lines
constexpr std::size_t paths_in_a_pipe = 20, ranks_in_a_pipe = 64;
constexpr double least_in_top_percent = 0.05;  // what would read 0.0 is not listed

Lines split(const std::string& text) {
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// ---- head --------------------------------------------------------------------------------------

std::string head_line(const Terminal& terminal, const LiveView& view, const TopLayout& layout) {
  const LiveJob& job = *view.job;
  std::string right = job.size > 0 ? fmt::format("p = {}", job.size) : counted(job.ranks.size(), "process");
  if (job.size > static_cast<int>(job.ranks.size())) right += fmt::format(", {} here", job.ranks.size());
  right += fmt::format("  {}", span_text(job.elapsed_ns));
  if (view.ended > 0) right += fmt::format("  {} ended", view.ended);
  if (!layout.state.empty()) right += "  " + layout.state;
  const int room = std::max(0, terminal.width - width_of(right) - 2);
  std::string left = printable(job.program);
  if (room > width_of(left) + 11) left = "andes top  " + left;
  left = cut_middle(left, room, terminal.utf8);
  const int blanks = std::max(1, terminal.width - width_of(left) - width_of(right));
  return styled(terminal, Style::bold, left) + std::string(static_cast<std::size_t>(blanks), ' ') + right;
}

Lines kinds_lines(const Terminal& terminal, const LiveView& view, bool small) {
  std::vector<columns::LiveKinds> rows;
  if (view.interval_s > 0) rows.push_back({columns::interval_title(view), view.shares.last, view.last_balance});
  if (!small || rows.empty()) rows.push_back({"since the start", view.shares.whole, view.whole_balance});
  Table table = text_table(columns::live_kinds(view, true), rows);
  if (!fits(terminal, table, 0)) table = text_table(columns::live_kinds(view, false), rows);
  return split(table_text(terminal, table, 0));
}

// ---- call paths --------------------------------------------------------------------------------

Lines path_lines(const Terminal& terminal, const LiveView& view, std::size_t most) {
  std::vector<LivePathRow> rows;
  for (const LivePathRow& row : view.paths) {
    if (rows.size() == most) break;
    const double percent = std::max(row.last_percent.value_or(row.whole_percent), row.whole_percent);
    if (percent >= least_in_top_percent) rows.push_back(row);
  }
  return split(table_text(terminal, text_table(columns::live_paths(view), rows), 0));
}

// ---- ranks -------------------------------------------------------------------------------------

std::string bar(const Terminal& terminal, const std::optional<LiveShare>& share, int width) {
  if (!share) return "";
  const auto part = [&](double value) {
    return std::clamp(static_cast<int>(std::lround(value * width / 100)), 0, width);
  };
  const int compute = part(share->compute);
  const int busy = std::max(compute, part(share->compute + share->communication + share->io));
  std::string text;
  for (int i = 0; i < width; ++i)
    text += i < compute ? (terminal.utf8 ? "\u2588" : "#") : i < busy ? (terminal.utf8 ? "\u2591" : "-") : " ";
  return text;
}

/// What the ranks that find no room have in common.
std::string rest_line(const Terminal& terminal, const std::vector<LiveRankRow>& rest) {
  double least = 100, most = 0;
  std::size_t in_mpi = 0;
  for (const LiveRankRow& row : rest) {
    const auto& share = row.shares.last ? row.shares.last : row.shares.whole;
    if (share) {
      least = std::min(least, share->compute);
      most = std::max(most, share->compute);
    }
    in_mpi += row.rank->now && row.rank->now->mpi && row.rank->status == Status::running;
  }
  std::string text = fmt::format("{} more: {} in MPI now", rest.size(), in_mpi);
  if (least <= most) text += fmt::format(", compute {:.1f} to {:.1f} %", least, most);
  return styled(terminal, Style::dim, cut_middle(text, terminal.width, terminal.utf8));
}

Lines rank_lines(const Terminal& terminal, const LiveView& view, const TopLayout& layout, std::size_t lines) {
  const std::size_t all = view.ranks.size();
  std::size_t room = lines > 1 ? lines - 1 : 0; // the first holds the titles
  const bool whole = room >= all;
  if (!whole && room > 1) --room; // and the last says what is left out
  std::vector<LiveRankRow> rows = ordered(view.ranks, layout.order, room);
  const std::size_t first = std::min(layout.first, all - std::min(room, all));
  std::vector<LiveRankRow> rest(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first));
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first));
  if (rows.size() > room) {
    rest.insert(rest.end(), rows.begin() + static_cast<std::ptrdiff_t>(room), rows.end());
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(room), rows.end());
  }
  Table table;
  for (int step = 0; step <= columns::live_rank_steps; ++step) {
    const auto bar_of = [&, width = step == 0 ? 20 : 10](const std::optional<LiveShare>& share) {
      return bar(terminal, share, width);
    };
    table = text_table(columns::live_ranks(view, bar_of), rows, {.step = step});
    if (fits(terminal, table, 0)) break;
  }
  Lines text = split(table_text(terminal, table, 0));
  if (!whole && lines > 2) text.push_back(rest_line(terminal, rest));
  return text;
}

/// Who waits for whom, on a third of the screen at most; on a small one only what is certain, in a line.
Lines hang_lines(const Terminal& terminal, const Hang& hang, std::size_t height) {
  const int width = height > 0 ? terminal.width : 0;
  const bool small = height > 0 && height < small_height;
  if (small && (hang.findings.empty() || !is_certain(hang.findings.front()))) return {};
  Lines lines = hang_text(terminal, hang, width);
  if (height > 0) lines.resize(std::min(lines.size(), small ? std::size_t{1} : height / 3));
  return lines;
}

/// Arenas that cannot be read; not so many that nothing else can be seen.
Lines trouble_lines(const Terminal& terminal, const std::vector<std::string>& troubles) {
  constexpr std::size_t most = 4;
  Lines lines;
  const auto add = [&](const std::string& text) {
    lines.push_back(styled(terminal, Style::yellow, cut_middle(text, terminal.width, terminal.utf8)));
  };
  const std::size_t told = troubles.size() > most ? most - 1 : troubles.size();
  for (std::size_t i = 0; i < told; ++i) add(printable(troubles[i]));
  if (told < troubles.size()) add(fmt::format("{} more arenas cannot be read", troubles.size() - told));
  return lines;
}

} // namespace

std::string span_text(double ns) {
  const double s = std::max(0.0, ns) * 1e-9;
  if (s < 0.9995) return fmt::format("{:.0f} ms", s * 1e3);
  if (s < 99.95) return fmt::format("{:.1f} s", s);
  const auto whole = static_cast<long long>(s);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::vector<std::string> top_lines(const Terminal& terminal, const LiveView& view, const TopLayout& layout) {
  const bool small = layout.height > 0 && layout.height < small_height;
  const std::size_t height = static_cast<std::size_t>(std::max(0, layout.height));
  Lines lines = {head_line(terminal, view, layout)};
  const auto append = [&lines](const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  if (!small) lines.emplace_back();
  append(kinds_lines(terminal, view, small));
  append(hang_lines(terminal, view.job->hang, height));
  append(trouble_lines(terminal, view.job->unreadable));

  // Each table wants its rows and a line of titles.
  std::size_t ranks = view.ranks.size() + 1, paths = view.paths.size() + 1;
  if (height == 0) {
    ranks = std::min(ranks, ranks_in_a_pipe + 2);
    paths = std::min(paths, paths_in_a_pipe + 1);
  } else {
    const std::size_t taken = lines.size() + (small ? 0 : 2) + !layout.foot.empty();
    const std::size_t left = height > taken ? height - taken : 0;
    if (ranks + paths > left) {
      const std::size_t half = left / 2;
      if (paths <= half) ranks = left - paths;
      else if (ranks <= left - half) paths = left - ranks;
      else paths = half, ranks = left - half;
    }
  }
  if (!small) lines.emplace_back();
  if (paths > 1) append(path_lines(terminal, view, paths - 1));
  if (!small) lines.emplace_back();
  if (ranks > 1) append(rank_lines(terminal, view, layout, ranks));

  if (height > 0) lines.resize(height - !layout.foot.empty());
  if (!layout.foot.empty())
    lines.push_back(styled(terminal, Style::dim, cut_middle(layout.foot, terminal.width, terminal.utf8)));
  return lines;
}

} // namespace andes::postproc
