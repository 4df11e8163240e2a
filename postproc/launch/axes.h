// Axes: what a sweep varies besides ranks and threads (--vary NAME=VALUE,...): a problem size, a block size, nodes, a
// file. A value is text; {NAME} in the command stands for it. Axes are crossed with each other and with the counts, but
// for those that --zip pairs value by value.
//
// The axis of --weak grows with the ranks: its values belong to the smallest number of ranks p0, and at p ranks they
// are p / p0 times as large, unless the user pairs them with the ranks (--zip p,NAME) and so says how they grow.
#pragma once
#include <compare>
#include <string>
#include <vector>

namespace andes::postproc {

struct AxisValue {
  std::string name, value;
  auto operator<=>(const AxisValue&) const = default;
};

/// An axis with its values, in the user's order.
struct AxisList {
  std::string name;
  std::vector<std::string> values;
};

/// Reads "NAME=VALUE,VALUE,...". Throws Refusal: no name of letters, digits and _, a name that is taken, no values.
AxisList read_axis(const std::string& text);

/// Reads the names of --zip, "p,N". Throws Refusal.
std::vector<std::string> read_names(const std::string& text);

/// `value` x `ranks` / `base_ranks`. Throws Refusal if the value is no number, or a whole one becomes a fraction.
std::string grown(const AxisValue& value, int ranks, int base_ranks);

/// "N=1000".
std::string text_of(const AxisValue& value);

} // namespace andes::postproc
