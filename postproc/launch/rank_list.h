// Rank counts of a sweep (--ranks) and what stands for them in a command ({p}).
//
//   1,2,4     1-4     1,2,4-8:2        elements are numbers or FIRST-LAST[:STEP]
//
// The order is the user's; a rank count may occur only once (--repeat is for more runs of it).
#pragma once
#include <string>
#include <vector>

namespace andes {

/// Reads a list like "1,2,4-8:2". Throws Refusal with the reason.
std::vector<int> read_rank_list(const std::string& text);

/// Whether {p} occurs in any word.
bool mentions_p(const std::vector<std::string>& words);

/// Replaces every {p} in every word.
std::vector<std::string> substitute_p(const std::vector<std::string>& words, const std::string& p);

} // namespace andes
