// Numbers as people read them: enough digits, no more, and what is absent as a dash.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postproc/analysis/estimate.h"

namespace andes::postproc {

/// `digits` significant digits, no exponent between 0.0001 and ten million.
std::string significant(double value, int digits = 3);

/// A time in a column of seconds: 3.91, and what is shorter than 10 ms with its unit: 311 us. Less than a picosecond is
/// what the rounding of sums leaves, and zero.
std::string seconds_text(double time_s);

/// A time with its unit: 3.91 s, 311 us; three significant digits.
std::string time_text(double time_s);

/// Times that stand beside each other in one unit, as exact as the largest of them with three significant digits;
/// what is nothing beside that reads 0.
struct AlikeTimes {
  std::vector<std::string> texts;
  const char* unit = "s"; // "ms" ... where the largest is shorter than 10 ms
};
AlikeTimes alike_times(const std::vector<double>& times_s);

/// Two times of which one is a change of the other, in one unit; each has four significant digits.
AlikeTimes compared_times(double before_s, double after_s);

/// The same in a sentence: "1.234 -> 1.198 s", "84.32 -> 79.10 us", "2000 -> 1.600 s".
std::string before_and_after(double before_s, double after_s, std::string_view arrow);

/// A time in a sentence: "3.91 s", "0.0273 s", "3.11 ms".
std::string in_seconds(double time_s);

/// A difference of times in a column of seconds, with its sign: +0.193, -311 us.
std::string signed_seconds(double difference_s);

/// Decimals with which `largest` has so many significant digits, and smaller numbers fewer: for tables that add up.
int decimals_of(double largest, int digits);

/// A difference with its sign; nothing where no digit of it would be seen.
std::string signed_text(double difference, int decimals);

std::string fixed(double value, int decimals);
std::string fixed(const std::optional<double>& value, int decimals); // "-" when absent

/// A percentage with one decimal; empty when absent.
std::string percent_text(const std::optional<double>& percent);

/// A time in a column of seconds; empty where it would read 0.
std::string seconds_above_zero(double time_s);

/// "1 rank", "2 ranks", "3 processes".
std::string counted(std::size_t count, std::string_view noun);

/// A count of visits or messages; from ten million on 12.3M, 4.56G.
std::string count_text(double count);
/// A count that is an estimate, to three digits: 789, 123000, 7.81M.
std::string about_count_text(double count);

/// "2 ranks", on a grid "2 ranks x 4 threads".
std::string place_text(int ranks, int threads, bool grid);

/// Bytes with decimal prefixes: 12 B, 3.4 kB, 5.67 MB.
std::string bytes_text(double bytes);

/// Bounds in per cent: "40..60", or one number where they look the same.
std::string bounds_text(double low, double high);

/// A 95 % interval [low, high], a range low..high, or nothing; "-" for a bound that is not there.
std::string spread_text(const Estimate& estimate, int digits = 3);

/// The same of a time in a column of seconds: "[0.205, 0.262]", "[-6.13 us, 8.56 ms]", "[-0.0061, 0.0262]".
std::string seconds_spread(const Estimate& time_s);

/// Median and spread: "5.50 [5.41, 5.62]".
std::string estimate_text(const Estimate& estimate, int digits = 3);

/// The same with fixed decimals, for what may be near zero: a serial fraction, a slope.
std::string fixed_spread(const Estimate& estimate, int decimals);
std::string fixed_text(const Estimate& estimate, int decimals);

} // namespace andes::postproc
