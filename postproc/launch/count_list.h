// Counts of a sweep (--ranks, --threads) and what stands for them in a command ({p}, {t}).
//
//   1,2,4     1-4     1,2,4-8:2        elements are numbers or FIRST-LAST[:STEP]
//
// The order is the user's; a count may occur only once (--repeat is for more runs of it).
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

/// What a list counts, for its messages.
struct Counted {
  const char* option;
  const char* one; // of what is counted
};
inline constexpr Counted counted_ranks{"--ranks", "rank"}, counted_threads{"--threads", "thread"};

/// Reads a list like "1,2,4-8:2". Throws Refusal with the reason.
std::vector<int> read_count_list(const std::string& text, const Counted& what);

inline constexpr const char *ranks_word = "{p}", *threads_word = "{t}";

/// Whether `placeholder` occurs in any word.
bool mentions(const std::vector<std::string>& words, const std::string& placeholder);

/// Replaces every `placeholder` in every word.
std::vector<std::string> substitute(std::vector<std::string> words, const std::string& placeholder,
                                    const std::string& text);

} // namespace andes::postproc
