// A head of one line, the times by kind, two tables that share the lines that are left, a foot. Small
// screens lose empty lines first, then the times since the start, then columns.
#include "postproc/view/top_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {
namespace {

using Align = TableColumn::Align;
using Status = LiveRank::Status;
using Lines = std::vector<std::string>;

constexpr int small_height = 16;            // below it no empty lines
constexpr std::size_t paths_in_a_pipe = 20, ranks_in_a_pipe = 64;
constexpr double least_percent = 0.05;  // what would read 0.0 is not listed
constexpr double long_in_mpi_ns = 10e9; // worth a colour

std::string plural(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string path_text(const LivePath& path) { return printable(joined_path(path.names)); }

/// What the percentages of the last interval are called; it is never shorter than what a clock can tell.
std::string interval_title(const LiveView& view) { return fmt::format("last {:.1f} s", view.interval_s); }

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
  std::string right = job.size > 0 ? fmt::format("p = {}", job.size) : plural(job.ranks.size(), "process");
  if (job.size <= 0 && job.ranks.size() != 1) right += "es";
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

std::string percent(const std::optional<LiveShare>& share, double LiveShare::* part) {
  return share ? fixed((*share).*part, 1) : "";
}

/// `wide`: with the tool's share.
Table kinds_table(const LiveView& view, bool small, bool wide) {
  Table table;
  table.columns = {{view.ended > 0 ? "all ranks seen" : "all ranks", Align::left, true},
                   {"compute %"},
                   {"MPI %"},
                   {"andes %"},
                   {wide ? "load balance" : "balance"}};
  const auto add = [&](const std::string& title, const std::optional<LiveShare>& share,
                       const std::optional<double>& balance) {
    table.rows.push_back(
        {title,
         percent(share, &LiveShare::compute),
         percent(share, &LiveShare::communication),
         wide ? percent(share, &LiveShare::tool) : "",
         {balance ? fixed(balance, 2) : "", balance && *balance < 0.8 ? Style::yellow : Style::plain}});
  };
  if (view.interval_s > 0) add(interval_title(view), view.shares.last, view.last_balance);
  if (!small || table.rows.empty()) add("since the start", view.shares.whole, view.whole_balance);
  return table;
}

Lines kinds_lines(const Terminal& terminal, const LiveView& view, bool small) {
  Table table = kinds_table(view, small, true);
  if (!fits(terminal, table, 0)) table = kinds_table(view, small, false);
  return split(table_text(terminal, table, 0));
}

// ---- call paths --------------------------------------------------------------------------------

Lines path_lines(const Terminal& terminal, const LiveView& view, std::size_t rows) {
  Table table;
  const bool both = view.interval_s > 0;
  table.columns = {{"call path", Align::left, true, 16}, {interval_title(view)}, {both ? "start" : "% of p x T"}};
  for (const LivePathRow& row : view.paths) {
    if (table.rows.size() == rows) break;
    const double weight = row.last_percent.value_or(row.whole_percent);
    if (std::max(weight, row.whole_percent) < least_percent) continue;
    table.rows.push_back({{path_text(*row.path), row.path->mpi  ? Style::cyan
                                                 : weight >= 10 ? Style::bold
                                                                : Style::plain},
                          row.last_percent ? fixed(row.last_percent, 1) : "",
                          fixed(row.whole_percent, 1)});
  }
  return split(table_text(terminal, table, 0));
}

// ---- ranks -------------------------------------------------------------------------------------

std::string bar(const Terminal& terminal, const std::optional<LiveShare>& share, int width) {
  if (!share) return "";
  const auto part = [&](double value) { return std::clamp(static_cast<int>(value * width / 100 + 0.5), 0, width); };
  const int compute = part(share->compute);
  const int busy = std::max(compute, part(share->compute + share->communication));
  std::string text;
  for (int i = 0; i < width; ++i)
    text += i < compute ? (terminal.utf8 ? "\u2588" : "#") : i < busy ? (terminal.utf8 ? "\u2591" : "-") : " ";
  return text;
}

Cell doing(const LiveRankRow& row) {
  const LiveRank& rank = *row.rank;
  const std::string where = rank.now ? path_text(*rank.now) : "";
  switch (rank.status) {
  case Status::starting: return {"(before the return of MPI_Init)", Style::dim};
  case Status::off: return {"(switched off) " + where, Style::dim};
  case Status::finalizing: return {"(in MPI_Finalize)", Style::dim};
  case Status::ended: return {printable(rank.ending), Style::red};
  case Status::running: break;
  }
  return {where, rank.now && rank.now->mpi ? Style::cyan : Style::plain};
}

Cell open_for(const LiveRankRow& row) {
  const LiveRank& rank = *row.rank;
  if (rank.status != Status::running || !rank.now || !rank.now_ns) return {};
  return {span_text(*rank.now_ns), rank.now->mpi && *rank.now_ns > long_in_mpi_ns ? Style::yellow : Style::plain};
}

/// How much of a rank's row finds room.
struct RankColumns {
  int bar = 20;
  bool since_start = true, kinds = true;
};

Table ranks_table(const Terminal& terminal, const LiveView& view, const std::vector<LiveRankRow>& rows,
                  const RankColumns& columns) {
  Table table;
  table.columns = {{"rank"},
                   {"", Align::left},
                   {"compute %"},
                   {"MPI %"},
                   {"start"},
                   {"open for"},
                   {"now in", Align::left, true, 12}};
  const bool shown_last = view.interval_s > 0;
  for (const LiveRankRow& row : rows) {
    const auto& first = shown_last ? row.shares.last : row.shares.whole;
    const std::string name = row.rank->status == Status::starting ? fmt::format("pid {}", row.rank->process)
                                                                  : std::to_string(row.rank->rank);
    table.rows.push_back({name,
                          {columns.bar > 0 ? bar(terminal, first, columns.bar) : "", Style::green},
                          percent(first, &LiveShare::compute),
                          columns.kinds ? percent(first, &LiveShare::communication) : "",
                          shown_last && columns.since_start ? percent(row.shares.whole, &LiveShare::compute) : "",
                          open_for(row),
                          doing(row)});
  }
  return table;
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
  constexpr RankColumns narrower[] = {
      {20, true, true}, {10, true, true}, {0, true, true}, {0, false, true}, {0, false, false}};
  Table table;
  for (const RankColumns& columns : narrower) {
    table = ranks_table(terminal, view, rows, columns);
    if (fits(terminal, table, 0)) break;
  }
  Lines text = split(table_text(terminal, table, 0));
  if (!whole && lines > 2) text.push_back(rest_line(terminal, rest));
  return text;
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
