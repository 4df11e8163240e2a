// Sentences name the routines that are the limit; the tables have all that count.
#include "postproc/view/what_if_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "postproc/view/columns/serial_routines.h"
#include "postproc/view/columns/what_if.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/sampling_text.h"

namespace andes::postproc {
namespace {

/// What a routine's fraction is made of, in words.
std::string reason_of(const SerialRoutine& r, const SerialRoutines& serial) {
  const bool is_mpi = is_mpi_kind(r.kind);
  const double factor = r.work_factor.value_or(1);
  const std::string more = factor < 2 ? fmt::format("{} % more", significant(100 * (factor - 1), 2))
                                      : fmt::format("{} times as much", significant(factor, 2));
  const char* than = factor < 2 ? "than" : "as";
  const std::string grows =
      is_mpi ? "MPI itself takes longer with more ranks"
      : r.work_factor
          ? fmt::format("ranks compute {} in it in sum at {} ranks {} at {}", more, serial.size, than, serial.base_size)
          : fmt::format("it computes nothing at {} rank{}", serial.base_size, serial.base_size == 1 ? "" : "s");
  const std::string waits = "other ranks wait for it";
  constexpr double part = 0.2;
  if (r.more_work < part * r.fraction) return waits;
  if (r.waiting < part * r.fraction) return grows;
  return grows + ", and " + waits;
}

} // namespace

std::string serial_routines_text(const Terminal& terminal, const SerialRoutines& serial) {
  constexpr std::size_t most = 10;
  if (!serial.why_not.empty() || serial.routines.empty()) return {};
  const std::span shown(serial.routines.data(), std::min(most, serial.routines.size()));
  std::string text = fmt::format("\n  Call paths in the serial fraction of {} at {} ranks:\n",
                                 fixed(serial.fraction, 3), serial.size) +
                     table_text(terminal, columns::text_table(columns::serial_routines(), shown));
  if (serial.routines.size() > most)
    text += fmt::format("  and {} more (--json lists them)\n", serial.routines.size() - most);
  constexpr double least = 0.0005; // less would read "0.000"
  const double listed = listed_fraction(serial);
  if (const double rest = serial.fraction - listed; rest <= -least)
    text += wrapped(fmt::format("These add up to {}: all else is {}, as it takes less of the ranks' time than at {}.",
                                fixed(listed, 3), fixed(rest, 3), size_text(serial.base_size, Axis::ranks)),
                    terminal.width, "  ", "  ");
  for (const SerialRoutine& r : shown) {
    if (!r.is_limit) continue;
    text += wrapped(fmt::format("{} has {} of the serial fraction: {}. Alone it limits the speedup to {}.",
                                joined_path(r.path), marked(fixed(r.fraction, 3), r.more_work_error),
                                reason_of(r, serial), marked(significant(*r.limit_speedup, 3), r.more_work_error)),
                    terminal.width, "  ", "    ");
  }
  return text;
}

std::string what_if_text(const Terminal& terminal, const WhatIf& what_if) {
  std::string text;
  const auto table = [&](const std::vector<Prediction>& rows) {
    return table_text(terminal, columns::text_table(columns::what_if(what_if), rows));
  };
  if (what_if.asked) text += "\n  With the changes of --if:\n" + table({*what_if.asked});
  if (!what_if.candidates.empty())
    text += "\n  If a routine were different (largest gain first):\n" + table(what_if.candidates);
  if (text.empty()) return text;
  const auto may_lose = [](const Prediction& p) {
    return columns::seconds_bounds(p.low.gain_s, p.high.gain_s).starts_with('-');
  };
  const bool any_loses = (what_if.asked && may_lose(*what_if.asked)) ||
                         std::any_of(what_if.candidates.begin(), what_if.candidates.end(), may_lose);
  return text +
         wrapped(fmt::format("gain: by how much T would shrink, at least..at most{}; {}; at N: speedup projected "
                             "to N ranks",
                             any_loses ? ", below 0: T may grow" : "", words_of_changes),
                 terminal.width, "  ", "  ");
}

} // namespace andes::postproc
