// Goes from the last wait of a thread to the first, with a stack of later messages, each sent
// earlier than all messages between it and the present one: the nearest on top, so that binary
// search finds the wanted message.
#include "monitor/rules/overtaken.h"

#include <algorithm>
#include <numeric>

namespace andes::monitor::rules {
namespace {

namespace message = columns::point_to_point_operation_group;

struct Messages {
  Table& table;
  const std::vector<std::int64_t>&thread, &sent, &wait_begin, &wait_end;
};

/// Rows by thread and beginning of the wait. Tables mostly come in that order.
std::vector<std::uint32_t> in_order(const Messages& m) {
  std::vector<std::uint32_t> rows(m.table.rows);
  std::iota(rows.begin(), rows.end(), 0u);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return m.thread[a] != m.thread[b] ? m.thread[a] < m.thread[b] : m.wait_begin[a] < m.wait_begin[b];
  };
  if (!std::is_sorted(rows.begin(), rows.end(), before)) std::stable_sort(rows.begin(), rows.end(), before);
  return rows;
}

void mark(const Messages& m, std::uint32_t row, const std::vector<std::uint32_t>& later) {
  set(m.table, row, message::overtaking_source, none);
  const std::int64_t wait = std::min(m.sent[row], m.wait_end[row]) - m.wait_begin[row];
  if (wait <= 0) return;
  const std::int64_t last_tenth = m.wait_begin[row] + wait - wait / 10;
  const auto found = std::partition_point(later.rbegin(), later.rend(),
                                          [&](std::uint32_t other) { return m.sent[other] >= last_tenth; });
  if (found == later.rend()) return;
  set(m.table, row, message::overtaking_source, m.table.columns[message::source].integers[*found]);
  set(m.table, row, message::overtaking_send_start_time, m.sent[*found]);
  set(m.table, row, message::overtaking_receive_wait_start_time, m.wait_begin[*found]);
}

} // namespace

void fill_overtaking(Table& table) {
  if (!table.columns[message::overtaking_source].used) return;
  const auto column = [&](std::uint32_t number) -> const std::vector<std::int64_t>& {
    return table.columns[number].integers;
  };
  const Messages m{table, column(message::thread), column(message::send_start_time),
                   column(message::receive_wait_start_time), column(message::receive_wait_finish_time)};
  const std::vector<std::uint32_t> rows = in_order(m);
  std::vector<std::uint32_t> later; // nearest last; farther ones were sent ever earlier
  for (std::size_t end = rows.size(); end > 0;) {
    std::size_t begin = end - 1; // messages of one waiting call do not count as later than each other
    const auto together = [&](std::uint32_t a, std::uint32_t b) {
      return m.thread[a] == m.thread[b] && m.wait_begin[a] == m.wait_begin[b];
    };
    while (begin > 0 && together(rows[begin - 1], rows[end - 1])) --begin;
    if (end < rows.size() && m.thread[rows[end]] != m.thread[rows[begin]]) later.clear();
    for (std::size_t i = begin; i < end; ++i) mark(m, rows[i], later);
    for (std::size_t i = begin; i < end; ++i) {
      while (!later.empty() && m.sent[later.back()] >= m.sent[rows[i]]) later.pop_back();
      later.push_back(rows[i]);
    }
    end = begin;
  }
}

} // namespace andes::monitor::rules
